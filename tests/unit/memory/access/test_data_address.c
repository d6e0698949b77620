/* Addresses with parts that data decide: what of them moves, what is drawn and from how many, and
 * how rows of a ragged array are taken to go. */
#include "../../../property/subject.h"
#include "kernel_accesses.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Kernels of one form: %rd4 is index, %rd5 array, %r1 the thread of the launch. */
#define KERNEL(body)                                                                               \
    ".version 8.0\n.target sm_80\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 index, .param .u64 array, .param .u32 n)\n{\n"                  \
    ".reg .b32 %r<40>; .reg .f32 %f<20>; .reg .b64 %rd<40>; .reg .pred %p<10>; .reg .b16 %h<4>;\n" \
    "ld.param.u64 %rd4, [index];\nld.param.u64 %rd5, [array];\nld.param.u32 %r30, [n];\n"          \
    "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\n"                        \
    "mad.lo.s32 %r1, %r2, %r3, %r4;\nmul.wide.s32 %rd6, %r1, 4;\nadd.s64 %rd7, %rd4, %rd6;\n" body \
    "ret;\n}\n"

/* array[%r10] */
#define USE                                                                                        \
    "mul.wide.s32 %rd20, %r10, 4;\nadd.s64 %rd21, %rd5, %rd20;\nld.global.f32 %f1, [%rd21];\n"

enum { BLOCKS = 100, THREADS = 64, N = 5000 };

struct example {
    struct subject s;
    struct fw_kernel_accesses found;
    uint32_t access; /* the last one of `array` */
};

static void set(struct example *e, const char *text, uint8_t kind)
{
    memset(e, 0, sizeof(*e));
    e->s.arena = fw_arena_new(0);
    if (!subject_read(&e->s, "k", text, strlen(text), "", "k"))
        fail_msg("%s", e->s.message);
    e->s.launch = fw_launch_new(e->s.arena, e->s.kernel);
    e->s.launch->grid[0] = BLOCKS;
    e->s.launch->block[0] = THREADS;
    e->s.launch->integers[2] = N;
    e->s.launch->is_bound[2] = true;
    e->s.launch->kinds[1] = kind;
    e->s.bound = fw_bound_new(e->s.kernel);
    assert_int_equal(fw_bound_set(e->s.bound, e->s.launch), FW_OK);
    fw_kernel_accesses_find(&e->found, e->s.arena, e->s.kernel, e->s.bound, e->s.launch, NULL);
    for (uint32_t a = 0; a < e->s.kernel->access_count; a++) {
        uint32_t array = e->s.kernel->accesses[a].array;
        if (array != FW_NONE && e->s.kernel->arrays[array].parameter == 1)
            e->access = a;
    }
}

static void end(struct example *e)
{
    fw_bound_free(e->s.bound);
    fw_arena_free(e->s.arena);
}

static struct fw_data_access taken(struct example *e, const char *text, uint8_t kind)
{
    set(e, text, kind);
    struct fw_data_access of = *fw_data_access(e->found.data, e->access);
    end(e);
    return of;
}

static double drawn_over(const char *text)
{
    struct example e;
    struct fw_data_access of = taken(&e, text, FW_INDEX_USUAL);
    return of.model == FW_DATA_DRAWN ? of.extent : 0;
}

/* The affine access of the last use of `array`. */
static struct fw_affine_access affine(struct example *e)
{
    const struct fw_access_affine *own = &e->found.by_access[e->access];
    assert_int_equal(own->count, 1);
    return e->found.affine.at[own->first];
}

static void types_and_masks_bound_what_is_drawn(void **state)
{
    (void)state;
    /* A byte: 256 places of four bytes. */
    assert_float_equal(drawn_over(KERNEL("ld.global.u8 %r10, [%rd7];\n" USE)), 1024, 0);
    assert_float_equal(drawn_over(KERNEL("ld.global.u32 %r9, [%rd7];\n"
                                         "and.b32 %r10, %r9, 1023;\n" USE)),
                       4096, 0);
    assert_float_equal(drawn_over(KERNEL("ld.global.u32 %r9, [%rd7];\n"
                                         "shr.u32 %r10, %r9, 24;\n" USE)),
                       1024, 0);
    assert_float_equal(drawn_over(KERNEL("ld.global.u32 %r9, [%rd7];\n"
                                         "mul.lo.s32 %r8, %r9, 40503;\n"
                                         "rem.u32 %r10, %r8, %r30;\n" USE)),
                       4 * N, 0);
    assert_float_equal(drawn_over(KERNEL("ld.global.u32 %r9, [%rd7];\n"
                                         "xor.b32 %r8, %r9, %r1;\nmax.s32 %r7, %r8, 0;\n"
                                         "min.s32 %r10, %r7, 99;\n" USE)),
                       400, 0);
    /* A hash, masked by an argument, and its words of 32 bits. */
    assert_float_equal(drawn_over(KERNEL("ld.global.u32 %r9, [%rd7];\n"
                                         "mul.lo.s32 %r8, %r9, 40503;\nxor.b32 %r7, %r8, %r9;\n"
                                         "and.b32 %r10, %r7, %r30;\n" USE)),
                       4 * (N + 1), 0);
    assert_float_equal(drawn_over(KERNEL("ld.global.u32 %r9, [%rd7];\n"
                                         "mul.lo.s32 %r8, %r9, 40503;\nxor.b32 %r7, %r8, %r9;\n"
                                         "and.b32 %r6, %r7, %r30;\nshr.u32 %r10, %r6, 5;\n" USE)),
                       4 * (N / 32 + 1), 0);
    /* A table behind a table, and a checksum that mixes a byte into what it has. */
    assert_float_equal(drawn_over(KERNEL("ld.global.u8 %r9, [%rd7];\n"
                                         "ld.global.u8 %r8, [%rd7+1];\nshr.u32 %r6, %r9, 3;\n"
                                         "xor.b32 %r7, %r6, %r8;\nand.b32 %r10, %r7, 15;\n" USE)),
                       64, 0);
    /* Shares of one, scaled to 50 cells, lie in 51. */
    assert_float_equal(drawn_over(KERNEL("ld.global.f32 %f2, [%rd7];\n"
                                         "mul.f32 %f3, %f2, 0f42480000;\n"
                                         "cvt.rzi.s32.f32 %r10, %f3;\n" USE)),
                       204, 0);
    /* Nothing bounds a hash.  A number that is converted as it is loaded is an index. */
    assert_float_equal(drawn_over(KERNEL("ld.global.u32 %r9, [%rd7];\n"
                                         "mul.lo.s32 %r8, %r9, 40503;\n"
                                         "xor.b32 %r10, %r8, %r9;\n" USE)),
                       0, 0);
    assert_float_equal(drawn_over(KERNEL("ld.global.f32 %f2, [%rd7];\n"
                                         "cvt.rzi.s32.f32 %r10, %f2;\n" USE)),
                       4 * BLOCKS * THREADS, 0);
}

/* array[thread + (int)(index[block] * 50)]: lanes stay neighbours, and all blocks move as without
 * the part. */
static void a_part_that_lanes_share_leaves_them_neighbours(void **state)
{
    struct example e;
    (void)state;
    set(&e,
        KERNEL("mul.wide.s32 %rd8, %r2, 4;\nadd.s64 %rd9, %rd4, %rd8;\nld.global.f32 %f2, [%rd9];\n"
               "mul.f32 %f3, %f2, 0f42480000;\ncvt.rzi.s32.f32 %r9, %f3;\n"
               "add.s32 %r10, %r9, %r1;\n" USE),
        FW_INDEX_USUAL);
    struct fw_affine_access a = affine(&e);
    assert_int_equal(a.thread_stride[0], 4);
    assert_int_equal(a.block_stride[0], 4 * THREADS);
    assert_true(a.base >= 0 && a.base < 128);
    end(&e);
    /* Behind a limit they stay so as well. */
    set(&e,
        KERNEL(
            "ld.global.u32 %r9, [%rd4];\nadd.s32 %r8, %r9, %r1;\nmin.s32 %r10, %r8, %r30;\n" USE),
        FW_INDEX_USUAL);
    a = affine(&e);
    assert_int_equal(a.thread_stride[0], 4);
    assert_int_equal(a.block_stride[0], 4 * THREADS);
    end(&e);
    /* array[index[block] * n + thread of the block]: each block has a row of its own. */
    set(&e,
        KERNEL("mul.wide.s32 %rd8, %r2, 4;\nadd.s64 %rd9, %rd4, %rd8;\nld.global.u32 %r9, [%rd9];\n"
               "mad.lo.s32 %r10, %r9, %r30, %r4;\n" USE),
        FW_INDEX_USUAL);
    a = affine(&e);
    assert_int_equal(a.thread_stride[0], 4);
    assert_true(a.block_stride[0] >= 4 * THREADS);
    end(&e);
}

static void index_arrays_have_an_order(void **state)
{
    const char *gather = KERNEL("ld.global.u32 %r10, [%rd7];\n" USE);
    struct example e;
    (void)state;
    struct fw_data_access random = taken(&e, gather, FW_INDEX_USUAL);
    assert_int_equal(random.model, FW_DATA_DRAWN);
    assert_int_equal(random.kind, FW_INDEX_RANDOM);
    assert_float_equal(random.extent, 4 * BLOCKS * THREADS, 0);
    /* What all blocks look up alike names as many elements as a block has threads. */
    assert_float_equal(drawn_over(KERNEL("mul.wide.s32 %rd8, %r4, 4;\nadd.s64 %rd9, %rd4, %rd8;\n"
                                         "ld.global.u32 %r10, [%rd9];\n" USE)),
                       4 * THREADS, 0);
    for (uint8_t kind = FW_INDEX_NEIGHBOURS; kind <= FW_INDEX_SORTED; kind++) {
        set(&e, gather, kind);
        assert_int_equal(fw_data_access(e.found.data, e.access)->kind, kind);
        struct fw_affine_access a = affine(&e);
        assert_int_equal(a.thread_stride[0], 4);
        assert_int_equal(a.block_stride[0], 4 * THREADS);
        /* Neighbours' lanes are up to so many elements off, sorted ones not at all. */
        int64_t none[1] = {0}, address[2];
        for (uint32_t t = 0; t < 2; t++) {
            struct fw_point point = {{50}, {t}, none};
            assert_true(fw_data_address_at(e.found.data, e.access, &point, &address[t]));
            int64_t own = 4 * (50 * THREADS + (int64_t)t),
                    off = llabs((long long)(address[t] - own));
            assert_true(kind == FW_INDEX_SORTED ? off == 0 : off <= 2 * FW_DATA_NEAR);
        }
        assert_true(kind == FW_INDEX_SORTED || address[1] - address[0] != 4);
        end(&e);
    }
}

/* array[thread] names the next element of itself: a list. */
static void a_list_stays_open(void **state)
{
    struct example e;
    (void)state;
    struct fw_data_access of = taken(
        &e, KERNEL("add.s64 %rd8, %rd5, %rd6;\nld.global.u32 %r10, [%rd8];\n" USE), FW_INDEX_USUAL);
    assert_int_equal(of.model, FW_DATA_OPEN);
}

/* for (k = index[i]; k < index[i + 1]; k++) array[k], with one entry a trip, and with four and a
 * loop for what is left over before. */
static const char *const rows = KERNEL(
    "ld.global.u32 %r10, [%rd7];\nld.global.u32 %r11, [%rd7+4];\nsetp.ge.s32 %p1, %r10, %r11;\n"
    "@%p1 bra done;\nloop:\n" USE "add.s32 %r10, %r10, 1;\nsetp.lt.s32 %p2, %r10, %r11;\n"
    "@%p2 bra loop;\ndone:\n");
static const char *const unrolled = KERNEL(
    "ld.global.u32 %r10, [%rd7];\nld.global.u32 %r11, [%rd7+4];\nsetp.ge.s32 %p1, %r10, %r11;\n"
    "@%p1 bra done;\nsub.s32 %r12, %r11, %r10;\nand.b32 %r13, %r12, 3;\nsetp.eq.s32 %p3, %r13, 0;\n"
    "@%p3 bra even;\nneg.s32 %r14, %r13;\nodd:\n" USE
    "add.s32 %r10, %r10, 1;\nadd.s32 %r14, %r14, 1;\nsetp.ne.s32 %p4, %r14, 0;\n@%p4 bra odd;\n"
    "even:\nsetp.lt.u32 %p5, %r12, 4;\n@%p5 bra done;\nloop:\n" USE
    "ld.global.f32 %f2, [%rd21+4];\nld.global.f32 %f3, [%rd21+8];\nld.global.f32 %f4, [%rd21+12];\n"
    "add.s32 %r10, %r10, 4;\nsetp.lt.s32 %p2, %r10, %r11;\n@%p2 bra loop;\ndone:\n");

static double entries(struct example *e)
{
    double all = 0;
    for (uint32_t a = 0; a < e->s.kernel->access_count; a++)
        if (e->s.kernel->accesses[a].array == e->s.kernel->accesses[e->access].array)
            all += fw_bound_count(e->s.bound, e->s.kernel->accesses[a].domain)->estimate;
    return all / BLOCKS / THREADS;
}

static void rows_adjoin_and_have_a_usual_length(void **state)
{
    const char *const texts[] = {rows, unrolled};
    struct example e;
    (void)state;
    for (uint32_t t = 0; t < 2; t++) {
        set(&e, texts[t], FW_INDEX_USUAL);
        double length = entries(&e);
        assert_true(length > 0.9 * FW_DEFAULT_TRIPS && length < 1.1 * FW_DEFAULT_TRIPS);
        assert_true(fw_data_access(e.found.data, e.access)->rows);
        struct fw_affine_access a = affine(&e);
        assert_true(fabs((double)a.thread_stride[0] - 4 * length) <= 2);
        assert_true(fabs((double)a.block_stride[0] - 4 * length * THREADS) <= THREADS);
        assert_int_equal(a.loop_stride[0], t ? 16 : 4);
        end(&e);
    }
}

/* Eight lanes share a row out among themselves: rows are as long as all of them go. */
static void rows_that_lanes_share_are_as_long_as_others(void **state)
{
    struct example e;
    (void)state;
    set(&e,
        KERNEL("shr.u32 %r20, %r1, 3;\nmul.wide.u32 %rd10, %r20, 4;\nadd.s64 %rd11, %rd4, %rd10;\n"
               "ld.global.u32 %r12, [%rd11];\nld.global.u32 %r11, [%rd11+4];\n"
               "and.b32 %r21, %r4, 7;\nadd.s32 %r10, %r12, %r21;\n"
               "setp.ge.s32 %p1, %r10, %r11;\n@%p1 bra done;\nloop:\n" USE
               "add.s32 %r10, %r10, 8;\nsetp.lt.s32 %p2, %r10, %r11;\n@%p2 bra loop;\ndone:\n"),
        FW_INDEX_USUAL);
    double apart = (double)affine(&e).block_stride[0] / (THREADS / 8);
    print_message("rows of %g entries, %g a thread\n", apart / 4, entries(&e));
    assert_true(fabs(apart / 4 / FW_DEFAULT_TRIPS - 1) < 0.1);
    end(&e);
}

/* Two rows that follow each other: the end of the first is the begin of the second. */
static void the_end_of_a_row_begins_the_next(void **state)
{
    struct example e;
    (void)state;
    set(&e,
        KERNEL("ld.global.u32 %r10, [%rd7];\nld.global.u32 %r11, [%rd7+4];\n"
               "ld.global.u32 %r12, [%rd7+8];\nmov.u32 %r14, %r11;\n"
               "setp.ge.s32 %p1, %r10, %r11;\n@%p1 bra second;\nloop:\n" USE
               "add.s32 %r10, %r10, 1;\nsetp.lt.s32 %p2, %r10, %r11;\n@%p2 bra loop;\nsecond:\n"
               "setp.ge.s32 %p3, %r14, %r12;\n@%p3 bra done;\nagain:\n"
               "mul.wide.s32 %rd22, %r14, 4;\nadd.s64 %rd23, %rd5, %rd22;\n"
               "ld.global.f32 %f2, [%rd23];\nadd.s32 %r14, %r14, 1;\n"
               "setp.lt.s32 %p4, %r14, %r12;\n@%p4 bra again;\ndone:\n"),
        FW_INDEX_USUAL);
    double both = entries(&e);
    assert_true(both > 1.9 * FW_DEFAULT_TRIPS && both < 2.1 * FW_DEFAULT_TRIPS);
    end(&e);
}

/* As many entries as a number loaded says, two a trip: half of them, rounded up, where they are
 * from half to one and a half of the usual length. */
static void a_loop_of_several_entries_runs_less_often(void **state)
{
    struct example e;
    (void)state;
    set(&e,
        KERNEL("ld.global.u32 %r11, [%rd7];\nmov.u32 %r10, 0;\nloop:\n" USE
               "add.s32 %r10, %r10, 2;\nsetp.lt.s32 %p2, %r10, %r11;\n@%p2 bra loop;\n"),
        FW_INDEX_USUAL);
    double trips = 0;
    for (int length = FW_DEFAULT_TRIPS / 2; length <= FW_DEFAULT_TRIPS * 3 / 2; length++)
        trips += ceil(length / 2.0) / (FW_DEFAULT_TRIPS + 1.0);
    assert_float_equal(entries(&e), trips, 1e-6);
    end(&e);
}

/* Rows of 8 KB by an index of the block, of which a block loads 256 bytes. */
static void rows_lie_as_far_apart_as_their_indices(void **state)
{
    struct example e;
    (void)state;
    set(&e,
        KERNEL("mul.wide.u32 %rd10, %r2, 4;\nadd.s64 %rd11, %rd4, %rd10;\n"
               "ld.global.u32 %r9, [%rd11];\nmul.wide.s32 %rd12, %r9, 8192;\n"
               "add.s64 %rd13, %rd5, %rd12;\nmul.wide.u32 %rd14, %r4, 4;\n"
               "add.s64 %rd15, %rd13, %rd14;\nld.global.f32 %f1, [%rd15];\n"),
        FW_INDEX_RANDOM);
    struct fw_affine_access a = affine(&e);
    assert_int_equal(a.thread_stride[0], 4);
    assert_int_equal(a.block_stride[0], 8192);
    end(&e);
}

/* index[(i + trip n) & 1023], and the same by a remainder and by a mask that are arguments: as many
 * elements as the index array has, however many threads ask it; in a loop, so that it is gone
 * round. */
#define AROUND(wraps)                                                                              \
    KERNEL("mov.u32 %r20, 0;\nmov.u32 %r21, %r1;\nloop:\n" wraps                                   \
           "mul.wide.u32 %rd8, %r22, 4;\nadd.s64 %rd9, %rd4, %rd8;\nld.global.u32 %r10, "          \
           "[%rd9];\n" USE                                                                         \
           "add.s32 %r21, %r21, %r30;\nadd.s32 %r20, %r20, 1;\nsetp.lt.s32 %p1, %r20, 40;\n"       \
           "@%p1 bra loop;\n")

static void an_index_array_that_is_gone_round_has_its_own_length(void **state)
{
    (void)state;
    assert_float_equal(drawn_over(AROUND("and.b32 %r22, %r21, 1023;\n")), 4 * 1024, 0);
    assert_float_equal(drawn_over(AROUND("and.b32 %r22, %r21, 1048575;\n")), 4 * 1048576, 0);
    assert_float_equal(drawn_over(AROUND("rem.u32 %r22, %r21, 1000;\n")), 4 * 1000, 0);
    assert_float_equal(drawn_over(AROUND("rem.u32 %r22, %r21, %r30;\n")), 4 * N, 0);
    assert_float_equal(drawn_over(AROUND("and.b32 %r22, %r21, %r30;\n")), 4 * (N + 1), 0);
    /* A place that goes on, and one that is put together of digits, tell of no length. */
    assert_float_equal(drawn_over(AROUND("mov.u32 %r22, %r21;\n")), 4 * BLOCKS * THREADS, 0);
    assert_float_equal(drawn_over(AROUND("and.b32 %r23, %r21, 15;\nshr.u32 %r24, %r21, 4;\n"
                                         "mad.lo.s32 %r22, %r24, 20, %r23;\n")),
                       4 * BLOCKS * THREADS, 0);
}

/* The lanes that a vote names store one after the other: at their ranks, behind what their warp was
 * given. */
#define VOTE(mask, begin)                                                                          \
    KERNEL("ld.global.f32 %f2, [%rd7];\nsetp.gt.f32 %p1, %f2, 0f3F000000;\n"                       \
           "vote.sync.ballot.b32 %r11, %p1, -1;\nmov.u32 %r12, %laneid;\n" mask                    \
           "and.b32 %r14, %r11, %r13;\npopc.b32 %r15, %r14;\n" begin                               \
           "add.s32 %r10, %r15, %r16;\n@!%p1 bra done;\n" USE "done:\n")
#define BELOW "mov.u32 %r17, 1;\nshl.b32 %r18, %r17, %r12;\nsub.s32 %r13, %r18, 1;\n"
#define GIVEN "atom.global.add.u32 %r9, [%rd4], 32;\nshfl.sync.idx.b32 %r16, %r9, 0, 31, -1;\n"

static void ranks_of_a_vote_are_consecutive(void **state)
{
    const char *const texts[] = {VOTE(BELOW, GIVEN), VOTE("mov.u32 %r13, %lanemask_lt;\n", GIVEN),
                                 VOTE(BELOW, "mul.lo.s32 %r16, %r2, 64;\n")};
    (void)state;
    for (uint32_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++) {
        struct example e;
        set(&e, texts[t], FW_INDEX_USUAL);
        struct fw_data_access of = *fw_data_access(e.found.data, e.access);
        assert_int_equal(of.model, FW_DATA_MOVED);
        assert_true(of.ranked);
        struct fw_affine_access a = affine(&e);
        assert_int_equal(a.thread_stride[0], 4);
        assert_int_equal(a.block_stride[0], 4 * THREADS);
        end(&e);
    }
    /* The bits of a vote up to another place are no rank. */
    struct example e;
    struct fw_data_access of =
        taken(&e, VOTE("mov.u32 %r13, 255;\n", "mov.u32 %r16, 0;\n"), FW_INDEX_USUAL);
    assert_false(of.ranked);
}

/* if (kept) with kept = i < n && 0.25 <= index[i] && index[i] < 0.5 as a number, 0 or 1: as often
 * as the comparisons themselves are taken, in counts of threads. */
static void a_flag_is_its_predicate(void **state)
{
    struct example e, plain;
    (void)state;
    set(&e,
        KERNEL("mov.u16 %h1, 0;\nsetp.ge.s32 %p1, %r1, %r30;\n@%p1 bra meet;\n"
               "ld.global.f32 %f2, [%rd7];\nsetp.ge.f32 %p2, %f2, 0f3E800000;\n"
               "setp.lt.f32 %p3, %f2, 0f3F000000;\nand.pred %p4, %p2, %p3;\n"
               "selp.u16 %h1, 1, 0, %p4;\nmeet:\nsetp.eq.s16 %p5, %h1, 0;\n@%p5 bra done;\n"
               "mov.u32 %r10, %r1;\n" USE "st.global.f32 [%rd21], %f1;\ndone:\n"),
        FW_INDEX_USUAL);
    set(&plain,
        KERNEL("setp.ge.s32 %p1, %r1, %r30;\n@%p1 bra done;\n"
               "ld.global.f32 %f2, [%rd7];\nsetp.ge.f32 %p2, %f2, 0f3E800000;\n"
               "setp.lt.f32 %p3, %f2, 0f3F000000;\nand.pred %p4, %p2, %p3;\n@!%p4 bra done;\n"
               "mov.u32 %r10, %r1;\n" USE "st.global.f32 [%rd21], %f1;\ndone:\n"),
        FW_INDEX_USUAL);
    double threads = fw_bound_count(e.s.bound, e.s.kernel->accesses[e.access].domain)->estimate;
    double wanted =
        fw_bound_count(plain.s.bound, plain.s.kernel->accesses[plain.access].domain)->estimate;
    assert_true(wanted > 0.2 * N && wanted < 0.8 * N);
    assert_float_equal(threads, wanted, 1e-6 * N);
    end(&e);
    end(&plain);
}

/* A neighbour that data choose: by a select, or by ways that meet.  Each lane has one of the few
 * that are meant, and the rest moves as it is. */
static void a_chosen_neighbour_is_one_of_few(void **state)
{
    const char *const texts[] = {
        KERNEL("ld.global.f32 %f2, [%rd7];\nsetp.lt.f32 %p1, %f2, 0f3F000000;\n"
               "selp.b32 %r9, 1, %r30, %p1;\nadd.s32 %r10, %r9, %r1;\n" USE),
        KERNEL("ld.global.f32 %f2, [%rd7];\nmov.u32 %r9, 1;\nsetp.lt.f32 %p1, %f2, 0f3F000000;\n"
               "@%p1 bra meet;\nadd.s32 %r9, %r30, 0;\nmeet:\nadd.s32 %r10, %r9, %r1;\n" USE),
        /* any step there is */
        KERNEL("ld.global.f32 %f2, [%rd7];\nld.global.u32 %r8, [%rd4];\n"
               "setp.lt.f32 %p1, %f2, 0f3F000000;\nselp.b32 %r9, %r8, %r30, %p1;\n"
               "add.s32 %r10, %r9, %r1;\n" USE)};
    static const int64_t none[8] = {0};
    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        struct example e;
        unsigned counts[2] = {0, 0};
        set(&e, texts[k], FW_INDEX_USUAL);
        assert_int_equal(fw_data_access(e.found.data, e.access)->model,
                         k < 2 ? FW_DATA_MOVED : FW_DATA_OPEN);
        for (uint32_t i = 0; k < 2 && i < THREADS; i++) {
            const struct fw_point point = {{50}, {i}, none};
            int64_t address, own = 4 * (50 * THREADS + (int64_t)i);
            assert_true(fw_data_address_at(e.found.data, e.access, &point, &address));
            assert_true(address == own + 4 || address == own + 4 * N);
            counts[address == own + 4]++;
        }
        assert_true(k == 2 || (counts[0] > THREADS / 4 && counts[1] > THREADS / 4));
        end(&e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_and_masks_bound_what_is_drawn),
        cmocka_unit_test(a_part_that_lanes_share_leaves_them_neighbours),
        cmocka_unit_test(index_arrays_have_an_order),
        cmocka_unit_test(a_list_stays_open),
        cmocka_unit_test(rows_adjoin_and_have_a_usual_length),
        cmocka_unit_test(rows_that_lanes_share_are_as_long_as_others),
        cmocka_unit_test(the_end_of_a_row_begins_the_next),
        cmocka_unit_test(a_loop_of_several_entries_runs_less_often),
        cmocka_unit_test(rows_lie_as_far_apart_as_their_indices),
        cmocka_unit_test(an_index_array_that_is_gone_round_has_its_own_length),
        cmocka_unit_test(ranks_of_a_vote_are_consecutive),
        cmocka_unit_test(a_flag_is_its_predicate),
        cmocka_unit_test(a_chosen_neighbour_is_one_of_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
