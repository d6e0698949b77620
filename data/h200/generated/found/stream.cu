/* A grid-stride loop of any length over one to three arrays, with vectors or unrolled.  Written by scripts/device/write-generated. */

extern "C" __global__ void stream_0(const float *__restrict__ a0, const float *__restrict__ a1, float *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        float x1 = a1[i];
        r = ((((r * 1.5f + 1.25f) * 0.25f + 0.75f) * 0.75f + 0.25f) * 0.5f + 1.25f);
        r = r * 0.25f + x1;
        r = r * 0.001f;
        out[i] = r;
    }
}

extern "C" __global__ void stream_2(const float4 *__restrict__ a0, const float4 *__restrict__ a1, float4 *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    #pragma unroll 2
    for (int i = first; i < n; i += step) {
        float4 r = a0[i];
        float4 x1 = a1[i];
        r.x = (((((r.x * 0.75f + 0.75f)) * 0.25f) * 0.5f + 0.75f) * 0.75f + 1.5f);
        r.x = r.x * 1.5f + x1.x;
        r.x = r.x * 0.001f;
        r.y = r.y;
        r.y = r.y * 0.75f + x1.y;
        r.y = r.y * 0.001f;
        r.z = (r.z * 1.25f + 0.5f);
        r.z = r.z * 0.75f + x1.z;
        r.z = r.z * 0.001f;
        r.w = ((((((((((((r.w * 0.5f + 0.75f) * 0.25f + 1.25f)) * 1.5f) * 1.5f + 0.25f) * 1.25f + 0.25f)) * 0.25f)) * 0.5f)) * 0.25f);
        r.w = r.w * 0.5f + x1.w;
        r.w = r.w * 0.001f;
        out[i] = r;
    }
}

extern "C" __global__ void stream_4(const float *__restrict__ a0, const float *__restrict__ a1, float *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    #pragma unroll 4
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        float x1 = a1[i];
        r = (r * 1.25f + 0.25f);
        r = r * 0.5f + x1;
        r = r * 0.001f;
        out[i] = r;
    }
}

extern "C" __global__ void stream_6(const float *__restrict__ a0, const float *__restrict__ a1, float *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        float x1 = a1[i];
        r = (((r * 0.5f + 1.25f) * 0.5f + 1.25f) * 0.75f + 0.25f);
        r = r * 0.5f + x1;
        r = r * 0.001f;
        out[i] = r;
    }
}

extern "C" __global__ void stream_8(const float *__restrict__ a0, const float *__restrict__ a1, const float *__restrict__ a2, float *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    #pragma unroll 4
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        float x1 = a1[i];
        float x2 = a2[i];
        r = ((((((r) * 0.75f) * 1.25f + 1.5f)) * 0.25f) * 0.75f + 0.5f);
        r = r * 0.25f + x1;
        r = r * 0.5f + x2;
        r = r * 0.001f;
        out[i] = r;
    }
}

extern "C" __global__ void stream_10(float2 *a0, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += step) {
        float2 r = a0[i];
        r.x = ((r.x) * 0.75f);
        r.x = r.x * 0.001f;
        r.y = r.y;
        r.y = r.y * 0.001f;
        a0[i] = r;
    }
}

extern "C" __global__ void stream_12(const float *__restrict__ a0, const float *__restrict__ a1, float *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    #pragma unroll 8
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        float x1 = a1[i];
        r = r;
        r = r * 1.5f + x1;
        r = r * 0.001f;
        out[i] = r;
    }
}

extern "C" __global__ void stream_14(const double *__restrict__ a0, const double *__restrict__ a1, double *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += step) {
        double r = a0[i];
        double x1 = a1[i];
        r = (((r * 0.5 + 0.25) * 0.75 + 0.5) * 0.75 + 1.5);
        r = r * 1.5 + x1;
        r = r * 0.001;
        out[i] = r;
    }
}

extern "C" __global__ void stream_16(float *a0, const float *__restrict__ a1, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    #pragma unroll 8
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        float x1 = a1[i];
        r = (((((((((((((((((((((((((((((((((((((((r) * 0.25f) * 1.25f + 0.5f) * 0.5f + 0.5f) * 0.75f + 0.25f) * 0.25f + 1.25f) * 0.5f + 0.75f)) * 0.75f)) * 0.25f)) * 0.5f) * 1.25f + 1.5f)) * 1.25f) * 0.25f + 1.25f) * 0.5f + 1.5f) * 1.25f + 0.5f)) * 0.25f) * 0.25f + 0.25f)) * 0.25f)) * 1.5f) * 0.5f + 1.5f)) * 0.5f) * 1.25f + 0.75f)) * 1.5f) * 0.25f + 0.5f) * 1.5f + 0.5f)) * 0.25f)) * 0.75f) * 0.75f + 1.25f);
        r = r * 1.5f + x1;
        r = r * 0.001f;
        a0[i] = r;
    }
}

extern "C" __global__ void stream_18(float *a0, const float *__restrict__ a1, const float *__restrict__ a2, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    #pragma unroll 2
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        float x1 = a1[i];
        float x2 = a2[i];
        r = ((((r) * 0.5f)) * 0.25f);
        r = r * 1.25f + x1;
        r = r * 0.75f + x2;
        r = r * 0.001f;
        a0[i] = r;
    }
}

extern "C" __global__ void stream_20(float *a0, const float *__restrict__ a1, const float *__restrict__ a2, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        float x1 = a1[i];
        float x2 = a2[i];
        r = (((((((((((((r * 1.5f + 0.25f)) * 0.25f) * 0.25f + 0.75f)) * 0.75f)) * 1.25f) * 1.25f + 0.5f) * 0.5f + 0.25f) * 1.5f + 1.5f) * 0.75f + 1.25f) * 0.25f + 1.25f);
        r = r * 0.75f + x1;
        r = r * 0.5f + x2;
        r = r * 0.001f;
        a0[i] = r;
    }
}

extern "C" __global__ void stream_22(const float *__restrict__ a0, const float *__restrict__ a1, const float *__restrict__ a2, float *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        float x1 = a1[i];
        float x2 = a2[i];
        r = (((((((((r) * 0.5f) * 0.25f + 0.5f)) * 0.5f)) * 0.25f) * 0.5f + 1.25f) * 1.5f + 1.5f);
        r = r * 1.5f + x1;
        r = r * 1.5f + x2;
        r = r * 0.001f;
        out[i] = r;
    }
}

extern "C" __global__ void stream_24(const float *__restrict__ a0, const float *__restrict__ a1, float *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        float x1 = a1[i];
        r = (((((r * 1.25f + 0.25f)) * 1.25f) * 0.75f + 0.5f) * 1.25f + 1.5f);
        r = r * 0.25f + x1;
        r = r * 0.001f;
        out[i] = r;
    }
}

extern "C" __global__ void stream_26(const float4 *__restrict__ a0, const float4 *__restrict__ a1, float4 *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += step) {
        float4 r = a0[i];
        float4 x1 = a1[i];
        r.x = (((r.x * 0.25f + 1.25f) * 0.25f + 1.25f) * 1.5f + 1.5f);
        r.x = r.x * 1.25f + x1.x;
        r.x = r.x * 0.001f;
        r.y = (((r.y * 0.5f + 0.5f) * 0.5f + 0.5f) * 0.75f + 1.25f);
        r.y = r.y * 0.75f + x1.y;
        r.y = r.y * 0.001f;
        r.z = ((((((r.z * 1.5f + 1.25f)) * 0.5f) * 1.5f + 0.5f) * 0.25f + 0.5f) * 1.5f + 0.25f);
        r.z = r.z * 1.25f + x1.z;
        r.z = r.z * 0.001f;
        r.w = (((r.w * 0.25f + 1.25f) * 1.25f + 0.5f) * 0.75f + 1.5f);
        r.w = r.w * 1.5f + x1.w;
        r.w = r.w * 0.001f;
        out[i] = r;
    }
}

extern "C" __global__ void stream_28(const float *__restrict__ a0, const float *__restrict__ a1, const float *__restrict__ a2, float *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        float x1 = a1[i];
        float x2 = a2[i];
        r = (((r * 0.25f + 0.75f) * 0.5f + 1.5f) * 1.25f + 0.25f);
        r = r * 1.5f + x1;
        r = r * 1.5f + x2;
        r = r * 0.001f;
        out[i] = r;
    }
}

extern "C" __global__ void stream_30(const float *__restrict__ a0, const float *__restrict__ a1, float *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    #pragma unroll 4
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        float x1 = a1[i];
        r = (((((((((r * 0.75f + 1.5f) * 0.5f + 0.25f) * 0.75f + 0.75f) * 1.25f + 0.75f) * 1.5f + 0.75f) * 0.25f + 0.25f) * 0.5f + 0.75f)) * 0.75f);
        r = r * 0.5f + x1;
        r = r * 0.001f;
        out[i] = r;
    }
}

extern "C" __global__ void stream_32(const float *__restrict__ a0, const float *__restrict__ a1, const float *__restrict__ a2, float *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        float x1 = a1[i];
        float x2 = a2[i];
        r = ((((((r) * 1.5f) * 1.25f + 0.25f)) * 1.5f) * 0.5f + 0.75f);
        r = r * 0.5f + x1;
        r = r * 0.5f + x2;
        r = r * 0.001f;
        out[i] = r;
    }
}
