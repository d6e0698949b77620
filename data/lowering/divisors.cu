/* Remainders by one divisor, quotients with a way of their own between them, and without. */
extern "C" __global__ void apart_f64(const double *x, double *y, int n, int w, double t)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a = x[i];
    y[(i + 1) % w] = a / t;
    y[(i + 5) % w] = (a + 1) / t;
    y[(i + 9) % w] = (a + 2) / t;
    y[(i + 14) % w] = (a + 3) / t;
}

extern "C" __global__ void apart_f32(const float *x, float *y, int n, int w, float t)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = x[i];
    y[(i + 1) % w] = a / t;
    y[(i + 5) % w] = (a + 1) / t;
    y[(i + 9) % w] = (a + 2) / t;
    y[(i + 14) % w] = (a + 3) / t;
}

extern "C" __global__ void roots(const float *x, float *y, int n, unsigned w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = x[i];
    y[(i + 1u) % w] = sqrtf(a);
    y[(i + 5u) % w] = sqrtf(a + 1);
    y[(i + 9u) % w] = sqrtf(a + 2);
    y[(i + 14u) % w] = sqrtf(a + 3);
}

extern "C" __global__ void together(const float *x, float *y, int n, int w, float t)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = x[i];
    y[(i + 1) % w] = a * t;
    y[(i + 5) % w] = (a + 1) * t;
    y[(i + 9) % w] = (a + 2) * t;
    y[(i + 14) % w] = (a + 3) * t;
}
