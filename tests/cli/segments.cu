// Lanes whose numbers are compared with those of lanes near by (segments.py).
//   nvcc -O3 -std=c++17 -arch=sm_90 -ptx segments.cu -o segments.ptx

// The last lane of each run stores.
extern "C" __global__ void last_of_run(const int *__restrict__ rows, float *__restrict__ sums)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, row = rows[i];
    const int next = __shfl_down_sync(0xffffffff, row, 1);
    if (next != row)
        atomicAdd(sums + row, 1.0f);
}

// Lanes whose run began four lanes before.
extern "C" __global__ void inside_run(const int *__restrict__ rows, float *__restrict__ sums)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, row = rows[i];
    const int before = __shfl_up_sync(0xffffffff, row, 4);
    if (before == row)
        atomicAdd(sums + row, 1.0f);
}

// Another number of the lane near by says nothing of runs.
extern "C" __global__ void others(const int *__restrict__ rows, const int *__restrict__ columns, float *__restrict__ sums)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, row = rows[i];
    const int next = __shfl_down_sync(0xffffffff, columns[i], 1);
    if (next != row)
        atomicAdd(sums + row, 1.0f);
}
