package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ProjectFile is the name of a project's own configuration in its root.
const ProjectFile = ".growbench.json"

// ErrNoHome means that no folder for configuration or state can be named; the
// error's text says which variable to set.
var ErrNoHome = errors.New("no home folder")

// ConfigDir is the user's configuration folder, $XDG_CONFIG_HOME/growbench.
func ConfigDir() (string, error) { return userDir("XDG_CONFIG_HOME", ".config") }

// ConfigFile is the user's configuration file; it need not exist.
func ConfigFile() (string, error) {
	dir, err := ConfigDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "config.json"), nil
}

// StateRoot is the folder of all runs, sessions and trust,
// $XDG_STATE_HOME/growbench. It need not exist.
func StateRoot() (string, error) { return userDir("XDG_STATE_HOME", ".local/state") }

// userDir follows the XDG rules: a relative value is ignored.
func userDir(variable, underHome string) (string, error) {
	if base := os.Getenv(variable); filepath.IsAbs(base) {
		return filepath.Join(base, "growbench"), nil
	}
	home := os.Getenv("HOME")
	if !filepath.IsAbs(home) {
		return "", fmt.Errorf("%w: HOME is missing or relative: set HOME or %s to an absolute path", ErrNoHome, variable)
	}
	return filepath.Join(home, underHome, "growbench"), nil
}

// ProjectName names a project's folder under [StateRoot]: the base name and a
// short hash of the absolute path, with symbolic links resolved so that every
// way to the project gives one name.
func ProjectName(root string) (string, error) {
	path, err := canonical(root)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(path))
	base := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '_'
	}, filepath.Base(path))
	return base[:min(len(base), 40)] + "-" + hex.EncodeToString(sum[:4]), nil
}

// ProjectState is the state folder of the project called name (see
// [ProjectName]). It need not exist.
func ProjectState(name string) (string, error) {
	root, err := StateRoot()
	if err != nil {
		return "", err
	}
	return filepath.Join(root, name), nil
}

// canonical is the absolute path with links resolved as far as it exists.
func canonical(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("finding the absolute path of %s: %w", visible(path), err)
	}
	if resolved, err := filepath.EvalSymlinks(absolute); err == nil {
		return resolved, nil
	}
	return absolute, nil
}

// tilde shortens a path below the home folder for display.
func tilde(path string) string {
	home := os.Getenv("HOME")
	if rest, below := strings.CutPrefix(path, home+"/"); below && home != "" {
		return "~/" + visible(rest)
	}
	return visible(path)
}
