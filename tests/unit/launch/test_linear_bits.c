/* Fields of an index that a launch chooses by shifts and masks are sums of floors. */
#include "launch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { BLOCKS = 16, THREADS = 256 };

/* A kernel with an argument p and i = blockIdx.x * blockDim.x + threadIdx.x. */
static struct fw_kernel *kernel_of(struct fw_arena *arena, fw_expression *index, fw_expression *p)
{
    struct fw_kernel *kernel = FW_NEW(arena, struct fw_kernel);
    struct fw_pool *pool = &kernel->pool;
    fw_pool_init(pool, arena);
    kernel->arena = arena;
    kernel->parameter_count = 1;
    kernel->parameters = FW_ARRAY(arena, struct fw_parameter, 1);
    kernel->parameters[0] = (struct fw_parameter){.name = "p", .type = FW_TYPE_S32};
    *index = fw_add(pool,
                    fw_multiply(pool, fw_launch_value(pool, FW_BLOCK_X),
                                fw_launch_value(pool, FW_BLOCK_SIZE_X)),
                    fw_launch_value(pool, FW_THREAD_X));
    *p = fw_atom_new(pool, FW_ATOM_PARAMETER, 0, 0, 0);
    kernel->domain_count = 1;
    kernel->domains = FW_ARRAY(arena, struct fw_domain, 1);
    kernel->domains[0] = (struct fw_domain){.kind = FW_DOMAIN_ALL, .innermost = FW_NONE};
    return kernel;
}

static fw_expression bit_or(struct fw_pool *pool, fw_expression a, fw_expression b)
{
    return fw_subtract(pool, fw_add(pool, a, b), fw_bit_and(pool, a, b));
}

/* The shape's expression at thread i, whose one floor is i / 2^p, or that of the thread's index
 * alone where a block has more threads. */
static int64_t value_at(const struct fw_shape *shape, int64_t i, int64_t p)
{
    int64_t value = shape->constant, block = i / THREADS, thread = i % THREADS;
    int64_t floor = (1 << p < THREADS ? thread : i) >> p;
    for (uint32_t v = 0; v < shape->variables; v++)
        value += shape->coefficient[v] * (shape->quotient[v]                         ? floor
                                          : v == (uint32_t)shape->launch_variable[0] ? block
                                                                                     : thread);
    return value;
}

/* A bit is put into an index, as by a gate on one qubit of a state vector: the place of it and of
 * its partner, where PTX has `or`. */
static void test_fields_by_an_argument_add_up(void **state)
{
    struct fw_arena *arena = fw_arena_new(0);
    fw_expression index, p;
    struct fw_kernel *kernel = kernel_of(arena, &index, &p);
    struct fw_pool *pool = &kernel->pool;
    fw_expression bit = fw_power2(pool, p);
    fw_expression low = fw_bit_and(pool, index, fw_subtract(pool, bit, fw_constant(pool, 1)));
    fw_expression high = fw_multiply(pool, fw_shift_right(pool, index, p),
                                     fw_power2(pool, fw_add(pool, p, fw_constant(pool, 1))));
    fw_expression place = bit_or(pool, high, low), partner = bit_or(pool, place, bit);
    struct fw_launch *launch = fw_launch_new(arena, kernel);
    struct fw_bound *bound = fw_bound_new(kernel);
    (void)state;
    launch->is_bound[0] = true;
    launch->grid[0] = BLOCKS;
    launch->block[0] = THREADS;
    for (int64_t of = 1; of < 11; of++) {
        launch->integers[0] = of;
        assert_int_equal(fw_bound_set(bound, launch), FW_OK);
        for (uint32_t which = 0; which < 2; which++) {
            uint32_t count, floors = 0;
            const struct fw_shape *shape =
                fw_bound_shapes(bound, 0, which ? partner : place, arena, &count);
            assert_int_equal(count, 1);
            assert_true(shape->linear);
            for (uint32_t v = 0; v < shape->variables; v++)
                floors += shape->quotient[v] && shape->coefficient[v];
            assert_int_equal(floors, 1 << of != THREADS);
            for (int64_t i = 0; i < BLOCKS * THREADS; i += 37)
                assert_int_equal(value_at(shape, i, of), i >> of << (of + 1) |
                                                             (i & ((1 << of) - 1)) |
                                                             (int64_t)which << of);
        }
    }
    fw_bound_free(bound);
    fw_arena_free(arena);
}

/* The columns of a tile of a product whose tiles go in groups of rows, as Triton's do: (256 (b %
 * 144 / 8) + 8 (t % 32)) % 4608 is what it is without the last remainder, which a launch sees. */
static void test_remainders_of_parts_vanish(void **state)
{
    enum { IN_GROUP = 144, ROWS = 8, COLUMNS = 256, ALL = IN_GROUP / ROWS * COLUMNS };
    struct fw_arena *arena = fw_arena_new(0);
    fw_expression index, p;
    struct fw_kernel *kernel = kernel_of(arena, &index, &p);
    struct fw_pool *pool = &kernel->pool;
    fw_expression b = fw_launch_value(pool, FW_BLOCK_X), t = fw_launch_value(pool, FW_THREAD_X);
    fw_expression group = fw_truncate_divide(pool, b, fw_constant(pool, IN_GROUP));
    fw_expression in_group = fw_subtract(pool, b, fw_scale(pool, group, IN_GROUP));
    fw_expression column = fw_truncate_divide(pool, in_group, fw_constant(pool, ROWS));
    fw_expression row = fw_floor_divide(pool, t, fw_constant(pool, 32));
    fw_expression lane = fw_subtract(pool, t, fw_scale(pool, row, 32));
    fw_expression at = fw_add(pool, fw_scale(pool, column, COLUMNS), fw_scale(pool, lane, 8));
    fw_expression over = fw_truncate_divide(pool, at, fw_constant(pool, ALL));
    fw_expression rest = fw_subtract(pool, at, fw_scale(pool, over, ALL));
    struct fw_launch *launch = fw_launch_new(arena, kernel);
    struct fw_bound *bound = fw_bound_new(kernel);
    uint32_t count, variables[2];
    (void)state;
    launch->grid[0] = 5 * IN_GROUP;
    launch->block[0] = THREADS;
    assert_int_equal(fw_bound_set(bound, launch), FW_OK);
    for (uint32_t which = 0; which < 2; which++) {
        const struct fw_shape *shape = fw_bound_shapes(bound, 0, which ? rest : at, arena, &count);
        assert_int_equal(count, 1);
        assert_true(shape->linear);
        variables[which] = shape->variables; /* a floor that is left would be one more */
    }
    assert_int_equal(variables[0], variables[1]);
    fw_bound_free(bound);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fields_by_an_argument_add_up),
                                       cmocka_unit_test(test_remainders_of_parts_vanish)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
