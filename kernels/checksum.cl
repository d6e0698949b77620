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
__kernel void checksum(__global const uchar *messages, __global uint *sums, int n, int length)
{
    __local uint table[16];
    int tid = get_local_id(0);
    int i = get_global_id(0);

    if (tid < 16) {
        uint entry = tid;
        for (int bit = 0; bit < 4; bit++)
            entry = entry >> 1 ^ (entry & 1) * 0xedb88320u;
        table[tid] = entry;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) {
        uint sum = 0xffffffffu;
        for (int j = 0; j < length; j++) {
            sum ^= messages[j * n + i];
            sum = sum >> 4 ^ table[sum & 15];
            sum = sum >> 4 ^ table[sum & 15];
        }
        sums[i] = ~sum;
    }
}
