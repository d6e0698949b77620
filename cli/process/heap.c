/* The heap of a program that answers one question and ends.
 *
 * A prediction takes some megabytes and lasts some tens of milliseconds, of which first touches of
 * 4 KB pages were an eighth: 1.5 us each, and 0.3 us where the kernel gives 2 MB at one time
 * (transparent huge pages, asked for by madvise).  The C library's heap is therefore made large at
 * once; what of it is not touched takes address space alone. */
#include "command.h"

#ifdef __GLIBC__
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    HEAP = 64 << 20,
    HUGE_PAGE = 2 << 20,
    LARGEST_IN_HEAP = 32 << 20, /* the most that glibc takes */
    LITTLE = 128 << 10          /* glibc's own step, for threads and beyond this heap */
};

static void
    *volatile below; /* the first large page; volatile: else it is left out, as nobody asks */

void open_heap(bool few_threads)
{
    mallopt(M_TOP_PAD, HEAP);
    mallopt(M_TRIM_THRESHOLD, 2 * HEAP);
    mallopt(M_MMAP_THRESHOLD, LARGEST_IN_HEAP);
    if (few_threads)
        mallopt(M_ARENA_MAX, 1);     /* the second thread's memory comes from there, too */
    void *first = malloc(HUGE_PAGE); /* what is free by now does not hold it: the heap grows */
    mallopt(M_TOP_PAD, LITTLE);
    if (!first) /* a limit of the process: memory comes as it would without this */
        return;
    const uintptr_t end = (uintptr_t)sbrk(0);
    /* A large page in which something was touched stays one of small pages: behind what was taken,
     * the heap has a header. */
    const uintptr_t begin = ((uintptr_t)first / HUGE_PAGE + 2) * HUGE_PAGE;
    const size_t before = begin - (uintptr_t)first;
    free(first);
    if (end <= begin || end - begin > 2 * (size_t)HEAP)
        return; /* another allocator, or a limit: memory is not of the heap */
    madvise((void *)begin, (end - begin) / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
    below = malloc(before); /* nothing touches it: what is allocated next lies in large pages */
}
#else
void open_heap(bool few_threads)
{
    (void)few_threads;
}
#endif
