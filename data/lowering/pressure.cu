// Kernels that need many registers, of the kinds that people write: register tiles, transforms held in registers,
// sums of many terms, hashes, networks, chemistry.  The estimate of registers is checked on them
// (data/lowering/README.md).  Written for this project.
#include <math.h>

// For angles of at most pi; the compiler computes it where they are literals.
__device__ __forceinline__ double cosine(double x)
{
    double sum = 1, term = 1;
#pragma unroll
    for (int k = 1; k < 14; k++)
        sum += term *= -x * x / ((2 * k - 1) * (2 * k));
    return sum;
}

// ---- A tile of a product in registers ----
template <typename T, int M, int N, int K> __device__ __forceinline__ void tile(T *c, const T *a, const T *b, int n)
{
    __shared__ T as[K][16 * M], bs[K][16 * N];
    T sum[M][N] = {};
    int x = threadIdx.x, y = threadIdx.y, id = y * 16 + x;
    for (int k0 = 0; k0 < n; k0 += K) {
        for (int i = id; i < K * 16 * M; i += 256)
            as[i % K][i / K] = a[(blockIdx.y * 16 * M + i / K) * n + k0 + i % K];
        for (int i = id; i < K * 16 * N; i += 256)
            bs[i / (16 * N)][i % (16 * N)] = b[(k0 + i / (16 * N)) * n + blockIdx.x * 16 * N + i % (16 * N)];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < K; k++) {
            T u[M], v[N];
#pragma unroll
            for (int i = 0; i < M; i++)
                u[i] = as[k][y + 16 * i];
#pragma unroll
            for (int j = 0; j < N; j++)
                v[j] = bs[k][x + 16 * j];
#pragma unroll
            for (int i = 0; i < M; i++)
#pragma unroll
                for (int j = 0; j < N; j++)
                    sum[i][j] += u[i] * v[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
        for (int j = 0; j < N; j++)
            c[(blockIdx.y * 16 * M + y + 16 * i) * n + blockIdx.x * 16 * N + x + 16 * j] = sum[i][j];
}
#define TILE(name, T, M, N, K)                                                                                         \
    extern "C" __global__ void name(T *c, const T *a, const T *b, int n) { tile<T, M, N, K>(c, a, b, n); }
TILE(tile_f32_4x4, float, 4, 4, 8)
TILE(tile_f32_8x8, float, 8, 8, 4)
TILE(tile_f32_6x4, float, 6, 4, 8)
TILE(tile_f64_4x4, double, 4, 4, 8)
TILE(tile_f64_6x6, double, 6, 6, 4)
TILE(tile_f32_2x8, float, 2, 8, 4)

// ---- A fast Fourier transform of N points held by a thread ----
template <typename T, int N> __device__ __forceinline__ void transform(T *re, T *im)
{
#pragma unroll
    for (int span = N / 2; span >= 1; span /= 2)
#pragma unroll
        for (int s = 0; s < N; s += 2 * span)
#pragma unroll
            for (int i = 0; i < span; i++) {
                T c = (T)cosine(3.14159265358979 * i / span), d = (T)-cosine(3.14159265358979 * (.5 - (double)i / span));
                T ar = re[s + i], ai = im[s + i], br = re[s + i + span], bi = im[s + i + span];
                T tr = ar - br, ti = ai - bi;
                re[s + i] = ar + br;
                im[s + i] = ai + bi;
                re[s + i + span] = tr * c - ti * d;
                im[s + i + span] = tr * d + ti * c;
            }
}
template <typename T, typename V, int N> __device__ __forceinline__ void fourier(V *data, int stride)
{
    T re[N], im[N];
    V *at = data + blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int i = 0; i < N; i++) {
        V v = at[i * stride];
        re[i] = v.x;
        im[i] = v.y;
    }
    transform<T, N>(re, im);
#pragma unroll
    for (int i = 0; i < N; i++) {
        V v;
        v.x = re[i];
        v.y = im[i];
        at[i * stride] = v;
    }
}
#define FOURIER(name, T, V, N)                                                                                         \
    extern "C" __global__ void name(V *data, int stride) { fourier<T, V, N>(data, stride); }
FOURIER(fourier_f32_4, float, float2, 4)
FOURIER(fourier_f32_8, float, float2, 8)
FOURIER(fourier_f32_16, float, float2, 16)
FOURIER(fourier_f32_32, float, float2, 32)
FOURIER(fourier_f64_8, double, double2, 8)
FOURIER(fourier_f64_16, double, double2, 16)

// ---- A network that sorts N numbers of a thread ----
template <typename T, int N> __device__ __forceinline__ void network(T *data, int n)
{
    T v[N];
    int t = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int i = 0; i < N; i++)
        v[i] = data[t + i * n];
#pragma unroll
    for (int k = 2; k <= N; k *= 2)
#pragma unroll
        for (int j = k / 2; j > 0; j /= 2)
#pragma unroll
            for (int i = 0; i < N; i++)
                if ((i ^ j) > i) {
                    T low = min(v[i], v[i ^ j]), high = max(v[i], v[i ^ j]);
                    v[i] = i & k ? high : low;
                    v[i ^ j] = i & k ? low : high;
                }
#pragma unroll
    for (int i = 0; i < N; i++)
        data[t + i * n] = v[i];
}
#define NETWORK(name, T, N)                                                                                            \
    extern "C" __global__ void name(T *data, int n) { network<T, N>(data, n); }
NETWORK(network_s32_8, int, 8)
NETWORK(network_s32_16, int, 16)
NETWORK(network_f32_32, float, 32)
NETWORK(network_s32_64, int, 64)

// ---- Sums of a whole neighbourhood, unrolled; and of many arrays ----
template <typename T, int R> __device__ __forceinline__ void cube(T *out, const T *__restrict__ in, const T *w, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + R, y = blockIdx.y * blockDim.y + threadIdx.y + R, z = blockIdx.z + R;
    T sum = 0;
#pragma unroll
    for (int k = -R; k <= R; k++)
#pragma unroll
        for (int j = -R; j <= R; j++)
#pragma unroll
            for (int i = -R; i <= R; i++)
                sum += w[i * i + j * j + k * k] * in[((z + k) * n + y + j) * n + x + i];
    out[(z * n + y) * n + x] = sum;
}
extern "C" __global__ void cube_f32_1(float *o, const float *i, const float *w, int n) { cube<float, 1>(o, i, w, n); }
extern "C" __global__ void cube_f64_1(double *o, const double *i, const double *w, int n) { cube<double, 1>(o, i, w, n); }
extern "C" __global__ void cube_f32_2(float *o, const float *i, const float *w, int n) { cube<float, 2>(o, i, w, n); }
extern "C" __global__ void star_march(double *out, const double *__restrict__ in, int n, int depth)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 6, y = blockIdx.y * blockDim.y + threadIdx.y + 6, at = y * n + x;
    int plane = n * n;
    double column[13];
#pragma unroll
    for (int i = 0; i < 12; i++)
        column[i + 1] = in[at + i * plane];
    for (int z = 6; z < depth - 6; z++) {
#pragma unroll
        for (int i = 0; i < 12; i++)
            column[i] = column[i + 1];
        column[12] = in[at + (z + 6) * plane];
        double sum = 0.5 * column[6];
#pragma unroll
        for (int r = 1; r <= 6; r++)
            sum += (0.1 / r) * (column[6 - r] + column[6 + r] + in[at + z * plane - r] + in[at + z * plane + r] +
                                in[at + z * plane - r * n] + in[at + z * plane + r * n]);
        out[at + z * plane] = sum;
    }
}
template <int N> __device__ __forceinline__ void streams(float *out, const float *in, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v[N], sum = 0, square = 0;
#pragma unroll
    for (int i = 0; i < N; i++)
        sum += v[i] = in[t + i * n];
#pragma unroll
    for (int i = 0; i < N; i++)
        square += (v[i] - sum / N) * (v[i] - sum / N);
#pragma unroll
    for (int i = 0; i < N; i++)
        out[t + i * n] = v[i] * rsqrtf(square);
}
extern "C" __global__ void streams_8(float *out, const float *in, int n) { streams<8>(out, in, n); }
extern "C" __global__ void streams_24(float *out, const float *in, int n) { streams<24>(out, in, n); }
extern "C" __global__ void streams_72(float *out, const float *in, int n) { streams<72>(out, in, n); }
extern "C" __global__ void single_sum_48(float *out, const float *in, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 48; i++)
        sum += in[t + i * n];
    out[t] = sum;
}
extern "C" __global__ void single_sum_restrict_48(float *out, const float *__restrict__ in, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 48; i++)
        sum += in[t + i * 1024] * (float)i;
    out[t] = sum;
}

// ---- Hashes and ciphers ----
__device__ __forceinline__ unsigned turn(unsigned x, int n) { return x << n | x >> (32 - n); }
extern "C" __global__ void mixing(unsigned *out, const unsigned *in, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned s[16], k[16];
#pragma unroll
    for (int i = 0; i < 16; i++)
        k[i] = s[i] = in[t * 16 + i];
    for (int r = 0; r < n; r++) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            s[i] += s[i + 4], s[i + 12] = turn(s[i + 12] ^ s[i], 16);
            s[i + 8] += s[i + 12], s[i + 4] = turn(s[i + 4] ^ s[i + 8], 12);
            s[i] += s[i + 4], s[i + 12] = turn(s[i + 12] ^ s[i], 8);
            s[i + 8] += s[i + 12], s[i + 4] = turn(s[i + 4] ^ s[i + 8], 7);
        }
    }
#pragma unroll
    for (int i = 0; i < 16; i++)
        out[t * 16 + i] = s[i] + k[i];
}
extern "C" __global__ void digest(unsigned *out, const unsigned *in)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned w[16], a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
#pragma unroll
    for (int i = 0; i < 16; i++)
        w[i] = in[t * 16 + i];
#pragma unroll
    for (int i = 0; i < 32; i++) {
        if (i >= 16)
            w[i & 15] += (turn(w[(i + 1) & 15], 25) ^ turn(w[(i + 1) & 15], 14) ^ w[(i + 1) & 15] >> 3) + w[(i + 9) & 15] +
                         (turn(w[(i + 14) & 15], 15) ^ turn(w[(i + 14) & 15], 13) ^ w[(i + 14) & 15] >> 10);
        unsigned x = h + (turn(e, 26) ^ turn(e, 21) ^ turn(e, 7)) + (g ^ (e & (f ^ g))) + w[i & 15] + 0x9e3779b9u * i;
        unsigned y = (turn(a, 30) ^ turn(a, 19) ^ turn(a, 10)) + ((a & b) | (c & (a | b)));
        h = g, g = f, f = e, e = d + x, d = c, c = b, b = a, a = x + y;
    }
    unsigned all[8] = {a, b, c, d, e, f, g, h};
#pragma unroll
    for (int i = 0; i < 8; i++)
        out[t * 8 + i] = all[i];
}
extern "C" __global__ void sponge(unsigned long long *out, const unsigned long long *in)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long s[25], c[5];
#pragma unroll
    for (int i = 0; i < 25; i++)
        s[i] = in[t * 25 + i];
    for (int r = 0; r < 24; r++) {
#pragma unroll
        for (int i = 0; i < 5; i++)
            c[i] = s[i] ^ s[i + 5] ^ s[i + 10] ^ s[i + 15] ^ s[i + 20];
#pragma unroll
        for (int i = 0; i < 5; i++) {
            unsigned long long d = c[(i + 4) % 5] ^ (c[(i + 1) % 5] << 1 | c[(i + 1) % 5] >> 63);
#pragma unroll
            for (int j = 0; j < 25; j += 5)
                s[i + j] ^= d;
        }
        unsigned long long last = s[1];
#pragma unroll
        for (int i = 0; i < 24; i++) {
            int to = (i * 7 + 10) % 25, by = (i * 11 + 1) % 63 + 1;
            unsigned long long next = s[to];
            s[to] = last << by | last >> (64 - by);
            last = next;
        }
#pragma unroll
        for (int j = 0; j < 25; j += 5) {
#pragma unroll
            for (int i = 0; i < 5; i++)
                c[i] = s[j + i];
#pragma unroll
            for (int i = 0; i < 5; i++)
                s[j + i] = c[i] ^ (~c[(i + 1) % 5] & c[(i + 2) % 5]);
        }
        s[0] ^= r;
    }
#pragma unroll
    for (int i = 0; i < 25; i++)
        out[t * 25 + i] = s[i];
}

// ---- Small dense matrices, one a thread ----
template <typename T, int N> __device__ __forceinline__ void factor(T *data, int n)
{
    T m[N][N];
    int t = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int i = 0; i < N * N; i++)
        m[i / N][i % N] = data[t + i * n];
#pragma unroll
    for (int k = 0; k < N; k++)
#pragma unroll
        for (int i = k + 1; i < N; i++) {
            m[i][k] *= (T)1 / m[k][k];
#pragma unroll
            for (int j = k + 1; j < N; j++)
                m[i][j] -= m[i][k] * m[k][j];
        }
#pragma unroll
    for (int i = 0; i < N * N; i++)
        data[t + i * n] = m[i / N][i % N];
}
extern "C" __global__ void factor_f32_4(float *data, int n) { factor<float, 4>(data, n); }
extern "C" __global__ void factor_f32_8(float *data, int n) { factor<float, 8>(data, n); }
extern "C" __global__ void factor_f64_3(double *data, int n) { factor<double, 3>(data, n); }
extern "C" __global__ void factor_f64_6(double *data, int n) { factor<double, 6>(data, n); }
template <typename T, int N> __device__ __forceinline__ void filter(T *x, T *p, const T *f, const T *h, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    T q[N][N], u[N][N];
#pragma unroll
    for (int i = 0; i < N; i++)
#pragma unroll
        for (int j = 0; j < N; j++)
            q[i][j] = p[(i * N + j) * n + t];
#pragma unroll
    for (int i = 0; i < N; i++)
#pragma unroll
        for (int j = 0; j < N; j++) {
            u[i][j] = 0;
#pragma unroll
            for (int k = 0; k < N; k++)
                u[i][j] += f[i * N + k] * q[k][j];
        }
    T s = (T)1;
#pragma unroll
    for (int i = 0; i < N; i++)
        s += h[i] * u[i][i];
#pragma unroll
    for (int i = 0; i < N; i++) {
        x[i * n + t] += u[i][0] / s;
#pragma unroll
        for (int j = 0; j < N; j++)
            p[(i * N + j) * n + t] = u[i][j] - u[i][0] * u[0][j] / s;
    }
}
extern "C" __global__ void filter_f32_4(float *x, float *p, const float *f, const float *h, int n) { filter<float, 4>(x, p, f, h, n); }
extern "C" __global__ void filter_f64_4(double *x, double *p, const double *f, const double *h, int n) { filter<double, 4>(x, p, f, h, n); }

// ---- Long formulas: rates of reactions, fluxes, lattices, sums of exponentials ----
template <typename T, int S, int R> __device__ __forceinline__ void rates(T *out, const T *in, const T *temperature, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    T y[S], w[S], heat = temperature[t], inverse = (T)1 / heat, logarithm = log(heat);
#pragma unroll
    for (int i = 0; i < S; i++) {
        y[i] = in[t + i * n];
        w[i] = 0;
    }
#pragma unroll
    for (int r = 0; r < R; r++) {
        T forward = exp((T)(3.1 + .7 * r) + (T)(.3 * (r % 5)) * logarithm - (T)(11.5 * (r % 7)) * inverse);
        T back = forward * exp((T)(-1.5 * (r % 3)) + (T)(7. * (r % 4)) * inverse);
        int a = r % S, b = (r * 3 + 1) % S, c = (r * 5 + 2) % S, d = (r * 7 + 3) % S;
        T rate = forward * y[a] * y[b] - back * y[c] * y[d];
        w[a] -= rate;
        w[b] -= rate;
        w[c] += rate;
        w[d] += rate;
    }
#pragma unroll
    for (int i = 0; i < S; i++)
        out[t + i * n] = w[i];
}
extern "C" __global__ void rates_f32_8(float *o, const float *i, const float *h, int n) { rates<float, 8, 12>(o, i, h, n); }
extern "C" __global__ void rates_f32_24(float *o, const float *i, const float *h, int n) { rates<float, 24, 32>(o, i, h, n); }
extern "C" __global__ void rates_f64_10(double *o, const double *i, const double *h, int n) { rates<double, 10, 10>(o, i, h, n); }
template <typename T> __device__ __forceinline__ void fluxes(T *out, const T *u, const int *neighbour, const T *normal, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    T q[5], f[5] = {};
#pragma unroll
    for (int i = 0; i < 5; i++)
        q[i] = u[t + i * n];
    T vx = q[1] / q[0], vy = q[2] / q[0], vz = q[3] / q[0];
    T p = (T)0.4 * (q[4] - (T)0.5 * q[0] * (vx * vx + vy * vy + vz * vz)), speed = sqrt((T)1.4 * p / q[0]);
#pragma unroll
    for (int side = 0; side < 4; side++) {
        int other = neighbour[t + side * n];
        T nx = normal[t + (side * 3) * n], ny = normal[t + (side * 3 + 1) * n], nz = normal[t + (side * 3 + 2) * n];
        if (other >= 0) {
            T r[5];
#pragma unroll
            for (int i = 0; i < 5; i++)
                r[i] = u[other + i * n];
            T wx = r[1] / r[0], wy = r[2] / r[0], wz = r[3] / r[0];
            T pr = (T)0.4 * (r[4] - (T)0.5 * r[0] * (wx * wx + wy * wy + wz * wz));
            T s = (T)0.5 * (speed + sqrt((T)1.4 * pr / r[0]) + sqrt(vx * vx + vy * vy + vz * vz));
            T left = vx * nx + vy * ny + vz * nz, right = wx * nx + wy * ny + wz * nz;
            f[0] += (T)0.5 * (q[0] * left + r[0] * right) - s * (r[0] - q[0]);
            f[1] += (T)0.5 * (q[1] * left + r[1] * right + (p + pr) * nx) - s * (r[1] - q[1]);
            f[2] += (T)0.5 * (q[2] * left + r[2] * right + (p + pr) * ny) - s * (r[2] - q[2]);
            f[3] += (T)0.5 * (q[3] * left + r[3] * right + (p + pr) * nz) - s * (r[3] - q[3]);
            f[4] += (T)0.5 * ((q[4] + p) * left + (r[4] + pr) * right) - s * (r[4] - q[4]);
        } else {
            f[1] += p * nx;
            f[2] += p * ny;
            f[3] += p * nz;
        }
    }
#pragma unroll
    for (int i = 0; i < 5; i++)
        out[t + i * n] = f[i];
}
extern "C" __global__ void fluxes_f32(float *o, const float *u, const int *e, const float *w, int n) { fluxes(o, u, e, w, n); }
extern "C" __global__ void fluxes_f64(double *o, const double *u, const int *e, const double *w, int n) { fluxes(o, u, e, w, n); }
template <typename T, int Q> __device__ __forceinline__ void lattice(T *out, const T *in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z, at = (z * n + y) * n + x, all = n * n * n;
    T f[Q], rho = 0, ux = 0, uy = 0, uz = 0;
#pragma unroll
    for (int q = 0; q < Q; q++) {
        int cx = q % 3 - 1, cy = q / 3 % 3 - 1, cz = q / 9 - 1;
        f[q] = in[q * all + at - cx - cy * n - cz * n * n];
        rho += f[q];
        ux += cx * f[q], uy += cy * f[q], uz += cz * f[q];
    }
    ux /= rho, uy /= rho, uz /= rho;
    T square = (T)1 - (T)1.5 * (ux * ux + uy * uy + uz * uz);
#pragma unroll
    for (int q = 0; q < Q; q++) {
        T cu = (T)3 * ((q % 3 - 1) * ux + (q / 3 % 3 - 1) * uy + (q / 9 - 1) * uz);
        out[q * all + at] = f[q] - (T)0.6 * (f[q] - (T)(1. / Q) * rho * (square + cu + (T)0.5 * cu * cu));
    }
}
extern "C" __global__ void lattice_f32_9(float *o, const float *i, int n) { lattice<float, 9>(o, i, n); }
extern "C" __global__ void lattice_f32_27(float *o, const float *i, int n) { lattice<float, 27>(o, i, n); }
extern "C" __global__ void lattice_f64_27(double *o, const double *i, int n) { lattice<double, 27>(o, i, n); }

// ---- Many independent chains ----
template <typename T, int N> __device__ __forceinline__ void chains(T *out, T a, T b, int n)
{
    T v[N];
#pragma unroll
    for (int i = 0; i < N; i++)
        v[i] = (T)threadIdx.x + (T)i;
    for (int k = 0; k < n; k++)
#pragma unroll
        for (int i = 0; i < N; i++)
            v[i] = v[i] * a + b;
    T sum = 0;
#pragma unroll
    for (int i = 0; i < N; i++)
        sum += v[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
extern "C" __global__ void chains_f32_16(float *o, float a, float b, int n) { chains<float, 16>(o, a, b, n); }
extern "C" __global__ void chains_f32_64(float *o, float a, float b, int n) { chains<float, 64>(o, a, b, n); }
extern "C" __global__ void chains_f64_24(double *o, double a, double b, int n) { chains<double, 24>(o, a, b, n); }
extern "C" __global__ void bodies(float4 *out, const float4 *in, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float4 own[4], sum[4] = {};
#pragma unroll
    for (int i = 0; i < 4; i++)
        own[i] = in[t * 4 + i];
    for (int k = 0; k < n; k += 4) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float4 other = in[k + j];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float x = other.x - own[i].x, y = other.y - own[i].y, z = other.z - own[i].z;
                float inverse = rsqrtf(x * x + y * y + z * z + 1e-6f), s = other.w * inverse * inverse * inverse;
                sum[i].x += s * x, sum[i].y += s * y, sum[i].z += s * z, sum[i].w += s;
            }
        }
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        out[t * 4 + i] = sum[i];
}
extern "C" __global__ void spectrum(double *out, const double *in, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    double x = in[t], sum = 0;
#pragma unroll
    for (int k = 1; k <= 3; k++)
        sum += sin(k * x) * exp(-.1 * k * x) + pow(x, .3 * k) + log(1 + k * x);
    out[t] = sum;
}
extern "C" __global__ void angles(float *out, const float *in, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v[8], sum = 0;
#pragma unroll
    for (int i = 0; i < 8; i++)
        v[i] = in[t + i * n];
#pragma unroll
    for (int i = 0; i < 8; i++)
        sum += sinf(v[i]) * cosf(v[(i + 3) % 8] * (float)i);
#pragma unroll
    for (int i = 0; i < 8; i++)
        out[t + i * n] = v[i] * sum;
}
extern "C" __global__ void blocks8(float *out, const float *in, int width)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v[8][8];
#pragma unroll
    for (int i = 0; i < 64; i++)
        v[i / 8][i % 8] = in[(t / (width / 8) * 8 + i / 8) * width + t % (width / 8) * 8 + i % 8];
#pragma unroll
    for (int pass = 0; pass < 2; pass++)
#pragma unroll
        for (int r = 0; r < 8; r++) {
            float w[8];
#pragma unroll
            for (int k = 0; k < 8; k++) {
                w[k] = 0;
#pragma unroll
                for (int i = 0; i < 8; i++)
                    w[k] += (pass ? v[i][r] : v[r][i]) * (float)cosine(3.14159265358979 * ((2 * i + 1) * k % 32 <= 16 ? (2 * i + 1) * k % 32 : 32 - (2 * i + 1) * k % 32) / 16);
            }
#pragma unroll
            for (int k = 0; k < 8; k++)
                (pass ? v[k][r] : v[r][k]) = w[k];
        }
#pragma unroll
    for (int i = 0; i < 64; i++)
        out[(t / (width / 8) * 8 + i / 8) * width + t % (width / 8) * 8 + i % 8] = v[i / 8][i % 8];
}
extern "C" __global__ void philox(uint4 *out, unsigned key0, unsigned key1, int n)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < n; i++) {
        unsigned c[4][4];
#pragma unroll
        for (int j = 0; j < 4; j++)
            c[j][0] = t, c[j][1] = i * 4 + j, c[j][2] = 0, c[j][3] = 0;
#pragma unroll
        for (int r = 0; r < 7; r++)
#pragma unroll
            for (int j = 0; j < 4; j++) {
                unsigned h0 = __umulhi(0xD2511F53u, c[j][0]), l0 = 0xD2511F53u * c[j][0];
                unsigned h1 = __umulhi(0xCD9E8D57u, c[j][2]), l1 = 0xCD9E8D57u * c[j][2];
                c[j][0] = h1 ^ c[j][1] ^ (key0 + r * 0x9E3779B9u);
                c[j][1] = l1;
                c[j][2] = h0 ^ c[j][3] ^ (key1 + r * 0xBB67AE85u);
                c[j][3] = l0;
            }
#pragma unroll
        for (int j = 0; j < 4; j++)
            out[(t * n + i) * 4 + j] = make_uint4(c[j][0], c[j][1], c[j][2], c[j][3]);
    }
}
