/* Many small matrices. */

struct Sym3 {
    float xx, xy, xz, yy, yz, zz;
};

__device__ static void rotate(float &app, float &aqq, float &apq, float &arp, float &arq, float *vp, float *vq)
{
    const float tau = (aqq - app) / (2.0f * apq + 1e-30f);
    const float t = copysignf(1.0f, tau) / (fabsf(tau) + sqrtf(1.0f + tau * tau));
    const float c = rsqrtf(1.0f + t * t), s = t * c;
    app -= t * apq;
    aqq += t * apq;
    apq = 0.0f;
    const float rp = arp, rq = arq;
    arp = c * rp - s * rq;
    arq = s * rp + c * rq;
    for (int i = 0; i < 3; i++) {
        const float p = vp[i], q = vq[i];
        vp[i] = c * p - s * q;
        vq[i] = s * p + c * q;
    }
}

/* Eigenvalues and vectors of symmetric tensors, by four sweeps of Jacobi's rotations. */
extern "C" __global__ void eigen_symmetric3(const Sym3 *__restrict__ tensors, float *__restrict__ values, float *__restrict__ vectors, int n)
{
    const int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n)
        return;
    Sym3 a = tensors[i];
    float v0[3] = {1, 0, 0}, v1[3] = {0, 1, 0}, v2[3] = {0, 0, 1};
    for (int sweep = 0; sweep < 4; sweep++) {
        rotate(a.xx, a.yy, a.xy, a.xz, a.yz, v0, v1);
        rotate(a.xx, a.zz, a.xz, a.xy, a.yz, v0, v2);
        rotate(a.yy, a.zz, a.yz, a.xy, a.xz, v1, v2);
    }
    values[i] = a.xx;
    values[n + i] = a.yy;
    values[2 * n + i] = a.zz;
    for (int j = 0; j < 3; j++) {
        vectors[(0 + j) * n + i] = v0[j];
        vectors[(3 + j) * n + i] = v1[j];
        vectors[(6 + j) * n + i] = v2[j];
    }
}

/* Cholesky's factor of 32 x 32: a warp a matrix, a row a lane, in registers. */
extern "C" __global__ void __launch_bounds__(128) potrf_warp32(float *matrices, int *info, int batch)
{
    const int matrix = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (matrix >= batch)
        return;
    float *a = matrices + (size_t)matrix * 1024;
    float row[32];
#pragma unroll
    for (int c = 0; c < 32; c++)
        row[c] = a[c * 32 + lane];
    int bad = 0;
#pragma unroll
    for (int k = 0; k < 32; k++) {
        const float pivot = __shfl_sync(0xffffffff, row[k], k);
        bad |= pivot <= 0.0f;
        const float inverse = rsqrtf(pivot);
        row[k] = lane >= k ? row[k] * inverse : 0.0f;
#pragma unroll
        for (int j = k + 1; j < 32; j++)
            row[j] -= row[k] * __shfl_sync(0xffffffff, row[k], j);
    }
#pragma unroll
    for (int c = 0; c < 32; c++)
        a[c * 32 + lane] = row[c];
    if (lane == 0)
        info[matrix] = bad;
}
