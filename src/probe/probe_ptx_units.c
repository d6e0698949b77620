/* Kernels that measure the units beside loads and stores: atomic operations by type, words and
 * pattern, and loads from constant memory that differ between lanes or between warps. */
#include "probe_ptx_internal.h"

/* X(type, register type, bytes, the number that is added) */
#define ATOMIC_TYPES(X)                                                                            \
    X("u32", "b32", 4, "1")                                                                        \
    X("u64", "b64", 8, "1")                                                                        \
    X("f32", "f32", 4, "0f3F800000")                                                               \
    X("f64", "f64", 8, "0d3FF0000000000000")

static const struct {
    const char *type, *registers, *one;
    int bytes;
} types[FW_PROBE_ATOMIC_TYPES] = {
#define X(type, registers, bytes, one) {type, registers, one, bytes},
    ATOMIC_TYPES(X)
#undef X
};

const char *const fw_probe_atomic_types[FW_PROBE_ATOMIC_TYPES] = {
#define X(type, registers, bytes, one) type,
    ATOMIC_TYPES(X)
#undef X
};

const int fw_probe_atomic_bytes[FW_PROBE_ATOMIC_TYPES] = {
#define X(type, registers, bytes, one) bytes,
    ATOMIC_TYPES(X)
#undef X
};

const char *const fw_probe_atomic_patterns[FW_PROBE_ATOMIC_PATTERNS] = {"one", "row", "random"};

/* %r7: the number of the first word, %r10: what the next one is further on; random numbers by a
 * linear congruence, whose high bits name the word. */
static void first_word(struct fw_buffer *out, enum fw_probe_atomic_pattern pattern)
{
    fw_buffer_printf(out, "    mov.u32 %%r2,%%ctaid.x;\n    mov.u32 %%r3,%%ntid.x;\n"
                          "    mad.lo.u32 %%r4,%%r2,%%r3,%%me;\n    shr.u32 %%r5,%%r4,5;\n"
                          "    and.b32 %%r6,%%me,31;\n");
    if (pattern == FW_PROBE_ATOMIC_ONE)
        fw_buffer_printf(out, "    mul.lo.u32 %%r7,%%r5,7;\n    mov.u32 %%r10,7;\n");
    else if (pattern == FW_PROBE_ATOMIC_ROW)
        fw_buffer_printf(out, "    mad.lo.u32 %%r7,%%r5,32,%%r6;\n    mov.u32 %%r10,32;\n");
    else
        fw_buffer_printf(out, "    mad.lo.u32 %%r7,%%r4,0x9E3779B1,%%never;\n");
}

static void next_word(struct fw_buffer *out, enum fw_probe_atomic_pattern pattern)
{
    if (pattern != FW_PROBE_ATOMIC_RANDOM)
        fw_buffer_printf(out, "    and.b32 %%r8,%%r7,%%r1;\n    add.u32 %%r7,%%r7,%%r10;\n");
    else
        fw_buffer_printf(out, "    mad.lo.u32 %%r7,%%r7,1664525,1013904223;\n"
                              "    shr.u32 %%r8,%%r7,9;\n    and.b32 %%r8,%%r8,%%r1;\n");
}

static void atomics(struct fw_buffer *out, int type, enum fw_probe_atomic_pattern pattern,
                    bool returns)
{
    const char *name = types[type].type;
    char kernel[32];
    snprintf(kernel, sizeof kernel, "%s_%s_%s", returns ? "atom" : "red", name,
             fw_probe_atomic_patterns[pattern]);
    probe_open(out, kernel, ", .param .u64 p_bytes", 256);
    fw_buffer_printf(
        out,
        "    .reg .%s %%old;\n    .reg .b64 %%bits;\n    ld.param.u64 %%t1,[p_bytes];\n"
        "    cvt.u32.u64 %%r1,%%t1;\n    sub.u32 %%r1,%%r1,1;\n"
        "    shr.u64 %%t2,%%t1,32;\n    add.u64 %%data,%%data,%%t2;\n",
        types[type].registers);
    first_word(out, pattern);
    fw_buffer_printf(out, "AGAIN:\n");
    next_word(out, pattern);
    fw_buffer_printf(out, "    mul.wide.u32 %%t3,%%r8,%d;\n    add.u64 %%t4,%%data,%%t3;\n",
                     types[type].bytes);
    if (!returns)
        fw_buffer_printf(out, "    red.global.add.%s [%%t4],%s;\n", name, types[type].one);
    else if (types[type].bytes == 4)
        fw_buffer_printf(out,
                         "    atom.global.add.%s %%old,[%%t4],%s;\n    mov.b32 %%r9,%%old;\n"
                         "    xor.b32 %%sum,%%sum,%%r9;\n",
                         name, types[type].one);
    else
        fw_buffer_printf(out,
                         "    atom.global.add.%s %%old,[%%t4],%s;\n    mov.b64 %%bits,%%old;\n"
                         "    cvt.u32.u64 %%r9,%%bits;\n    xor.b32 %%sum,%%sum,%%r9;\n",
                         name, types[type].one);
    fw_buffer_printf(out, "    sub.u32 %%n,%%n,1;\n    setp.ne.u32 %%p1,%%n,0;\n"
                          "    @%%p1 bra AGAIN;\n");
    probe_close(out);
}

/* %stop - %start of thread 0 of a block whose warps begin and end together goes to out[%r20]. */
static void begin_clock(struct fw_buffer *out)
{
    fw_buffer_printf(out, "    bar.sync 0;\n    mov.u64 %%start,%%clock64;\n");
}

static void end_clock(struct fw_buffer *out, int points)
{
    fw_buffer_printf(out,
                     "    bar.sync 0;\n    mov.u64 %%stop,%%clock64;\n"
                     "    sub.u64 %%stop,%%stop,%%start;\n    mad.wide.u32 %%t2,%%r20,8,%%out;\n"
                     "    setp.ne.u32 %%p2,%%me,0;\n    @%%p2 bra NEXT;\n"
                     "    st.global.u64 [%%t2],%%stop;\nNEXT:\n    add.u32 %%r20,%%r20,1;\n"
                     "    setp.lt.u32 %%p3,%%r20,%d;\n    @%%p3 bra POINT;\n",
                     points);
}

/* Lanes of each of 32 warps on 1, 2, 4 ... 32 words of its own. */
static void shared(struct fw_buffer *out, int type)
{
    char kernel[32];
    snprintf(kernel, sizeof kernel, "shared_%s", types[type].type);
    probe_open(out, kernel, "", 1024);
    fw_buffer_printf(out,
                     "    .shared .align 8 .b8 pool[8192];\n    mov.u32 %%r1,pool;\n"
                     "    and.b32 %%r2,%%me,31;\n    shr.u32 %%r3,%%me,5;\n"
                     "    mad.lo.u32 %%r4,%%r3,%d,%%r1;\n    mov.u32 %%r20,0;\nPOINT:\n"
                     "    mov.u32 %%r5,1;\n    shl.b32 %%r5,%%r5,%%r20;\n    sub.u32 %%r5,%%r5,1;\n"
                     "    and.b32 %%r6,%%r2,%%r5;\n    mad.lo.u32 %%r7,%%r6,%d,%%r4;\n"
                     "    mov.u32 %%r9,%%n;\n",
                     32 * types[type].bytes, types[type].bytes);
    begin_clock(out);
    fw_buffer_printf(out, "AGAIN:\n");
    for (int i = 0; i < FW_PROBE_UNIT_UNROLL; i++) /* a two: one would be counted, not added */
        fw_buffer_printf(out, "    red.shared.add.%s [%%r7],%s;\n", types[type].type,
                         types[type].one[1] ? types[type].one : "2");
    fw_buffer_printf(out, "    sub.u32 %%r9,%%r9,1;\n    setp.ne.u32 %%p1,%%r9,0;\n"
                          "    @%%p1 bra AGAIN;\n");
    end_clock(out, FW_PROBE_UNIT_LANES);
    probe_close(out);
}

void fw_probe_ptx_atomics(struct fw_buffer *out)
{
    probe_head(out, 70);
    for (int type = 0; type < FW_PROBE_ATOMIC_TYPES; type++) {
        for (int pattern = 0; pattern < FW_PROBE_ATOMIC_PATTERNS; pattern++) {
            atomics(out, type, (enum fw_probe_atomic_pattern)pattern, false);
            atomics(out, type, (enum fw_probe_atomic_pattern)pattern, true);
        }
        shared(out, type);
    }
}

/* A load whose address waits for the one before it: all words are zero. */
static void constant_load(struct fw_buffer *out)
{
    fw_buffer_printf(out, "    ld.const.u32 %%r12,[%%r11];\n    add.u32 %%r11,%%r11,%%r12;\n");
}

/* `apart`: bytes between the words of lanes. */
static void constant_lanes(struct fw_buffer *out, const char *name, int apart)
{
    probe_open(out, name, "", 1024);
    fw_buffer_printf(out,
                     "    mov.u64 %%t3,table;\n    cvt.u32.u64 %%r1,%%t3;\n"
                     "    and.b32 %%r2,%%me,31;\n    mov.u32 %%r20,0;\nPOINT:\n"
                     "    mov.u32 %%r5,1;\n    shl.b32 %%r5,%%r5,%%r20;\n    sub.u32 %%r5,%%r5,1;\n"
                     "    and.b32 %%r6,%%r2,%%r5;\n    mad.lo.u32 %%r11,%%r6,%d,%%r1;\n"
                     "    mov.u32 %%r9,%%n;\n",
                     apart);
    begin_clock(out);
    fw_buffer_printf(out, "AGAIN:\n");
    for (int i = 0; i < FW_PROBE_UNIT_UNROLL; i++)
        constant_load(out);
    fw_buffer_printf(out, "    sub.u32 %%r9,%%r9,1;\n    setp.ne.u32 %%p1,%%r9,0;\n"
                          "    @%%p1 bra AGAIN;\n    xor.b32 %%sum,%%sum,%%r11;\n");
    end_clock(out, FW_PROBE_UNIT_LANES);
    probe_close(out);
}

/* Each warp walks the table from a place of its own, 64 bytes a step, all lanes on one word. */
static void constant_walk(struct fw_buffer *out)
{
    probe_open(out, "constant_walk", "", 1024);
    fw_buffer_printf(
        out, "    mov.u64 %%t3,table;\n    cvt.u32.u64 %%r1,%%t3;\n    shr.u32 %%r3,%%me,5;\n"
             "    mov.u32 %%r20,0;\nPOINT:\n    mov.u32 %%r5,1024;\n"
             "    shl.b32 %%r5,%%r5,%%r20;\n    sub.u32 %%r5,%%r5,1;\n"
             "    mul.lo.u32 %%r6,%%r3,2112;\n    and.b32 %%r6,%%r6,%%r5;\n"
             "    mov.u32 %%r9,%%n;\n");
    begin_clock(out);
    fw_buffer_printf(out, "AGAIN:\n");
    for (int i = 0; i < FW_PROBE_UNIT_UNROLL; i++)
        fw_buffer_printf(out, "    add.u32 %%r11,%%r1,%%r6;\n    ld.const.u32 %%r12,[%%r11];\n"
                              "    add.u32 %%r6,%%r6,%%r12;\n    add.u32 %%r6,%%r6,64;\n"
                              "    and.b32 %%r6,%%r6,%%r5;\n");
    fw_buffer_printf(out, "    sub.u32 %%r9,%%r9,1;\n    setp.ne.u32 %%p1,%%r9,0;\n"
                          "    @%%p1 bra AGAIN;\n    xor.b32 %%sum,%%sum,%%r6;\n");
    end_clock(out, FW_PROBE_CONSTANT_SIZES);
    probe_close(out);
}

void fw_probe_ptx_constants(struct fw_buffer *out)
{
    probe_head(out, 70);
    fw_buffer_printf(out, ".const .align 8 .b8 table[65536];\n"); /* zeros */
    constant_lanes(out, "constant_lanes", 4);
    constant_lanes(out, "constant_lines", 64);
    constant_walk(out);
}
