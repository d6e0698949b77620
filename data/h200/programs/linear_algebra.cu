/* Dense linear algebra as it is written first: a thread a row, a column or an element, and no shared memory. */

extern "C" __global__ void row_products(const float *a, const float *x, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = 0;
        for (int j = 0; j < m; j++)
            y[i] += a[i * m + j] * x[j];
    }
}

extern "C" __global__ void column_products(const float *a, const float *x, float *y, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < m) {
        y[j] = 0;
        for (int i = 0; i < n; i++)
            y[j] += a[i * m + j] * x[i];
    }
}

extern "C" __global__ void scaled_sum_of_products(const double *a, const double *b, const double *x, double *y,
                                                  double alpha, double beta, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double s = 0, t = 0;
        for (int j = 0; j < n; j++) {
            s += a[(long)i * n + j] * x[j];
            t += b[(long)i * n + j] * x[j];
        }
        y[i] = alpha * s + beta * t;
    }
}

extern "C" __global__ void rank_two_update(float *a, const float *u1, const float *v1, const float *u2, const float *v2, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n)
        a[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
}

extern "C" __global__ void product_by_elements(const float *a, const float *b, float *c, float alpha, float beta, int ni, int nj, int nk)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < ni && j < nj) {
        c[i * nj + j] *= beta;
        for (int k = 0; k < nk; k++)
            c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
    }
}

extern "C" __global__ void product_with_transpose(const float *a, float *c, float alpha, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) {
        float s = 0;
        for (int k = 0; k < m; k++)
            s += alpha * a[i * m + k] * a[j * m + k];
        c[i * n + j] += s;
    }
}

extern "C" __global__ void column_means(const float *data, float *mean, int rows, int columns)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < columns) {
        float s = 0;
        for (int i = 0; i < rows; i++)
            s += data[i * columns + j];
        mean[j] = s / (float)rows;
    }
}

extern "C" __global__ void covariances(const float *data, float *out, int rows, int columns)
{
    int j1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (j1 < columns) {
        for (int j2 = j1; j2 < columns; j2++) {
            float s = 0;
            for (int i = 0; i < rows; i++)
                s += data[i * columns + j1] * data[i * columns + j2];
            out[j1 * columns + j2] = s;
            out[j2 * columns + j1] = s;
        }
    }
}

extern "C" __global__ void eliminate_below(float *a, float *b, const float *factors, int n, int pivot)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n - 1 - pivot || j >= n - pivot)
        return;
    a[n * (i + 1 + pivot) + j + pivot] -= factors[n * (i + 1 + pivot) + pivot] * a[n * pivot + j + pivot];
    if (j == 0)
        b[i + 1 + pivot] -= factors[n * (i + 1 + pivot) + pivot] * b[pivot];
}

extern "C" __global__ void orthogonalize(float *a, const float *q, float *r, int k, int rows, int columns)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + k + 1;
    if (j < columns) {
        float s = 0;
        for (int i = 0; i < rows; i++)
            s += q[i * columns + k] * a[i * columns + j];
        r[k * columns + j] = s;
        for (int i = 0; i < rows; i++)
            a[i * columns + j] -= q[i * columns + k] * s;
    }
}

/* 32 x 32 factors in shared memory by one warp a block. */
extern "C" __global__ void factor_small(const float *a, float *out, int count)
{
    __shared__ float tile[32][33];
    int t = threadIdx.x;
    const float *from = a + blockIdx.x * 1024;
    for (int i = 0; i < 32; i++)
        tile[i][t] = from[i * 32 + t] + (i == t ? 32.0f : 0.0f);
    __syncthreads();
    for (int k = 0; k < 31; k++) {
        if (t > k) {
            float f = tile[t][k] / tile[k][k];
            tile[t][k] = f;
            for (int j = k + 1; j < 32; j++)
                tile[t][j] -= f * tile[k][j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 32; i++)
        out[blockIdx.x * 1024 + i * 32 + t] = tile[i][t];
}
