/* Modern PTX through the public interface: matrix products, copies, barriers, waits, and what
 * Triton compiled.  Figures are worked out by hand beside each launch. */
#include "forewarp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYNC = 4 }; /* of FW_INSTRUCTION_GROUPS */

struct subject {
    struct fw_context *context;
    struct fw_program *program;
    struct fw_worker *worker;
    const struct fw_answer *answer;
    const struct fw_counts *counts;
};

static void hear(void *user, const struct fw_message *message)
{
    (void)user;
    printf("    %s\n", message->text);
}

static void start(struct subject *s)
{
    struct fw_context_options options = {
        .size = sizeof(options), .message = hear, .data = getenv("FOREWARP_SOURCE")};
    memset(s, 0, sizeof(*s));
    assert_int_equal(fw_context_new(&s->context, &options), FW_OK);
}

static void work(struct subject *s)
{
    const struct fw_kernel *kernel;
    assert_int_equal(fw_program_kernel(&kernel, s->program, NULL), FW_OK);
    assert_int_equal(fw_worker_new(&s->worker, s->program, kernel), FW_OK);
}

static void open_file(struct subject *s, const char *name)
{
    const char *root = getenv("FOREWARP_SOURCE");
    char path[1024];
    start(s);
    snprintf(path, sizeof(path), "%s/tests/golden/%s", root ? root : ".", name);
    assert_int_equal(fw_program_read(&s->program, s->context, path, NULL), FW_OK);
    work(s);
}

/* A kernel `k` with a few registers, whose body is the text. */
static void open_body(struct subject *s, const char *body)
{
    struct fw_program_options options = {.size = sizeof(options), .language = FW_PROGRAM_PTX};
    char text[8192];
    start(s);
    snprintf(text, sizeof(text),
             ".version 8.6\n.target sm_100a\n.address_size 64\n"
             ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n, .param .align 64 .b8 "
             "map[128])\n{\n.reg .pred %%p<9>;\n.reg .b16 %%h<9>;\n.reg .b32 %%r<99>;\n"
             ".reg .b64 %%d<9>;\n.reg .f32 %%f<9>;\n.shared .align 128 .b8 tile[4096];\n"
             ".shared .align 8 .b64 bar[2];\nld.param.u64 %%d0, [a];\nld.param.u64 %%d1, [b];\n"
             "ld.param.u32 %%r0, [n];\nmov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, tile;\n"
             "mov.u32 %%r3, bar;\nmov.b64 %%d2, map;\n%s\nret;\n}\n",
             body);
    assert_int_equal(
        fw_program_parse(&s->program, s->context, "test.ptx", text, strlen(text), &options), FW_OK);
    work(s);
    fw_worker_set_block(s->worker, 128, 1, 1);
    fw_worker_set_grid(s->worker, 3, 1, 1);
}

static void count(struct subject *s)
{
    struct fw_count_settings settings = {.size = sizeof(settings)};
    assert_int_equal(fw_worker_count(&s->answer, s->worker, &settings), FW_OK);
    s->counts = s->answer->counts;
}

static void end(struct subject *s)
{
    fw_worker_free(s->worker);
    fw_program_free(s->program);
    fw_context_free(s->context);
}

static const struct fw_operation_row *operation(const struct subject *s, const char *name,
                                                const char *type)
{
    for (size_t r = 0; r < s->counts->operation_count; r++)
        if (strcmp(s->counts->operations[r].operation, name) == 0 &&
            strcmp(s->counts->operations[r].type, type) == 0)
            return &s->counts->operations[r];
    fail_msg("no operation %s.%s", name, type);
    return NULL;
}

/* Bytes of the launch's accesses to a space in a direction, of one array or (NULL) of all. */
static long long bytes(const struct subject *s, const char *space, const char *direction,
                       const char *array)
{
    long long sum = 0;
    for (size_t r = 0; r < s->counts->memory_count; r++) {
        const struct fw_memory_row *row = &s->counts->memory[r];
        if (strcmp(row->space, space) == 0 && strcmp(row->direction, direction) == 0 &&
            (!array || (row->array && strstr(row->array, array))))
            sum += row->count.integer * row->bytes;
    }
    return sum;
}

static const struct fw_unknown_row *unknown(const struct subject *s, const char *name)
{
    for (size_t u = 0; u < s->answer->unknown_count; u++)
        if (strncmp(s->answer->unknowns[u].name, name, strlen(name)) == 0)
            return &s->answer->unknowns[u];
    return NULL;
}

/* ---- matrix products ---- */

/* 12 warps or 3 warpgroups run each of these once: 2 m n k times that. */
static const struct product {
    const char *text, *type, *granularity;
    long long operations;
} products[] = {
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r4,%r5,%r6,%r7},{%r8,%r9,%r10,%r11},"
     "{%r12,%r13},{%r4,%r5,%r6,%r7};",
     "f16", "warp", 12LL * 2 * 16 * 8 * 16},
    {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%r4,%r5,%r6,%r7},{%r8,%r9},{%r12},"
     "{%r4,%r5,%r6,%r7};",
     "bf16", "warp", 12LL * 2 * 16 * 8 * 8},
    {"mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%r4,%r5,%r6,%r7},{%r8,%r9,%r10,%r11},"
     "{%r12,%r13},{%r4,%r5,%r6,%r7};",
     "s8", "warp", 12LL * 2 * 16 * 8 * 32},
    {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d4,%d5},{%d6},{%d7},{%d4,%d5};", "f64",
     "warp", 12LL * 2 * 8 * 8 * 4},
    {"mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r4,%r5,%r6,%r7},{%r8,%r9},{%r12,%r13},"
     "{%r4,%r5,%r6,%r7};",
     "f16", "warp", 12LL * 4 * 2 * 8 * 8 * 4},
    {"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%r4,%r5,%r6,%r7},"
     "{%r8,%r9,%r10,%r11},{%r12,%r13},{%r4,%r5,%r6,%r7};",
     "b1", "warp", 12LL * 2 * 16 * 8 * 256},
    {"mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%r4,%r5,%r6,%r7},"
     "{%r8,%r9,%r10,%r11},{%r12,%r13,%r14,%r15},{%r4,%r5,%r6,%r7},%r16,0x0;",
     "f16", "warp", 12LL * 2 * 16 * 8 * 32},
    {"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e5m2.e4m3.f32 {%r4,%r5,%r6,%r7},"
     "{%r8,%r9,%r10,%r11},{%r12,%r13},{%r4,%r5,%r6,%r7};",
     "e5m2", "warp", 12LL * 2 * 16 * 8 * 32},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%r4,%r5,%r6,%r7,%r8,%r9,%r10,%r11},"
     "{%r20,%r21,%r22,%r23,%r24,%r25,%r26,%r27},{%r20,%r21,%r22,%r23,%r24,%r25,%r26,%r27},"
     "{%r4,%r5,%r6,%r7,%r8,%r9,%r10,%r11};",
     "f16", "warp", 12LL * 2 * 16 * 16 * 16},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%r4,%r5,%r6,%r7}, %d4, %d5, 1, 1, 1, 0, "
     "0;",
     "bf16", "warpgroup", 3LL * 2 * 64 * 8 * 16},
    /* one thread of each block orders a product of 128 by 256 by 16: N / 8 = 32 in bits 17 to 22,
     * M / 16 = 8 in bits 24 to 28 */
    {"setp.eq.u32 %p1, %r1, 0;\n@%p1 tcgen05.mma.cta_group::1.kind::f16 [%r4], %d4, %d5, "
     "138412032, %p2;",
     "f16", "block", 3LL * 2 * 128 * 256 * 16},
};

static void test_products(void **state)
{
    (void)state;
    for (size_t p = 0; p < sizeof(products) / sizeof(products[0]); p++) {
        struct subject s;
        open_body(&s, products[p].text);
        count(&s);
        const struct fw_operation_row *row = operation(&s, "mma", products[p].type);
        if (row->count.integer != products[p].operations ||
            strcmp(row->granularity, products[p].granularity) != 0)
            fail_msg("%s: %lld a %s, not %lld", products[p].text, (long long)row->count.integer,
                     row->granularity, products[p].operations);
        bool whole = strchr("sb", products[p].type[0]) && products[p].type[1] != 'f';
        assert_int_equal(s.counts->flops.integer, whole ? 0 : products[p].operations);
        end(&s);
    }
}

/* Two shapes of one type are one row. */
static void test_products_add_up(void **state)
{
    struct subject s;
    char text[1024];
    (void)state;
    snprintf(text, sizeof(text), "%s\n%s", products[0].text, products[8].text);
    open_body(&s, text);
    count(&s);
    assert_int_equal(operation(&s, "mma", "f16")->count.integer,
                     products[0].operations + products[8].operations);
    end(&s);
}

static void test_unstated_product(void **state)
{
    struct subject s;
    (void)state;
    open_body(&s, "setp.eq.u32 %p1, %r1, 0;\nld.global.u32 %r5, [%d0];\n"
                  "@%p1 tcgen05.mma.cta_group::1.kind::f16 [%r4], %d4, %d5, %r5, %p2;");
    count(&s);
    assert_non_null(unknown(&s, "operations@"));
    char text[64];
    snprintf(text, sizeof(text), "%s=1000", unknown(&s, "operations@")->name);
    assert_int_equal(fw_worker_bind(s.worker, text), FW_OK);
    count(&s);
    assert_int_equal(operation(&s, "mma", "f16")->count.integer, 3000);
    end(&s);
}

/* ---- copies ---- */

/* 384 threads; what one moves. */
static const struct movement {
    const char *text, *space, *direction;
    long long bytes;
} movements[] = {
    {"cp.async.cg.shared.global [%r2], [%d0], 16;", "global", "load", 384 * 16},
    {"cp.async.ca.shared.global [%r2], [%d0], 8;", "shared", "store", 384 * 8},
    {"cp.async.ca.shared.global [%r2], [%d0], 16, 4;", "global", "load", 384 * 4},
    {"cp.async.ca.shared.global [%r2], [%d0], 16, 4;", "shared", "store", 384 * 16},
    /* half of the threads read nothing */
    {"setp.lt.u32 %p1, %r1, 64;\nselp.b32 %r9, 16, 0, %p1;\n"
     "cp.async.cg.shared.global [%r2], [%d0], 16, %r9;",
     "global", "load", 192 * 16},
    {"setp.lt.u32 %p1, %r1, 64;\ncp.async.ca.shared.global [%r2], [%d0], 4, %p1;", "global", "load",
     192 * 4},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4,%r5,%r6,%r7}, [%r2];", "shared", "load",
     12 * 512},
    {"ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r4}, [%r2];", "shared", "load", 12 * 128},
    {"stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r2], {%r4,%r5};", "shared", "store", 12 * 256},
    {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r4,%r5,%r6,%r7,%r8,%r9,%r10,%r11}, "
     "[%d0], %r0;",
     "global", "load", 12 * 512},
    {"wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%d0], "
     "{%r4,%r5,%r6,%r7,%r8,%r9,%r10,%r11}, %r0;",
     "global", "store", 12 * 1024},
    {"setp.eq.u32 %p1, %r1, 0;\n@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
     "bytes [%r2], [%d0], 2048, [%r3];",
     "global", "load", 3 * 2048},
    {"setp.eq.u32 %p1, %r1, 0;\nshl.b32 %r9, %r0, 4;\n@%p1 cp.async.bulk.global.shared::cta."
     "bulk_group [%d0], [%r2], %r9;",
     "global", "store", 3 * 1600},
    {"setp.eq.u32 %p1, %r1, 0;\n@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 "
     "[%d0], [%r2], 256;",
     "global", "reduction", 3 * 256},
    {"ld.global.b128 %d8, [%d0];", "global", "load", 384 * 16},
    {"st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%r2], %d4, [%r3];", "shared",
     "store", 384 * 8},
    {"red.async.relaxed.cluster.global.add.u32 [%d0], %r4;", "global", "reduction", 384 * 4},
    {"multimem.ld_reduce.global.add.f32 %f1, [%d0];", "global", "load", 384 * 4},
};

static void test_movements(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof(movements) / sizeof(movements[0]); m++) {
        struct subject s;
        open_body(&s, movements[m].text);
        assert_int_equal(fw_worker_bind(s.worker, "n=100"), FW_OK);
        count(&s);
        long long got = bytes(&s, movements[m].space, movements[m].direction, NULL);
        if (got != movements[m].bytes)
            fail_msg("%s: %lld bytes, not %lld", movements[m].text, got, movements[m].bytes);
        assert_int_equal(s.answer->unknown_count, 0);
        end(&s);
    }
}

static const char tensor_copy[] =
    "setp.eq.u32 %p1, %r1, 0;\n"
    "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r3], 8192;\n"
    "@%p1 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], "
    "[%d2, {%r4, %r5}], [%r3];\n";

/* A box is what its mbarrier expects; where none does, an unknown that can be stated. */
static void test_tensor_copies(void **state)
{
    struct subject s;
    (void)state;
    open_body(&s, tensor_copy);
    count(&s);
    assert_int_equal(bytes(&s, "global", "load", "map"), 3 * 8192);
    assert_int_equal(s.answer->unknown_count, 0);
    end(&s);
    char unexpected[512];
    snprintf(unexpected, sizeof(unexpected), "setp.eq.u32 %%p1, %%r1, 0;\n%s",
             strstr(tensor_copy, "@%p1 cp"));
    open_body(&s, unexpected);
    count(&s);
    const struct fw_unknown_row *row = unknown(&s, "bytes@");
    assert_non_null(row);
    assert_true(row->is_default);
    char text[64];
    snprintf(text, sizeof(text), "%s=64", row->name);
    assert_int_equal(fw_worker_bind(s.worker, text), FW_OK);
    count(&s);
    assert_false(unknown(&s, "bytes@")->is_default);
    assert_int_equal(bytes(&s, "global", "load", "map"), 3 * 64);
    end(&s);
}

/* A quantity that the model traffic finds. */
static double quantity(struct subject *s, const char *key)
{
    struct fw_predict_settings settings = {.size = sizeof(settings), .models = "traffic"};
    struct fw_device *device;
    double value = -1;
    assert_int_equal(fw_context_device(&device, s->context, "h200"), FW_OK);
    assert_int_equal(fw_worker_predict(&s->answer, s->worker, device, &settings), FW_OK);
    for (size_t q = 0; q < s->answer->predictions[0].quantity_count; q++)
        if (strcmp(s->answer->predictions[0].quantities[q].kind->key, key) == 0)
            value = s->answer->predictions[0].quantities[q].value;
    fw_context_device_free(device);
    return value;
}

/* How far coordinates are apart tells the tiles: blocks of a row or column of a product read the
 * same ones, boxes of a stencil share what they have beyond their tiles. */
static void test_places_of_tensor_copies(void **state)
{
    enum { N = 1024, ELEMENT = 2, BLOCK = 384, POINT = 4 };
    struct subject s;
    (void)state;
    open_file(&s, "asynchronous/wgmma_product.ptx");
    fw_worker_set_grid(s.worker, N / 128, N / 128, 1);
    fw_worker_set_block(s.worker, BLOCK, 1, 1);
    fw_worker_set_shared(s.worker, 4 * 32768 + 1024);
    assert_int_equal(fw_worker_bind(s.worker, "3=1024"), FW_OK);
    assert_int_equal(fw_worker_bind(s.worker, "4=1024"), FW_OK);
    assert_true(fabs(quantity(&s, "once_read_bytes") / (2.0 * N * N * ELEMENT) - 1) < 1e-6);
    end(&s);
    open_file(&s, "asynchronous/tensor_stencil.ptx");
    fw_worker_set_block(s.worker, 256, 1, 1);
    assert_int_equal(fw_worker_bind(s.worker, "2=1024"), FW_OK);
    assert_int_equal(fw_worker_bind(s.worker, "3=1024"), FW_OK);
    /* Blocks go on by a whole grid, which has no whole number of rows of 16 tiles. */
    for (uint32_t grid = 64; grid < 80; grid += grid < 66 ? 2 : 5) {
        fw_worker_set_grid(s.worker, grid, 1, 1);
        assert_true(fabs(quantity(&s, "once_read_bytes") / (1.0 * N * N * POINT) - 1) < 0.06);
        assert_true(fabs(quantity(&s, "once_written_bytes") / (1.0 * N * N * POINT) - 1) < 0.1);
    }
    end(&s);
}

/* Rows of a box are asked for of L2 in granules of 64 bytes: of one of 288 bytes that begins 16
 * ahead of a granule, six; those of 128 that lie in whole granules as they are. */
static void test_granules_of_tensor_copies(void **state)
{
    enum { N = 1024, TILES = N / 64 * (N / 16), ROWS = 18, ROW = 6 * 64 };
    struct subject s;
    (void)state;
    open_file(&s, "asynchronous/tensor_stencil.ptx");
    fw_worker_set_block(s.worker, 256, 1, 1);
    assert_int_equal(fw_worker_bind(s.worker, "2=1024"), FW_OK);
    assert_int_equal(fw_worker_bind(s.worker, "3=1024"), FW_OK);
    fw_worker_set_grid(s.worker, 64, 1, 1);
    assert_true(fabs(quantity(&s, "l2_to_l1_bytes") / (1.0 * TILES * ROWS * ROW) - 1) < 0.005);
    end(&s);
    open_file(&s, "asynchronous/wgmma_product.ptx");
    fw_worker_set_grid(s.worker, N / 128, N / 128, 1);
    fw_worker_set_block(s.worker, 384, 1, 1);
    fw_worker_set_shared(s.worker, 4 * 32768 + 1024);
    assert_int_equal(fw_worker_bind(s.worker, "3=1024"), FW_OK);
    assert_int_equal(fw_worker_bind(s.worker, "4=1024"), FW_OK);
    const double once = N / 128 * (N / 128) * (N / 64) * 2.0 * 16384;
    assert_true(quantity(&s, "l2_to_l1_bytes") < 1.001 * once);
    end(&s);
}

/* ---- barriers and waits ---- */

static const char *const waits[] = {
    "wait:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r3], 0;\n@!%p1 bra wait;\n",
    "wait:\nmbarrier.test_wait.parity.shared.b64 %p1, [%r3], 0;\nselp.u32 %r9, 1, 0, %p1;\n"
    "setp.eq.u32 %p2, %r9, 0;\n@%p2 bra wait;\n",
    "wait:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r3], 0;\n@%p1 bra done;\n"
    "bra wait;\ndone:\n"};

/* A wait inside a loop that runs n times, counted for n = 10; `between` parts the loops' headers.
 */
static void open_wait(struct subject *s, const char *wait, const char *between)
{
    char text[1024];
    snprintf(text, sizeof(text),
             "mov.u32 %%r8, 0;\nnext:\n%s%sadd.u32 %%r8, %%r8, 1;\n"
             "setp.lt.u32 %%p3, %%r8, %%r0;\n@%%p3 bra next;\nmul.f32 %%f1, %%f1, %%f2;\n",
             between, wait);
    open_body(s, text);
    assert_int_equal(fw_worker_bind(s->worker, "n=10"), FW_OK);
    count(s);
    assert_int_equal(operation(s, "mul", "f32")->count.integer, 384);
    assert_int_equal(operation(s, "add", "u32")->count.integer, 3840);
    assert_int_equal(s->counts->groups[SYNC].count.integer, 3840);
}

/* A wait runs once for each surrounding iteration, is named, and can be told otherwise. */
static void test_waits(void **state)
{
    (void)state;
    for (size_t w = 0; w < sizeof(waits) / sizeof(waits[0]); w++) {
        char text[1024];
        struct subject s;
        open_wait(&s, waits[w], "mov.u32 %r4, 7;\n");
        assert_int_equal(s.answer->unknown_count, 1);
        assert_string_equal(s.answer->unknowns[0].reason, "wait");
        assert_true(s.answer->unknowns[0].value > 0.99 && s.answer->unknowns[0].value < 1.01);
        snprintf(text, sizeof(text), "%s=3", s.answer->unknowns[0].name);
        assert_int_equal(fw_worker_bind(s.worker, text), FW_OK);
        count(&s);
        assert_int_equal(s.counts->groups[SYNC].count.integer, 3 * 3840);
        end(&s);
        open_wait(&s, waits[w], "");
        end(&s);
    }
}

/* One lane of each warp is elected; a broadcast warp number is the same for its warp. */
static void test_elected(void **state)
{
    struct subject s;
    (void)state;
    open_body(&s, "elect.sync %r4|%p1, -1;\n@%p1 mul.f32 %f1, %f1, %f2;\nshr.u32 %r5, %r1, 5;\n"
                  "shfl.sync.idx.b32 %r6, %r5, 0, 31, -1;\nsetp.eq.u32 %p2, %r6, 2;\n"
                  "@%p2 add.f32 %f1, %f1, %f2;\n");
    count(&s);
    assert_int_equal(operation(&s, "mul", "f32")->count.integer, 12);
    assert_int_equal(operation(&s, "add", "f32")->count.integer, 3 * 32);
    assert_int_equal(s.answer->unknown_count, 0);
    end(&s);
}

/* Of these, three are barriers of the whole block. */
static void test_barriers(void **state)
{
    struct subject s;
    (void)state;
    open_body(&s, "bar.sync 0;\nbar.sync 1, 64;\nbar.arrive 1, 64;\nbarrier.sync.aligned 2;\n"
                  "bar.warp.sync -1;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n"
                  "barrier.cta.red.popc.aligned.u32 %r4, 0, %p1;\ngriddepcontrol.wait;\n"
                  "setmaxnreg.inc.sync.aligned.u32 240;\n");
    count(&s);
    assert_int_equal(s.counts->barriers.count.integer, 3 * 384);
    end(&s);
}

static void test_packed(void **state)
{
    struct subject s;
    (void)state;
    open_body(&s, "fma.rn.f16x2 %r4, %r4, %r5, %r6;\nfma.rn.bf16x2 %r4, %r4, %r5, %r6;\n"
                  "add.f16 %h1, %h1, %h2;\ncvt.rn.satfinite.e4m3x2.f32 %h3, %f1, %f2;\n"
                  "add.rn.f32x2 %d4, %d5, %d6;\n");
    count(&s);
    assert_int_equal(operation(&s, "fma", "f16x2")->count.integer, 384);
    assert_int_equal(s.counts->flops.integer, 384 * (4 + 4 + 1 + 2));
    end(&s);
}

/* ---- kernels of ours, compiled by nvcc and clang ---- */

/* c of m = 80 by n = 64, k = 48: 2 m n k = 491520. */
static void test_kernels(void **state)
{
    static const struct {
        const char *path;
        uint32_t blocks;
    } kernels[] = {{"kernels/matmul_mma.ptx", 8}, {"kernels/matmul_wmma.ptx", 4}};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct subject s;
        open_file(&s, kernels[k].path);
        fw_worker_set_block(s.worker, 32, 4, 1);
        fw_worker_set_grid(s.worker, kernels[k].blocks, 2, 1);
        assert_int_equal(fw_worker_bind(s.worker, "3=80"), FW_OK);
        assert_int_equal(fw_worker_bind(s.worker, "4=64"), FW_OK);
        assert_int_equal(fw_worker_bind(s.worker, "5=48"), FW_OK);
        count(&s);
        assert_int_equal(operation(&s, "mma", "f16")->count.integer, 2 * 80 * 64 * 48);
        assert_int_equal(s.answer->unknown_count, 0);
        /* each warp reads its rows of a and columns of b once, and writes its tile */
        assert_int_equal(bytes(&s, "global", "store", NULL), 80 * 64 * 4);
        long long tiles = 5 * (64 / (k == 0 ? 8 : 16));
        assert_int_equal(bytes(&s, "global", "load", NULL),
                         tiles * 48 * 2 * (16 + (k == 0 ? 8 : 16)));
        end(&s);
    }
}

/* ---- Triton ---- */

static const struct triton {
    const char *name;
    uint32_t grid[3];
    const char *bindings[7];
    const char *type; /* of the dots */
    long long operations, loaded, stored;
    unsigned unknowns;
} kernels[] = {
    /* 100000 elements of two vectors */
    {"vector_add", {98, 1, 1}, {"3=100000"}, NULL, 0, 800000, 400000, 0},
    /* 200 rows of 1000 */
    {"softmax_rows", {200, 1, 1}, {"2=1000", "3=1000"}, NULL, 0, 800000, 800000, 0},
    /* 100 rows of 1500 halves, read twice; weight and bias once a row */
    {"layer_norm_rows",
     {100, 1, 1},
     {"4=1500", "5=1500", "6=1e-5"},
     NULL,
     0,
     100 * 1500 * (2 + 2 + 4 + 4),
     100 * 1500 * 2,
     0},
    /* 512 x 256 x 384 in tiles of 128 x 64: a is read 4 times, b 4 times */
    {"matmul_f16",
     {4, 4, 1},
     {"3=512", "4=256", "5=384", "6=384", "7=256", "8=256"},
     "f16",
     2LL * 512 * 256 * 384,
     2LL * 4 * 384 * (512 + 256),
     2LL * 512 * 256,
     0},
    /* six of 64 x 128 x 96 in tiles of 32 x 32: a is read 4 times, b twice */
    {"matmul_batched_tf32",
     {2, 4, 6},
     {"3=64", "4=128", "5=96"},
     "tf32",
     6LL * 2 * 64 * 128 * 96,
     6LL * 4 * 96 * (4 * 64 + 2 * 128),
     6LL * 4 * 64 * 128,
     0},
    /* eight heads of 256 x 64, two products of 256 x 256 x 64 each; keys and values read by each of
     * four programs */
    {"attention",
     {4, 8, 1},
     {"4=256", "5=0.18"},
     "f16",
     8LL * 2 * 2 * 256 * 256 * 64,
     8LL * 2 * 256 * 64 * (1 + 4 + 4),
     8LL * 2 * 256 * 64,
     0},
    {"reduce_sum", {16, 1, 1}, {"2=100000"}, NULL, 0, 400000, 0, 0},
    /* erf's two ways by the size of its argument: of eight elements a thread, in the two forms in
     * which the compiler left the branch */
    {"gelu_dropout", {196, 1, 1}, {"2=100000", "3=0.25", "4=1234"}, NULL, 0, 400000, 400000, 2},
    /* 512 x 256 x 384 in tiles of 128 x 128, by tensor copies; the one wait is named */
    {"matmul_descriptor",
     {4, 2, 1},
     {"15=384"},
     "f16",
     2LL * 512 * 256 * 384,
     2LL * 384 * (2 * 512 + 4 * 256),
     2LL * 512 * 256,
     1},
};

static void test_triton(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof(kernels) / sizeof(kernels[0]); k++) {
        const struct triton *t = &kernels[k];
        struct subject s;
        char path[256];
        snprintf(path, sizeof(path), "triton/%s.ptx", t->name);
        open_file(&s, path);
        fw_worker_set_grid(s.worker, t->grid[0], t->grid[1], t->grid[2]);
        for (int b = 0; b < 7 && t->bindings[b]; b++)
            assert_int_equal(fw_worker_bind(s.worker, t->bindings[b]), FW_OK);
        count(&s);
        printf("    %s\n", t->name);
        assert_int_equal(s.answer->block[0], 128); /* num_warps 4 */
        if (t->type)
            assert_int_equal(operation(&s, "mma", t->type)->count.integer, t->operations);
        assert_int_equal(bytes(&s, "global", "load", NULL), t->loaded);
        assert_int_equal(bytes(&s, "global", "store", NULL), t->stored);
        assert_int_equal(s.answer->unknown_count, t->unknowns);
        end(&s);
    }
}

/* What the .json says, where the PTX does not. */
static void test_triton_defaults(void **state)
{
    struct subject s;
    (void)state;
    open_file(&s, "triton/matmul_descriptor.ptx");
    fw_worker_set_grid(s.worker, 1, 1, 1);
    assert_int_equal(fw_worker_bind(s.worker, "15=64"), FW_OK);
    count(&s);
    assert_int_equal(s.answer->shared, 98328);
    assert_string_equal(s.answer->kernel->name, "matmul_descriptor");
    fw_worker_set_shared(s.worker, 1000);
    count(&s);
    assert_int_equal(s.answer->shared, 1000);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_products),
                                       cmocka_unit_test(test_products_add_up),
                                       cmocka_unit_test(test_unstated_product),
                                       cmocka_unit_test(test_movements),
                                       cmocka_unit_test(test_tensor_copies),
                                       cmocka_unit_test(test_places_of_tensor_copies),
                                       cmocka_unit_test(test_granules_of_tensor_copies),
                                       cmocka_unit_test(test_granules_of_tensor_copies),
                                       cmocka_unit_test(test_waits),
                                       cmocka_unit_test(test_elected),
                                       cmocka_unit_test(test_barriers),
                                       cmocka_unit_test(test_packed),
                                       cmocka_unit_test(test_kernels),
                                       cmocka_unit_test(test_triton),
                                       cmocka_unit_test(test_triton_defaults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
