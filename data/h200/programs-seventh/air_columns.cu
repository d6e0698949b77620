/* Columns of an atmosphere, and systems of three diagonals. */
#include <assert.h>

/* All rows of a system halve their reach at once: a block a system of 512 rows. */
extern "C" __global__ void pcr_rows(const float *a, const float *b, const float *c, const float *d, float *x, int n)
{
    extern __shared__ float s[];
    float *sa = s, *sb = sa + n, *sc = sb + n, *sd = sc + n;
    assert(n == (int)blockDim.x);
    const int i = threadIdx.x;
    const size_t at = (size_t)blockIdx.x * n + i;
    sa[i] = i ? a[at] : 0.0f;
    sb[i] = b[at];
    sc[i] = i < n - 1 ? c[at] : 0.0f;
    sd[i] = d[at];
    for (int reach = 1; reach < n; reach *= 2) {
        __syncthreads();
        float na = sa[i], nb = sb[i], nc = sc[i], nd = sd[i];
        if (i >= reach) {
            const float f = na / sb[i - reach];
            nb -= f * sc[i - reach];
            nd -= f * sd[i - reach];
            na = -f * sa[i - reach];
        }
        if (i + reach < n) {
            const float f = nc / sb[i + reach];
            nb -= f * sa[i + reach];
            nd -= f * sd[i + reach];
            nc = -f * sc[i + reach];
        }
        __syncthreads();
        sa[i] = na, sb[i] = nb, sc[i] = nc, sd[i] = nd;
    }
    x[at] = sd[i] / sb[i];
}

/* Light up and down through the layers of a column, in 16 bands; what layers let through is kept between both ways. */
__device__ __noinline__ float emitted(float temperature, float wave)
{
    return 1.191e-5f * wave * wave * wave / (expf(1.4388f * wave / temperature) - 1.0f);
}

extern "C" __global__ void two_streams(const float *temperature, const float *depth, const float *waves, float *up, float *down, int columns, int layers)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x, band = blockIdx.y;
    if (column >= columns)
        return;
    const float wave = waves[band];
    const size_t base = (size_t)band * (layers + 1) * columns + column;
    float through[64], source[64];
    float flux = 0.0f;
    down[base] = flux;
    for (int l = 0; l < layers; l++) {
        through[l] = __expf(-1.66f * depth[((size_t)band * layers + l) * columns + column]);
        source[l] = emitted(temperature[(size_t)l * columns + column], wave);
        flux = flux * through[l] + source[l] * (1.0f - through[l]);
        down[base + (size_t)(l + 1) * columns] = flux;
    }
    flux = emitted(temperature[(size_t)layers * columns + column], wave);
    up[base + (size_t)layers * columns] = flux;
    for (int l = layers - 1; l >= 0; l--) {
        flux = flux * through[l] + source[l] * (1.0f - through[l]);
        up[base + (size_t)l * columns] = flux;
    }
}
