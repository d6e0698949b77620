/* PTX of what walks memory: latencies, capacities, granularity, bandwidth.  See probe_ptx.h. */
#include "probe_ptx_internal.h"

#include "quotient.h"

const int fw_probe_offsets[FW_PROBE_OFFSETS] = {4, 16, 32, 64, 96, 128, 192, 256, 512};
const int fw_probe_flops[FW_PROBE_INTENSITIES] = {8, 32, 96, 192, 512, 1632};

/* The ring of a point: element i's word holds the address of element (i + step) mod count; `step`
 * is odd or made coprime by the points' choice.  %t10: count, %t11: stride, %t13: step. */
static const char ring[] =
    "    cvt.u64.u32 %t20,%me;\nBUILD:\n    setp.ge.u64 %p0,%t20,%t10;\n    @%p0 bra BUILT;\n"
    "    add.u64 %t21,%t20,%t13;\n    setp.ge.u64 %p1,%t21,%t10;\n"
    "    @%p1 sub.u64 %t21,%t21,%t10;\n    mad.lo.u64 %t22,%t20,%t11,%data;\n"
    "    mad.lo.u64 %t23,%t21,%t11,%data;\n    st.global.v2.u64 [%t22],{%t23,0};\n"
    "    st.global.v2.u64 [%t22+16],{0,0};\n" /* whole sectors, which no cache must complete */
    "    add.u64 %t20,%t20,1024;\n    bra BUILD;\nBUILT:\n    membar.gl;\n    bar.sync 0;\n";

/* Far from neighbours in either direction: near the golden section, and coprime. */
static uint64_t step_for(uint64_t count)
{
    uint64_t step = (uint64_t)((double)count * 0.6180339887);
    while (step > 1 && fw_common_divisor(count, step) != 1)
        step--;
    return step ? step : 1;
}

/* Loads from %t30 on, as many as %t31 says; eight an iteration. */
static void walk(struct fw_buffer *out, const char *label, const char *load)
{
    fw_buffer_printf(out, "%s:\n", label);
    for (int i = 0; i < 8; i++)
        fw_buffer_printf(out, "    %s.u64 %%t30,[%%t30];\n", load);
    fw_buffer_printf(out,
                     "    sub.u64 %%t31,%%t31,8;\n    setp.gt.s64 %%p3,%%t31,0;\n"
                     "    @%%p3 bra %s;\n",
                     label);
}

void fw_probe_ptx_chase(struct fw_buffer *out, const struct fw_probe_point *points, size_t count,
                        uint64_t warm, bool past_l1)
{
    const char *load = past_l1 ? "ld.global.cg" : "ld.global";
    probe_head(out, 70);
    fw_buffer_printf(out, ".global .align 8 .u64 points[%zu] = {", count * 4);
    for (size_t i = 0; i < count; i++)
        fw_buffer_printf(out, "%s%llu,%llu,%llu,%llu", i ? "," : "",
                         (unsigned long long)points[i].count, (unsigned long long)points[i].stride,
                         (unsigned long long)points[i].steps,
                         (unsigned long long)step_for(points[i].count));
    fw_buffer_printf(out, "};\n");
    probe_open(out, "chase", "", 1024);
    fw_buffer_printf(
        out,
        "    .shared .align 8 .b64 place;\n"
        "    mov.u32 %%r1,0;\nPOINT:\n    mov.u64 %%t1,points;\n"
        "    mad.wide.u32 %%t1,%%r1,32,%%t1;\n    ld.global.u64 %%t10,[%%t1];\n"
        "    ld.global.u64 %%t11,[%%t1+8];\n    ld.global.u64 %%t12,[%%t1+16];\n"
        "    ld.global.u64 %%t13,[%%t1+24];\n    bar.sync 0;\n%s"
        "    setp.ne.u32 %%p2,%%me,0;\n    @%%p2 bra NEXT;\n    mov.u64 %%t30,%%data;\n"
        "    min.u64 %%t31,%%t10,%llu;\n",
        ring, (unsigned long long)warm);
    walk(out, "WARM", load);
    fw_buffer_printf(out, "    mov.u64 %%t31,%%t12;\n    cvt.u32.u64 %%r2,%%t30;\n"
                          "    xor.b32 %%sum,%%sum,%%r2;\n    mov.u64 %%start,%%clock64;\n");
    walk(out, "TIMED", load);
    /* The last address is waited for: the store of it, then the clock. */
    fw_buffer_printf(out,
                     "    st.volatile.shared.u64 [place],%%t30;\n    mov.u64 %%stop,%%clock64;\n"
                     "    sub.u64 %%stop,%%stop,%%start;\n    mad.wide.u32 %%t2,%%r1,8,%%out;\n"
                     "    st.global.u64 [%%t2],%%stop;\n    cvt.u32.u64 %%r2,%%t30;\n"
                     "    xor.b32 %%sum,%%sum,%%r2;\nNEXT:\n    add.u32 %%r1,%%r1,1;\n");
    fw_buffer_printf(out, "    setp.lt.u32 %%p4,%%r1,%zu;\n    @%%p4 bra POINT;\n", count);
    probe_close(out);
}

void fw_probe_ptx_constant(struct fw_buffer *out)
{
    probe_head(out, 70);
    fw_buffer_printf(out, ".const .align 8 .b8 table[65536];\n"); /* zeros */
    probe_open(out, "constant", "", 32);
    fw_buffer_printf(
        out, "    .shared .align 8 .b64 place;\n    setp.ne.u32 %%p2,%%me,0;\n    @%%p2 bra ALL;\n"
             "    mov.u32 %%r1,0;\n    mov.u64 %%t3,table;\n    cvt.u32.u64 %%r9,%%t3;\n"
             "SIZE:\n    mov.u32 %%r2,1024;\n    shl.b32 %%r2,%%r2,%%r1;\n"
             "    sub.u32 %%r2,%%r2,1;\n    mov.u32 %%r3,0;\n    mov.u32 %%r4,0;\n"
             "AGAIN:\n");
    fw_buffer_printf(out, "    mov.u32 %%r5,%d;\n    mov.u64 %%start,%%clock64;\nTURN:\n",
                     FW_PROBE_CONSTANT_STEPS);
    for (int i = 0; i < 8; i++)
        fw_buffer_printf(out, "    add.u32 %%r6,%%r3,%%r9;\n    ld.const.u32 %%r7,[%%r6];\n"
                              "    add.u32 %%r3,%%r3,%%r7;\n    add.u32 %%r3,%%r3,64;\n"
                              "    and.b32 %%r3,%%r3,%%r2;\n");
    fw_buffer_printf(out,
                     "    sub.u32 %%r5,%%r5,8;\n    setp.ne.u32 %%p3,%%r5,0;\n    @%%p3 bra TURN;\n"
                     "    st.volatile.shared.u32 [place],%%r3;\n    mov.u64 %%stop,%%clock64;\n"
                     "    sub.u64 %%stop,%%stop,%%start;\n    mad.wide.u32 %%t2,%%r1,8,%%out;\n"
                     "    st.global.u64 [%%t2],%%stop;\n    add.u32 %%r4,%%r4,1;\n"
                     "    setp.lt.u32 %%p4,%%r4,2;\n    @%%p4 bra AGAIN;\n"
                     "    xor.b32 %%sum,%%sum,%%r3;\n    add.u32 %%r1,%%r1,1;\n"
                     "    setp.lt.u32 %%p4,%%r1,%d;\n    @%%p4 bra SIZE;\nALL:\n",
                     FW_PROBE_CONSTANT_SIZES);
    probe_close(out);
}

/* One load of [%t30] timed into %stop: the value is stored before the clock is read. */
static void timed_load(struct fw_buffer *out, int loads)
{
    fw_buffer_printf(out, "    mov.u64 %%start,%%clock64;\n");
    for (int i = 0; i < loads; i++)
        fw_buffer_printf(out, "    ld.volatile.global.u64 %%t30,[%%t30];\n");
    fw_buffer_printf(out, "    st.volatile.shared.u64 [place],%%t30;\n"
                          "    mov.u64 %%stop,%%clock64;\n    sub.u64 %%stop,%%stop,%%start;\n");
}

void fw_probe_ptx_lines(struct fw_buffer *out)
{
    probe_head(out, 70);
    probe_open(out, "lines", "", 32);
    fw_buffer_printf(
        out,
        "    .shared .align 8 .b64 place;\n    setp.ne.u32 %%p2,%%me,0;\n"
        "    @%%p2 bra ALL;\n    mov.u32 %%r1,0;\nSTORE:\n"
        "    mad.wide.u32 %%t30,%%r1,4224,%%data;\n"
        "    st.global.v2.u64 [%%t30],{%%t30,0};\n"
        "    st.global.v2.u64 [%%t30+16],{0,0};\n"
        "    add.u32 %%r1,%%r1,1;\n    setp.lt.u32 %%p3,%%r1,%d;\n    @%%p3 bra STORE;\n"
        "    membar.gl;\n    mov.u32 %%r1,0;\nLINE:\n"
        "    mad.wide.u32 %%t30,%%r1,4224,%%data;\n",
        FW_PROBE_LINES);
    fw_buffer_printf(out, "    mad.wide.u32 %%t2,%%r1,8,%%out;\n");
    timed_load(out, 1);
    fw_buffer_printf(out, "    st.global.u64 [%%t2],%%stop;\n    cvt.u32.u64 %%r2,%%t30;\n"
                          "    xor.b32 %%sum,%%sum,%%r2;\n");
    timed_load(out, FW_PROBE_LINE_LOADS);
    fw_buffer_printf(out,
                     "    st.global.u64 [%%t2+%d],%%stop;\n    add.u32 %%r1,%%r1,1;\n"
                     "    setp.lt.u32 %%p3,%%r1,%d;\n    @%%p3 bra LINE;\nALL:\n",
                     8 * FW_PROBE_LINES, FW_PROBE_LINES);
    probe_close(out);
}

/* The first block loads all lines, so that its part of L2 holds them and so does the part where
 * they are at home; then each block in turn.  `turn` is 0 again in the end: it wraps. */
void fw_probe_ptx_partitions(struct fw_buffer *out)
{
    probe_head(out, 70);
    fw_buffer_printf(out, ".global .align 4 .u32 turn = 0;\n");
    probe_open(out, "partitions", "", 256);
    fw_buffer_printf(
        out, "    .shared .align 8 .b64 place;\n    mov.u32 %%r1,%%ctaid.x;\n"
             "    mov.u32 %%r2,%%nctaid.x;\n    mov.u64 %%t1,turn;\n"
             "    setp.ne.u32 %%p0,%%r1,0;\n    @%%p0 bra MINE;\n"
             "    mul.lo.u32 %%r3,%%r2,%%n;\n    mov.u32 %%r4,%%me;\nTOUCH:\n"
             "    setp.ge.u32 %%p1,%%r4,%%r3;\n    @%%p1 bra TOUCHED;\n"
             "    mad.wide.u32 %%t3,%%r4,256,%%data;\n    ld.global.cg.u64 %%t4,[%%t3];\n"
             "    add.u32 %%r4,%%r4,256;\n    setp.eq.u64 %%p2,%%t4,%%t3;\n    @%%p2 bra TOUCH;\n"
             "    st.global.v2.u64 [%%t3],{%%t3,0};\n    st.global.v2.u64 [%%t3+16],{0,0};\n"
             "    bra TOUCH;\nTOUCHED:\n    membar.gl;\n    bar.sync 0;\n"
             "    setp.ne.u32 %%p3,%%me,0;\n    @%%p3 bra ALL;\n"
             "    atom.global.inc.u32 %%r5,[%%t1],%%r2;\nMINE:\n    setp.ne.u32 %%p3,%%me,0;\n"
             "    @%%p3 bra ALL;\nWAIT:\n    nanosleep.u32 500;\n"
             "    ld.volatile.global.u32 %%r5,[%%t1];\n    sub.u32 %%r5,%%r5,1;\n"
             "    setp.ne.u32 %%p4,%%r5,%%r1;\n    @%%p4 bra WAIT;\n    membar.gl;\n"
             "    mov.u32 %%r6,0;\nLINE:\n    mad.lo.u32 %%r7,%%r1,%%n,%%r6;\n"
             "    mad.wide.u32 %%t5,%%r7,256,%%data;\n    mad.wide.u32 %%t2,%%r7,24,%%out;\n"
             /* The line beside it makes the address known to the TLBs. */
             "    ld.volatile.global.u64 %%t6,[%%t5+128];\n"
             "    st.volatile.shared.u64 [place],%%t6;\n    mov.u64 %%t30,%%t5;\n");
    for (int i = 0; i < 3; i++) {
        timed_load(out, i < 2 ? 1 : FW_PROBE_LINE_LOADS);
        fw_buffer_printf(out, "    st.global.u64 [%%t2+%d],%%stop;\n", 8 * i);
    }
    fw_buffer_printf(out, "    cvt.u32.u64 %%r8,%%t30;\n    xor.b32 %%sum,%%sum,%%r8;\n"
                          "    add.u32 %%r6,%%r6,1;\n    setp.lt.u32 %%p5,%%r6,%%n;\n"
                          "    @%%p5 bra LINE;\n    membar.gl;\n"
                          "    atom.global.inc.u32 %%r5,[%%t1],%%r2;\nALL:\n");
    probe_close(out);
}

/* `cached`: through L1, in lines that L2 holds; else past L1, in lines that nothing holds. */
static void fetch(struct fw_buffer *out, const char *name, const char *load, int apart, int stored)
{
    probe_open(out, name, "", 32);
    fw_buffer_printf(out, "    .shared .align 8 .b64 place;\n    setp.ne.u32 %%p2,%%me,0;\n"
                          "    @%%p2 bra ALL;\n");
    if (stored) /* into L2, and more of them than L1 holds */
        fw_buffer_printf(out,
                         "    mov.u32 %%r1,0;\nSTORE:\n    mad.wide.u32 %%t3,%%r1,32,%%data;\n"
                         "    mov.u64 %%t4,0;\n    st.global.v2.u64 [%%t3],{%%t4,%%t4};\n"
                         "    st.global.v2.u64 [%%t3+16],{%%t4,%%t4};\n"
                         "    add.u32 %%r1,%%r1,1;\n    setp.lt.u32 %%p3,%%r1,%d;\n"
                         "    @%%p3 bra STORE;\n    membar.gl;\n",
                         FW_PROBE_OFFSETS * FW_PROBE_FETCHES * apart / 32 + 32768);
    fw_buffer_printf(out, "    mov.u32 %%r1,0;\nPOINT:\n    mov.u64 %%t1,offsets;\n"
                          "    mad.wide.u32 %%t1,%%r1,4,%%t1;\n    ld.global.u32 %%r3,[%%t1];\n"
                          "    mov.u32 %%r2,0;\nONE:\n");
    fw_buffer_printf(out,
                     "    mad.lo.u32 %%r4,%%r1,%d,%%r2;\n    mad.wide.u32 %%t30,%%r4,%d,%%data;\n"
                     "    mad.wide.u32 %%t2,%%r4,8,%%out;\n",
                     FW_PROBE_FETCHES, apart);
    /* A word far behind in the same page makes the address known to the TLBs; then the first. */
    fw_buffer_printf(
        out,
        "    %s.u32 %%r5,[%%t30+%d];\n    st.volatile.shared.u32 [place],%%r5;\n"
        "    %s.u32 %%r6,[%%t30];\n    st.volatile.shared.u32 [place],%%r6;\n"
        "    add.u32 %%r7,%%r5,%%r6;\n    cvt.u64.u32 %%t31,%%r3;\n"
        "    add.u64 %%t32,%%t30,%%t31;\n    mov.u64 %%start,%%clock64;\n"
        "    %s.u32 %%r8,[%%t32];\n    st.volatile.shared.u32 [place],%%r8;\n"
        "    mov.u64 %%stop,%%clock64;\n    sub.u64 %%stop,%%stop,%%start;\n"
        "    xor.b32 %%sum,%%sum,%%r7;\n    st.global.u64 [%%t2],%%stop;\n"
        "    add.u32 %%r2,%%r2,1;\n    setp.lt.u32 %%p3,%%r2,%d;\n    @%%p3 bra ONE;\n"
        "    add.u32 %%r1,%%r1,1;\n    setp.lt.u32 %%p3,%%r1,%d;\n    @%%p3 bra POINT;\n"
        "ALL:\n",
        load, apart / 2, load, load, FW_PROBE_FETCHES, FW_PROBE_OFFSETS);
    probe_close(out);
}

void fw_probe_ptx_fetch(struct fw_buffer *out)
{
    probe_head(out, 70);
    fw_buffer_printf(out, ".global .align 4 .u32 offsets[%d] = {", FW_PROBE_OFFSETS);
    for (int i = 0; i < FW_PROBE_OFFSETS; i++)
        fw_buffer_printf(out, "%s%d", i ? "," : "", fw_probe_offsets[i]);
    fw_buffer_printf(out, "};\n");
    fetch(out, "fetch_l1", "ld.global", 8192, 1);
    fetch(out, "fetch_l2", "ld.global.cg", 65536, 0);
}

/* %t10: this thread's first offset, %t11: how far a step goes round the region, %t12: its bytes. */
static void region(struct fw_buffer *out)
{
    fw_buffer_printf(out, "    ld.param.u64 %%t12,[p_bytes];\n    mov.u32 %%r1,%%ctaid.x;\n"
                          "    mov.u32 %%r2,%%ntid.x;\n    mad.lo.u32 %%r3,%%r1,%%r2,%%me;\n"
                          "    mul.wide.u32 %%t10,%%r3,16;\n    rem.u64 %%t10,%%t10,%%t12;\n"
                          "    mov.u32 %%r4,%%nctaid.x;\n    mul.lo.u32 %%r4,%%r4,%%r2;\n"
                          "    mul.wide.u32 %%t11,%%r4,16;\n    rem.u64 %%t11,%%t11,%%t12;\n"
                          "    sub.u64 %%t14,%%t11,%%t12;\n    mov.b64 %%t13,%%t10;\n");
}

/* The next offset: add, and go back by the region's size when beyond it. */
static void advance(struct fw_buffer *out)
{
    fw_buffer_printf(out, "    add.s64 %%t15,%%t13,%%t14;\n    add.s64 %%t16,%%t13,%%t11;\n"
                          "    setp.ge.s64 %%p1,%%t15,0;\n    selp.b64 %%t13,%%t15,%%t16,%%p1;\n");
}

enum { ACCESSES = 8 };

static void load(struct fw_buffer *out, int i, const char *base)
{
    fw_buffer_printf(out,
                     "    add.s64 %%t17,%s,%%t13;\n"
                     "    ld.global.cg.v4.u32 {%%v%d,%%v%d,%%v%d,%%v%d},[%%t17];\n",
                     base, 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
}

static void store(struct fw_buffer *out, int i, const char *base)
{
    fw_buffer_printf(out,
                     "    add.s64 %%t18,%s,%%w%d;\n"
                     "    st.global.v4.u32 [%%t18],{%%v%d,%%v%d,%%v%d,%%v%d};\n",
                     base, i, 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
}

static void streaming(struct fw_buffer *out, const char *name, int reads, int writes)
{
    probe_open(out, name, ", .param .u64 p_bytes", 1024);
    fw_buffer_printf(out, "    .reg .b32 %%v<%d>;\n    .reg .b64 %%w<%d>,%%second,%%third;\n",
                     8 * ACCESSES, ACCESSES);
    region(out);
    fw_buffer_printf(out,
                     "    add.s64 %%second,%%data,%%t12;\n    add.s64 %%third,%%second,%%t12;\n");
    for (int i = 0; i < 4 * ACCESSES; i++)
        fw_buffer_printf(out, "    add.u32 %%v%d,%%never,%d;\n", i, i);
    fw_buffer_printf(out, "TURN:\n");
    for (int i = 0; i < ACCESSES; i++) {
        fw_buffer_printf(out, "    mov.b64 %%w%d,%%t13;\n", i);
        if (reads)
            load(out, i, "%data");
        if (reads == 2)
            load(out, ACCESSES + i, "%second");
        advance(out);
    }
    for (int i = 0; i < ACCESSES; i++) {
        for (int j = 0; j < 4 && reads == 2; j++)
            fw_buffer_printf(out, "    xor.b32 %%v%d,%%v%d,%%v%d;\n", 4 * i + j, 4 * i + j,
                             4 * (ACCESSES + i) + j);
        if (writes)
            store(out, i, reads == 2 ? "%third" : reads ? "%second" : "%data");
        for (int j = 0; j < 4 && !writes; j++)
            fw_buffer_printf(out, "    xor.b32 %%sum,%%sum,%%v%d;\n", 4 * i + j);
    }
    fw_buffer_printf(out, "    sub.u32 %%n,%%n,1;\n    setp.ne.u32 %%p2,%%n,0;\n"
                          "    @%%p2 bra TURN;\n");
    probe_close(out);
}

/* Each block copies a piece of its own and ends; `n` pieces' blocks are launched, no more. */
static void passing(struct fw_buffer *out, const char *name, int accesses, const char *policy)
{
    probe_open(out, name, ", .param .u64 p_bytes", 1024);
    fw_buffer_printf(out,
                     "    .reg .b32 %%v<%d>;\n    ld.param.u64 %%t12,[p_bytes];\n"
                     "    mov.u32 %%r1,%%ctaid.x;\n    mov.u32 %%r2,%%ntid.x;\n"
                     "    mul.lo.u32 %%r3,%%r2,%d;\n    mul.wide.u32 %%t1,%%r1,%%r3;\n"
                     "    cvt.u64.u32 %%t2,%%me;\n    add.u64 %%t1,%%t1,%%t2;\n"
                     "    shl.b64 %%t1,%%t1,4;\n    add.u64 %%t3,%%data,%%t1;\n"
                     "    add.u64 %%t4,%%t3,%%t12;\n    mul.wide.u32 %%t5,%%r2,16;\n",
                     4 * accesses, accesses);
    for (int i = 0; i < accesses; i++)
        fw_buffer_printf(out,
                         "    ld.global%s.v4.u32 {%%v%d,%%v%d,%%v%d,%%v%d},[%%t3];\n"
                         "    add.u64 %%t3,%%t3,%%t5;\n",
                         policy, 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
    for (int i = 0; i < accesses; i++)
        fw_buffer_printf(out,
                         "    st.global%s.v4.u32 [%%t4],{%%v%d,%%v%d,%%v%d,%%v%d};\n"
                         "    add.u64 %%t4,%%t4,%%t5;\n",
                         policy, 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
    probe_close(out);
}

void fw_probe_ptx_stream(struct fw_buffer *out)
{
    probe_head(out, 70);
    passing(out, "pass1", 1, "");
    passing(out, "pass4", 4, "");
    passing(out, "pass4s", 4, ".cs");
    passing(out, "pass8", 8, "");
    streaming(out, "read", 1, 0);
    streaming(out, "write", 0, 1);
    streaming(out, "copy", 1, 1);
    streaming(out, "mixed", 2, 1);
}

void fw_probe_ptx_intensity(struct fw_buffer *out)
{
    char name[8];
    probe_head(out, 70);
    for (int f = 0; f < FW_PROBE_INTENSITIES; f++) {
        snprintf(name, sizeof name, "f%d", f);
        probe_open(out, name, ", .param .u64 p_bytes", 1024);
        fw_buffer_printf(out,
                         "    .reg .b32 %%v<%d>;\n    .reg .f32 %%fa,%%fb;\n"
                         "    cvt.rn.f32.u32 %%fa,%%never;\n    rcp.approx.f32 %%fb,%%fa;\n",
                         4 * ACCESSES);
        region(out);
        fw_buffer_printf(out, "TURN:\n");
        for (int i = 0; i < ACCESSES; i++) {
            load(out, i, "%data");
            advance(out);
        }
        /* Operations on all values in turn, four times an iteration of a loop: more would not fit
         * the instruction caches. */
        int rounds = fw_probe_flops[f] / 8, unrolled = rounds % 4 ? 1 : 4;
        fw_buffer_printf(out, "    mov.u32 %%r9,%d;\nROUND:\n", rounds / unrolled);
        for (int m = 0; m < unrolled * 4 * ACCESSES; m++)
            fw_buffer_printf(out, "    fma.rn.f32 %%v%d,%%v%d,%%fb,%%fa;\n", m % (4 * ACCESSES),
                             m % (4 * ACCESSES));
        fw_buffer_printf(out, "    sub.u32 %%r9,%%r9,1;\n    setp.ne.u32 %%p3,%%r9,0;\n"
                              "    @%%p3 bra ROUND;\n");
        for (int i = 0; i < ACCESSES; i++) {
            for (int j = 0; j < 4; j++)
                fw_buffer_printf(out, "    xor.b32 %%sum,%%sum,%%v%d;\n", 4 * i + j);
        }
        fw_buffer_printf(out, "    sub.u32 %%n,%%n,1;\n    setp.ne.u32 %%p2,%%n,0;\n"
                              "    @%%p2 bra TURN;\n");
        probe_close(out);
    }
}
