/* PTX of the operations' table.  See probe_ptx.h. */
#include "probe_ptx_internal.h"

#include <string.h>

const struct fw_probe_row fw_probe_rows[FW_PROBE_OPERATION_COUNT] = {
#define X(name, start, stride, width, registers, bits, chains, unroll, instructions, weight,       \
          target, pattern)                                                                         \
    {#name,  FW_START_##start, stride,       width,  registers, bits,                              \
     chains, unroll,           instructions, weight, target,    pattern},
    FW_PROBE_OPERATIONS(X)
#undef X
};

const int fw_probe_warps[FW_PROBE_WARP_POINTS] = {1, 2, 4, 8, 12, 16, 24, 32};

void probe_head(struct fw_buffer *out, int target)
{
    const char *version = target >= 89 ? "8.4" : "7.1";
    fw_buffer_printf(out, ".version %s\n.target sm_%d\n.address_size 64\n", version, target);
}

/* A kernel's opening: parameters read, registers that every kernel has.  `more`: further
 * parameters. */
void probe_open(struct fw_buffer *out, const char *name, const char *more, int threads)
{
    fw_buffer_printf(
        out,
        "\n.visible .entry %s(.param .u64 p_out, .param .u64 p_data, .param .u32 p_n,\n"
        "    .param .u32 p_never%s)\n.maxntid %d,1,1\n{\n",
        name, more, threads);
    fw_buffer_printf(out,
                     "    .reg .pred %%p<8>;\n    .reg .b32 %%r<64>;\n"
                     "    .reg .b64 %%t<64>;\n    .reg .f32 %%f<8>;\n"
                     "    .reg .b64 %%out,%%data,%%start,%%stop;\n"
                     "    .reg .b32 %%n,%%never,%%me,%%sum;\n"
                     "    ld.param.u64 %%out,[p_out];\n    cvta.to.global.u64 %%out,%%out;\n"
                     "    ld.param.u64 %%data,[p_data];\n    cvta.to.global.u64 %%data,%%data;\n"
                     "    ld.param.u32 %%n,[p_n];\n    ld.param.u32 %%never,[p_never];\n"
                     "    mov.u32 %%me,%%tid.x;\n    mov.b32 %%sum,0;\n");
}

/* Stores %sum when it is what it never is; closes the kernel. */
void probe_close(struct fw_buffer *out)
{
    fw_buffer_printf(out, "    setp.ne.u32 %%p7,%%sum,%%never;\n    @%%p7 bra CLOSE;\n"
                          "    st.global.u32 [%%out],%%sum;\nCLOSE:\n    ret;\n}\n");
}

static const char *text_of(char to[16], const struct fw_probe_row *row, int chain, int index)
{
    snprintf(to, 16, "%%c%d", chain * row->registers + index);
    return to;
}

/* One instance of the pattern, for a chain. */
static void instance(struct fw_buffer *out, const struct fw_probe_row *row, int chain)
{
    char name[16];
    fw_buffer_add(out, "    ", 4);
    for (const char *at = row->pattern; *at; at++) {
        if (at[0] == '$' && at[1] >= '0' && at[1] <= '3') {
            text_of(name, row, chain, at[1] - '0');
            fw_buffer_add(out, name, strlen(name));
            at++;
        } else {
            fw_buffer_add(out, at, 1);
        }
    }
    fw_buffer_add(out, "\n", 1);
}

/* Values that are known at launch alone: all from `never`, an odd number. */
static void constants(struct fw_buffer *out)
{
    fw_buffer_printf(out,
                     "    .reg .f32 %%fa,%%fb;\n    .reg .f64 %%da,%%db;\n"
                     "    .reg .b32 %%ka,%%kb,%%kz,%%act,%%m<8>;\n    .reg .b64 %%la,%%lb,%%lz;\n"
                     "    and.b32 %%ka,%%never,3;\n    cvt.rn.f32.u32 %%fa,%%ka;\n"
                     "    cvt.rn.f64.u32 %%da,%%ka;\n    mul.f32 %%fa,%%fa,0f3F7FFEB0;\n"
                     "    mul.f64 %%da,%%da,0d3FEFFFD60E94EE39;\n    mov.f32 %%fb,0f3F000000;\n"
                     "    mov.f64 %%db,0d3FE0000000000000;\n    cvt.u64.u32 %%la,%%never;\n"
                     "    shl.b64 %%lb,%%la,3;\n    shr.u32 %%kb,%%never,1;\n"
                     "    shr.u32 %%kz,%%never,31;\n    cvt.u64.u32 %%lz,%%kz;\n");
    for (int i = 0; i < 8; i++) /* halves, bytes and so on of ordinary size: no infinities */
        fw_buffer_printf(out,
                         "    mad.lo.u32 %%m%d,%%me,%d,%%never;\n"
                         "    and.b32 %%m%d,%%m%d,0x3fff3fff;\n",
                         i, 40503 + 2 * i, i, i);
    fw_buffer_printf(out, "    mad.lo.u32 %%ka,%%never,8,5;\n");
}

/* What chain register `i` holds at first. */
static void first_value(struct fw_buffer *out, const struct fw_probe_row *row, int i)
{
    int chain = i / row->registers;
    bool pointer = row->start == FW_START_SHARED || row->start == FW_START_GLOBAL;
    if (row->start == FW_START_ZERO || (row->start != FW_START_VALUE && i % row->registers))
        fw_buffer_printf(out, "    mov.b%d %%c%d,0;\n", row->bits, i);
    else if (row->start == FW_START_VALUE && row->bits == 32)
        fw_buffer_printf(out, "    mad.lo.u32 %%c%d,%%me,%d,0x3c003f81;\n", i, 2 * i + 1);
    else if (row->start == FW_START_VALUE)
        fw_buffer_printf(out,
                         "    mad.wide.u32 %%c%d,%%me,%d,0x3ff0000000000000;\n"
                         "    mad.lo.s64 %%c%d,%%la,%d,%%c%d;\n",
                         i, 2 * i + 1, i, 65536 + i, i);
    else if (!pointer) /* the table's only words are zero, and so is its place */
        fw_buffer_printf(out, "    mul.lo.u32 %%c%d,%%kz,%d;\n", i, 8 + 4 * i);
    else if (row->start == FW_START_SHARED)
        fw_buffer_printf(out,
                         "    and.b32 %%r1,%%me,31;\n    mad.lo.u32 %%r1,%%r1,%d,%d;\n"
                         "    and.b32 %%r1,%%r1,1023;\n    mov.u32 %%r2,pool;\n"
                         "    mad.lo.u32 %%c%d,%%r1,%d,%%r2;\n",
                         row->stride, 32 * chain, i, row->width);
    else
        fw_buffer_printf(out,
                         "    mad.lo.u32 %%r1,%%me,%d,%d;\n"
                         "    mad.wide.u32 %%c%d,%%r1,%d,%%data;\n",
                         row->stride, 1024 * chain, i, row->width);
}

/* Every element of the pool holds its own address, and zeros behind it. */
static void fill_pool(struct fw_buffer *out, const struct fw_probe_row *row)
{
    fw_buffer_printf(out, "    mov.u32 %%r1,pool;\n    mov.u32 %%r2,%%ntid.x;\n"
                          "    mov.u32 %%r3,%%me;\nFILL:\n");
    fw_buffer_printf(out, "    mad.lo.u32 %%r4,%%r3,%d,%%r1;\n    st.shared.u32 [%%r4],%%r4;\n",
                     row->width);
    for (int i = 4; i < row->width; i += 4)
        fw_buffer_printf(out, "    st.shared.u32 [%%r4+%d],0;\n", i);
    fw_buffer_printf(out, "    add.u32 %%r3,%%r3,%%r2;\n    setp.lt.u32 %%p0,%%r3,1024;\n"
                          "    @%%p0 bra FILL;\n");
}

/* Chain registers, and the memory that those of loads point to. */
static void start(struct fw_buffer *out, const struct fw_probe_row *row)
{
    int total = row->chains * row->registers;
    fw_buffer_printf(out, "    .reg .b%d %%c<%d>;\n", row->bits, total);
    for (int i = 0; i < total; i++)
        first_value(out, row, i);
    if (row->start == FW_START_SHARED)
        fill_pool(out, row);
    for (int chain = 0; row->start == FW_START_GLOBAL && chain < row->chains; chain++) {
        int i = chain * row->registers;
        fw_buffer_printf(out, "    st.global.u64 [%%c%d],%%c%d;\n", i, i);
        if (row->width == 16)
            fw_buffer_printf(out, "    st.global.u64 [%%c%d+8],0;\n", i);
    }
    fw_buffer_printf(out, "    membar.gl;\n    bar.sync 0;\n");
}

/* A loop of %r10 iterations over instances of `chains` chains. */
static void loop(struct fw_buffer *out, const struct fw_probe_row *row, int chains)
{
    fw_buffer_printf(out, "    mov.u32 %%r11,%%r10;\nTURN:\n");
    for (int i = 0; i < row->unroll; i++)
        instance(out, row, i % chains);
    fw_buffer_printf(out, "    sub.u32 %%r11,%%r11,1;\n    setp.ne.u32 %%p1,%%r11,0;\n"
                          "    @%%p1 bra TURN;\n");
}

static void sink(struct fw_buffer *out, const struct fw_probe_row *row)
{
    for (int i = 0; i < row->chains * row->registers; i++) {
        if (row->bits == 64)
            fw_buffer_printf(out,
                             "    cvt.u32.u64 %%r12,%%c%d;\n    xor.b32 %%sum,%%sum,%%r12;\n"
                             "    shr.u64 %%t1,%%c%d,32;\n    cvt.u32.u64 %%r12,%%t1;\n"
                             "    xor.b32 %%sum,%%sum,%%r12;\n",
                             i, i);
        else
            fw_buffer_printf(out, "    xor.b32 %%sum,%%sum,%%c%d;\n", i);
    }
}

/* Time by the multiprocessor's clock: for each number of warps, a run to warm up, then lengths. */
static void timed(struct fw_buffer *out, const struct fw_probe_row *row, const char *name,
                  int chains)
{
    probe_open(out, name, "", 1024);
    if (row->start == FW_START_SHARED)
        fw_buffer_printf(out, "    .shared .align 16 .b8 pool[%d];\n", 1024 * row->width);
    fw_buffer_printf(out, "    .shared .align 8 .b64 first,last;\n");
    constants(out);
    start(out, row);
    fw_buffer_printf(
        out,
        "    shr.u32 %%r20,%%me,5;\n    mov.u32 %%r21,0;\nWARPS:\n"
        "    mov.u64 %%t2,points;\n    mad.wide.u32 %%t2,%%r21,4,%%t2;\n"
        "    ld.global.u32 %%r22,[%%t2];\n    shl.b32 %%act,%%r22,5;\n    mov.u32 %%r23,0;\n"
        "LENGTHS:\n    max.u32 %%r10,%%r23,1;\n    mul.lo.u32 %%r10,%%r10,%%n;\n    bar.sync 0;\n"
        "    setp.ne.u32 %%p2,%%me,0;\n    @%%p2 bra READY;\n"
        "    st.shared.u64 [first],-1;\n    st.shared.u64 [last],0;\nREADY:\n    bar.sync 0;\n"
        "    setp.ge.u32 %%p3,%%r20,%%r22;\n    @%%p3 bra REST;\n    mov.u64 %%start,%%clock64;\n");
    loop(out, row, chains);
    fw_buffer_printf(
        out,
        "    mov.u64 %%stop,%%clock64;\n    and.b32 %%r24,%%me,31;\n"
        "    setp.ne.u32 %%p4,%%r24,0;\n    @%%p4 bra REST;\n"
        "    atom.shared.min.u64 %%t3,[first],%%start;\n"
        "    atom.shared.max.u64 %%t3,[last],%%stop;\nREST:\n    bar.sync 0;\n"
        "    setp.eq.u32 %%p5,%%r23,0;\n    or.pred %%p5,%%p5,%%p2;\n    @%%p5 bra NEXT;\n"
        "    ld.shared.u64 %%t4,[first];\n    ld.shared.u64 %%t5,[last];\n"
        "    sub.u64 %%t5,%%t5,%%t4;\n    mad.lo.u32 %%r25,%%r21,%d,%%r23;\n"
        "    sub.u32 %%r25,%%r25,1;\n    mad.wide.u32 %%t6,%%r25,8,%%out;\n"
        "    st.global.u64 [%%t6],%%t5;\nNEXT:\n    add.u32 %%r23,%%r23,1;\n"
        "    setp.le.u32 %%p6,%%r23,%d;\n    @%%p6 bra LENGTHS;\n    add.u32 %%r21,%%r21,1;\n"
        "    setp.lt.u32 %%p6,%%r21,%d;\n    @%%p6 bra WARPS;\n",
        FW_PROBE_LENGTHS, FW_PROBE_LENGTHS, FW_PROBE_WARP_POINTS);
    sink(out, row);
    probe_close(out);
}

void fw_probe_ptx_operation(struct fw_buffer *out, const struct fw_probe_row *row)
{
    probe_head(out, row->target);
    if (row->start == FW_START_CONSTANT)
        fw_buffer_printf(out, ".const .align 8 .b8 table[64];\n");
    fw_buffer_printf(out, ".global .align 4 .u32 points[%d] = {", FW_PROBE_WARP_POINTS);
    for (int i = 0; i < FW_PROBE_WARP_POINTS; i++)
        fw_buffer_printf(out, "%s%d", i ? "," : "", fw_probe_warps[i]);
    fw_buffer_printf(out, "};\n");
    timed(out, row, "dependent", 1);
    timed(out, row, "independent", row->chains);
    probe_open(out, "rate", "", 512);
    if (row->start == FW_START_SHARED)
        fw_buffer_printf(out, "    .shared .align 16 .b8 pool[%d];\n", 1024 * row->width);
    constants(out);
    start(out, row);
    fw_buffer_printf(out, "    mov.u32 %%r10,%%n;\n    mov.u32 %%act,512;\n");
    loop(out, row, row->chains);
    sink(out, row);
    probe_close(out);
}
