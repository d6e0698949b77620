/* What kernels ask of their pointers before they work: whether an optional one was given, whether
 * wide accesses may be used, and whether the result goes to the source itself. */
extern "C" __global__ void add_bias(const float *__restrict__ a, const float *__restrict__ bias, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = a[i];
    if (bias != nullptr)
        x += bias[i % 64];
    out[i] = x;
}
extern "C" __global__ void copy_wide(const float *a, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ((((unsigned long long)a | (unsigned long long)out) & 15) == 0) {
        if (4 * i < n)
            ((float4 *)out)[i] = ((const float4 *)a)[i];
    } else {
        for (int k = 4 * i; k < 4 * i + 4 && k < n; k++)
            out[k] = a[k];
    }
}
extern "C" __global__ void by_lane(const float *a, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float *p = a + i;
    out[i] = ((unsigned long long)p & 15) == 0 ? p[0] + p[1] : p[0];
    if (((unsigned long long)p & 15) == 8)
        out[i + n] = 1;
}
extern "C" __global__ void in_place(const float *a, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a != out)
        out[i] = a[i];
}
/* a pointer to one array or the other */
extern "C" __global__ void either(const float *a, const float *b, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *p = i & 1 ? a : b;
    if (i < n && p != nullptr)
        out[i] = p[i];
}
/* a number that is only compared: not a pointer */
extern "C" __global__ void number(const float *a, float *out, unsigned long long mode, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && mode > 3)
        out[i] = a[i];
}
/* how far two arrays lie from each other is not known */
extern "C" __global__ void walk(const float *p, const float *end, float *out)
{
    float sum = 0;
    for (; p != end; p++)
        sum += *p;
    out[threadIdx.x] = sum;
}
/* a pointer that a loop moves on by an argument of 64 bits */
extern "C" __global__ void stride(const float *p, unsigned long long bytes, float *out, int n)
{
    float sum = 0;
    if (p != nullptr)
        for (int i = 0; i < n; i++, p = (const float *)((const char *)p + bytes))
            sum += *p;
    out[threadIdx.x] = sum;
}
