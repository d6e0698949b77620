/* Nanoseconds to count a bound system, for the shapes that kernels have.  usage: bench-system
 * Each shape is counted in batches; the median over the batches is printed. */
#include "system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCHES = 101, BATCH = 2000 };

static struct fw_row *add(struct fw_system *system, int64_t constant)
{
    struct fw_row *row = &system->rows[system->row_count++];
    memset(row, 0, sizeof(*row));
    row->constant = constant;
    return row;
}

static void add_bounds(struct fw_system *system, uint32_t variable, int64_t low, int64_t high)
{
    add(system, -low)->coefficient[variable] = 1;
    add(system, high)->coefficient[variable] = -1;
}

/* Blocks 0..2 and threads 3..5. */
static void launch(struct fw_system *system, int64_t blocks_x, int64_t blocks_y, int64_t threads_x,
                   int64_t threads_y)
{
    memset(system, 0, sizeof(*system));
    system->variables = 6;
    add_bounds(system, 0, 0, blocks_x - 1);
    add_bounds(system, 1, 0, blocks_y - 1);
    add_bounds(system, 2, 0, 0);
    add_bounds(system, 3, 0, threads_x - 1);
    add_bounds(system, 4, 0, threads_y - 1);
    add_bounds(system, 5, 0, 0);
}

/* size * block + thread < n */
static void guard(struct fw_system *system, uint32_t axis, int64_t size, int64_t n)
{
    struct fw_row *row = add(system, n - 1);
    row->coefficient[axis] = -size;
    row->coefficient[axis + 3] = -1;
}

static void guarded(struct fw_system *system)
{
    launch(system, 4096, 1, 256, 1);
    guard(system, 0, 256, 1000003);
}

static void matmul(struct fw_system *system)
{
    launch(system, 128, 128, 16, 16);
    guard(system, 0, 16, 2040);
    guard(system, 1, 16, 2041);
    system->variables = 8;
    add_bounds(system, 6, 0, 127);
    add_bounds(system, 7, 0, 15);
}

/* Ragged tiles: 16 * outer + inner < n. */
static void ragged(struct fw_system *system)
{
    matmul(system);
    struct fw_row *row = add(system, 2039);
    row->coefficient[6] = -16;
    row->coefficient[7] = -1;
}

/* j < i < n under a guard. */
static void triangle(struct fw_system *system)
{
    guarded(system);
    system->variables = 8;
    add_bounds(system, 6, 0, 4095);
    add(system, 0)->coefficient[7] = 1;
    struct fw_row *row = add(system, -1);
    row->coefficient[6] = 1;
    row->coefficient[7] = -1;
}

/* j <= 256 * block + thread: the triangle hangs on the launch. */
static void row_triangle(struct fw_system *system)
{
    guarded(system);
    system->variables = 7;
    add(system, 0)->coefficient[6] = 1;
    struct fw_row *row = add(system, 0);
    row->coefficient[0] = 256;
    row->coefficient[3] = 1;
    row->coefficient[6] = -1;
}

/* A grid-stride loop: block * 256 + thread + 1048576 * k < n. */
static void grid_stride(struct fw_system *system)
{
    launch(system, 4096, 1, 256, 1);
    system->variables = 7;
    add(system, 0)->coefficient[6] = 1;
    struct fw_row *row = add(system, 123456788);
    row->coefficient[0] = -256;
    row->coefficient[3] = -1;
    row->coefficient[6] = -1048576;
}

/* q = thread / 32, used by a second guard q < 3. */
static void warp_floor(struct fw_system *system)
{
    guarded(system);
    system->variables = 7;
    struct fw_row *low = add(system, 0);
    low->coefficient[3] = 1;
    low->coefficient[6] = -32;
    struct fw_row *high = add(system, 31);
    high->coefficient[3] = -1;
    high->coefficient[6] = 32;
    add(system, 2)->coefficient[6] = -1;
}

/* Threads overlap: 14 * block + thread < n with 16 threads, both axes. */
static void halo(struct fw_system *system)
{
    launch(system, 288, 288, 16, 16);
    guard(system, 0, 14, 4030);
    guard(system, 1, 14, 4030);
}

/* Three triangular loops. */
static void tetrahedron(struct fw_system *system)
{
    launch(system, 1, 1, 1, 1);
    system->variables = 9;
    add(system, 0)->coefficient[6] = 1;
    for (uint32_t v = 6; v < 8; v++) {
        struct fw_row *row = add(system, 0);
        row->coefficient[v] = -1;
        row->coefficient[v + 1] = 1;
    }
    add(system, 4095)->coefficient[8] = -1;
}

static const struct {
    const char *name;
    void (*make)(struct fw_system *);
} shapes[] = {
    {"guarded launch", guarded},
    {"tiled matmul, two guards", matmul},
    {"three-level tiles, ragged", ragged},
    {"triangle under a guard", triangle},
    {"triangle on the thread index", row_triangle},
    {"grid-stride loop", grid_stride},
    {"warp index by a floor", warp_floor},
    {"overlapping blocks", halo},
    {"tetrahedron", tetrahedron},
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    struct fw_counter *counter = fw_counter_new();
    struct fw_system *system = calloc(1, sizeof(*system));
    mpz_t result;
    mpz_init(result);
    if (!counter || !system)
        return 3;
    printf("%-32s %10s  %s\n", "shape", "median ns", "count");
    for (size_t shape = 0; shape < sizeof(shapes) / sizeof(shapes[0]); shape++) {
        double batches[BATCHES];
        enum fw_status status = FW_OK;
        shapes[shape].make(system);
        for (int batch = 0; batch < BATCHES; batch++) {
            double start = now();
            for (int i = 0; i < BATCH; i++)
                status = fw_system_count(result, counter, system);
            batches[batch] = (now() - start) / BATCH;
        }
        qsort(batches, BATCHES, sizeof(double), by_value);
        printf("%-32s %10.0f  ", shapes[shape].name, batches[BATCHES / 2]);
        if (status == FW_OK)
            gmp_printf("%Zd\n", result);
        else
            printf("status %d\n", (int)status);
    }
    mpz_clear(result);
    free(system);
    fw_counter_free(counter);
    return 0;
}
