/* Matrix instructions in the emulator: known answers against plain C, fragments laid out as the PTX
 * manual's formulas say, element by element. */
#include "emulate_harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers as bits ---- */

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bits;
}

static uint64_t half_bits(int value)
{
    uint32_t bits = float_bits((float)value);
    if (value == 0)
        return 0;
    return (bits >> 16 & 0x8000) | ((bits >> 23 & 0xff) - 112) << 10 | (bits >> 13 & 0x3ff);
}

static uint64_t bfloat_bits(int value)
{
    return float_bits((float)value) >> 16;
}

static uint64_t single_bits(int value)
{
    return float_bits((float)value) | 0x1fff; /* what tf32 does not see must not matter */
}

static uint64_t double_bits(int value)
{
    double real = value;
    uint64_t bits;
    memcpy(&bits, &real, 8);
    return bits;
}

static uint64_t byte_bits(int value)
{
    return (uint8_t)(int8_t)value;
}

static uint64_t e4m3_bits(int value) /* 1 sign, 4 exponent (bias 7), 3 mantissa bits */
{
    uint32_t bits = float_bits((float)value);
    if (value == 0)
        return 0;
    return (bits >> 24 & 0x80) | ((bits >> 23 & 0xff) - 120) << 3 | (bits >> 20 & 7);
}

static double half_value(uint16_t bits)
{
    int exponent = bits >> 10 & 31;
    double value = exponent ? ldexp(1024 + (bits & 1023), exponent - 25) : ldexp(bits & 1023, -24);
    return bits & 0x8000 ? -value : value;
}

/* ---- fragments, as documented: g is the lane / 4, t the lane % 4, i the element ---- */

static int low_rows(int i) /* f16 m16n8k16, s8 m16n8k32: elements in the upper eight rows */
{
    return i < 2 || (i >= 4 && i < 6);
}

struct shape {
    const char *name;
    int m, n, k;
    int a_count, b_count, c_count; /* elements of a lane */
    int per;                       /* elements of a register */
    int bytes;                     /* of a register */
    bool whole;
    uint64_t (*encode)(int value);
    int a_style, b_style;
};

static const struct shape shapes[] = {
    {"m16n8k16.row.col.f32.f16.f16.f32", 16, 8, 16, 8, 4, 4, 2, 4, false, half_bits, 0, 0},
    {"m16n8k16.row.col.f32.bf16.bf16.f32", 16, 8, 16, 8, 4, 4, 2, 4, false, bfloat_bits, 0, 0},
    {"m16n8k8.row.col.f32.f16.f16.f32", 16, 8, 8, 4, 2, 4, 2, 4, false, half_bits, 1, 1},
    {"m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 8, 4, 2, 4, 1, 4, false, single_bits, 2, 2},
    {"m16n8k4.row.col.f32.tf32.tf32.f32", 16, 8, 4, 2, 1, 4, 1, 4, false, single_bits, 2, 2},
    {"m8n8k4.row.col.f64.f64.f64.f64", 8, 8, 4, 1, 1, 2, 1, 8, false, double_bits, 2, 2},
    {"m16n8k32.row.col.s32.s8.s8.s32", 16, 8, 32, 16, 8, 4, 4, 4, true, byte_bits, 3, 3},
    {"m16n8k16.row.col.s32.s8.s8.s32", 16, 8, 16, 8, 4, 4, 4, 4, true, byte_bits, 4, 4},
    {"m8n8k16.row.col.s32.s8.s8.s32", 8, 8, 16, 4, 4, 2, 4, 4, true, byte_bits, 4, 4},
    {"m16n8k32.row.col.f32.e4m3.e4m3.f32", 16, 8, 32, 16, 8, 4, 4, 4, false, e4m3_bits, 3, 3},
};

static void place_a(const struct shape *s, int lane, int i, int *row, int *column)
{
    int g = lane / 4, t = lane % 4;
    switch (s->a_style) {
    case 0:
        *row = low_rows(i) ? g : g + 8;
        *column = i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8;
        return;
    case 1:
        *row = i < 2 ? g : g + 8;
        *column = t * 2 + (i & 1);
        return;
    case 2:
        *row = i == 0 || i == 2 ? g : g + 8;
        *column = i < 2 ? t : t + 4;
        return;
    case 3:
        *row = i < 4 || (i >= 8 && i < 12) ? g : g + 8;
        *column = i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16;
        return;
    default:
        *row = i < 4 ? g : g + 8;
        *column = t * 4 + (i & 3);
        return;
    }
}

static void place_b(const struct shape *s, int lane, int i, int *row, int *column)
{
    int t = lane % 4;
    *column = lane / 4;
    switch (s->b_style) {
    case 0:
        *row = i < 2 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8;
        return;
    case 1:
        *row = t * 2 + i;
        return;
    case 2:
        *row = i == 0 ? t : t + 4;
        return;
    case 3:
        *row = i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16;
        return;
    default:
        *row = t * 4 + i;
        return;
    }
}

static void place_c(int lane, int i, int *row, int *column)
{
    *row = i < 2 ? lane / 4 : lane / 4 + 8;
    *column = lane % 4 * 2 + (i & 1);
}

/* ---- one product ---- */

static void vector(char *text, const char *name, int count)
{
    strcat(text, "{");
    for (int r = 0; r < count; r++)
        sprintf(text + strlen(text), "%s%%%s%d", r ? "," : "", name, r);
    strcat(text, "}");
}

/* Each lane loads its registers from its place in a, b and c, and stores the product's in d. */
static void program(char *text, const struct shape *s)
{
    int a = s->a_count / s->per, b = s->b_count / s->per, bytes = s->bytes;
    const char *file = bytes == 8 ? "f64" : "b32";
    sprintf(text,
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry one(.param .u64 a, "
            ".param .u64 b, .param .u64 c, .param .u64 d)\n{\n.reg .%s %%a<8>, %%b<8>, %%c<8>;\n"
            ".reg .b32 %%t;\n.reg .b64 %%p, %%q;\nmov.u32 %%t, %%tid.x;\n",
            file);
    const struct {
        const char *name;
        int count;
    } loads[] = {{"a", a}, {"b", b}, {"c", s->c_count}};
    for (int l = 0; l < 3; l++) {
        sprintf(text + strlen(text), "ld.param.u64 %%p, [%s];\nmad.wide.u32 %%p, %%t, %d, %%p;\n",
                loads[l].name, loads[l].count * bytes);
        for (int r = 0; r < loads[l].count; r++)
            sprintf(text + strlen(text), "ld.global.%s %%%s%d, [%%p+%d];\n", file, loads[l].name, r,
                    r * bytes);
    }
    sprintf(text + strlen(text), "mma.sync.aligned.%s ", s->name);
    vector(text, "c", s->c_count);
    strcat(text, ", ");
    vector(text, "a", a);
    strcat(text, ", ");
    vector(text, "b", b);
    strcat(text, ", ");
    vector(text, "c", s->c_count);
    sprintf(text + strlen(text), ";\nld.param.u64 %%q, [d];\nmad.wide.u32 %%q, %%t, %d, %%q;\n",
            s->c_count * bytes);
    for (int r = 0; r < s->c_count; r++)
        sprintf(text + strlen(text), "st.global.%s [%%q+%d], %%c%d;\n", file, r * bytes, r);
    strcat(text, "ret;\n}\n");
}

static uint64_t sum_bits(const struct shape *s, int value)
{
    return s->whole        ? (uint32_t)value
           : s->bytes == 8 ? double_bits(value)
                           : float_bits((float)value);
}

static void put(unsigned char *memory, const struct shape *s, int lane, int count, int i,
                uint64_t bits, int per)
{
    int width = s->bytes / per;
    memcpy(memory + (lane * count + i) * width, &bits, (size_t)width);
}

static void check_product(const struct shape *s)
{
    static int a[16][32], b[32][8], c[16][8];
    char text[4096] = "", counts[4][64];
    struct harness h;
    for (int i = 0; i < s->m; i++)
        for (int k = 0; k < s->k; k++)
            a[i][k] = (i * 5 + k * 3) % 9 - 4;
    for (int k = 0; k < s->k; k++)
        for (int j = 0; j < s->n; j++)
            b[k][j] = (k * 7 + j * 2) % 9 - 4;
    for (int i = 0; i < s->m; i++)
        for (int j = 0; j < s->n; j++)
            c[i][j] = i - 2 * j;
    program(text, s);
    harness_text(&h, text);
    for (int p = 0; p < 4; p++)
        snprintf(counts[p], sizeof(counts[p]), "#%d=b8[4096]:zero", p);
    assert_int_equal(
        harness_launch(&h, NULL, (uint32_t[]){1, 1, 1}, (uint32_t[]){32, 1, 1}, 0,
                       (const char *[]){counts[0], counts[1], counts[2], counts[3], NULL}, NULL),
        FW_OK);
    for (int lane = 0; lane < 32; lane++) {
        int row, column;
        for (int i = 0; i < s->a_count; i++) {
            place_a(s, lane, i, &row, &column);
            put(harness_memory(&h, 0), s, lane, s->a_count, i, s->encode(a[row][column]), s->per);
        }
        for (int i = 0; i < s->b_count; i++) {
            place_b(s, lane, i, &row, &column);
            put(harness_memory(&h, 1), s, lane, s->b_count, i, s->encode(b[row][column]), s->per);
        }
        for (int i = 0; i < s->c_count; i++) {
            place_c(lane, i, &row, &column);
            put(harness_memory(&h, 2), s, lane, s->c_count, i, sum_bits(s, c[row][column]), 1);
        }
    }
    assert_int_equal(harness_go(&h), FW_OK);
    const unsigned char *d = harness_memory(&h, 3);
    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < s->c_count; i++) {
            int row, column, sum;
            uint64_t got = 0;
            place_c(lane, i, &row, &column);
            sum = c[row][column];
            for (int k = 0; k < s->k; k++)
                sum += a[row][k] * b[k][column];
            memcpy(&got, d + (lane * s->c_count + i) * s->bytes, (size_t)s->bytes);
            if (got != sum_bits(s, sum))
                fail_msg("%s: element %d, %d: wanted %d", s->name, row, column, sum);
        }
    harness_free(&h);
}

static void test_products(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++)
        check_product(&shapes[s]);
}

/* ---- ldmatrix and stmatrix ---- */

static const char rows_text[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry rows(.param .u64 in, .param .u64 out, .param .u64 back)\n{\n"
    ".reg .b32 %%t, %%s, %%w, %%r<4>;\n.reg .b64 %%p;\n.shared .align 16 .b8 tile[1024];\n"
    "mov.u32 %%t, %%tid.x;\nmov.u32 %%s, tile;\nmad.lo.u32 %%s, %%t, 16, %%s;\n"
    "ld.param.u64 %%p, [in];\nmad.wide.u32 %%p, %%t, 16, %%p;\n"
    "ld.global.v4.b32 {%%r0,%%r1,%%r2,%%r3}, [%%p];\n"
    "st.shared.v4.b32 [%%s], {%%r0,%%r1,%%r2,%%r3};\nbar.sync 0;\n"
    "mov.b32 %%r0, 0;\nmov.b32 %%r1, 0;\nmov.b32 %%r2, 0;\nmov.b32 %%r3, 0;\n"
    "ldmatrix.sync.aligned.m8n8.%s%s.shared.b16 %s, [%%s];\n"
    "ld.param.u64 %%p, [out];\nmad.wide.u32 %%p, %%t, 16, %%p;\n"
    "st.global.v4.b32 [%%p], {%%r0,%%r1,%%r2,%%r3};\n"
    "stmatrix.sync.aligned.m8n8.%s%s.shared.b16 [%%s+512], %s;\nbar.sync 0;\n"
    "ld.shared.v4.b32 {%%r0,%%r1,%%r2,%%r3}, [%%s+512];\n"
    "ld.param.u64 %%p, [back];\nmad.wide.u32 %%p, %%t, 16, %%p;\n"
    "st.global.v4.b32 [%%p], {%%r0,%%r1,%%r2,%%r3};\nret;\n}\n";

static void check_rows(int matrices, bool transposed)
{
    static const char *const registers[] = {"", "{%r0}", "{%r0,%r1}", "", "{%r0,%r1,%r2,%r3}"};
    static const char *const names[] = {"", "x1", "x2", "", "x4"};
    char text[4096];
    struct harness h;
    const char *trans = transposed ? ".trans" : "";
    snprintf(text, sizeof(text), rows_text, names[matrices], trans, registers[matrices],
             names[matrices], trans, registers[matrices]);
    harness_text(&h, text);
    assert_int_equal(harness_run(&h, NULL, (uint32_t[]){1, 1, 1}, (uint32_t[]){32, 1, 1}, 0,
                                 (const char *[]){"#0=u16[256]:index", "#1=b8[512]:zero",
                                                  "#2=b8[512]:zero", NULL},
                                 NULL),
                     FW_OK);
    const uint16_t *out = harness_memory(&h, 1), *back = harness_memory(&h, 2);
    for (int lane = 0; lane < 32; lane++)
        for (int j = 0; j < matrices; j++)
            for (int e = 0; e < 2; e++) {
                int row = lane / 4, column = lane % 4 * 2 + e;
                int wanted = transposed ? j * 64 + column * 8 + row : j * 64 + row * 8 + column;
                assert_int_equal(out[lane * 8 + j * 2 + e], wanted);
            }
    for (int i = 0; i < matrices * 64; i++)
        assert_int_equal(back[i], i);
    harness_free(&h);
}

static void test_rows(void **state)
{
    (void)state;
    for (int matrices = 1; matrices <= 4; matrices *= 2) {
        check_rows(matrices, false);
        check_rows(matrices, true);
    }
}

/* ---- whole kernels, as nvcc and clang compiled them ---- */

static void check_kernel(const char *path, uint32_t blocks, bool transposed)
{
    enum { ROWS = 80, COLUMNS = 64, DEPTH = 48 };
    struct harness h;
    harness_file(&h, path);
    assert_int_equal(
        harness_run(&h, NULL, (uint32_t[]){blocks, 2, 1}, (uint32_t[]){32, 4, 1}, 0,
                    (const char *[]){"#0=f16[3840]:random(-1,1)", "#1=f16[3072]:random(-1,1)",
                                     "#2=f32[5120]:zero", "#3=80", "#4=64", "#5=48", NULL},
                    NULL),
        FW_OK);
    const uint16_t *a = harness_memory(&h, 0), *b = harness_memory(&h, 1);
    const float *c = harness_memory(&h, 2);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            double sum = 0;
            for (int k = 0; k < DEPTH; k++)
                sum += half_value(a[i * DEPTH + k]) *
                       half_value(transposed ? b[j * DEPTH + k] : b[k * COLUMNS + j]);
            if (fabs(sum - (double)c[i * COLUMNS + j]) > 1e-4)
                fail_msg("%s: %d, %d: %g, not %g", path, i, j, (double)c[i * COLUMNS + j], sum);
        }
    harness_free(&h);
}

static void test_kernels(void **state)
{
    (void)state;
    check_kernel("tests/golden/kernels/matmul_mma.ptx", 8, true);
    check_kernel("tests/golden/kernels/matmul_wmma.ptx", 4, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_products), cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
