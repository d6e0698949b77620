// Atomic operations on words that data choose (drawn_atomics.py).
//   nvcc -O3 -std=c++17 -arch=sm_90 -ptx drawn_atomics.cu -o drawn_atomics.ptx

// Any word of a table.
extern "C" __global__ void any_word(const unsigned *__restrict__ places, float *__restrict__ table)
{
    const unsigned place = places[blockIdx.x * blockDim.x + threadIdx.x];
    for (int k = 0; k < 16; k++)
        atomicAdd(table + ((place * (2 * k + 1)) >> 12 & 0xfffff), 1.0f);
}

// Any word of a row, row after row.
extern "C" __global__ void row_by_row(const unsigned *__restrict__ places, float *__restrict__ table, int rows)
{
    const unsigned place = places[blockIdx.x * blockDim.x + threadIdx.x];
#pragma unroll 1
    for (int r = 0; r < rows; r++)
        atomicAdd(table + r * 65536 + (place >> (r & 15) & 0xffff), 1.0f);
}
