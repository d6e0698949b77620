/* The emulator against plain C, for kernels that nvcc compiled (tests/golden/emulate/kernels.cu).
 */
#include "emulate_harness.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PTX "tests/golden/emulate/kernels.ptx"

static const uint32_t one[3] = {1, 1, 1};

static void start(struct harness *h, const char *name, const uint32_t *grid, const uint32_t *block,
                  uint64_t shared, const char *const *arguments)
{
    harness_file(h, PTX);
    assert_int_equal(harness_launch(h, name, grid, block, shared, arguments, NULL), FW_OK);
}

static void test_reduce(void **state)
{
    struct harness h;
    (void)state;
    start(&h, "reduce", (uint32_t[]){5, 1, 1}, (uint32_t[]){256, 1, 1}, 0,
          (const char *[]){"#0=f32[5]", "#1=f32[1200]:random", "#2=1200", NULL});
    assert_int_equal(harness_go(&h), FW_OK);
    const float *sums = harness_memory(&h, 0), *x = harness_memory(&h, 1);
    for (int b = 0; b < 5; b++) {
        float warps[32] = {0};
        for (int w = 0; w < 8; w++) {
            float v[32], next[32];
            for (int i = 0; i < 32; i++) {
                const int k = b * 256 + w * 32 + i;
                v[i] = k < 1200 ? x[k] : 0.0f;
            }
            for (int o = 16; o; o >>= 1) {
                for (int i = 0; i < 32; i++)
                    next[i] = v[i] + v[i + o < 32 ? i + o : i];
                memcpy(v, next, sizeof v);
            }
            warps[w] = v[0];
        }
        for (int o = 16; o; o >>= 1)
            for (int i = 0; i + o < 32; i++)
                warps[i] += warps[i + o];
        assert_true(warps[0] == sums[b]);
    }
    harness_free(&h);
}

static void test_early_exit(void **state)
{
    struct harness h;
    (void)state;
    start(&h, "early_exit", (uint32_t[]){3, 1, 1}, (uint32_t[]){128, 1, 1}, 0,
          (const char *[]){"#0=s32[384]:value(-7)", "#1=100", NULL});
    assert_int_equal(harness_go(&h), FW_OK);
    const int *out = harness_memory(&h, 0);
    for (int b = 0; b < 3; b++)
        for (int t = 0; t < 128; t++)
            assert_int_equal(out[b * 128 + t], t < 100 ? (99 - t) * (99 - t) + b : -7);
    harness_free(&h);
}

static void test_histogram(void **state)
{
    struct harness h;
    unsigned expected[64] = {0};
    (void)state;
    start(&h, "histogram", (uint32_t[]){4, 1, 1}, (uint32_t[]){96, 1, 1}, 0,
          (const char *[]){"#0=u32[64]", "#1=u32[5000]:random", "#2=5000", NULL});
    assert_int_equal(harness_go(&h), FW_OK);
    const unsigned *bins = harness_memory(&h, 0), *data = harness_memory(&h, 1);
    for (int i = 0; i < 5000; i++)
        expected[data[i] & 63]++;
    assert_memory_equal(bins, expected, sizeof expected);
    harness_free(&h);
}

static int ascending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void test_bitonic(void **state)
{
    struct harness h;
    int expected[1024];
    (void)state;
    start(&h, "bitonic", (uint32_t[]){2, 1, 1}, (uint32_t[]){512, 1, 1}, 2048,
          (const char *[]){"#0=s32[1024]:random", NULL});
    int *data = harness_memory(&h, 0);
    memcpy(expected, data, sizeof expected);
    qsort(expected, 512, sizeof *expected, ascending);
    qsort(expected + 512, 512, sizeof *expected, ascending);
    assert_int_equal(harness_go(&h), FW_OK);
    assert_memory_equal(data, expected, sizeof expected);
    harness_free(&h);
}

static void test_collatz(void **state)
{
    struct harness h;
    (void)state;
    start(&h, "collatz", (uint32_t[]){8, 1, 1}, (uint32_t[]){128, 1, 1}, 0,
          (const char *[]){"#0=s32[1000]", "#1=1000", NULL});
    assert_int_equal(harness_go(&h), FW_OK);
    const int *steps = harness_memory(&h, 0);
    for (int i = 0; i < 1000; i++) {
        int s = 0;
        for (long long x = i + 1; x != 1; s++)
            x = x & 1 ? 3 * x + 1 : x / 2;
        assert_int_equal(steps[i], s);
    }
    harness_free(&h);
}

static void test_spmv(void **state)
{
    enum { ROWS = 150, MOST = ROWS * 8 };
    struct harness h;
    struct fw_random random = {7};
    (void)state;
    start(&h, "spmv", (uint32_t[]){3, 1, 1}, (uint32_t[]){64, 1, 1}, 0,
          (const char *[]){"#0=f64[150]", "#1=s32[151]", "#2=s32[1200]:random(0,149)",
                           "#3=f64[1200]:random(-1,1)", "#4=f64[150]:random", "#5=150", NULL});
    int *begin = harness_memory(&h, 1);
    for (int r = 0; r < ROWS; r++)
        begin[r + 1] = begin[r] + (int)fw_random_between(&random, 0, 7);
    assert_true(begin[ROWS] <= MOST);
    assert_int_equal(harness_go(&h), FW_OK);
    const double *y = harness_memory(&h, 0), *value = harness_memory(&h, 3);
    const double *x = harness_memory(&h, 4);
    const int *column = harness_memory(&h, 2);
    for (int r = 0; r < ROWS; r++) {
        double sum = 0;
        for (int k = begin[r]; k < begin[r + 1]; k++)
            sum = fma(value[k], x[column[k]], sum);
        assert_true(y[r] == sum);
    }
    harness_free(&h);
}

static int opaque(int x, int y)
{
    return x > y ? x * 3 - y : y - x;
}

static void test_mixed(void **state)
{
    static const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    struct harness h;
    (void)state;
    start(&h, "mixed", (uint32_t[]){3, 1, 1}, (uint32_t[]){100, 1, 1}, 0,
          (const char *[]){"#0=s32[300]", "#1=290", NULL});
    assert_int_equal(harness_go(&h), FW_OK);
    const int *out = harness_memory(&h, 0);
    for (int i = 0; i < 300; i++) {
        int r = -i % 13;
        switch (i % 7) {
        case 0:
            r = opaque(i, 50);
            break;
        case 1:
            r = i * (i & 15);
            break;
        case 2:
            r = table[i & 7] * 1000;
            break;
        case 3:
            r = i / (1 + i % 5);
            break;
        case 4:
            r = __builtin_popcount((unsigned)i) - __builtin_clz((unsigned)i);
            break;
        case 5:
            r = (int)sqrtf((float)i);
            break;
        default:
            break;
        }
        assert_int_equal(out[i], i < 290 ? r + 100 : 0);
    }
    harness_free(&h);
}

static void test_by_value(void **state)
{
    struct harness h;
    (void)state;
    start(&h, "by_value", one, (uint32_t[]){40, 1, 1}, 0,
          (const char *[]){"#0=f32[40]", "#1=f32:2.5", "#1+8=s32[40]:index", "#1+16=s64:-3", NULL});
    assert_int_equal(harness_go(&h), FW_OK);
    const float *out = harness_memory(&h, 0);
    for (int i = 0; i < 40; i++)
        assert_true(out[i] == 2.5f * (float)(i - 3));
    harness_free(&h);
}

/* A half's value, by its definition. */
static double half(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, significand = bits & 1023;
    const double magnitude =
        exponent ? ldexp(1024 + significand, exponent - 25) : ldexp(significand, -24);
    return bits & 0x8000 ? -magnitude : magnitude;
}

/* The nearest half, by trying all. */
static uint16_t nearest(double x)
{
    uint16_t best = 0;
    for (uint32_t b = 0; b < 0x10000; b++) {
        if ((b >> 10 & 31) == 31)
            continue;
        const double d = fabs(half((uint16_t)b) - x), e = fabs(half(best) - x);
        if (d < e || (d == e && !(b & 1)))
            best = (uint16_t)b;
    }
    return best;
}

static void test_halves(void **state)
{
    struct harness h;
    (void)state;
    start(&h, "halves", one, (uint32_t[]){16, 1, 1}, 0,
          (const char *[]){"#0=f16[32]", "#1=f16[32]:random(-2,2)", "#2=f16[32]:random(-1,3)",
                           "#3=f16[16]", NULL});
    assert_int_equal(harness_go(&h), FW_OK);
    const uint16_t *out = harness_memory(&h, 0), *a = harness_memory(&h, 1);
    const uint16_t *b = harness_memory(&h, 2), *s = harness_memory(&h, 3);
    for (int i = 0; i < 32; i++) {
        const double x = half(nearest(half(a[i]) * half(b[i]) + half(a[i])));
        const double product = half(nearest(x * half(b[i])));
        assert_int_equal(out[i], nearest(product - half(a[i])));
        if (i % 2 == 0)
            assert_int_equal(s[i / 2], nearest(x * 3.0));
    }
    harness_free(&h);
}

static void test_divisions(void **state)
{
    struct harness h;
    (void)state;
    start(&h, "divisions", one, (uint32_t[]){32, 1, 1}, 0,
          (const char *[]){"#0=s32[32]", "#1=u32[32]", "#2=s64[32]", "#3=f64[32]", "#4=f32[32]",
                           NULL});
    assert_int_equal(harness_go(&h), FW_OK);
    const int *q = harness_memory(&h, 0);
    const unsigned *u = harness_memory(&h, 1);
    const long long *l = harness_memory(&h, 2);
    const double *d = harness_memory(&h, 3);
    const float *f = harness_memory(&h, 4);
    for (int i = 0; i < 32; i++) {
        const int a = (i - 16) * 7919 + 13, b = i % 9 - 4 ? i % 9 - 4 : 3;
        assert_int_equal(q[i], a / b * 1000 + a % b);
        assert_int_equal(u[i], (unsigned)a / (unsigned)(i + 3) + (unsigned)a % 77u);
        assert_true(l[i] == (long long)a * (1 << 20) / b);
        assert_true(d[i] == (double)a / b + sqrt((double)(i + 1)) + 1.0 / (i + 2));
        const float e = (float)a / (float)b + 1.0f / sqrtf((float)(i + 1)) + expf(-(float)i / 8);
        assert_true(fabsf(f[i] - e) <= 1e-6f * fabsf(e) + 1e-6f);
    }
    harness_free(&h);
}

static void test_locked(void **state)
{
    struct harness h;
    (void)state;
    start(&h, "locked", (uint32_t[]){2, 1, 1}, (uint32_t[]){64, 1, 1}, 0,
          (const char *[]){"#0=s32[1]", "#1=s32[1]", NULL});
    assert_int_equal(harness_go(&h), FW_OK);
    assert_int_equal(*(int *)harness_memory(&h, 1), 2 * 63 * 64 / 2);
    assert_int_equal(*(int *)harness_memory(&h, 0), 0);
    harness_free(&h);
}

static void test_transpose(void **state)
{
    struct harness h;
    (void)state;
    start(&h, "transpose", (uint32_t[]){3, 2, 1}, (uint32_t[]){32, 8, 1}, 0,
          (const char *[]){"#0=f32[3500]:value(-1)", "#1=f32[3500]:index", "#2=70", "#3=50", NULL});
    assert_int_equal(harness_go(&h), FW_OK);
    const float *out = harness_memory(&h, 0);
    for (int y = 0; y < 50; y++)
        for (int x = 0; x < 70; x++)
            assert_true(out[x * 50 + y] == (float)(y * 70 + x));
    harness_free(&h);
}

static void test_vectors(void **state)
{
    struct harness h;
    (void)state;
    start(&h, "vectors", one, (uint32_t[]){50, 1, 1}, 0,
          (const char *[]){"#0=f32[200]", "#1=f32[200]:random", "#2=s16[200]:random",
                           "#3=u8[200]:random", NULL});
    assert_int_equal(harness_go(&h), FW_OK);
    const float *out = harness_memory(&h, 0), *v = harness_memory(&h, 1);
    const int16_t *w = harness_memory(&h, 2);
    const uint8_t *u = harness_memory(&h, 3);
    for (int i = 0; i < 200; i += 4) {
        assert_true(out[i] == v[i + 3] + (float)w[i]);
        assert_true(out[i + 1] == v[i + 2] * (float)w[i + 1]);
        assert_true(out[i + 2] == v[i + 1] - (float)u[i + 2]);
        assert_true(out[i + 3] == fmaf((float)w[i + 3], (float)u[i + 3], v[i]));
    }
    harness_free(&h);
}

static void test_votes(void **state)
{
    struct harness h;
    (void)state;
    start(&h, "votes", one, (uint32_t[]){96, 1, 1}, 0, (const char *[]){"#0=u32[96]", NULL});
    h.loud = true;
    assert_int_equal(harness_go(&h), FW_OK);
    const unsigned *out = harness_memory(&h, 0);
    unsigned r[32];
    for (unsigned i = 0; i < 32; i++) {
        r[i] = 0;
        if (i % 3 == 0)
            for (unsigned k = 0; k < 32; k += 3)
                r[i] ^= (k & 1) << k ^ 1u << k;
        else if (i < 20)
            for (unsigned k = 0; k < 20; k++)
                r[i] |= (k % 3 != 0 && k / 4 == i / 4) ? 1u << k : 0;
        else
            for (unsigned k = 20; k < 32; k++)
                r[i] += k % 3 != 0 ? k : 0;
    }
    for (unsigned i = 0; i < 96; i++)
        assert_int_equal(out[i], r[i % 32] + r[(i % 32) ^ 1] + 3 + (1u << 30));
    harness_free(&h);
}

static void test_copies(void **state)
{
    struct harness h;
    (void)state;
    start(&h, "copies", one, (uint32_t[]){64, 1, 1}, 0,
          (const char *[]){"#0=s32[256]", "#1=s32[256]:index", NULL});
    assert_int_equal(harness_go(&h), FW_OK);
    const int *out = harness_memory(&h, 0);
    for (int i = 0; i < 256; i++)
        assert_int_equal(out[i], (63 - i / 4) * 4 + i % 4);
    harness_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduce),    cmocka_unit_test(test_early_exit),
        cmocka_unit_test(test_histogram), cmocka_unit_test(test_bitonic),
        cmocka_unit_test(test_collatz),   cmocka_unit_test(test_spmv),
        cmocka_unit_test(test_mixed),     cmocka_unit_test(test_by_value),
        cmocka_unit_test(test_halves),    cmocka_unit_test(test_divisions),
        cmocka_unit_test(test_locked),    cmocka_unit_test(test_transpose),
        cmocka_unit_test(test_vectors),   cmocka_unit_test(test_votes),
        cmocka_unit_test(test_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
