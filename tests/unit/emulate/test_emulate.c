/* The emulator, instruction by instruction: small PTX texts with known answers. */
#include "emulate_harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static const uint32_t one[3] = {1, 1, 1};

#include "emulate_rows.h"

/* One instruction or a few between loads of a, b, c and a store of what was written: %d (32 bits),
 * %e (64), %h (16) or the predicates %p (1) and %q (2). */
static char *row_text(char *buffer, size_t size, const char *body)
{
    snprintf(
        buffer, size,
        ".version 8.5\n.target sm_90\n.address_size 64\n"
        ".visible .entry test(.param .u64 out, .param .u64 in)\n{\n"
        ".reg .b64 %%o, %%i, %%e, %%A, %%B, %%C, %%t, %%u;\n"
        ".reg .b32 %%d, %%a, %%b, %%c, %%l, %%v, %%w;\n"
        ".reg .b16 %%h, %%x, %%y, %%z;\n.reg .pred %%p, %%q, %%r;\n"
        "ld.param.u64 %%o, [out];\nld.param.u64 %%i, [in];\nmov.u32 %%l, %%tid.x;\n"
        "mul.wide.u32 %%t, %%l, 8;\nadd.s64 %%o, %%o, %%t;\n"
        "ld.global.u64 %%A, [%%i];\nld.global.u64 %%B, [%%i+8];\nld.global.u64 %%C, "
        "[%%i+16];\n"
        "cvt.u32.u64 %%a, %%A;\ncvt.u32.u64 %%b, %%B;\ncvt.u32.u64 %%c, %%C;\n"
        "cvt.u16.u64 %%x, %%A;\ncvt.u16.u64 %%y, %%B;\ncvt.u16.u64 %%z, %%C;\n"
        "mov.u32 %%d, 0;\nmov.u64 %%e, 0;\nmov.u16 %%h, 0;\n"
        "setp.ne.u32 %%p, 0, 0;\nsetp.ne.u32 %%q, 0, 0;\nsetp.ne.u32 %%r, %%c, 0;\n"
        "%s\n"
        "cvt.u64.u32 %%t, %%d;\nor.b64 %%e, %%e, %%t;\ncvt.u64.u16 %%t, %%h;\n"
        "or.b64 %%e, %%e, %%t;\nselp.b64 %%t, 1, 0, %%p;\nor.b64 %%e, %%e, %%t;\n"
        "selp.b64 %%t, 2, 0, %%q;\nor.b64 %%e, %%e, %%t;\nst.global.u64 [%%o], %%e;\nret;\n}\n",
        body);
    return buffer;
}

/* The result in all lanes; false when they differ. */
static enum fw_status run_row(struct harness *h, const struct row *row, uint32_t threads,
                              const char *machine, uint64_t *result)
{
    const struct fw_emulate_options options = {.machine = machine};
    char text[4096];
    harness_text(h, row_text(text, sizeof text, row->body));
    enum fw_status status =
        harness_launch(h, NULL, one, (uint32_t[]){threads, 1, 1}, 0,
                       (const char *[]){"out=u64[32]", "in=u64[3]", NULL}, &options);
    if (status)
        return status;
    uint64_t *in = harness_memory(h, 1);
    in[0] = row->a;
    in[1] = row->b;
    in[2] = row->c;
    status = harness_go(h);
    if (status)
        return status;
    const uint64_t *out = harness_memory(h, 0);
    for (uint32_t i = 1; i < threads; i++)
        assert_true(out[i] == out[0]);
    for (uint32_t i = threads; i < 32; i++)
        assert_true(out[i] == 0);
    *result = out[0];
    return FW_OK;
}

/* All rows with the handlers of one instruction set, by full warps and by others. */
static void try_rows(const char *machine)
{
    static const uint32_t threads[2] = {32, 13};
    unsigned wrong = 0;
    for (size_t i = 0; i < 2 * (sizeof rows / sizeof rows[0]); i++) {
        const struct row *row = &rows[i / 2];
        struct harness h;
        uint64_t result = 0;
        const enum fw_status status = run_row(&h, row, threads[i % 2], machine, &result);
        if (status == FW_ERROR_USAGE && strcmp(h.code, "EMU004") == 0) {
            print_message("this machine has no %s\n", machine);
            harness_free(&h);
            return;
        }
        if (status || result != row->expected) {
            wrong++;
            print_error("%s with 0x%llx, 0x%llx, 0x%llx: 0x%llx, expected 0x%llx (%u threads)\n",
                        row->body, (unsigned long long)row->a, (unsigned long long)row->b,
                        (unsigned long long)row->c, (unsigned long long)result,
                        (unsigned long long)row->expected, threads[i % 2]);
        }
        harness_free(&h);
    }
    assert_int_equal(wrong, 0);
}

static void test_rows_portable(void **state)
{
    (void)state;
    try_rows("portable");
}

static void test_rows_avx2(void **state)
{
    (void)state;
    try_rows("avx2");
}

static void test_rows_avx512(void **state)
{
    (void)state;
    try_rows("avx512");
}

#define HEAD                                                                                       \
    ".version 8.5\n.target sm_90\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 .ptr .global .align 8 out, .param .u32 n)\n{\n"                 \
    ".reg .b64 %o, %t, %s;\n.reg .b32 %d, %l, %x, %y, %n;\n.reg .pred %p, %q, %r;\n"               \
    "ld.param.u64 %o, [out];\nld.param.u32 %n, [n];\nmov.u32 %l, %tid.x;\n"                        \
    "mul.wide.u32 %t, %l, 4;\nadd.s64 %t, %o, %t;\n"
#define TAIL "st.global.u32 [%t], %d;\nret;\n}\n"

/* Runs a text on one block and gives its output words. */
static const uint32_t *run_text(struct harness *h, const char *text, uint32_t threads,
                                const char *n)
{
    char argument[32];
    snprintf(argument, sizeof argument, "n=%s", n);
    harness_text(h, text);
    assert_int_equal(harness_run(h, NULL, one, (uint32_t[]){threads, 1, 1}, 0,
                                 (const char *[]){"out=u32[1024]", argument, NULL}, NULL),
                     FW_OK);
    return harness_memory(h, 0);
}

static void test_nested_divergence(void **state)
{
    struct harness h;
    (void)state;
    const uint32_t *out = run_text(&h,
                                   HEAD "mov.u32 %d, 1;\n"
                                        "and.b32 %x, %l, 1;\nsetp.eq.u32 %p, %x, 0;\n@%p bra A;\n"
                                        "and.b32 %x, %l, 2;\nsetp.eq.u32 %q, %x, 0;\n@%q bra B;\n"
                                        "add.u32 %d, %d, 10;\nbra C;\n"
                                        "B: add.u32 %d, %d, 20;\n"
                                        "C: add.u32 %d, %d, 100;\nbra D;\n"
                                        "A: mov.u32 %y, %l;\n"
                                        "L: setp.eq.u32 %r, %y, 0;\n@%r bra D;\n"
                                        "add.u32 %d, %d, 1000;\nsub.u32 %y, %y, 1;\nbra L;\n"
                                        "D: add.u32 %d, %d, 5;\n" TAIL,
                                   50, "0");
    for (uint32_t i = 0; i < 50; i++)
        assert_int_equal(out[i], i % 2 == 0 ? 6 + 1000 * i : (i & 2 ? 16 : 26) + 100);
    /* D runs once a warp: the paths meet again */
    const uint32_t last = h.module->functions[0]->instruction_count - 2;
    assert_int_equal(h.result.instructions[last].issued, 2);
    assert_int_equal(h.result.instructions[last].threads, 50);
    harness_free(&h);
}

static void test_counts(void **state)
{
    struct harness h;
    (void)state;
    /* instructions 5: setp, 6: guarded mov, 7: setp, 8: branch, 9: add, 10: st, 11: ret */
    run_text(&h,
             HEAD "setp.lt.u32 %p, %l, %n;\n@%p mov.u32 %d, 7;\n"
                  "setp.ge.u32 %q, %l, 32;\n@%q bra E;\nadd.u32 %d, %d, 1;\nE: " TAIL,
             80, "40");
    const struct fw_emulate_count *c = h.result.instructions;
    assert_int_equal(c[5].threads, 80);
    assert_int_equal(c[5].warps, 3);
    assert_int_equal(c[6].threads, 40);
    assert_int_equal(c[6].warps, 2);
    assert_int_equal(c[6].issued, 3);
    assert_int_equal(c[6].active, 80);
    assert_int_equal(c[8].threads, 48); /* taken */
    assert_int_equal(c[8].active - c[8].threads, 32);
    assert_int_equal(c[8].divergent, 0);
    assert_int_equal(c[9].threads, 32);
    assert_int_equal(c[9].warps, 1);
    assert_int_equal(c[11].warps, 3);
    assert_int_equal(h.result.blocks_run, 1);
    assert_int_equal(h.result.thread_instructions, 80 * 9 + 40 + 48 + 32);
    harness_free(&h);
}

static void test_divergent_counts(void **state)
{
    struct harness h;
    (void)state;
    run_text(&h,
             HEAD
             "mov.u32 %d, 0;\nL: add.u32 %d, %d, 1;\nsetp.lt.u32 %p, %d, %l;\n@%p bra L;\n" TAIL,
             32, "0");
    const struct fw_emulate_count *c = h.result.instructions;
    /* lane l goes round max(l, 1) times; the warp as often as its longest lane */
    assert_int_equal(c[6].threads, 1 + 31 * 32 / 2);
    assert_int_equal(c[6].warps, 31);
    assert_int_equal(c[8].divergent, 30);
    assert_int_equal(c[9].warps, 1);
    harness_free(&h);
}

static void test_barriers(void **state)
{
    struct harness h;
    (void)state;
    /* warps leave before the barrier; two barriers with counts; a reduction */
    const uint32_t *out = run_text(
        &h,
        HEAD
        ".shared .align 4 .b32 box;\n"
        "setp.ge.u32 %p, %l, 96;\n@%p ret;\n"
        "setp.ge.u32 %p, %l, 64;\n@%p bra W;\n"
        "mov.u32 %d, 1;\nst.shared.u32 [box], %n;\nbar.sync 1, 64;\nbar.arrive 2, 96;\nbra E;\n"
        "W: bar.sync 2, 96;\nld.shared.u32 %d, [box];\n"
        "E: and.b32 %x, %l, 1;\nsetp.eq.u32 %q, %x, 0;\n"
        "barrier.red.popc.aligned.u32 %y, 0, %q;\nadd.u32 %d, %d, %y;\n"
        "bar.red.and.pred %r, 0, !%q;\n@%r add.u32 %d, %d, 1000;\n"
        "bar.red.or.pred %r, 0, !%q;\n@%r add.u32 %d, %d, 5000;\n" TAIL,
        128, "77");
    for (uint32_t i = 0; i < 128; i++)
        assert_int_equal(out[i], i >= 96 ? 0 : (i >= 64 ? 77 : 1) + 48 + 5000);
    harness_free(&h);
}

static void test_votes_under_divergence(void **state)
{
    struct harness h;
    (void)state;
    const uint32_t *out = run_text(
        &h,
        HEAD "setp.lt.u32 %p, %l, 10;\nmov.u32 %d, 0;\nand.b32 %x, %l, 1;\nsetp.eq.u32 %q, %x, 1;\n"
             "@%p bra A;\n"
             "vote.sync.ballot.b32 %d, %q, 0xfffffc00;\nbra E;\n"
             "A: activemask.b32 %d;\nvote.sync.any.pred %r, !%q, 0x3ff;\n@!%r mov.u32 %d, 9;\n"
             "vote.sync.all.pred %r, %q, 0x3ff;\n@%r mov.u32 %d, 8;\n"
             "E: shfl.sync.down.b32 %y|%r, %d, 10, 0x1f, -1;\n@%r add.u32 %d, %d, %y;\n" TAIL,
        32, "0");
    const uint32_t high = 0xaaaaa800u;
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(out[i], i < 10 ? 0x3ff + high : i < 22 ? 2 * high : high);
    harness_free(&h);
}

static void test_shuffles_wait(void **state)
{
    struct harness h;
    (void)state;
    /* the two halves come to __syncwarp on different ways, then exchange */
    const uint32_t *out = run_text(
        &h,
        HEAD
        ".shared .align 4 .b32 box[32];\nmov.u32 %x, box;\nshl.b32 %y, %l, 2;\n"
        "add.u32 %x, %x, %y;\nsetp.lt.u32 %p, %l, 16;\n@%p bra A;\n"
        "st.shared.u32 [%x], %l;\nbar.warp.sync 0xffffffff;\nld.shared.u32 %d, [%x+-64];\nbra E;\n"
        "A: add.u32 %y, %l, 100;\nst.shared.u32 [%x], %y;\nbar.warp.sync -1;\n"
        "ld.shared.u32 %d, [%x+64];\nE: " TAIL,
        32, "0");
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(out[i], i < 16 ? i + 16 : i + 84);
    harness_free(&h);
}

static void test_jump_table(void **state)
{
    struct harness h;
    (void)state;
    const uint32_t *out =
        run_text(&h,
                 HEAD "ts: .branchtargets L0, L1, L2;\nrem.u32 %x, %l, 3;\nbrx.idx %x, ts;\n"
                      "L0: mov.u32 %d, 5;\nbra E;\nL1: mov.u32 %d, 6;\nbra E;\nL2: mov.u32 %d, 7;\n"
                      "E: add.u32 %d, %d, 10;\n" TAIL,
                 40, "0");
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(out[i], 15 + i % 3);
    assert_int_equal(h.result.instructions[h.module->functions[0]->instruction_count - 3].issued,
                     2);
    harness_free(&h);
}

static void test_atomics(void **state)
{
    static const struct {
        const char *text;
        uint64_t first, expected;
    } cases[] = {
        {"red.global.add.u32 [%o], 3;", 5, 5 + 96},
        {"red.global.add.s32 [%o], -3;", 5, (uint32_t)(5 - 96)},
        {"red.global.max.s32 [%o], %l;", 0xfffffff0u, 31},
        {"red.global.max.u32 [%o], %l;", 0xfffffff0u, 0xfffffff0u},
        {"red.global.min.s32 [%o], %l;", 0xfffffff0u, 0xfffffff0u},
        {"red.global.min.u32 [%o], %l;", 0xfffffff0u, 0},
        {"red.global.inc.u32 [%o], 9;", 4, 6}, /* modulo 10: 4 + 32 = 36 */
        {"red.global.dec.u32 [%o], 9;", 4, 2},
        {"red.global.and.b32 [%o], 0xff0f;", 0xffff, 0xff0f},
        {"red.global.or.b32 [%o], %l;", 64, 64 + 31},
        {"red.global.xor.b32 [%o], %l;", 64, 64},
        {"red.global.add.u64 [%o], %s;", 0xffffffff, 0xffffffffull + (32ull << 33)},
        {"red.global.add.f32 [%o], 0f3FC00000;", 0x3f800000, 0x42440000}, /* 1 + 32 * 1.5 = 49 */
        {"red.global.add.f64 [%o], 0d3FF8000000000000;", 0x3ff0000000000000, 0x4048800000000000},
        {"red.global.add.noftz.f16x2 [%o], %n;", 0x3c003c00, 0x50204a80}, /* 1+32*1, 1+32*0.375 */
        {"atom.global.cas.b32 %d, [%o], 7, 100;", 7, 100},
        {"atom.global.cas.b32 %d, [%o], 8, 100;", 7, 7},
        {"atom.global.exch.b64 %s, [%o], %s;", 7, 1ull << 33},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct harness h;
        char text[2048];
        snprintf(text, sizeof text, "%smov.u64 %%s, 0x200000000;\n%s\nret;\n}\n", HEAD,
                 cases[i].text);
        harness_text(&h, text);
        assert_int_equal(harness_launch(&h, NULL, one, (uint32_t[]){32, 1, 1}, 0,
                                        (const char *[]){"out=u64[4]", "n=0x3c003600", NULL}, NULL),
                         FW_OK);
        uint64_t *memory = harness_memory(&h, 0);
        memory[0] = cases[i].first;
        assert_int_equal(harness_go(&h), FW_OK);
        if (memory[0] != cases[i].expected)
            fail_msg("%s: 0x%llx, expected 0x%llx", cases[i].text, (unsigned long long)memory[0],
                     (unsigned long long)cases[i].expected);
        harness_free(&h);
    }
}

static void test_atomics_return_the_old_value(void **state)
{
    struct harness h;
    (void)state;
    const uint32_t *out = run_text(
        &h, HEAD "add.s64 %s, %o, 2048;\natom.global.add.u32 %d, [%s], 2;\n" TAIL, 20, "0");
    for (uint32_t i = 0; i < 20; i++)
        assert_int_equal(out[i], 2 * i);
    harness_free(&h);
}

static void test_generic_addresses(void **state)
{
    struct harness h;
    (void)state;
    /* lanes of one access in shared, local and global memory */
    const uint32_t *out = run_text(
        &h,
        HEAD ".shared .align 8 .b32 box[4];\n.local .align 8 .b32 own[4];\n.reg .b64 %g<4>;\n"
             "st.shared.u32 [box+4], 111;\nst.local.u32 [own+8], %l;\n"
             "mov.u64 %g0, box;\ncvta.shared.u64 %g0, %g0;\nadd.s64 %g0, %g0, 4;\n"
             "mov.u64 %g1, own;\ncvta.local.u64 %g1, %g1;\nadd.s64 %g1, %g1, 8;\n"
             "add.s64 %g2, %o, 2048;\nst.global.u32 [%g2], 222;\n"
             "rem.u32 %x, %l, 3;\nsetp.eq.u32 %p, %x, 0;\nsetp.eq.u32 %q, %x, 1;\n"
             "selp.b64 %s, %g1, %g2, %q;\nselp.b64 %s, %g0, %s, %p;\nld.u32 %d, [%s];\n"
             "isspacep.shared %r, %s;\n@%r add.u32 %d, %d, 1000;\n"
             "isspacep.local %r, %s;\n@%r add.u32 %d, %d, 2000;\n"
             "isspacep.global %r, %s;\n@%r add.u32 %d, %d, 3000;\n" TAIL,
        32, "0");
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(out[i], i % 3 == 0 ? 1111 : i % 3 == 1 ? 2000 + i : 3222);
    harness_free(&h);
}

static void test_specials(void **state)
{
    struct harness h;
    (void)state;
    harness_text(&h, HEAD
                 "mov.u32 %d, %tid.y;\nmov.u32 %x, %ntid.x;\nmad.lo.u32 %d, %d, %x, %l;\n"
                 "mov.u32 %y, %laneid;\nshl.b32 %y, %y, 8;\nor.b32 %d, %d, %y;\n"
                 "mov.u32 %y, %ctaid.y;\nshl.b32 %y, %y, 16;\nor.b32 %d, %d, %y;\n"
                 "mov.u32 %y, %lanemask_lt;\npopc.b32 %y, %y;\nshl.b32 %y, %y, 24;\n"
                 "or.b32 %d, %d, %y;\nmov.u32 %x, %tid.y;\nmov.u32 %y, %ctaid.y;\n"
                 "mad.lo.u32 %x, %y, 5, %x;\nmul.wide.u32 %s, %x, 28;\nadd.s64 %t, %t, %s;\n" TAIL);
    assert_int_equal(harness_run(&h, NULL, (uint32_t[]){1, 3, 1}, (uint32_t[]){7, 5, 1}, 0,
                                 (const char *[]){"out=u32[105]", "n=0", NULL}, NULL),
                     FW_OK);
    const uint32_t *out = harness_memory(&h, 0);
    for (uint32_t b = 0; b < 3; b++)
        for (uint32_t t = 0; t < 35; t++)
            assert_int_equal(out[b * 35 + t], t | (t % 32) << 8 | b << 16 | (t % 32) << 24);
    harness_free(&h);
}

/* What goes wrong is said, with a code. */
static const struct {
    const char *code, *text, *message;
} faults[] = {
    {"EMU011", HEAD "add.s64 %t, %t, 4096;\n" TAIL,
     "a store of 4 bytes at out + 4096, which has 4096"},
    {"EMU011", HEAD "add.s64 %t, %t, -4;\nld.global.u32 %d, [%t];\n" TAIL, "before its start"},
    {"EMU011", HEAD "mov.u64 %s, 0;\nld.u32 %d, [%s];\n" TAIL, "where no array lies"},
    {"EMU012", HEAD "ld.global.u32 %d, [%o+2];\n" TAIL, "not a multiple"},
    {"EMU011", HEAD ".shared .b32 box[4];\nld.shared.u32 %d, [box+16];\n" TAIL,
     "shared address 16"},
    {"EMU011", HEAD ".local .b32 own[4];\nst.local.u32 [own+64], %d;\n" TAIL, "local address 64"},
    {"EMU017", HEAD "mov.u64 %s, n;\nst.u32 [%s], %d;\n" TAIL, "constant memory"},
    {"EMU013", HEAD "L: add.u32 %d, %d, 1;\nbra L;\n" TAIL, "ran for more than"},
    {"EMU014",
     HEAD "setp.lt.u32 %p, %l, 32;\n@%p bra A;\nbar.sync 0;\nbra E;\n"
          "A: bar.sync 1;\nE: " TAIL,
     "deadlock"},
    {"EMU014",
     HEAD "setp.lt.u32 %p, %l, 16;\n@%p bra A;\nadd.u32 %d, %d, 1;\nbra E;\n"
          "A: shfl.sync.idx.b32 %d, %l, 0, 31, 0xffff0000;\nE: bar.sync 0;\n" TAIL,
     "names lanes"},
    {"EMU015", HEAD "trap;\n" TAIL, "trap"},
    {"EMU010", HEAD "wgmma.fence.sync.aligned;\n" TAIL,
     "'wgmma.fence.sync.aligned' cannot be emulated"},
    {"EMU020", HEAD "ts: .branchtargets E, E;\nbrx.idx %l, ts;\nE: " TAIL, "2 targets"},
};

static void test_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct harness h;
        const struct fw_emulate_options options = {.limit = 100000};
        harness_text(&h, faults[i].text);
        h.loud = false;
        const enum fw_status status =
            harness_run(&h, NULL, one, (uint32_t[]){64, 1, 1}, 0,
                        (const char *[]){"out=u32[1024]", "n=1", NULL}, &options);
        assert_int_equal(status,
                         strcmp(faults[i].code, "EMU013") == 0 ? FW_ERROR_BUDGET : FW_ERROR_INPUT);
        assert_string_equal(h.code, faults[i].code);
        if (!strstr(h.message, faults[i].message))
            fail_msg("'%s' does not say '%s'", h.message, faults[i].message);
        harness_free(&h);
    }
}

/* Loads of shared memory that no thread has written: a fault only where that is asked for, whatever
 * wrote the memory before. */
static void test_written_only(void **state)
{
    static const struct {
        const char *text;
        bool fault;
    } cases[] = {
        {HEAD ".shared .b32 box[4];\nld.shared.u32 %d, [box+4];\n" TAIL, true},
        {HEAD ".shared .b32 box[4];\nst.shared.u32 [box], %l;\nld.shared.u32 %d, [box];\n" TAIL,
         false},
        {HEAD ".shared .b32 box[4];\nst.shared.u16 [box], 1;\nld.shared.u32 %d, [box];\n" TAIL,
         true},
        {HEAD ".shared .b32 box[4];\natom.shared.add.u32 %d, [box], 1;\n"
              "ld.shared.u32 %d, [box];\n" TAIL,
         false},
        {HEAD ".shared .align 16 .b32 box[4];\ncp.async.ca.shared.global [box], [%o], 16;\n"
              "cp.async.wait_all;\nld.shared.u32 %d, [box+12];\n" TAIL,
         false},
        {HEAD ".shared .b32 box[4];\nmov.u64 %s, box;\ncvta.shared.u64 %s, %s;\n"
              "ld.u32 %d, [%s];\n" TAIL,
         true},
        {HEAD ".shared .b32 box[64];\nmov.u32 %x, box;\nshl.b32 %y, %l, 2;\nadd.u32 %x, %x, %y;\n"
              "setp.lt.u32 %p, %l, 63;\n@%p st.shared.u32 [%x], %l;\n"
              "@%p ld.shared.u32 %d, [%x];\n" TAIL,
         false},
    };
    (void)state;
    for (size_t i = 0; i < 2 * (sizeof cases / sizeof cases[0]); i++) {
        struct harness h;
        const bool asked = i % 2, fault = asked && cases[i / 2].fault;
        const struct fw_emulate_options options = {.limit = 100000, .written_only = asked};
        harness_text(&h, cases[i / 2].text);
        h.loud = !fault;
        assert_int_equal(harness_run(&h, NULL, (uint32_t[]){2, 1, 1}, (uint32_t[]){64, 1, 1}, 0,
                                     (const char *[]){"out=u32[1024]", "n=1", NULL}, &options),
                         fault ? FW_ERROR_INPUT : FW_OK);
        assert_string_equal(h.code, fault ? "EMU021" : "");
        harness_free(&h);
    }
}

/* Arguments that are none, and launches that cannot be. */
static void test_argument_errors(void **state)
{
    static const struct {
        const char *code, *argument;
    } cases[] = {
        {"EMU001", "out"},
        {"EMU001", "=3"},
        {"EMU001", "out=f32[x]"},
        {"EMU001", "out=f33[3]"},
        {"EMU001", "out=f32[3]:q"},
        {"EMU001", "out=f32[3]:random(1)"},
        {"EMU001", "n=zwei"},
        {"EMU001", "n=hex:1"},
        {"EMU001", "out=f32[3"},
        {"EMU001", "out=f32[3]:zero,seed=x"},
        {"EMU001", "out=s32[3]:ramp(1,2)"},
        {"EMU001", "out=s32[3]:ramp(1,2,0.5)"},
        {"EMU001", "out=s32[3]:zero,position=1"},
        {"EMU001", "out=@"},
        {"EMU006", "out=@/nowhere/at all.npy"},
        {"EMU001", "out+x=3"},
        {"EMU001", "out=f32[-1]"},
        {"EMU002", "m=3"},
        {"EMU002", "#2=3"},
        {"EMU002", "n=hex:0011223344"},
        {"EMU002", "n=f32[3]"},
        {"EMU003", "out=f32[3]"},
        {"EMU006", "out=file:/nowhere/at all"},
        {"EMU005", "out=f32[8G]"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct harness h;
        harness_text(&h, HEAD TAIL);
        h.loud = false;
        const enum fw_status status =
            harness_launch(&h, NULL, one, one, 0, (const char *[]){cases[i].argument, NULL}, NULL);
        assert_true(status != FW_OK);
        if (strcmp(h.code, cases[i].code) != 0)
            fail_msg("%s: %s (%s)", cases[i].argument, h.code, h.message);
        harness_free(&h);
    }
    struct harness h;
    harness_text(&h, HEAD TAIL);
    h.loud = false;
    assert_int_equal(harness_launch(&h, NULL, one, (uint32_t[]){1025, 1, 1}, 0, NULL, NULL),
                     FW_ERROR_USAGE);
    assert_string_equal(h.code, "EMU004");
    harness_free(&h);
}

/* Each thread writes element i + 7 of what `a` holds. */
static const char moving[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry move(.param .u64 a, .param .u64 b)\n{\n"
    ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
    "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\n"
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r3, %r2, 256, %r1;\n"
    "mul.wide.u32 %rd3, %r3, 4;\nadd.s64 %rd4, %rd1, %rd3;\nadd.s64 %rd5, %rd2, %rd3;\n"
    "ld.global.u32 %r4, [%rd4+28];\nst.global.u32 [%rd5], %r4;\nst.global.u32 [%rd4+28], %r3;\n"
    "ret;\n}\n";

/* Contents that are made when the kernel comes near are those that are made at once; what the
 * kernel wrote stays. */
static void test_contents_on_demand(void **state)
{
    static const char *const contents[] = {"a=u32[4103]:index",
                                           "a=u32[4103]:random",
                                           "a=s32[4103]:random(-5,900),position=3",
                                           "a=f32[4103]:random(2,4)",
                                           "a=s32[4103]:ramp(5,20,17)",
                                           "a=u32[4103]:permutation",
                                           "a=u32[4103]:value(9)",
                                           "a=file:on_demand.bin"};
    enum { COUNT = 4096 };
    static uint32_t now[COUNT];
    FILE *file = fopen("on_demand.bin", "wb");
    (void)state;
    assert_non_null(file);
    for (uint32_t i = 0; i < COUNT + 7; i++)
        assert_int_equal(fwrite(&(uint32_t){i * 2654435761u}, 4, 1, file), 1);
    assert_int_equal(fclose(file), 0);
    for (unsigned c = 0; c < sizeof contents / sizeof contents[0]; c++)
        for (int later = 0; later < 2; later++) {
            struct harness h;
            const struct fw_emulate_options options = {.on_demand = later};
            harness_text(&h, moving);
            assert_int_equal(harness_run(&h, NULL, (uint32_t[]){16, 1, 1}, (uint32_t[]){256, 1, 1},
                                         0, (const char *[]){contents[c], "b=u32[4096]", NULL},
                                         &options),
                             FW_OK);
            assert_int_equal(((uint32_t *)harness_memory(&h, 0))[COUNT + 6], COUNT - 1);
            if (later)
                assert_memory_equal(now, harness_memory(&h, 1), sizeof now);
            memcpy(now, harness_memory(&h, 1), sizeof now);
            harness_free(&h);
        }
    remove("on_demand.bin");
}

/* A file that became shorter while the kernel ran. */
static void test_a_file_that_shrinks(void **state)
{
    struct harness h;
    FILE *file = fopen("shrinking.bin", "wb");
    const struct fw_emulate_options options = {.on_demand = true};
    (void)state;
    assert_non_null(file);
    assert_int_equal(fseek(file, 4 * 4103 - 1, SEEK_SET), 0);
    fputc(1, file);
    assert_int_equal(fclose(file), 0);
    harness_text(&h, moving);
    h.loud = false;
    assert_int_equal(harness_launch(&h, NULL, (uint32_t[]){16, 1, 1}, (uint32_t[]){256, 1, 1}, 0,
                                    (const char *[]){"a=file:shrinking.bin", "b=u32[4096]", NULL},
                                    &options),
                     FW_OK);
    file = fopen("shrinking.bin", "wb");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(harness_go(&h), FW_ERROR_MACHINE);
    assert_string_equal(h.code, "EMU006");
    harness_free(&h);
    remove("shrinking.bin");
}

static void test_fills(void **state)
{
    struct harness h;
    (void)state;
    harness_text(&h, HEAD TAIL);
    static const char *const arguments[] = {
        "out=u32[8]:index",          "out=f64[8]:ones",
        "out=u16[8]:value(513)",     "out=s32[50]:permutation,seed=3",
        "out=s8[1000]:random(-3,5)", "out=f32[1000]:random(2,4)",
        "out=f16[8]:index",          "out=u8[4]:iota,align=4096"};
    for (unsigned i = 0; i < sizeof arguments / sizeof arguments[0]; i++) {
        assert_int_equal(harness_launch(&h, NULL, one, one, 0,
                                        (const char *[]){arguments[i], "n=1", NULL}, NULL),
                         FW_OK);
        void *memory = harness_memory(&h, 0);
        const int32_t *s = memory;
        unsigned seen = 0;
        switch (i) {
        case 0:
            assert_int_equal(s[7], 7);
            break;
        case 1:
            assert_true(((double *)memory)[7] == 1.0);
            break;
        case 2:
            assert_int_equal(((uint16_t *)memory)[3], 513);
            break;
        case 3: {
            uint64_t bits = 0;
            for (int k = 0; k < 50; k++)
                bits |= (uint64_t)1 << s[k];
            assert_true(bits == ((uint64_t)1 << 50) - 1);
            assert_true(s[0] != 0 || s[1] != 1 || s[2] != 2);
            break;
        }
        case 4:
            for (int k = 0; k < 1000; k++) {
                const int v = ((int8_t *)memory)[k];
                assert_in_range(v + 3, 0, 8);
                seen |= 1u << (v + 3);
            }
            assert_int_equal(seen, 0x1ff);
            break;
        case 5:
            for (int k = 0; k < 1000; k++)
                assert_true(((float *)memory)[k] >= 2.0f && ((float *)memory)[k] < 4.0f);
            break;
        case 6:
            assert_int_equal(((uint16_t *)memory)[3], 0x4200);
            break;
        default: {
            size_t count;
            assert_int_equal(fw_emulation_buffers(h.emulation, &count)[0].address % 4096, 0);
            break;
        }
        }
        harness_end_launch(&h);
    }
    harness_free(&h);
}

/* Nothing said about a pointer: it counts all the same. */
static void test_assumed_memory(void **state)
{
    struct harness h;
    (void)state;
    harness_text(
        &h,
        HEAD "mul.wide.u32 %s, %l, 1000000;\nadd.s64 %s, %s, %o;\n"
             "ld.global.u32 %d, [%s];\nsetp.eq.u32 %p, %d, 0;\n@%p st.global.u32 [%s], %l;\n" TAIL);
    assert_int_equal(
        harness_run(&h, NULL, one, (uint32_t[]){100, 1, 1}, 0, (const char *[]){"n=1", NULL}, NULL),
        FW_OK);
    assert_true(h.result.assumed_memory);
    assert_int_equal(h.result.instructions[9].threads, 100);
    harness_free(&h);
}

static void test_shared_parameters(void **state)
{
    struct harness h;
    (void)state;
    harness_text(&h,
                 ".version 8.5\n.target sm_90\n.address_size 64\n.visible .entry k(\n"
                 ".param .u64 .ptr .global .align 8 out, .param .u64 .ptr .shared .align 4 a,\n"
                 ".param .u64 .ptr .shared .align 4 b)\n{\n.shared .align 4 .b32 own[3];\n"
                 ".reg .b64 %o, %a, %b;\n.reg .b32 %x;\n"
                 "ld.param.u64 %o, [out];\nld.param.u64 %a, [a];\nld.param.u64 %b, [b];\n"
                 "st.shared.u32 [own+8], 1;\nst.shared.u32 [%a], 2;\nst.shared.u32 [%a+60], 3;\n"
                 "st.shared.u32 [%b+28], 4;\nld.shared.u32 %x, [%a+60];\n"
                 "st.global.u32 [%o], %x;\nret;\n}\n");
    const char *const sizes[] = {"out=u32[1]", "a=u32[16]", NULL};
    assert_int_equal(harness_run(&h, NULL, one, one, 32, sizes, NULL), FW_OK);
    assert_int_equal(*(uint32_t *)harness_memory(&h, 0), 3);
    harness_end_launch(&h);
    h.loud = false;
    assert_int_equal(harness_run(&h, NULL, one, one, 0, (const char *[]){"out=u32[1]", NULL}, NULL),
                     FW_ERROR_USAGE);
    assert_string_equal(h.code, "EMU003");
    harness_free(&h);
}

struct seen {
    unsigned blocks, accesses;
    uint64_t threads[10], bytes;
    uint64_t first, last;
};

static void block_done(void *user, const uint32_t block[3], const struct fw_emulate_count *counts)
{
    struct seen *seen = user;
    assert_int_equal(block[1], 0);
    seen->threads[block[0]] = counts[6].threads;
    seen->blocks++;
}

static void access(void *user, const struct fw_emulate_access *access)
{
    struct seen *seen = user;
    if (access->space != FW_SPACE_GLOBAL || access->instruction < 3)
        return;
    seen->accesses++;
    seen->bytes += access->bytes * (unsigned)__builtin_popcount(access->mask);
    seen->first = access->addresses[0];
    seen->last = access->addresses[__builtin_popcount(access->mask) - 1];
}

static void test_options(void **state)
{
    struct harness h;
    struct seen seen = {0};
    const struct fw_emulate_options options = {
        .every = 3, .block_done = block_done, .access = access, .user = &seen};
    (void)state;
    harness_text(&h, HEAD "mov.u32 %x, %ctaid.x;\n@%p bra E;\nsetp.lt.u32 %p, %l, %x;\n"
                          "@%p add.u32 %d, %d, 1;\nE: " TAIL);
    assert_int_equal(harness_run(&h, NULL, (uint32_t[]){8, 1, 1}, (uint32_t[]){40, 1, 1}, 0,
                                 (const char *[]){"out=u32[40]", "n=1", NULL}, &options),
                     FW_OK);
    assert_int_equal(seen.blocks, 3);
    assert_int_equal(h.result.blocks_run, 3);
    assert_int_equal(h.result.grid_blocks, 8);
    assert_int_equal(h.result.instructions[8].threads, 0 + 3 + 6);
    assert_int_equal(seen.accesses, 6);
    assert_int_equal(seen.bytes, 3 * 160);
    assert_int_equal(seen.last - seen.first, 28);
    harness_end_launch(&h);
    const uint64_t list[] = {7, 2, 99};
    const struct fw_emulate_options chosen = {.blocks = list, .block_count = 3};
    assert_int_equal(harness_run(&h, NULL, (uint32_t[]){8, 1, 1}, (uint32_t[]){40, 1, 1}, 0,
                                 (const char *[]){"out=u32[40]", "n=1", NULL}, &chosen),
                     FW_OK);
    assert_int_equal(h.result.blocks_run, 2);
    assert_int_equal(h.result.instructions[8].threads, 7 + 2);
    harness_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_portable),
        cmocka_unit_test(test_rows_avx2),
        cmocka_unit_test(test_rows_avx512),
        cmocka_unit_test(test_nested_divergence),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_divergent_counts),
        cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_votes_under_divergence),
        cmocka_unit_test(test_shuffles_wait),
        cmocka_unit_test(test_jump_table),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_atomics_return_the_old_value),
        cmocka_unit_test(test_generic_addresses),
        cmocka_unit_test(test_specials),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_written_only),
        cmocka_unit_test(test_argument_errors),
        cmocka_unit_test(test_contents_on_demand),
        cmocka_unit_test(test_a_file_that_shrinks),
        cmocka_unit_test(test_fills),
        cmocka_unit_test(test_assumed_memory),
        cmocka_unit_test(test_shared_parameters),
        cmocka_unit_test(test_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
