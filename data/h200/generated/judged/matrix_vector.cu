/* Rows or columns of a matrix by a vector, accumulated in a register or in global memory.  Written by scripts/device/write-generated. */

extern "C" __global__ void matrix_vector_1(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int j = 0; j < m; j += 2) {
            sum += a[i * m + (j + 0)] * x[j + 0];
            sum += a[i * m + (j + 1)] * x[j + 1];
        }
        y[i] = sum;
    }
}

extern "C" __global__ void matrix_vector_3(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int j = 0; j < m; j += 1) {
            sum += a[(j + 0) * n + i] * x[j + 0];
        }
        y[i] = sum;
    }
}

extern "C" __global__ void matrix_vector_5(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
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

extern "C" __global__ void matrix_vector_7(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        #pragma unroll 2
        for (int j = 0; j < m; j++)
        y[i] += a[j * n + i] * x[j];
    }
}

extern "C" __global__ void matrix_vector_9(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        #pragma unroll 8
        for (int j = 0; j < m; j++)
        sum += a[i * m + j] * x[j];
        y[i] = sum;
    }
}

extern "C" __global__ void matrix_vector_11(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int j = 0; j < m; j += 8) {
            sum += a[i * m + (j + 0)] * x[j + 0];
            sum += a[i * m + (j + 1)] * x[j + 1];
            sum += a[i * m + (j + 2)] * x[j + 2];
            sum += a[i * m + (j + 3)] * x[j + 3];
            sum += a[i * m + (j + 4)] * x[j + 4];
            sum += a[i * m + (j + 5)] * x[j + 5];
            sum += a[i * m + (j + 6)] * x[j + 6];
            sum += a[i * m + (j + 7)] * x[j + 7];
        }
        y[i] = sum;
    }
}

extern "C" __global__ void matrix_vector_13(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int j = 0; j < m; j += 4) {
            sum += a[(j + 0) * n + i] * x[j + 0];
            sum += a[(j + 1) * n + i] * x[j + 1];
            sum += a[(j + 2) * n + i] * x[j + 2];
            sum += a[(j + 3) * n + i] * x[j + 3];
        }
        y[i] = sum;
    }
}

extern "C" __global__ void matrix_vector_15(const double *__restrict__ a, const double *__restrict__ x, double *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double sum = 0;
        #pragma unroll 1
        for (int j = 0; j < m; j++)
        sum += a[i * m + j] * x[j];
        y[i] = sum;
    }
}

extern "C" __global__ void matrix_vector_17(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
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

extern "C" __global__ void matrix_vector_19(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
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

extern "C" __global__ void matrix_vector_21(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        #pragma unroll 4
        for (int j = 0; j < m; j++)
        y[i] += a[i * m + j] * x[j];
    }
}

extern "C" __global__ void matrix_vector_23(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int j = 0; j < m; j += 2) {
            sum += a[i * m + (j + 0)] * x[j + 0];
            sum += a[i * m + (j + 1)] * x[j + 1];
        }
        y[i] = sum;
    }
}

extern "C" __global__ void matrix_vector_25(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        #pragma unroll 4
        for (int j = 0; j < m; j++)
        sum += a[i * m + j] * x[j];
        y[i] = sum;
    }
}

extern "C" __global__ void matrix_vector_27(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int j = 0; j < m; j += 2) {
            sum += a[i * m + (j + 0)] * x[j + 0];
            sum += a[i * m + (j + 1)] * x[j + 1];
        }
        y[i] = sum;
    }
}

extern "C" __global__ void matrix_vector_29(const double *__restrict__ a, const double *__restrict__ x, double *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double sum = 0;
        for (int j = 0; j < m; j += 4) {
            sum += a[i * m + (j + 0)] * x[j + 0];
            sum += a[i * m + (j + 1)] * x[j + 1];
            sum += a[i * m + (j + 2)] * x[j + 2];
            sum += a[i * m + (j + 3)] * x[j + 3];
        }
        y[i] = sum;
    }
}

extern "C" __global__ void matrix_vector_31(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int j = 0; j < m; j += 2) {
            sum += a[i * m + (j + 0)] * x[j + 0];
            sum += a[i * m + (j + 1)] * x[j + 1];
        }
        y[i] = sum;
    }
}

extern "C" __global__ void matrix_vector_33(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        #pragma unroll 8
        for (int j = 0; j < m; j++)
        y[i] += a[i * m + j] * x[j];
    }
}
