package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	landlockRead = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	// landlockFile are the rights a rule for anything but a folder may have.
	landlockFile = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	// landlockFirst are the rights of version 1; later ones each add a bit.
	landlockFirst = unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1
)

// landlockRights are the rights the kernel knows: what is named here and not
// granted by a rule is refused.
func landlockRights(abi int) uint64 {
	rights := uint64(landlockFirst)
	if abi >= 2 {
		rights |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= landlockTruncate {
		rights |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= landlockDevices {
		rights |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	return rights
}

// landlockABI is the version of the kernel's Landlock, 1 or more.
func landlockABI() (int, error) {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	switch {
	case errno == unix.ENOSYS:
		return 0, errors.New("this kernel has no Landlock (Linux 5.13 and later have it)")
	case errno == unix.EOPNOTSUPP:
		return 0, errors.New("this kernel has Landlock switched off (add landlock to its lsm= list)")
	case errno != 0:
		return 0, fmt.Errorf("ask the kernel for Landlock: %w", errno)
	}
	return int(abi), nil
}

// ruleset is a Landlock ruleset under construction.
type ruleset struct {
	fd     int
	rights uint64
}

func newRuleset(abi int) (*ruleset, error) {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: landlockRights(abi)}
	if abi >= landlockScopes {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return nil, fmt.Errorf("make a Landlock ruleset: %w", errno)
	}
	return &ruleset{fd: int(fd), rights: attr.Handled_access_fs}, nil
}

// allow grants rights to path and what is below it. What is gone by now, or
// beyond our own reach, needs no rule.
func (r *ruleset) allow(path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.EACCES) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("allow %s: %w", path, err)
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return fmt.Errorf("allow %s: %w", path, err)
	}
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFLNK: // what it leads to has its own rule, or none
		return nil
	case unix.S_IFDIR:
	default:
		rights &= landlockFile
	}
	attr := unix.LandlockPathBeneathAttr{Allowed_access: rights & r.rights, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(r.fd), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&attr)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("allow %s: %w", path, errno)
	}
	return nil
}

// enforce holds the calling thread, and what it executes, to the rules for good.
func (r *ruleset) enforce() error {
	if err := dropPrivileges(); err != nil {
		return err
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(r.fd), 0, 0); errno != 0 {
		return fmt.Errorf("enforce Landlock: %w", errno)
	}
	return nil
}

// plainDevices can be used by everyone without harm to others; those of
// terminals are not among them.
var plainDevices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"}

// allowAll turns the rules into grants. Landlock can only grant, and a grant
// holds for all below: so a folder with something hidden in it gets none, and
// its other entries get their own. Such a folder cannot be listed, and what
// is put into it later cannot be read.
func (r *ruleset) allowAll(rules SandboxRules) error {
	plan := grants{
		writable: append(slices.Clone(rules.Writable), "/dev/shm"),
		hidden:   append(slices.Clone(rules.Hidden), "/dev", sharedTemp),
	}
	if rules.Temp != "" {
		plan.writable = append(plan.writable, rules.Temp)
	}
	if err := plan.visit("/", false, r.allow); err != nil {
		return err
	}
	for _, path := range rules.Readable {
		if err := r.allow(path, landlockRead); err != nil {
			return err
		}
	}
	for _, device := range plainDevices {
		if err := r.allow(device, unix.LANDLOCK_ACCESS_FS_READ_FILE|unix.LANDLOCK_ACCESS_FS_WRITE_FILE|
			unix.LANDLOCK_ACCESS_FS_TRUNCATE|unix.LANDLOCK_ACCESS_FS_IOCTL_DEV); err != nil {
			return err
		}
	}
	return nil
}

// maxSiblings bounds the entries of a folder that get grants of their own.
const maxSiblings = 20_000

type grants struct{ writable, hidden []string }

// visit grants what may be used of path, which lies in something writable or not.
func (g grants) visit(path string, writable bool, allow func(path string, rights uint64) error) error {
	if slices.Contains(g.hidden, path) {
		for _, inner := range g.writable {
			if beneath(inner, path) {
				if err := g.visit(inner, true, allow); err != nil {
					return err
				}
			}
		}
		return nil
	}
	writable = writable || slices.Contains(g.writable, path)
	if slices.ContainsFunc(g.hidden, func(h string) bool { return beneath(h, path) }) {
		return g.visitEntries(path, writable, allow)
	}
	if writable {
		return allow(path, ^uint64(unix.LANDLOCK_ACCESS_FS_IOCTL_DEV|unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK|unix.LANDLOCK_ACCESS_FS_MAKE_CHAR))
	}
	if err := allow(path, landlockRead); err != nil {
		return err
	}
	for _, inner := range g.writable {
		if beneath(inner, path) {
			if err := g.visit(inner, true, allow); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g grants) visitEntries(path string, writable bool, allow func(path string, rights uint64) error) error {
	entries, err := os.ReadDir(path)
	if err != nil && !errors.Is(err, os.ErrPermission) && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("allow what is not hidden: %w", err)
	}
	if len(entries) > maxSiblings {
		return fmt.Errorf("allow what is not hidden in %s: it has %d entries, over %d; hide it as a whole, or use bwrap (apt-get install bubblewrap)",
			path, len(entries), maxSiblings)
	}
	for _, entry := range entries {
		if entry.Type()&os.ModeSymlink != 0 {
			continue
		}
		if err := g.visit(filepath.Join(path, entry.Name()), writable, allow); err != nil {
			return err
		}
	}
	return nil
}
