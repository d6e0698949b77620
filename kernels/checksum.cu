/*
 * Cyclic redundancy check (CRC-32, reflected polynomial 0xedb88320) of each message, by a table of
 * 16 entries that the block computes into shared memory, half a byte at a time.
 *
 * Launch: one dimension, blocks of at least 16 threads, one thread a message.
 *
 * messages  u8; byte j of message i at j * n + i
 * sums      n u32
 * length    bytes of a message
 *
 * Depends on data: the addresses of the table in shared memory on messages.
 */
extern "C" __global__ void checksum(const unsigned char *messages, unsigned int *sums, int n,
                                    int length)
{
    __shared__ unsigned int table[16];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;

    if (tid < 16) {
        unsigned int entry = tid;
        for (int bit = 0; bit < 4; bit++)
            entry = entry >> 1 ^ (entry & 1) * 0xedb88320u;
        table[tid] = entry;
    }
    __syncthreads();
    if (i < n) {
        unsigned int sum = 0xffffffffu;
        for (int j = 0; j < length; j++) {
            sum ^= messages[j * n + i];
            sum = sum >> 4 ^ table[sum & 15];
            sum = sum >> 4 ^ table[sum & 15];
        }
        sums[i] = ~sum;
    }
}
