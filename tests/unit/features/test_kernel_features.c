/* Features of kernels: the paper's table 1 and granularities from the kernel language, and what is
 * counted of PTX. */
#include "device.h"

#include "forewarp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct world {
    struct fw_context *context;
    struct fw_program *program;
    struct fw_worker *worker;
    const struct fw_device *device;
    char code[16], message[256];
};

static void hear(void *user, const struct fw_message *message)
{
    struct world *world = user;
    snprintf(world->code, sizeof(world->code), "%s", message->code);
    snprintf(world->message, sizeof(world->message), "%s", message->text);
}

static void enter(struct world *world, const char *text, enum fw_program_language language)
{
    const struct fw_kernel *kernel;
    const struct fw_context_options options = {
        .size = sizeof(options), .message = hear, .user = world};
    const struct fw_program_options how = {.size = sizeof(how), .language = language};
    memset(world, 0, sizeof(*world));
    assert_int_equal(fw_context_new(&world->context, &options), FW_OK);
    if (fw_program_parse(&world->program, world->context, "test", text, strlen(text), &how) ||
        fw_program_kernel(&kernel, world->program, NULL) ||
        fw_worker_new(&world->worker, world->program, kernel))
        fail_msg("%s: %s", world->code, world->message);
}

static void leave(struct world *world)
{
    fw_worker_free(world->worker);
    fw_program_free(world->program);
    fw_context_free(world->context);
}

static enum fw_status ask(double *value, struct world *world, const char *name)
{
    const struct fw_answer *answer;
    const struct fw_feature_settings settings = {
        .size = sizeof(settings), .names = &name, .count = 1};
    world->code[0] = '\0';
    enum fw_status status = fw_worker_features(&answer, world->worker, world->device, &settings);
    *value = status ? 0 : answer->features[0].value;
    return status;
}

static void expect(struct world *world, const char *name, double wanted)
{
    double value;
    if (ask(&value, world, name))
        fail_msg("%s: %s %s", name, world->code, world->message);
    if (value != wanted)
        fail_msg("%s is %.9g instead of %.9g", name, value, wanted);
}

static void expect_error(struct world *world, const char *name, const char *code)
{
    double value;
    if (ask(&value, world, name) == FW_OK || strcmp(world->code, code) != 0)
        fail_msg("%s: %s %s", name, world->code, world->message);
}

/* ---- the kernel language ---- */

#define PLAIN                                                                                      \
    "domain {[i, j, k]: 0 <= i, j, k < n}\nassume n mod 16 = 0 and n >= 16\narray a, b: f32\n"     \
    "c[i, j] = sum(k, a$aLD[i, k]*b$bLD[k, j])\n"                                                  \
    "split i 16 outer=block.1 inner=thread.1\nsplit j 16 outer=block.0 inner=thread.0\n"
#define PREFETCHED                                                                                 \
    PLAIN "split k 16\nprefetch a over i_inner, k_inner\nprefetch b over k_inner, j_inner\n"

struct row {
    const char *name;
    int64_t n;
    double value;
};

static void expect_rows(const char *text, const struct row *rows, size_t count)
{
    struct world world;
    enter(&world, text, FW_PROGRAM_LOOPS);
    for (size_t r = 0; r < count; r++) {
        assert_int_equal(fw_worker_bind_integer(world.worker, 0, rows[r].n), FW_OK);
        expect(&world, rows[r].name, rows[r].value);
    }
    leave(&world);
}

/* The patterns of the paper's table 1 on its multiplication without prefetching.  Threads of a row
 * read one element of a: once a warp.  Which rows fit changes with n. */
static void rows_are_chosen_anew_at_each_size(void **state)
{
    static const struct row rows[] = {
        {"f_op_float32_madd", 64, 64 * 64 * 64 / 32},
        {"f_op_f32_mul", 64, 0},
        {"f_op_f32_add", 64, 0},
        {"f_op", 64, 64 * 64 * 64 / 32},
        {"f_flops", 64, 2 * 64 * 64 * 64},
        {"f_mem_access", 64, 64 * 64 * 64 + 64 * 4 * 4 * 8 + 64 * 64},
        {"f_mem_access_tag:aLD", 64, 64 * 4 * 4 * 8},
        {"f_mem_access_array:a", 64, 64 * 4 * 4 * 8},
        {"f_mem_access_global_float32_load", 64, 64 * 64 * 64 + 64 * 4 * 4 * 8},
        {"f_mem_access_global_store_lstrides:{0:1}", 64, 64 * 64},
        {"f_mem_access_load_lstrides:{1:>15}", 64, 64 * 4 * 4 * 8},
        {"f_mem_access_load_lstrides:{1:>100}", 64, 0},
        {"f_mem_access_load_lstrides:{1:>100}", 128, 128 * 8 * 8 * 8},
        {"f_mem_access_load_lstrides:{0:<n;1:<=0}", 64, 64 * 64 * 64},
        {"f_mem_access_load_gstrides:{1:16*n}", 64, 64 * 4 * 4 * 8},
        {"f_mem_access_load_gstrides:{0:16}", 64, 64 * 64 * 64},
        {"f_mem_access_afr:>1", 64, 64 * 64 * 64 + 64 * 4 * 4 * 8},
        {"f_mem_access_afr:=1", 64, 64 * 64},
        {"f_mem_access_afr:>=n", 64, 64 * 64 * 64 + 64 * 4 * 4 * 8},
        {"f_mem_access_local", 64, 0},
        {"f_sync_barrier_local", 64, 0},
        {"f_thread_groups", 128, 64},
        {"f_sub_groups", 128, 64 * 8},
    };
    (void)state;
    expect_rows(PLAIN, rows, sizeof(rows) / sizeof(*rows));
}

/* Table 1 itself: both matrices are read n/16 times; local strides {0:1, 1:n}; group strides
 * {0:0, 1:n*16} and {0:16, 1:0}.  Section 6.1.3: a thread meets two barriers an iteration. */
static void prefetched_arrays_are_the_papers_table(void **state)
{
    static const char a[] =
        "f_mem_access_global_float32_load_lstrides:{0:1;1:n}_gstrides:{0:0;1:n*16}";
    static const char b[] =
        "f_mem_access_global_float32_load_lstrides:{0:1;1:n}_gstrides:{0:16;1:0}";
    (void)state;
    for (int64_t n = 64; n <= 256; n *= 2) {
        double loads = (double)(n * n * n) / 16, warps = (double)(n * n) / 32;
        char ratio[2][128], other[128];
        snprintf(ratio[0], sizeof(ratio[0]), "f_mem_access_tag:aLD_afr:%d", (int)(n / 16));
        snprintf(ratio[1], sizeof(ratio[1]), "f_mem_access_tag:bLD_load_afr:=%d", (int)(n / 16));
        snprintf(other, sizeof(other), "f_mem_access_global_load_afr:>%d", (int)(n / 16));
        const struct row rows[] = {
            {a, n, loads},
            {b, n, loads},
            {"f_mem_access_tag:aLD", n, loads},
            {ratio[0], n, loads},
            {ratio[1], n, loads},
            {other, n, 0},
            {"f_mem_access_global_store_afr:1", n, (double)(n * n)},
            {"f_mem_access_global_float32_load_lstrides:{0:1;1:>15}_gstrides:{0:0}_afr:>1", n,
             loads},
            {"f_mem_access_global_float32_load_lstrides:{0:1;1:>15}_gstrides:{0:16}_afr:>1", n,
             loads},
            {"f_mem_access_local_float32_store", n, 2 * warps * (double)(n / 16)},
            {"f_mem_access_local_float32_load", n, 2 * warps * (double)n},
            {"f_op_float32_madd", n, warps * (double)n},
            {"f_sync_barrier_local", n, 2 * (double)(n / 16)}};
        expect_rows(PREFETCHED, rows, sizeof(rows) / sizeof(*rows));
    }
}

static const struct fw_device *device_of(struct fw_arena *arena, unsigned warp)
{
    struct fw_device *device;
    const char *text = fw_arena_printf(
        arena,
        "{\"forewarp_profile\": 1, \"name\": \"made-up\", \"title\": \"Made up\", \"figures\": {"
        "\"warp_size\": {\"value\": %u, \"unit\": \"threads\", \"source\": \"spec\"}}}",
        warp);
    assert_int_equal(fw_device_parse(&device, arena, "made-up", text, strlen(text), NULL), FW_OK);
    return device;
}

/* 96 threads are three warps of 32, and two of 64.  `c` is read by all threads at one element, `x`
 * by each at its own; each meets one barrier. */
static const char uniform_text[] =
    "domain [n] -> {[g, t]: 0 <= g < n and 0 <= t < 96}\narray x: f32[n, 96]\narray c: f32[n]\n"
    "temporary s: f32[96] shared\n"
    "s[t] = x[g, t]*c[g] {id=fill}\ny[g, t] = s[95 - t] + 1 {dep=fill}\n"
    "tag g block.0 unordered\ntag t thread.0 unordered\n";

static void warps_are_as_wide_as_the_device_says(void **state)
{
    static const struct {
        unsigned threads;
        double warps;
    } widths[] = {{0, 3}, {32, 3}, {64, 2}, {128, 1}, {32, 3}};
    struct fw_arena *arena = fw_arena_new(0);
    struct world world;
    (void)state;
    enter(&world, uniform_text, FW_PROGRAM_LOOPS);
    assert_int_equal(fw_worker_bind_integer(world.worker, 0, 10), FW_OK);
    for (size_t w = 0; w < sizeof(widths) / sizeof(*widths); w++) {
        double warps = 10 * widths[w].warps;
        world.device = widths[w].threads ? device_of(arena, widths[w].threads) : NULL;
        expect(&world, "f_sub_groups", warps);
        expect(&world, "f_op_float32_mul", warps);
        expect(&world, "f_op_float32_add", warps);
        expect(&world, "f_mem_access_global_load_lstrides:{0:1}", 960);
        expect(&world, "f_mem_access_global_load_lstrides:{0:0}", warps); /* once a warp */
        expect(&world, "f_mem_access_local", 2 * warps);
        expect(&world, "f_sync_barrier_local", 1); /* of one thread */
        expect(&world, "f_threads", 960);
    }
    /* What the domains count for people stays by warps of 32. */
    const struct fw_answer *answer;
    assert_int_equal(fw_worker_count(&answer, world.worker, NULL), FW_OK);
    assert_int_equal(answer->counts->operations[0].count.value, 30);
    leave(&world);
    fw_arena_free(arena);
}

static void an_address_by_data_has_no_strides(void **state)
{
    struct world world;
    (void)state;
    enter(&world,
          "domain [n] -> {[i]: 0 <= i < n}\narray x: f32[n]\narray p: s32[n]\ny[i] = x[p[i]]\n"
          "split i 64 outer=block.0 inner=thread.0\n",
          FW_PROGRAM_LOOPS);
    assert_int_equal(fw_worker_bind_integer(world.worker, 0, 640), FW_OK);
    expect(&world, "f_mem_access_array:x", 640);
    expect(&world, "f_mem_access_array:x_lstrides:{0:>=0}", 0);
    expect(&world, "f_mem_access_array:x_gstrides:{0:>=0}", 0);
    expect(&world, "f_mem_access_array:p_lstrides:{0:1}_afr:1", 640);
    expect_error(&world, "f_mem_access_float32_load_afr:>=1", "FEAT004");
    expect_error(&world, "f_mem_access_load_lstrides:{0:<m}", "FEAT003");
    expect_error(&world, "f_mem_access_q", "FEAT001");
    expect_error(&world, "f_seconds", "FEAT002");
    leave(&world);
}

/* ---- PTX ---- */

#define HEAD                                                                                       \
    ".version 8.0\n.target sm_90\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 x, .param .u64 y)\n{\n.reg .pred %p<4>; .reg .f32 %f<12>; "     \
    ".reg .b32 %r<12>; .reg .b16 %h<4>; .reg .b64 %rd<12>; .reg .f64 %d<8>;\n"                     \
    ".shared .align 4 .b8 s[4096];\n.local .align 4 .b8 own[64];\n"                                \
    "ld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [y];\nmov.u32 %r1, %tid.x;\n"                     \
    "mov.u32 %r2, %ctaid.x;\nmad.lo.s32 %r3, %r2, 96, %r1;\nmul.wide.s32 %rd3, %r3, 16;\n"         \
    "add.s64 %rd4, %rd1, %rd3;\n"
#define TAIL "ret;\n}\n"

/* 10 blocks of 96 threads: 30 warps of 32. */
static void expect_ptx(const char *text, const struct row *rows)
{
    struct world world;
    enter(&world, text, FW_PROGRAM_PTX);
    fw_worker_set_grid(world.worker, 10, 1, 1);
    fw_worker_set_block(world.worker, 96, 1, 1);
    for (; rows->name; rows++)
        expect(&world, rows->name, rows->value);
    leave(&world);
}

/* An fma is a multiply-add, and so are the product and the sum that the assembler contracts; with
 * a rounding mode it leaves both alone, and a product that is used twice it keeps. */
static void products_that_are_contracted_are_madds(void **state)
{
    static const char text[] =
        HEAD "ld.global.f32 %f1, [%rd4];\nfma.rn.f32 %f2, %f1, %f1, %f1;\n"
             "mul.f32 %f3, %f2, %f1;\nadd.f32 %f4, %f3, %f1;\n"       /* contracted */
             "mul.rn.f32 %f5, %f4, %f1;\nadd.rn.f32 %f6, %f5, %f1;\n" /* not */
             "st.global.f32 [%rd4], %f6;\n" TAIL;
    (void)state;
    expect_ptx(text, (const struct row[]){{"f_op_float32_madd", 0, 60},
                                          {"f_op_float32_mul", 0, 30},
                                          {"f_op_float32_add", 0, 30},
                                          {"f_op_float32", 0, 120},
                                          {"f_flops", 0, 960 * 6}, /* fma 2, each other 1 */
                                          {NULL, 0, 0}});
}

/* ex2.approx is MUFU between two products that ordinary numbers do not need (FMUL under a
 * predicate): these take issue slots, and no unit. */
static void guarded_instructions_are_issued(void **state)
{
    static const char plain[] = HEAD "ld.global.f32 %f1, [%rd4];\n"
                                     "st.global.f32 [%rd4], %f1;\n" TAIL,
                      guarded[] = HEAD "ld.global.f32 %f1, [%rd4];\nex2.approx.f32 %f1, %f1;\n"
                                       "st.global.f32 [%rd4], %f1;\n" TAIL;
    (void)state;
    expect_ptx(plain, (const struct row[]){{"f_issued", 0, 30 * 10},
                                           {"f_issued_xu", 0, 0},
                                           {"f_machine_FMUL", 0, 0},
                                           {"f_issued_fma", 0, 30},
                                           {NULL, 0, 0}});
    expect_ptx(guarded, (const struct row[]){{"f_issued", 0, 30 * 14},
                                             {"f_issued_xu", 0, 30},
                                             {"f_machine_FMUL", 0, 60},
                                             {"f_issued_fma", 0, 30},
                                             {NULL, 0, 0}});
}

/* One warp of three needs the sum; all are issued it, and no branch. */
static void predicated_blocks_are_issued_by_all_warps(void **state)
{
    static const char text[] =
        HEAD "ld.global.f32 %f1, [%rd4];\nsetp.gt.u32 %p1, %r1, 31;\n@%p1 bra L;\n"
             "add.f32 %f1, %f1, %f1;\nL: st.global.f32 [%rd4], %f1;\n" TAIL;
    (void)state;
    expect_ptx(text, (const struct row[]){{"f_issued", 0, 30 * 12}, {NULL, 0, 0}});
}

static void packed_operations_are_two(void **state)
{
    static const char text[] = HEAD
        "ld.global.b32 %r4, [%rd4];\nfma.rn.f16x2 %r5, %r4, %r4, %r4;\nadd.f16x2 %r6, %r5, %r4;\n"
        "fma.rn.bf16x2 %r7, %r6, %r6, %r6;\nld.global.b16 %h1, [%rd4];\nadd.f16 %h2, %h1, %h1;\n"
        "st.global.b16 [%rd4], %h2;\nred.global.add.noftz.f16x2 [%rd4], %r7;\n" TAIL;
    (void)state;
    expect_ptx(text, (const struct row[]){{"f_op_float16_madd", 0, 60},
                                          {"f_op_bfloat16_madd", 0, 60},
                                          {"f_op_float16_add", 0, 60 + 30},
                                          {"f_mem_access_float32_load", 0, 960}, /* b32 */
                                          {"f_mem_access_float16_load", 0, 960},
                                          /* Packed elements are elements, and so are strides. */
                                          {"f_mem_access_float16_atomic", 0, 1920},
                                          {"f_mem_access_atomic_lstrides:{0:8}", 0, 1920},
                                          {NULL, 0, 0}});
}

static void vector_accesses_count_their_elements(void **state)
{
    static const char text[] = HEAD
        "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd4];\nld.global.v2.f64 {%d1, %d2}, [%rd4];\n"
        "add.f32 %f5, %f1, %f2;\nst.global.v2.f32 [%rd4], {%f5, %f3};\n" TAIL;
    (void)state;
    expect_ptx(text, (const struct row[]){{"f_mem_access_float32_load", 0, 4 * 960},
                                          {"f_mem_access_float32_load_lstrides:{0:4}", 0, 4 * 960},
                                          {"f_mem_access_load_gstrides:{0:384}", 0, 4 * 960},
                                          {"f_mem_access_float64_load_lstrides:{0:2}", 0, 2 * 960},
                                          {"f_mem_access_array:x_store", 0, 2 * 960},
                                          {"f_mem_access_store_afr:1", 0, 2 * 960},
                                          {NULL, 0, 0}});
}

/* Two loads of which one needs the other's value, beside one that needs neither; four products of
 * double precision, of which three wait for each other. */
static void chains_are_what_waits_for_each_other(void **state)
{
    static const char text[] =
        HEAD "ld.global.u32 %r4, [%rd4];\nld.global.f32 %f3, [%rd4+4];\n"
             "mul.wide.u32 %rd5, %r4, 4;\nadd.s64 %rd6, %rd2, %rd5;\n"
             "ld.global.f32 %f1, [%rd6];\nst.shared.f32 [s], %f1;\nld.shared.f32 %f2, [s+4];\n"
             "cvt.f64.f32 %d0, %f2;\nmul.f64 %d1, %d0, %d0;\nmul.f64 %d2, %d1, %d0;\n"
             "mul.f64 %d3, %d2, %d0;\nmul.f64 %d4, %d0, 0d4008000000000000;\n"
             "st.global.f64 [%rd4], %d3;\nst.global.f64 [%rd4], %d4;\n"
             "st.global.f32 [%rd4], %f3;\n" TAIL;
    (void)state;
    expect_ptx(text, (const struct row[]){{"f_chain_load", 0, 2},
                                          {"f_chain_shared", 0, 1},
                                          {"f_chain_fp64", 0, 3},
                                          {"f_chain_tensor", 0, 0},
                                          {NULL, 0, 0}});
}

/* Memory of a thread's own is no access of the features'; one element for all threads counts once
 * a warp; the last barrier is met by the first half of the blocks. */
static void spaces_and_barriers(void **state)
{
    static const char text[] =
        HEAD "ld.global.f32 %f1, [%rd2];\nst.local.f32 [own], %f1;\nld.local.f32 %f2, [own];\n"
             "mov.u64 %rd5, s;\nmul.wide.u32 %rd6, %r1, 4;\nadd.s64 %rd7, %rd5, %rd6;\n"
             "st.shared.f32 [%rd7], %f2;\nbar.sync 0;\nld.shared.f32 %f3, [s+4];\n"
             "st.global.f32 [%rd4], %f3;\nsetp.ge.s32 %p1, %r2, 5;\n@%p1 bra END;\nbar.sync 0;\n"
             "bar.warp.sync -1;\nEND:\n" TAIL;
    (void)state;
    expect_ptx(text, (const struct row[]){{"f_mem_access_array:y", 0, 30},
                                          {"f_mem_access_global_load_lstrides:{0:0}", 0, 30},
                                          {"f_mem_access_shared_store", 0, 30},
                                          {"f_mem_access_shared_load_lstrides:{0:0}", 0, 30},
                                          {"f_mem_access_global_store", 0, 960},
                                          {"f_mem_access", 0, 30 + 30 + 30 + 960},
                                          {"f_sync_barrier_local", 0, 1.5},
                                          {"f_op_ret", 0, 0},
                                          {NULL, 0, 0}});
}

/* A warp of 64 is taken to execute what its share of a block's warps of 32 does. */
static void warps_of_64_in_code(void **state)
{
    static const char text[] =
        HEAD "ld.global.f32 %f1, [%rd2];\nfma.rn.f32 %f2, %f1, %f1, %f1;\nst.global.f32 [%rd4], "
             "%f2;\n" TAIL;
    struct fw_arena *arena = fw_arena_new(0);
    struct world world;
    (void)state;
    enter(&world, text, FW_PROGRAM_PTX);
    fw_worker_set_grid(world.worker, 10, 1, 1);
    fw_worker_set_block(world.worker, 96, 1, 1);
    world.device = device_of(arena, 64);
    expect(&world, "f_sub_groups", 20);
    expect(&world, "f_op_float32_madd", 20);
    expect(&world, "f_mem_access_global_load", 20);
    expect(&world, "f_mem_access_global_store", 960);
    expect_error(&world, "f_mem_access_tag:aLD", "FEAT005");
    leave(&world);
    fw_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_chosen_anew_at_each_size),
        cmocka_unit_test(prefetched_arrays_are_the_papers_table),
        cmocka_unit_test(warps_are_as_wide_as_the_device_says),
        cmocka_unit_test(an_address_by_data_has_no_strides),
        cmocka_unit_test(products_that_are_contracted_are_madds),
        cmocka_unit_test(guarded_instructions_are_issued),
        cmocka_unit_test(predicated_blocks_are_issued_by_all_warps),
        cmocka_unit_test(packed_operations_are_two),
        cmocka_unit_test(vector_accesses_count_their_elements),
        cmocka_unit_test(chains_are_what_waits_for_each_other),
        cmocka_unit_test(spaces_and_barriers),
        cmocka_unit_test(warps_of_64_in_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
