package workspace

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

var auditArch = map[string]uint32{
	"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64, "riscv64": unix.AUDIT_ARCH_RISCV64,
}

// refuseNetwork lets the calling thread, and what it executes, make no sockets
// but those by path and those that ask the kernel. Landlock is not
// enough for this: of all protocols it holds plain TCP, and most servers for
// that answer multipath TCP as well.
func refuseNetwork() error {
	arch, known := auditArch[runtime.GOARCH]
	if !known {
		return fmt.Errorf("the network cannot be switched off on %s; allow it, or use bwrap", runtime.GOARCH)
	}
	// Offsets in the kernel's struct seccomp_data.
	const number, architecture, firstArgument = 0, 4, 16
	const foreignNumbers = 0x40000000 // of a second table some kernels have
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	jump := func(test uint16, value uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, K: value, Jt: yes, Jf: no}
	}
	result := func(value uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: value} }
	filter := []unix.SockFilter{
		load(architecture),
		jump(unix.BPF_JEQ, arch, 0, 7),
		load(number),
		jump(unix.BPF_JGE, foreignNumbers, 5, 0),
		jump(unix.BPF_JEQ, unix.SYS_IO_URING_SETUP, 4, 0), // makes sockets without a call of its own
		jump(unix.BPF_JEQ, unix.SYS_SOCKET, 0, 4),
		load(firstArgument),
		jump(unix.BPF_JEQ, unix.AF_UNIX, 2, 0),
		jump(unix.BPF_JEQ, unix.AF_NETLINK, 1, 0),
		result(unix.SECCOMP_RET_ERRNO | uint32(unix.EACCES)),
		result(unix.SECCOMP_RET_ALLOW),
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
	runtime.KeepAlive(filter)
	if err != nil {
		return fmt.Errorf("switch off the network: %w", err)
	}
	return nil
}
