/* Rows or columns of a matrix by a vector, accumulated in a register or in global memory.  Written by scripts/device/write-generated. */

extern "C" __global__ void matrix_vector_0(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (int j = 0; j < m; j += 4) {
            y[i] += a[(j + 0) * n + i] * x[j + 0];
            y[i] += a[(j + 1) * n + i] * x[j + 1];
            y[i] += a[(j + 2) * n + i] * x[j + 2];
            y[i] += a[(j + 3) * n + i] * x[j + 3];
        }
    }
}

extern "C" __global__ void matrix_vector_2(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int j = 0; j < m; j += 4) {
            sum += a[i * m + (j + 0)] * x[j + 0];
            sum += a[i * m + (j + 1)] * x[j + 1];
            sum += a[i * m + (j + 2)] * x[j + 2];
            sum += a[i * m + (j + 3)] * x[j + 3];
        }
        y[i] = sum;
    }
}

extern "C" __global__ void matrix_vector_4(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        #pragma unroll 4
        for (int j = 0; j < m; j++)
        sum += a[j * n + i] * x[j];
        y[i] = sum;
    }
}

extern "C" __global__ void matrix_vector_6(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int j = 0; j < m; j += 4) {
            sum += a[i * m + (j + 0)] * x[j + 0];
            sum += a[i * m + (j + 1)] * x[j + 1];
            sum += a[i * m + (j + 2)] * x[j + 2];
            sum += a[i * m + (j + 3)] * x[j + 3];
        }
        y[i] = sum;
    }
}

extern "C" __global__ void matrix_vector_8(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (int j = 0; j < m; j += 1) {
            y[i] += a[i * m + (j + 0)] * x[j + 0];
        }
    }
}

extern "C" __global__ void matrix_vector_10(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (int j = 0; j < m; j += 8) {
            y[i] += a[i * m + (j + 0)] * x[j + 0];
            y[i] += a[i * m + (j + 1)] * x[j + 1];
            y[i] += a[i * m + (j + 2)] * x[j + 2];
            y[i] += a[i * m + (j + 3)] * x[j + 3];
            y[i] += a[i * m + (j + 4)] * x[j + 4];
            y[i] += a[i * m + (j + 5)] * x[j + 5];
            y[i] += a[i * m + (j + 6)] * x[j + 6];
            y[i] += a[i * m + (j + 7)] * x[j + 7];
        }
    }
}

extern "C" __global__ void matrix_vector_12(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        #pragma unroll 8
        for (int j = 0; j < m; j++)
        sum += a[j * n + i] * x[j];
        y[i] = sum;
    }
}

extern "C" __global__ void matrix_vector_14(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        #pragma unroll 8
        for (int j = 0; j < m; j++)
        sum += a[j * n + i] * x[j];
        y[i] = sum;
    }
}

extern "C" __global__ void matrix_vector_16(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int j = 0; j < m; j += 2) {
            sum += a[(j + 0) * n + i] * x[j + 0];
            sum += a[(j + 1) * n + i] * x[j + 1];
        }
        y[i] = sum;
    }
}

extern "C" __global__ void matrix_vector_18(const double *__restrict__ a, const double *__restrict__ x, double *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double sum = 0;
        #pragma unroll 8
        for (int j = 0; j < m; j++)
        sum += a[j * n + i] * x[j];
        y[i] = sum;
    }
}

extern "C" __global__ void matrix_vector_20(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        #pragma unroll 1
        for (int j = 0; j < m; j++)
        y[i] += a[j * n + i] * x[j];
    }
}

extern "C" __global__ void matrix_vector_22(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int j = 0; j < m; j += 1) {
            sum += a[i * m + (j + 0)] * x[j + 0];
        }
        y[i] = sum;
    }
}

extern "C" __global__ void matrix_vector_24(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        #pragma unroll 2
        for (int j = 0; j < m; j++)
        sum += a[j * n + i] * x[j];
        y[i] = sum;
    }
}

extern "C" __global__ void matrix_vector_26(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        #pragma unroll 2
        for (int j = 0; j < m; j++)
        y[i] += a[i * m + j] * x[j];
    }
}

extern "C" __global__ void matrix_vector_28(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (int j = 0; j < m; j += 8) {
            y[i] += a[(j + 0) * n + i] * x[j + 0];
            y[i] += a[(j + 1) * n + i] * x[j + 1];
            y[i] += a[(j + 2) * n + i] * x[j + 2];
            y[i] += a[(j + 3) * n + i] * x[j + 3];
            y[i] += a[(j + 4) * n + i] * x[j + 4];
            y[i] += a[(j + 5) * n + i] * x[j + 5];
            y[i] += a[(j + 6) * n + i] * x[j + 6];
            y[i] += a[(j + 7) * n + i] * x[j + 7];
        }
    }
}

extern "C" __global__ void matrix_vector_30(const double *__restrict__ a, const double *__restrict__ x, double *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        #pragma unroll 4
        for (int j = 0; j < m; j++)
        y[i] += a[i * m + j] * x[j];
    }
}

extern "C" __global__ void matrix_vector_32(const double *__restrict__ a, const double *__restrict__ x, double *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        #pragma unroll 4
        for (int j = 0; j < m; j++)
        y[i] += a[j * n + i] * x[j];
    }
}
