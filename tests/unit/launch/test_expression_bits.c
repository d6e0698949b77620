/* Expressions of thread indices where the block is known: masks of bits that may be set, and
 * quotients and masks that are simplified by them, against the same operations on numbers. */
#include "launch.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { EXPRESSIONS = 24, KERNELS = 200, THREADS = 256, BLOCK = 37, ITERATION = 5 };

/* What the first values are, and others from two before by an operation: as expressions, and as
 * numbers of each thread. */
struct values {
    fw_expression at[EXPRESSIONS];
    int64_t number[EXPRESSIONS][THREADS];
};

static int64_t floor_by(int64_t a, int64_t by)
{
    return a / by - (a % by < 0);
}

static void operate(struct values *v, uint32_t i, struct fw_pool *pool, struct fw_random *random)
{
    const uint32_t a = (uint32_t)fw_random_between(random, 0, i - 1);
    const uint32_t b = (uint32_t)fw_random_between(random, 0, i - 1);
    const int64_t shift = fw_random_between(random, 0, 9), by = fw_random_between(random, 1, 40);
    const int64_t mask = fw_random_between(random, 0, 511), kind = fw_random_between(random, 0, 6);
    const fw_expression x = v->at[a], y = v->at[b];
    fw_expression both = kind == 4 || kind == 5 ? fw_bit_and(pool, x, y) : 0;
    v->at[i] = kind == 0   ? fw_scale(pool, x, (int64_t)1 << shift)
               : kind == 1 ? fw_floor_divide(pool, x, fw_constant(pool, (int64_t)1 << shift))
               : kind == 2 ? fw_floor_divide(pool, x, fw_constant(pool, by))
               : kind == 3 ? fw_bit_and(pool, x, fw_constant(pool, mask))
               : kind == 4 ? fw_subtract(pool, fw_add(pool, x, y), both)
               : kind == 5 ? fw_subtract(pool, fw_add(pool, x, y), fw_scale(pool, both, 2))
                           : fw_subtract(pool, x, y);
    for (uint32_t t = 0; t < THREADS; t++) {
        const int64_t p = v->number[a][t], q = v->number[b][t];
        v->number[i][t] = kind == 0   ? (int64_t)((uint64_t)p << shift)
                          : kind == 1 ? p >> shift
                          : kind == 2 ? floor_by(p, by)
                          : kind == 3 ? p & mask
                          : kind == 4 ? p | q
                          : kind == 5 ? p ^ q
                                      : p - q;
    }
}

static void random_values(struct values *v, struct fw_pool *pool, struct fw_random *random)
{
    v->at[0] = fw_launch_value(pool, FW_THREAD_X);
    v->at[1] = fw_launch_value(pool, FW_BLOCK_X);
    v->at[2] = fw_atom_new(pool, FW_ATOM_ITERATION, 0, 0, 0);
    for (uint32_t t = 0; t < THREADS; t++) {
        v->number[0][t] = t;
        v->number[1][t] = BLOCK;
        v->number[2][t] = ITERATION;
    }
    for (uint32_t i = 3; i < EXPRESSIONS; i++) {
        do /* numbers of few bits: those of addresses */
            operate(v, i, pool, random);
        while (v->number[i][THREADS - 1] >> 30 != v->number[i][THREADS - 1] >> 62);
    }
}

static void simplified_expressions_keep_their_values(void **state)
{
    struct fw_random random = {2};
    (void)state;
    for (uint32_t k = 0; k < KERNELS; k++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct fw_kernel *kernel = FW_NEW(arena, struct fw_kernel);
        struct values *v = FW_NEW(arena, struct values);
        static struct fw_loop loop = {.parent = FW_NONE, .depth = 1};
        static struct fw_domain all = {.kind = FW_DOMAIN_ALL, .innermost = FW_NONE};
        const int64_t iteration = ITERATION;
        kernel->arena = arena;
        kernel->loops = &loop;
        kernel->loop_count = kernel->domain_count = 1;
        kernel->domains = &all;
        fw_pool_init(&kernel->pool, arena);
        kernel->pool.most_threads[0] = THREADS;
        kernel->pool.most_threads[1] = kernel->pool.most_threads[2] = 1;
        random_values(v, &kernel->pool, &random);
        struct fw_launch *launch = fw_launch_new(arena, kernel);
        struct fw_bound *bound = fw_bound_new(kernel);
        launch->block[0] = THREADS;
        launch->grid[0] = BLOCK + 1;
        assert_int_equal(fw_bound_set(bound, launch), FW_OK);
        for (uint32_t i = 0; i < EXPRESSIONS; i++) {
            const uint64_t bits = fw_expression_bits(&kernel->pool, v->at[i]);
            for (uint32_t t = 0; t < THREADS; t++) {
                const struct fw_point point = {{BLOCK}, {t}, &iteration};
                int64_t value;
                assert_int_equal((uint64_t)v->number[i][t] & ~bits, 0);
                assert_true(fw_bound_evaluate(bound, v->at[i], &point, &value));
                assert_int_equal(value, v->number[i][t]);
            }
        }
        fw_bound_free(bound);
        fw_arena_free(arena);
    }
}

/* Fields of the thread index that do not overlap, as tiles of tensors have them. */
static void fields_apart_need_no_masks(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_pool pool;
    (void)state;
    fw_pool_init(&pool, arena);
    pool.most_threads[0] = THREADS;
    pool.most_threads[1] = pool.most_threads[2] = 1;
    const fw_expression thread = fw_launch_value(&pool, FW_THREAD_X);
    const fw_expression block = fw_launch_value(&pool, FW_BLOCK_X);
    fw_expression row = fw_floor_divide(&pool, thread, fw_constant(&pool, 8));
    assert_int_equal(fw_bit_and(&pool, thread, fw_constant(&pool, THREADS - 1)), thread);
    assert_int_equal(fw_floor_divide(&pool, thread, fw_constant(&pool, THREADS)), 0);
    assert_int_equal(fw_bit_and(&pool, row, fw_scale(&pool, block, 32)), 0);
    assert_int_not_equal(fw_bit_and(&pool, row, fw_scale(&pool, block, 16)), 0);
    /* 3 of the lowest bits, moved up, beside the others, moved down. */
    fw_expression low = fw_bit_and(&pool, thread, fw_constant(&pool, 7));
    assert_int_equal(fw_bit_and(&pool, fw_scale(&pool, low, 32), row), 0);
    assert_int_equal(fw_expression_bits(&pool, fw_scale(&pool, low, 32)), 7 * 32);
    assert_int_equal(fw_expression_bits(&pool, fw_add(&pool, fw_scale(&pool, low, 32), row)), 255);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simplified_expressions_keep_their_values),
        cmocka_unit_test(fields_apart_need_no_masks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
