/* Links of colour: 3 x 3 complex matrices and 6 x 6 blocks on sites of a lattice. */
struct cplx {
    float re, im;
};

__device__ __forceinline__ void fma_c(cplx &s, const cplx a, const cplx b)
{
    s.re = fmaf(a.re, b.re, fmaf(-a.im, b.im, s.re));
    s.im = fmaf(a.re, b.im, fmaf(a.im, b.re, s.im));
}

#define LINK(u, mu, i, j) (u)[(((mu) * 3 + (i)) * 3 + (j)) * (size_t)volume + site]

/* out = U_mu V_nu W+_mu of every site: two products of SU(3), elements of a matrix VOLUME apart. */
extern "C" __global__ void __launch_bounds__(128) su3_staple(const float2 *__restrict__ u, const float2 *__restrict__ v, const float2 *__restrict__ w, float2 *__restrict__ out, int volume)
{
    const int site = blockIdx.x * blockDim.x + threadIdx.x, mu = blockIdx.y;
    if (site >= volume)
        return;
    cplx a[3][3], b[3][3], t[3][3];
#pragma unroll
    for (int i = 0; i < 3; i++)
#pragma unroll
        for (int j = 0; j < 3; j++) {
            const float2 x = LINK(u, mu, i, j), y = LINK(v, mu, i, j);
            a[i][j] = {x.x, x.y};
            b[i][j] = {y.x, y.y};
        }
#pragma unroll
    for (int i = 0; i < 3; i++)
#pragma unroll
        for (int j = 0; j < 3; j++) {
            t[i][j] = {0.0f, 0.0f};
#pragma unroll
            for (int k = 0; k < 3; k++)
                fma_c(t[i][j], a[i][k], b[k][j]);
        }
#pragma unroll
    for (int i = 0; i < 3; i++)
#pragma unroll
        for (int j = 0; j < 3; j++) {
            const float2 x = LINK(w, mu, j, i);
            a[i][j] = {x.x, -x.y};
        }
#pragma unroll
    for (int i = 0; i < 3; i++)
#pragma unroll
        for (int j = 0; j < 3; j++) {
            cplx s = {0.0f, 0.0f};
#pragma unroll
            for (int k = 0; k < 3; k++)
                fma_c(s, t[i][k], a[k][j]);
            LINK(out, mu, i, j) = make_float2(s.re, s.im);
        }
}

/* Two Hermitian blocks of 6 x 6 a site, packed as 36 reals: the diagonal, then what is below. */
extern "C" __global__ void clover_apply(const double *__restrict__ blocks, const double2 *__restrict__ in, double2 *__restrict__ out, int volume)
{
    const int site = blockIdx.x * blockDim.x + threadIdx.x;
    if (site >= volume)
        return;
    for (int chirality = 0; chirality < 2; chirality++) {
        double2 x[6], y[6];
#pragma unroll
        for (int i = 0; i < 6; i++) {
            x[i] = in[(chirality * 6 + i) * volume + site];
            const double d = blocks[(chirality * 36 + i) * volume + site];
            y[i] = make_double2(d * x[i].x, d * x[i].y);
        }
        int k = 6;
#pragma unroll
        for (int i = 1; i < 6; i++)
#pragma unroll
            for (int j = 0; j < i; j++, k += 2) {
                const double re = blocks[(chirality * 36 + k) * volume + site], im = blocks[(chirality * 36 + k + 1) * volume + site];
                y[i].x += re * x[j].x - im * x[j].y;
                y[i].y += re * x[j].y + im * x[j].x;
                y[j].x += re * x[i].x + im * x[i].y;
                y[j].y += re * x[i].y - im * x[i].x;
            }
#pragma unroll
        for (int i = 0; i < 6; i++)
            out[(chirality * 6 + i) * volume + site] = y[i];
    }
}
