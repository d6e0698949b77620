/* The kernels of scripts/device/textures.cu whose times data/h200/textures has.
 * nvcc -O2 -arch=sm_90 -ptx fetches.cu */
enum { TIMES = 256 };

template <typename T> __device__ void linear(cudaTextureObject_t texture, int size, float *out)
{
    float sum = 0;
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < TIMES; i++, at += 32) {
        T texel = tex1Dfetch<T>(texture, at & (size - 1));
        sum += *(float *)&texel;
    }
    if (sum == 123.0f)
        out[0] = sum;
}

extern "C" {
__global__ void linear_f32(cudaTextureObject_t texture, int size, float *out) { linear<float>(texture, size, out); }
__global__ void linear_f32x2(cudaTextureObject_t texture, int size, float *out) { linear<float2>(texture, size, out); }
__global__ void linear_f32x4(cudaTextureObject_t texture, int size, float *out) { linear<float4>(texture, size, out); }

__global__ void plane(cudaTextureObject_t texture, int size, int apart, float *out)
{
    float sum = 0;
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < TIMES; i++, at += 32)
        sum += tex2D<float>(texture, at & (size - 1), (at * apart + i) & (size - 1));
    if (sum == 123.0f)
        out[0] = sum;
}
}
