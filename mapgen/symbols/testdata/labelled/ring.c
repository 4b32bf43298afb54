#include "ring.h"
#include <string.h>
#define LOCAL 3
struct local { int a; };
int ring_count = 0, *ring_ptr;
static int hidden_count;
const char *const ring_version = "1";
int ring_init(ring_t *r, size_t n)
{
	memset(r, 0, n);
	return 0;
}
static void helper(void) {}
ring_t *ring_new(void) { return 0; }
extern int elsewhere(void);
int later(int);
int old_style(a, b) int a; char *b; { return a; }
void (*ring_handler(int sig))(int) { return 0; }
inline int quick(int x) { return x; }
int main(int argc, char **argv) { return 0; }
