/* Which rows a feature sums: rows written by hand, as no kernel need have them. */
#include "feature_value.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct world {
    struct fw_arena *arena;
    struct fw_feature_rows rows;
    struct fw_feature_source source;
    unsigned errors;
    char code[8];
    char message[256];
};

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    struct world *world = user;
    world->errors++;
    snprintf(world->code, sizeof(world->code), "%s", diagnostic->code);
    snprintf(world->message, sizeof(world->message), "%s", diagnostic->message);
}

static struct fw_feature_access *add_access(struct world *world, enum fw_space space,
                                            enum fw_direction direction, enum fw_type type,
                                            double count)
{
    struct fw_feature_access *row = FW_APPEND(world->arena, &world->rows.accesses);
    *row = (struct fw_feature_access){.space = space,
                                      .direction = direction,
                                      .type = type,
                                      .count = count,
                                      .ratio = NAN,
                                      .access = FW_NONE};
    return row;
}

static void add_operation(struct world *world, const char *name, enum fw_type type, bool arithmetic,
                          double count)
{
    *FW_APPEND(world->arena, &world->rows.operations) =
        (struct fw_feature_operation){name, type, arithmetic, count};
}

/* Counts are powers of two: a sum says which rows are in it. */
static int set_up(void **state)
{
    static struct world world;
    memset(&world, 0, sizeof(world));
    world.arena = fw_arena_new(0);
    world.rows = (struct fw_feature_rows){.layer = "domain",
                                          .barriers = 8,
                                          .flops = 99,
                                          .blocks = 10,
                                          .block_threads = 96,
                                          .warp = 64};
    add_operation(&world, "madd", FW_TYPE_F32, true, 1);
    add_operation(&world, "madd", FW_TYPE_F64, true, 2);
    add_operation(&world, "add", FW_TYPE_F32, true, 4);
    add_operation(&world, "mov", FW_TYPE_B32, false, 8);
    struct fw_feature_access *row = add_access(&world, FW_SPACE_GLOBAL, FW_LOAD, FW_TYPE_F32, 1);
    row->array = "a";
    row->tag = "aLD";
    row->has_thread_strides = row->has_block_strides = true;
    row->thread_strides[0] = 1;
    row->thread_strides[1] = 64;
    row->block_strides[1] = 1024;
    row->ratio = 4;
    row = add_access(&world, FW_SPACE_GLOBAL, FW_LOAD, FW_TYPE_B32, 2); /* by data */
    row->array = "b_x";
    row = add_access(&world, FW_SPACE_GLOBAL, FW_STORE, FW_TYPE_F32, 4);
    row->array = "a";
    row->has_thread_strides = true;
    row->thread_strides[0] = -1;
    row->ratio = 1;
    row = add_access(&world, FW_SPACE_SHARED, FW_LOAD, FW_TYPE_F64, 8);
    row->has_thread_strides = row->has_block_strides = true;
    add_access(&world, FW_SPACE_CONST, FW_LOAD, FW_TYPE_F32, 16);
    add_access(&world, FW_SPACE_GLOBAL, FW_ATOMIC, FW_TYPE_F32, 32);
    add_access(&world, FW_SPACE_GLOBAL, FW_REDUCTION, FW_TYPE_S32, 64);
    add_access(&world, FW_SPACE_LOCAL, FW_STORE, FW_TYPE_F32, 128); /* a thread's own */
    *FW_APPEND(world.arena, &world.rows.parameters) = (struct fw_feature_parameter){"n", 64};
    world.source = (struct fw_feature_source){.arena = world.arena, .rows = &world.rows};
    *state = &world;
    return 0;
}

static int tear_down(void **state)
{
    fw_arena_free(((struct world *)*state)->arena);
    return 0;
}

static enum fw_status ask(double *value, struct world *world, const char *text)
{
    const struct fw_sink sink = {hear, world};
    struct fw_feature feature;
    world->errors = 0;
    assert_int_equal(fw_feature_read(&feature, world->arena, text, (struct fw_span){0}, &sink),
                     FW_OK);
    return fw_feature_value(value, &feature, &world->source, (struct fw_span){0}, &sink);
}

static void expect(struct world *world, const char *text, double wanted)
{
    double value = NAN;
    if (ask(&value, world, text))
        fail_msg("%s: %s %s", text, world->code, world->message);
    if (value != wanted)
        fail_msg("%s is %g instead of %g", text, value, wanted);
}

static void expect_error(struct world *world, const char *text, const char *code,
                         const char *message)
{
    double value;
    if (ask(&value, world, text) != FW_ERROR_INPUT || world->errors != 1 ||
        strcmp(world->code, code) != 0 || !strstr(world->message, message))
        fail_msg("%s: %s %s", text, world->code, world->message);
}

static void operations_fit_by_type_and_name(void **state)
{
    expect(*state, "f_op", 7); /* a move is no arithmetic */
    expect(*state, "f_op_float32", 5);
    expect(*state, "f_op_madd", 3);
    expect(*state, "f_op_float64_madd", 2);
    expect(*state, "f_op_mov", 8); /* unless it is asked for */
    expect(*state, "f_op_b32_mov", 8);
    expect(*state, "f_op_float32_mul", 0);
}

static void accesses_fit_by_all_parts(void **state)
{
    expect(*state, "f_mem_access", 127); /* not a thread's own memory */
    expect(*state, "f_mem_access_global", 1 + 2 + 4 + 32 + 64);
    expect(*state, "f_mem_access_local", 8); /* OpenCL's word */
    expect(*state, "f_mem_access_const", 16);
    expect(*state, "f_mem_access_load", 1 + 2 + 8 + 16);
    expect(*state, "f_mem_access_store", 4);
    expect(*state, "f_mem_access_atomic", 32 + 64);
    expect(*state, "f_mem_access_load_store", 1 + 2 + 4 + 8 + 16);
    expect(*state, "f_mem_access_float32", 1 + 2 + 4 + 16 + 32); /* b32 is any type of its size */
    expect(*state, "f_mem_access_int32", 2 + 64);
    expect(*state, "f_mem_access_b32", 2);
    expect(*state, "f_mem_access_float64", 8);
    expect(*state, "f_mem_access_array:a", 5);
    expect(*state, "f_mem_access_array:b_x_float32_load", 2);
    expect(*state, "f_mem_access_array:c", 0); /* also of rows without a name */
    expect(*state, "f_mem_access_tag:aLD", 1);
    expect(*state, "f_mem_access_tag:bLD", 0);
}

/* Of code, which loads an int as u32; the kernel language says which it is. */
static void integers_of_code_have_either_sign(void **state)
{
    struct world *world = *state;
    add_access(world, FW_SPACE_GLOBAL, FW_LOAD, FW_TYPE_U32, 256);
    expect(world, "f_mem_access_int32_load", 2);
    expect(world, "f_mem_access_uint32_load", 2 + 256);
    world->rows.layer = "ptx";
    expect(world, "f_mem_access_int32_load", 2 + 256);
    expect(world, "f_mem_access_uint32_atomic", 64);
    expect(world, "f_mem_access_float32_load", 1 + 2 + 16);
    expect(world, "f_mem_access_int64", 0);
}

/* Strides that are not known fit nothing, whatever the constraint says. */
static void strides_fit_where_they_are_known(void **state)
{
    expect(*state, "f_mem_access_lstrides:{0:1}", 1);
    expect(*state, "f_mem_access_lstrides:{0:-1}", 4);
    expect(*state, "f_mem_access_lstrides:{0:<=1}", 1 + 4 + 8);
    expect(*state, "f_mem_access_lstrides:{0:<1}", 4 + 8);
    expect(*state, "f_mem_access_lstrides:{0:>-1}", 1 + 8);
    expect(*state, "f_mem_access_lstrides:{0:>=0}", 1 + 8);
    expect(*state, "f_mem_access_lstrides:{1:n}", 1);
    expect(*state, "f_mem_access_lstrides:{1:<n}", 4 + 8);
    expect(*state, "f_mem_access_lstrides:{2:0}", 1 + 4 + 8);
    expect(*state, "f_mem_access_lstrides:{0:1;1:>15}", 1);
    expect(*state, "f_mem_access_lstrides:{0:1;1:<15}", 0);
    expect(*state, "f_mem_access_gstrides:{1:16*n}", 1);
    expect(*state, "f_mem_access_gstrides:{0:0}", 1 + 8);
    expect(*state, "f_mem_access_lstrides:{}", 127); /* no constraint */
}

static void ratios_that_are_not_known_are_errors(void **state)
{
    expect(*state, "f_mem_access_array:a_afr:>1", 1);
    expect(*state, "f_mem_access_array:a_afr:>=1", 5);
    expect(*state, "f_mem_access_array:a_afr:<n", 5);
    expect_error(*state, "f_mem_access_array:b_x_afr:>1", "FEAT004", "b_x");
    expect_error(*state, "f_mem_access_afr:>1", "FEAT004", "b_x");
    expect_error(*state, "f_mem_access_const_afr:>1", "FEAT004", "an unknown array");
    expect(*state, "f_mem_access_array:c_afr:>1", 0); /* nothing fits otherwise */
    expect(*state, "f_mem_access_lstrides:{0:1}_afr:>1", 1);
}

/* A parameter is looked for where a row fits otherwise: kernels without such accesses have 0. */
static void parameters_must_have_values(void **state)
{
    expect_error(*state, "f_mem_access_lstrides:{0:<m}", "FEAT003", "'m'");
    expect_error(*state, "f_mem_access_array:a_afr:>m*2", "FEAT003", "'m'");
    expect(*state, "f_mem_access_array:b_x_lstrides:{0:<m}", 0); /* strides are not known */
    expect(*state, "f_mem_access_float16_lstrides:{0:<m}", 0);
}

static void launches_have_numbers_of_their_own(void **state)
{
    expect(*state, "f_sync_barrier_local", 8);
    expect(*state, "f_sync_kernel_launch", 1);
    expect(*state, "f_thread_groups", 10);
    expect(*state, "f_threads", 960);
    expect(*state, "f_sub_groups", 20); /* 96 threads are two warps of 64 */
    expect(*state, "f_flops", 99);
}

static void what_is_not_there_is_said(void **state)
{
    struct world *world = *state;
    expect_error(world, "f_cl_wall_time_nvidia", "FEAT002", "measured on a device");
    expect_error(world, "f_issued", "FEAT005", "domains alone are known");
    world->source.no_code = "there is no compiler";
    expect_error(world, "f_machine_FFMA", "FEAT005", "there is no compiler");
    expect_error(world, "f_registers", "FEAT005", "there is no compiler");
    expect_error(world, "f_occupancy", "FEAT005", "compiled code");
    expect_error(world, "f_bytes_dram_read", "FEAT005", "compiled code");
    world->rows.layer = "ptx";
    expect_error(world, "f_mem_access_tag:aLD", "FEAT005", "array:NAME");
}

int main(void)
{
#define ROW(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        ROW(operations_fit_by_type_and_name),      ROW(accesses_fit_by_all_parts),
        ROW(integers_of_code_have_either_sign),    ROW(strides_fit_where_they_are_known),
        ROW(ratios_that_are_not_known_are_errors), ROW(parameters_must_have_values),
        ROW(launches_have_numbers_of_their_own),   ROW(what_is_not_there_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
