/* Conditions that data are a part of: known at no point, whatever else they ask for. */
#include "launch.h"
#include "scalar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

struct subject {
    struct fw_arena *arena;
    struct fw_kernel *kernel;
    struct fw_bound *bound;
    fw_expression thread, data;
};

static void open(struct subject *s)
{
    s->arena = fw_arena_new(0);
    s->kernel = FW_NEW(s->arena, struct fw_kernel);
    s->kernel->arena = s->arena;
    fw_pool_init(&s->kernel->pool, s->arena);
    s->thread = fw_launch_value(&s->kernel->pool, FW_THREAD_X);
    s->data = fw_atom_new(&s->kernel->pool, FW_ATOM_UNKNOWN, FW_OPAQUE_LOADED, 0, 0);
}

/* Binds the kernel when all of its conditions are made. */
static void bind(struct subject *s)
{
    struct fw_launch *launch = fw_launch_new(s->arena, s->kernel);
    launch->block[0] = 32;
    s->bound = fw_bound_new(s->kernel);
    assert_int_equal(fw_bound_set(s->bound, launch), FW_OK);
}

static void close(struct subject *s)
{
    fw_bound_free(s->bound);
    fw_arena_free(s->arena);
}

/* An operation on bits. */
static fw_expression absolute(struct subject *s, fw_expression a)
{
    const struct fw_scalar operation = {.operation = FW_SCALAR_ABS, .type = FW_TYPE_F32};
    const fw_expression operands[3] = {a, a, a};
    return fw_scalar_expression(&s->kernel->pool, &operation, operands);
}

static void data_are_found(void **state)
{
    struct subject s;
    (void)state;
    open(&s);
    struct fw_pool *pool = &s.kernel->pool;
    const fw_condition guard = fw_is_positive(pool, s.thread);
    const fw_condition loaded = fw_is_zero(pool, fw_add(pool, s.data, s.thread));
    const fw_condition bits = fw_is_zero(pool, absolute(&s, s.data));
    const fw_condition plain_bits = fw_is_zero(pool, absolute(&s, fw_scale(pool, s.thread, 2)));
    const fw_condition all = fw_condition_and(pool, loaded, fw_condition_not(pool, bits));
    const fw_condition either = fw_condition_or(pool, loaded, guard);
    const fw_condition chosen =
        fw_is_zero(pool, fw_select(pool, guard, s.thread, s.data)); /* may leave data out */
    bind(&s);
    assert_true(fw_bound_is_never_known(s.bound, loaded));
    assert_true(fw_bound_is_never_known(s.bound, bits));
    assert_true(fw_bound_is_never_known(s.bound, all));
    assert_true(fw_bound_is_never_known(s.bound, all)); /* as kept */
    assert_false(fw_bound_is_never_known(s.bound, guard));
    assert_false(fw_bound_is_never_known(s.bound, plain_bits));
    assert_false(fw_bound_is_never_known(s.bound, either));
    assert_false(fw_bound_is_never_known(s.bound, chosen));
    close(&s);
}

static bool suppose_seven(void *user, fw_atom atom, const struct fw_point *point, int64_t *value)
{
    const struct fw_kernel *kernel = user;
    (void)point;
    *value = 7;
    return kernel->pool.atoms.at[atom].kind == FW_ATOM_UNKNOWN;
}

/* What is known of the rest decides; what is supposed of data makes them known. */
static void points_are_asked_of_the_rest(void **state)
{
    const int64_t none[1] = {0};
    const struct fw_point point = {{0}, {3, 0, 0}, none};
    struct subject s;
    bool known;
    (void)state;
    open(&s);
    struct fw_pool *pool = &s.kernel->pool;
    const fw_condition loaded = fw_is_zero(pool, fw_subtract(pool, s.data, fw_constant(pool, 7)));
    const fw_condition is_three =
        fw_is_zero(pool, fw_subtract(pool, s.thread, fw_constant(pool, 3)));
    const fw_condition either = fw_condition_or(pool, loaded, is_three);
    const fw_condition both = fw_condition_and(pool, loaded, is_three);
    bind(&s);
    assert_true(fw_bound_holds(s.bound, either, &point, &known) && known);
    fw_bound_holds(s.bound, both, &point, &known);
    assert_false(known);
    fw_bound_suppose(s.bound, suppose_seven, s.kernel);
    assert_true(fw_bound_holds(s.bound, both, &point, &known) && known);
    fw_bound_suppose(s.bound, NULL, NULL);
    close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_are_found),
        cmocka_unit_test(points_are_asked_of_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
