/* Asynchronous copies of modern PTX through the public interface.  Figures are worked out by hand
 * beside each launch. */
#include "modern_subject.h"

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

/* A bulk copy moves its bytes, wherever data say that it reads. */
static void test_bulk_copies_from_anywhere(void **state)
{
    struct subject s;
    (void)state;
    open_body(&s, "ld.global.u32 %r9, [%d0];\nmul.wide.u32 %d4, %r9, 16;\nadd.s64 %d5, %d1, %d4;\n"
                  "setp.eq.u32 %p1, %r1, 0;\n"
                  "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], "
                  "[%d5], 2048, [%r3];");
    assert_int_equal(fw_worker_bind(s.worker, "n=100"), FW_OK);
    const double moved = quantity(&s, "l2_to_l1_bytes");
    assert_true(moved >= 3 * 2048 && moved < 3 * 2048 + 3 * 4 * 32);
    end(&s);
}

/* Seconds by trace where a block waits for a copy at the mbarrier in this register. */
static double waited_at(const char *mbarrier)
{
    struct fw_predict_settings settings = {.size = sizeof(settings), .models = "trace"};
    struct fw_device *device;
    struct subject s;
    char body[1024];
    snprintf(body, sizeof(body),
             "setp.eq.u32 %%p1, %%r1, 0;\nadd.u32 %%r8, %%r2, 2048;\n"
             "@%%p1 mbarrier.init.shared.b64 [%s], 1;\nbar.sync 0;\n"
             "@%%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%s], 2048;\n"
             "@%%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%%r2], "
             "[%%d0], 2048, [%s];\n"
             "again:\nmbarrier.try_wait.parity.shared.b64 %%p2, [%s], 0;\n@!%%p2 bra again;\n"
             "ld.shared.u32 %%r9, [%%r2];\nst.global.u32 [%%d1], %%r9;",
             mbarrier, mbarrier, mbarrier, mbarrier);
    open_body(&s, body);
    assert_int_equal(fw_worker_bind(s.worker, "n=100"), FW_OK);
    assert_int_equal(fw_context_device(&device, s.context, "h200"), FW_OK);
    assert_int_equal(fw_worker_predict(&s.answer, s.worker, device, &settings), FW_OK);
    const double seconds = s.answer->predictions[0].seconds;
    fw_context_device_free(device);
    end(&s);
    return seconds;
}

/* mbarriers beside data are waited at as those in an array of their own are. */
static void test_mbarriers_beside_data(void **state)
{
    (void)state;
    const double own = waited_at("%r3"), beside = waited_at("%r8");
    assert_true(fabs(beside / own - 1) < 0.01);
}

/* A coordinate that a condition chooses has the tiles that both its sides have. */
static void test_tiles_of_chosen_coordinates(void **state)
{
    struct subject s;
    (void)state;
    open_body(&s,
              "mov.u32 %r6, %ctaid.x;\nshl.b32 %r7, %r6, 7;\nsetp.lt.u32 %p2, %r6, %r0;\n"
              "selp.b32 %r4, %r7, 1024, %p2;\nmov.u32 %r5, 0;\nsetp.eq.u32 %p1, %r1, 0;\n"
              "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r3], 256;\n"
              "@%p1 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
              "[%r2], [%d2, {%r4, %r5}], [%r3];");
    fw_worker_set_grid(s.worker, 6, 1, 1);
    assert_int_equal(fw_worker_bind(s.worker, "n=4"), FW_OK);
    assert_true(fabs(quantity(&s, "once_read_bytes") - 5 * 256) < 1); /* the last two read one */
    end(&s);
}

/* Copies come while their blocks compute, and one warp orders them for all of its block: recorded
 * beside an H200 (data/h200/asynchronous). */
static void test_bulk_copies_are_ahead(void **state)
{
    static const double recorded = 72.6e-6;
    const char *root = getenv("FOREWARP_SOURCE");
    const struct fw_kernel *kernel;
    struct subject s;
    char path[1024];
    (void)state;
    start(&s);
    snprintf(path, sizeof(path), "%s/tests/golden/asynchronous/bulk_scale.ptx", root ? root : ".");
    assert_int_equal(fw_program_read(&s.program, s.context, path, NULL), FW_OK);
    assert_int_equal(fw_program_kernel(&kernel, s.program, "bulk_scale"), FW_OK);
    assert_int_equal(fw_worker_new(&s.worker, s.program, kernel), FW_OK);
    fw_worker_set_grid(s.worker, 132, 1, 1);
    fw_worker_set_block(s.worker, 256, 1, 1);
    fw_worker_set_shared(s.worker, 65536);
    assert_int_equal(fw_worker_bind(s.worker, "3=8192"), FW_OK);
    quantity(&s, "l2_to_l1_bytes");
    const double ratio = s.answer->predictions[0].seconds / recorded;
    assert_true(ratio > 0.85 && ratio < 1.2);
    end(&s);
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
    /* rows of 160 bytes, 16 ahead of a tile of 32 by 8 by 8 points: 10 by 10 of 256 bytes */
    open_file(&s, "asynchronous/volume_stencil.ptx");
    fw_worker_set_grid(s.worker, 64, 1, 1);
    fw_worker_set_block(s.worker, 256, 1, 1);
    for (int argument = 2; argument <= 4; argument++) {
        char text[16];
        snprintf(text, sizeof(text), "%d=128", argument);
        assert_int_equal(fw_worker_bind(s.worker, text), FW_OK);
    }
    assert_true(fabs(quantity(&s, "l2_to_l1_bytes") / (4.0 * 16 * 16 * 100 * 256) - 1) < 0.005);
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

/* Each block copies half of the rows of left to both blocks of its cluster, and its own columns of
 * right; an mbarrier expects what comes from both. */
static void test_multicasts(void **state)
{
    enum { N = 1024, ELEMENT = 2 };
    const double copies = N / 128 * (N / 128) * (N / 64);
    struct subject s;
    (void)state;
    open_file(&s, "asynchronous/multicast_product.ptx");
    fw_worker_set_grid(s.worker, N / 128, N / 128, 1);
    fw_worker_set_block(s.worker, 384, 1, 1);
    fw_worker_set_shared(s.worker, 4 * 32768 + 1024);
    assert_int_equal(fw_worker_bind(s.worker, "3=1024"), FW_OK);
    assert_int_equal(fw_worker_bind(s.worker, "4=1024"), FW_OK);
    count(&s);
    assert_true(fabs((double)bytes(&s, "global", "load", NULL) / (copies * (8192 + 16384)) - 1) <
                1e-9);
    assert_true(fabs(quantity(&s, "once_read_bytes") / (2.0 * N * N * ELEMENT) - 1) < 1e-6);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_movements),
                                       cmocka_unit_test(test_tensor_copies),
                                       cmocka_unit_test(test_bulk_copies_from_anywhere),
                                       cmocka_unit_test(test_mbarriers_beside_data),
                                       cmocka_unit_test(test_tiles_of_chosen_coordinates),
                                       cmocka_unit_test(test_bulk_copies_are_ahead),
                                       cmocka_unit_test(test_places_of_tensor_copies),
                                       cmocka_unit_test(test_granules_of_tensor_copies),
                                       cmocka_unit_test(test_multicasts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
