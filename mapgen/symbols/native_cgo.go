//go:build cgo

package symbols

/*
#include <stddef.h>

// Weak, because this file is linked alone before it is linked with the parser.
extern void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *)) __attribute__((weak));

static void plain_allocator(void) {
	if (ts_set_allocator) ts_set_allocator(NULL, NULL, NULL, NULL);
}
*/
import "C"

// The binding routes each allocation of the C parser through Go, which makes
// parsing markedly slower; NULLs give C its own allocator back. Imported
// packages are initialised first, so this comes after the binding's own setting.
func init() { C.plain_allocator() }
