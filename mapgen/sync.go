package mapgen

import (
	"errors"
	"os"
)

// manyFiles is from when on it is cheaper to bring the whole file system to the
// disk than file by file.
const manyFiles = 8

// syncFiles returns when the files' content is on the disk. A file that is gone
// is none to wait for.
func syncFiles(files []*pendingFile) error {
	if len(files) >= manyFiles && syncWhole(files) {
		return nil
	}
	errs := make([]error, len(files))
	parallel(len(files), func(i int) { errs[i] = withFile(files[i].temp, (*os.File).Sync) })
	return errors.Join(errs...)
}

func withFile(name string, do func(*os.File) error) error {
	f, err := os.Open(name)
	if gone(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return do(f)
}
