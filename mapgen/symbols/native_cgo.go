//go:build cgo

package symbols

/*
#include <stddef.h>
#include <time.h>

// Weak, because this file is linked alone before it is linked with the parser.
extern void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *)) __attribute__((weak));

static void plain_allocator(void) {
	if (ts_set_allocator) ts_set_allocator(NULL, NULL, NULL, NULL);
}

// Nanoseconds the calling thread has run, or -1 where the system cannot tell.
static long long thread_time(void) {
#ifdef CLOCK_THREAD_CPUTIME_ID
	struct timespec t;
	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0) return t.tv_sec * 1000000000LL + t.tv_nsec;
#endif
	return -1;
}
*/
import "C"

import "time"

// The binding routes each allocation of the C parser through Go, which makes
// parsing markedly slower; NULLs give C its own allocator back. Imported
// packages are initialised first, so this comes after the binding's own setting.
func init() { C.plain_allocator() }

var processStart = time.Now()

// threadTime is how long the calling thread has run: unlike the clock on the
// wall it does not depend on what else the machine does, so the same file is
// read or given up the same way every time.
func threadTime() time.Duration {
	if ns := C.thread_time(); ns >= 0 {
		return time.Duration(ns)
	}
	return time.Since(processStart)
}
