/* An array whose axes change places: elements of the target by one index, taken in digits, and by axes of the grid. */

/* Neighbours of the target lie c elements apart, then b c: no two of a wave of blocks within a line. */
extern "C" __global__ void apart_1d(const float *__restrict__ from, float *__restrict__ to, int a, int b, int c)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, y = i % b, x = i / b % a, z = i / b / a;
    to[i] = from[(x * b + y) * c + z];
}

extern "C" __global__ void apart_3d(const float *__restrict__ from, float *__restrict__ to, int a, int b, int c)
{
    const int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y, z = blockIdx.z;
    to[(z * a + x) * b + y] = from[(x * b + y) * c + z];
}

/* Rows of b elements end where the next element of their source's rows begins: L2 has its line yet. */
extern "C" __global__ void beside_1d(const float *__restrict__ from, float *__restrict__ to, int a, int b, int c)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, y = i % b, z = i / b % c, x = i / b / c;
    to[i] = from[(x * b + y) * c + z];
}
