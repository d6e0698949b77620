/*
 * A step of the method of conjugate gradients for Poisson's equation on a square: launched in this
 * order for each step. The matrix is not stored: its rows are 4 on the diagonal and -1 for the
 * neighbours; or it is stored in rows of the compressed format (product_rows).
 *
 * product, product_rows    target = matrix direction
 * dot                      a partial sum of first . second for each block
 * step_length              one block: sums the partial sums; alpha = rho / sum
 * advance                  solution += alpha direction, residual -= alpha target, and partial sums
 *                          of residual . residual
 * next_factor              one block: sums these; beta = sum / rho, rho = sum
 * turn                     direction = residual + beta direction
 *
 * Launch: product: two dimensions, x along the rows; the others one dimension, one thread an element
 * (dot, advance: a thread every `gridDim.x * blockDim.x`-th element). Blocks of 256 threads.
 *
 * vectors  f32, side * side elements
 * partials f32, one a block of dot or advance
 * scalars  f32: rho, alpha, beta
 */
extern "C" __global__ void product(const float *__restrict__ direction, float *__restrict__ target,
                                   int side)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= side || y >= side)
        return;
    int i = y * side + x;
    float sum = 4.0f * direction[i];
    if (x > 0)
        sum -= direction[i - 1];
    if (x < side - 1)
        sum -= direction[i + 1];
    if (y > 0)
        sum -= direction[i - side];
    if (y < side - 1)
        sum -= direction[i + side];
    target[i] = sum;
}

extern "C" __global__ void product_rows(const int *__restrict__ starts,
                                        const int *__restrict__ columns,
                                        const float *__restrict__ values,
                                        const float *__restrict__ direction,
                                        float *__restrict__ target, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    float sum = 0.0f;
    for (int j = starts[i]; j < starts[i + 1]; j++)
        sum += values[j] * direction[columns[j]];
    target[i] = sum;
}

__device__ static void sum_of_block(float sum, float *result)
{
    __shared__ float sums[8];

    for (int apart = 16; apart > 0; apart >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, apart);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        float total = 0.0f;
        for (int warp = 0; warp < 8; warp++)
            total += sums[warp];
        *result = total;
    }
}

extern "C" __global__ void dot(const float *__restrict__ first, const float *__restrict__ second,
                               float *__restrict__ partials, int n)
{
    float sum = 0.0f;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += first[i] * second[i];
    sum_of_block(sum, partials + blockIdx.x);
}

extern "C" __global__ void step_length(const float *__restrict__ partials, float *__restrict__ scalars,
                                       int count)
{
    __shared__ float result;
    float sum = 0.0f;

    for (int i = threadIdx.x; i < count; i += 256)
        sum += partials[i];
    sum_of_block(sum, &result);
    if (threadIdx.x == 0)
        scalars[1] = scalars[0] / result;
}

extern "C" __global__ void advance(float *__restrict__ solution, float *__restrict__ residual,
                                   const float *__restrict__ direction,
                                   const float *__restrict__ target,
                                   const float *__restrict__ scalars, float *__restrict__ partials,
                                   int n)
{
    float alpha = scalars[1], sum = 0.0f;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        solution[i] += alpha * direction[i];
        float rest = residual[i] - alpha * target[i];
        residual[i] = rest;
        sum += rest * rest;
    }
    sum_of_block(sum, partials + blockIdx.x);
}

extern "C" __global__ void next_factor(const float *__restrict__ partials,
                                       float *__restrict__ scalars, int count)
{
    __shared__ float result;
    float sum = 0.0f;

    for (int i = threadIdx.x; i < count; i += 256)
        sum += partials[i];
    sum_of_block(sum, &result);
    if (threadIdx.x == 0) {
        scalars[2] = result / scalars[0];
        scalars[0] = result;
    }
}

extern "C" __global__ void turn(const float *__restrict__ residual, float *__restrict__ direction,
                                const float *__restrict__ scalars, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        direction[i] = residual[i] + scalars[2] * direction[i];
}
