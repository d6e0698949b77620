/* A grid-stride loop of any length over one to three arrays, with vectors or unrolled.  Written by scripts/device/write-generated. */

extern "C" __global__ void stream_1(const float *__restrict__ a0, const float *__restrict__ a1, float *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        float x1 = a1[i];
        r = (r * 1.5f + 0.5f);
        r = r * 0.25f + x1;
        r = r * 0.001f;
        out[i] = r;
    }
}

extern "C" __global__ void stream_3(float4 *a0, const float4 *__restrict__ a1, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += step) {
        float4 r = a0[i];
        float4 x1 = a1[i];
        r.x = (((r.x * 0.5f + 0.5f)) * 0.25f);
        r.x = r.x * 0.5f + x1.x;
        r.x = r.x * 0.001f;
        r.y = r.y;
        r.y = r.y * 0.5f + x1.y;
        r.y = r.y * 0.001f;
        r.z = ((((((r.z) * 0.75f) * 0.5f + 0.25f) * 1.5f + 0.75f) * 0.5f + 0.5f) * 0.75f + 0.75f);
        r.z = r.z * 0.75f + x1.z;
        r.z = r.z * 0.001f;
        r.w = r.w;
        r.w = r.w * 1.25f + x1.w;
        r.w = r.w * 0.001f;
        a0[i] = r;
    }
}

extern "C" __global__ void stream_5(const float2 *__restrict__ a0, const float2 *__restrict__ a1, float2 *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    #pragma unroll 2
    for (int i = first; i < n; i += step) {
        float2 r = a0[i];
        float2 x1 = a1[i];
        r.x = ((((((((((((((((((((((r.x * 1.25f + 0.5f) * 1.25f + 1.25f) * 1.5f + 0.5f) * 0.75f + 0.75f) * 0.25f + 0.25f) * 1.5f + 1.25f)) * 1.5f) * 1.5f + 0.25f) * 1.5f + 1.5f)) * 1.5f) * 0.25f + 0.5f)) * 0.5f) * 0.25f + 0.5f)) * 0.5f)) * 1.25f)) * 1.25f);
        r.x = r.x * 1.5f + x1.x;
        r.x = r.x * 0.001f;
        r.y = ((r.y * 0.75f + 0.5f) * 0.25f + 1.25f);
        r.y = r.y * 0.25f + x1.y;
        r.y = r.y * 0.001f;
        out[i] = r;
    }
}

extern "C" __global__ void stream_7(const double2 *__restrict__ a0, double2 *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += step) {
        double2 r = a0[i];
        r.x = ((((((((((((((r.x * 0.5 + 1.25)) * 0.25) * 0.25 + 1.25) * 1.5 + 0.75)) * 1.5)) * 0.75)) * 0.5) * 0.5 + 1.5)) * 0.25);
        r.x = r.x * 0.001;
        r.y = (((((((((((((((((((((((((((((((((r.y * 1.25 + 0.25) * 0.5 + 0.75) * 1.5 + 0.25) * 0.25 + 0.75) * 0.75 + 0.25) * 0.75 + 1.5) * 0.75 + 0.25) * 1.5 + 0.75) * 0.75 + 1.25) * 0.25 + 1.25) * 0.25 + 0.5) * 1.5 + 0.75) * 0.75 + 0.25) * 1.5 + 0.5) * 0.25 + 1.25)) * 1.5) * 0.75 + 0.75) * 0.25 + 0.25) * 0.75 + 0.25)) * 0.25) * 1.5 + 0.75) * 0.75 + 0.5) * 0.75 + 1.5) * 0.75 + 1.25) * 1.5 + 1.5) * 0.5 + 0.25) * 1.5 + 1.25) * 0.25 + 0.5) * 1.25 + 0.75) * 0.25 + 1.25) * 1.5 + 0.25);
        r.y = r.y * 0.001;
        out[i] = r;
    }
}

extern "C" __global__ void stream_9(float *a0, const float *__restrict__ a1, const float *__restrict__ a2, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    #pragma unroll 2
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        float x1 = a1[i];
        float x2 = a2[i];
        r = ((r * 0.5f + 1.25f) * 1.25f + 0.25f);
        r = r * 0.25f + x1;
        r = r * 1.25f + x2;
        r = r * 0.001f;
        a0[i] = r;
    }
}

extern "C" __global__ void stream_11(const float *__restrict__ a0, const float *__restrict__ a1, float *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        float x1 = a1[i];
        r = (((((((((((((((((r) * 0.5f) * 0.25f + 1.5f)) * 1.5f) * 1.5f + 1.5f) * 1.5f + 0.25f) * 0.5f + 0.75f) * 0.75f + 0.75f)) * 0.25f)) * 1.25f)) * 0.75f) * 0.75f + 0.75f) * 0.5f + 1.25f);
        r = r * 0.5f + x1;
        r = r * 0.001f;
        out[i] = r;
    }
}

extern "C" __global__ void stream_13(const float4 *__restrict__ a0, const float4 *__restrict__ a1, float4 *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    #pragma unroll 4
    for (int i = first; i < n; i += step) {
        float4 r = a0[i];
        float4 x1 = a1[i];
        r.x = r.x;
        r.x = r.x * 0.25f + x1.x;
        r.x = r.x * 0.001f;
        r.y = ((r.y * 0.5f + 1.5f) * 1.25f + 0.5f);
        r.y = r.y * 0.75f + x1.y;
        r.y = r.y * 0.001f;
        r.z = (r.z * 0.25f + 0.75f);
        r.z = r.z * 0.75f + x1.z;
        r.z = r.z * 0.001f;
        r.w = r.w;
        r.w = r.w * 0.75f + x1.w;
        r.w = r.w * 0.001f;
        out[i] = r;
    }
}

extern "C" __global__ void stream_15(float *a0, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    #pragma unroll 2
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        r = ((r * 1.25f + 1.25f) * 1.5f + 0.5f);
        r = r * 0.001f;
        a0[i] = r;
    }
}

extern "C" __global__ void stream_17(float *a0, const float *__restrict__ a1, const float *__restrict__ a2, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    #pragma unroll 2
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        float x1 = a1[i];
        float x2 = a2[i];
        r = ((((((((((((r * 0.5f + 0.5f) * 1.5f + 0.75f) * 0.25f + 1.5f) * 0.25f + 1.25f) * 1.25f + 1.5f)) * 0.75f) * 0.5f + 0.25f) * 0.75f + 1.5f)) * 0.25f) * 0.75f + 1.25f);
        r = r * 1.5f + x1;
        r = r * 0.25f + x2;
        r = r * 0.001f;
        a0[i] = r;
    }
}

extern "C" __global__ void stream_19(const float2 *__restrict__ a0, float2 *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += step) {
        float2 r = a0[i];
        r.x = ((r.x) * 1.5f);
        r.x = r.x * 0.001f;
        r.y = (((r.y) * 0.5f) * 0.25f + 1.5f);
        r.y = r.y * 0.001f;
        out[i] = r;
    }
}

extern "C" __global__ void stream_21(const double *__restrict__ a0, const double *__restrict__ a1, double *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += step) {
        double r = a0[i];
        double x1 = a1[i];
        r = (r * 1.5 + 0.5);
        r = r * 0.5 + x1;
        r = r * 0.001;
        out[i] = r;
    }
}

extern "C" __global__ void stream_23(const float *__restrict__ a0, const float *__restrict__ a1, const float *__restrict__ a2, float *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    #pragma unroll 4
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        float x1 = a1[i];
        float x2 = a2[i];
        r = r;
        r = r * 0.5f + x1;
        r = r * 0.25f + x2;
        r = r * 0.001f;
        out[i] = r;
    }
}

extern "C" __global__ void stream_25(float2 *a0, const float2 *__restrict__ a1, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    #pragma unroll 8
    for (int i = first; i < n; i += step) {
        float2 r = a0[i];
        float2 x1 = a1[i];
        r.x = (((((((((((r.x * 0.25f + 0.5f) * 1.5f + 0.5f) * 1.5f + 0.75f) * 1.5f + 0.75f) * 1.25f + 1.5f)) * 0.25f) * 1.25f + 1.5f) * 0.5f + 1.5f) * 0.5f + 0.75f) * 0.5f + 0.75f);
        r.x = r.x * 1.25f + x1.x;
        r.x = r.x * 0.001f;
        r.y = ((((((((((((((((((((r.y) * 0.5f)) * 1.5f) * 1.25f + 0.75f) * 0.5f + 0.5f) * 0.75f + 1.5f)) * 0.75f)) * 0.25f) * 0.25f + 0.75f) * 1.5f + 0.25f) * 0.75f + 1.25f)) * 1.5f) * 0.5f + 0.5f) * 0.75f + 0.5f) * 0.75f + 0.75f) * 0.5f + 1.5f);
        r.y = r.y * 0.25f + x1.y;
        r.y = r.y * 0.001f;
        a0[i] = r;
    }
}

extern "C" __global__ void stream_27(const float4 *__restrict__ a0, float4 *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += step) {
        float4 r = a0[i];
        r.x = (((r.x) * 1.25f) * 1.25f + 0.25f);
        r.x = r.x * 0.001f;
        r.y = r.y;
        r.y = r.y * 0.001f;
        r.z = (((((((((((r.z * 0.25f + 0.75f) * 0.75f + 0.5f)) * 1.5f) * 0.5f + 0.75f) * 0.5f + 0.25f) * 0.75f + 0.5f)) * 1.25f) * 0.25f + 1.25f) * 0.75f + 0.5f);
        r.z = r.z * 0.001f;
        r.w = (((((((((((((((((r.w) * 1.25f) * 1.25f + 1.25f) * 1.25f + 0.75f) * 0.5f + 0.5f)) * 1.5f)) * 1.5f) * 1.25f + 1.5f)) * 0.25f) * 0.5f + 0.25f) * 0.25f + 1.25f) * 0.25f + 0.5f)) * 0.25f);
        r.w = r.w * 0.001f;
        out[i] = r;
    }
}

extern "C" __global__ void stream_29(const float *__restrict__ a0, const float *__restrict__ a1, float *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    #pragma unroll 2
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        float x1 = a1[i];
        r = ((((r * 0.5f + 1.5f)) * 0.75f) * 0.75f + 0.25f);
        r = r * 0.75f + x1;
        r = r * 0.001f;
        out[i] = r;
    }
}

extern "C" __global__ void stream_31(const float *__restrict__ a0, float *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    #pragma unroll 8
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        r = r;
        r = r * 0.001f;
        out[i] = r;
    }
}

extern "C" __global__ void stream_33(const float *__restrict__ a0, const float *__restrict__ a1, float *__restrict__ out, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    #pragma unroll 8
    for (int i = first; i < n; i += step) {
        float r = a0[i];
        float x1 = a1[i];
        r = ((((((((((((r * 1.25f + 1.25f)) * 0.5f) * 0.75f + 0.25f) * 1.25f + 0.75f)) * 0.5f) * 0.25f + 0.75f)) * 1.5f)) * 0.25f);
        r = r * 1.25f + x1;
        r = r * 0.001f;
        out[i] = r;
    }
}
