// Tasks that are taken from a counter, and values that look like them (tasks.py).
//   nvcc -O3 -std=c++17 -arch=sm_90 -ptx tasks.cu -o tasks.ptx

// A block takes a task before the loop and behind each task.
extern "C" __global__ void by_blocks(unsigned *__restrict__ counter, float *__restrict__ out, unsigned tasks)
{
    __shared__ unsigned task;
    if (threadIdx.x == 0)
        task = atomicInc(counter, tasks + gridDim.x - 1);
    __syncthreads();
    unsigned mine = task;
    while (mine < tasks) {
        out[mine * 128 + threadIdx.x] += 1.0f;
        __syncthreads();
        if (threadIdx.x == 0)
            task = atomicInc(counter, tasks + gridDim.x - 1);
        __syncthreads();
        mine = task;
    }
}

// A block takes a task at the begin of each iteration, and leaves where there is none.
extern "C" __global__ void by_blocks_within(int *__restrict__ counter, float *__restrict__ out, int tasks)
{
    __shared__ int task;
    while (true) {
        if (threadIdx.x == 0)
            task = atomicAdd(counter, 1);
        __syncthreads();
        const int mine = task;
        if (mine >= tasks)
            return;
        out[mine * 128 + threadIdx.x] += 1.0f;
        __syncthreads();
    }
}

// The first task is the block's own, and those from the counter come behind those of all blocks.
extern "C" __global__ void own_first(int *__restrict__ counter, float *__restrict__ out, int tasks)
{
    __shared__ int task;
    for (int mine = blockIdx.x; mine < tasks; mine = task) {
        out[mine * 128 + threadIdx.x] += 1.0f;
        __syncthreads();
        if (threadIdx.x == 0)
            task = atomicAdd(counter, 1) + gridDim.x;
        __syncthreads();
    }
}

// A warp takes 32 elements at a time.
extern "C" __global__ void by_warps(int *__restrict__ counter, float *__restrict__ out, int n)
{
    const int lane = threadIdx.x % 32;
    while (true) {
        int begin = 0;
        if (lane == 0)
            begin = atomicAdd(counter, 32);
        begin = __shfl_sync(0xffffffff, begin, 0);
        if (begin >= n)
            break;
        if (begin + lane < n)
            out[begin + lane] += 1.0f;
    }
}

// Threads take tasks, each for itself.
extern "C" __global__ void by_threads(int *__restrict__ counter, float *__restrict__ out, int n)
{
    for (int mine = atomicAdd(counter, 1); mine < n; mine = atomicAdd(counter, 1))
        out[mine] += 1.0f;
}

// A block takes one tile, in the order in which blocks begin.
extern "C" __global__ void tile_each(unsigned *__restrict__ counter, float *__restrict__ out)
{
    __shared__ unsigned tile;
    if (threadIdx.x == 0)
        tile = atomicAdd(counter, 1u);
    __syncthreads();
    out[tile * 128 + threadIdx.x] += 1.0f;
}

// No turns: what is added is loaded, and not each iteration takes.
extern "C" __global__ void by_loaded_amounts(int *__restrict__ counter, const int *__restrict__ amounts, float *__restrict__ out, int tasks)
{
    __shared__ int task;
    while (true) {
        if (threadIdx.x == 0)
            task = atomicAdd(counter, amounts[blockIdx.x]);
        __syncthreads();
        const int mine = task;
        if (mine >= tasks)
            return;
        out[mine * 128 + threadIdx.x] += 1.0f;
        __syncthreads();
    }
}

extern "C" __global__ void now_and_then(int *__restrict__ counter, const int *__restrict__ data, float *__restrict__ out, int tasks)
{
    __shared__ int task;
    int mine = 0;
    while (mine < tasks) {
        if (data[mine] > 0) {
            if (threadIdx.x == 0)
                task = atomicAdd(counter, 1);
            __syncthreads();
            mine = task;
            __syncthreads();
        }
        out[mine * 128 + threadIdx.x] += 1.0f;
    }
}
