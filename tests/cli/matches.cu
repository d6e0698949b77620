/* Matches of so many values: nvcc -O3 -arch=sm_90 -ptx. */
#define MATCHES(name, value)                                                                       \
    extern "C" __global__ void name(const unsigned *in, unsigned *out, int trips)                  \
    {                                                                                              \
        unsigned sum = in[blockIdx.x * blockDim.x + threadIdx.x];                                  \
        for (int i = 0; i < trips; i++)                                                            \
            sum += __match_any_sync(0xffffffff, value);                                            \
        out[blockIdx.x * blockDim.x + threadIdx.x] = sum;                                          \
    }

MATCHES(any_value, sum)
MATCHES(of_digits, sum & 15)
MATCHES(of_two, sum % 2)
MATCHES(of_block, blockIdx.x + i)
