/* A ring of bytes. */
#ifndef RING_H
#define RING_H
#include <stddef.h>
#include "base/types.h"
#ifdef __cplusplus
extern "C" {
#endif

#define RING_MAX 128
#define RING_AT(r, i) ((r)->data[(i) % RING_MAX])
#define RING_INLINE

typedef unsigned char byte_t;
typedef struct ring ring_t;
typedef struct { int x, y; } point_t;
typedef int (*ring_cmp)(const void *a, const void *b);
typedef enum { LOW, HIGH } level_t;
struct ring { byte_t data[RING_MAX]; size_t head, tail; void (*on_full)(struct ring *r); struct ring *next; };
union word { int i; float f; };
enum mode { MODE_A = 1, MODE_B };
struct opaque;

int ring_init(ring_t *r, size_t n);
extern int ring_count;
ring_t *ring_new(void);
const char *ring_name(const ring_t *r) __attribute__((pure));
static inline size_t ring_len(const ring_t *r) { return r->tail - r->head; }
void (*ring_handler(int sig))(int);
#if defined(RING_DEBUG)
void ring_dump(const ring_t *r, ...);
#else
#define ring_dump(r)
#endif

#ifdef __cplusplus
}
#endif
#endif
