/* Modern PTX through the public interface: matrix products, barriers, waits, and what Triton
 * compiled.  Figures are worked out by hand beside each launch. */
#include "modern_subject.h"

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

/* Ranks and places in clusters of 2 by 2 blocks: 6 of 24 blocks have each rank, and so many trips.
 */
static void test_clusters(void **state)
{
    struct subject s;
    (void)state;
    open_file(&s, "branches/clusters.ptx");
    fw_worker_set_grid(s.worker, 6, 4, 1);
    fw_worker_set_block(s.worker, 64, 1, 1);
    assert_int_equal(fw_worker_bind(s.worker, "1=64"), FW_OK);
    count(&s);
    assert_int_equal(s.answer->unknown_count, 0);
    assert_int_equal(operation(&s, "sqrt", "f32")->count.integer, 6 * 64 * 3 * (1 + 2 + 3 + 4));
    /* in four of six columns the first store, 32 threads of every second row the other */
    assert_int_equal(bytes(&s, "global", "store", NULL), 4 * (4 * 4 * 64 + 6 * 2 * 32));
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),         cmocka_unit_test(test_products_add_up),
        cmocka_unit_test(test_unstated_product), cmocka_unit_test(test_waits),
        cmocka_unit_test(test_elected),          cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_packed),           cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_triton),           cmocka_unit_test(test_triton_defaults),
        cmocka_unit_test(test_clusters)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
