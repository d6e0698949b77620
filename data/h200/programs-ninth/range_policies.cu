/* Loops over ranges by lambdas and views, as libraries for portable performance write them. */
#include <cstdint>

using Index = std::int64_t;

template <class T>
struct View3 {
    T *data;
    Index n1, n2;
    __device__ __forceinline__ T &operator()(Index i, Index j, Index k) const { return data[(i * n1 + j) * n2 + k]; }
};

template <class Body>
__device__ __forceinline__ void forall(Index begin, Index end, Body body)
{
    for (Index i = begin + blockIdx.x * (Index)blockDim.x + threadIdx.x; i < end; i += (Index)gridDim.x * blockDim.x)
        body(i);
}

template <class Body>
__device__ __forceinline__ void forall3(Index ni, Index nj, Index nk, Body body)
{
    forall(0, ni * nj * nk, [&](Index flat) {
        const Index k = flat % nk, rest = flat / nk;
        body(rest / nj, rest % nj, k);
    });
}

/* Divergence of momentum on cells within, of three views. */
extern "C" __global__ void divergence_of_views(double *__restrict__ div, const double *__restrict__ mx, const double *__restrict__ my, const double *__restrict__ mz, int ni, int nj, int nk, double h)
{
    const View3<double> out{div, nj, nk};
    const View3<const double> x{mx, nj, nk}, y{my, nj, nk}, z{mz, nj, nk};
    forall3(ni - 2, nj - 2, nk - 2, [=](Index i0, Index j0, Index k0) {
        const Index i = i0 + 1, j = j0 + 1, k = k0 + 1;
        out(i, j, k) = h * (x(i + 1, j, k) - x(i - 1, j, k) + y(i, j + 1, k) - y(i, j - 1, k) + z(i, j, k + 1) - z(i, j, k - 1));
    });
}

/* Energy and pressure of an ideal gas with cuts, one body of several statements. */
extern "C" __global__ void energy_of_elements(double *__restrict__ e_new, double *__restrict__ p_new, const double *__restrict__ e_old, const double *__restrict__ p_old, const double *__restrict__ q_old,
                                              const double *__restrict__ delvc, const double *__restrict__ vnew, int length, double rho0, double e_cut, double p_cut, double pmin, double emin)
{
    forall(0, length, [=](Index i) {
        double e = e_old[i] - 0.5 * delvc[i] * (p_old[i] + q_old[i]);
        e = e < emin ? emin : e;
        const double half = 1.0 / (1.0 + 0.5 * delvc[i]), bvc = (2.0 / 3.0) * (vnew[i] + half);
        double p_half = bvc * e;
        p_half = fabs(p_half) < p_cut ? 0.0 : p_half;
        const double ssc = ((2.0 / 3.0) * e + vnew[i] * vnew[i] * bvc * p_half) / rho0;
        const double sound = ssc <= 0.1111111e-36 ? 0.3333333e-18 : sqrt(ssc);
        const double q = delvc[i] > 0.0 ? 0.0 : sound * q_old[i];
        e += 0.5 * delvc[i] * (3.0 * (p_old[i] + q_old[i]) - 4.0 * (p_half + q));
        e = fabs(e) < e_cut ? 0.0 : e;
        const double p = bvc * e;
        e_new[i] = e;
        p_new[i] = p < pmin ? pmin : p;
    });
}

template <int N, class Op>
struct TreeReducer {
    Op op;
    __device__ double operator()(double mine, double *scratch) const
    {
        scratch[threadIdx.x] = mine;
        __syncthreads();
#pragma unroll
        for (int s = N / 2; s > 0; s >>= 1) {
            if (threadIdx.x < s)
                scratch[threadIdx.x] = op(scratch[threadIdx.x], scratch[threadIdx.x + s]);
            __syncthreads();
        }
        return scratch[0];
    }
};

struct Lesser {
    __device__ double operator()(double a, double b) const { return b < a ? b : a; }
};

/* The least of time steps that cells allow; few blocks that stride. */
extern "C" __global__ void __launch_bounds__(512) least_time_step(const double *__restrict__ length, const double *__restrict__ speed, double *__restrict__ least, int n)
{
    __shared__ double scratch[512];
    double mine = 1.0e20;
    forall(0, n, [&](Index i) {
        const double dt = length[i] / (speed[i] + 1.0e-9);
        mine = dt < mine ? dt : mine;
    });
    const double all = TreeReducer<512, Lesser>{}(mine, scratch);
    if (threadIdx.x == 0)
        least[blockIdx.x] = all;
}
