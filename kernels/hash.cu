/*
 * Mixes each element of an array by rounds of multiplications, rotations and exclusive-ors.
 *
 * Launch: one dimension, one thread an element.
 *
 * source  n u32
 * target  n u32
 * rounds  how often each element is mixed
 */
extern "C" __global__ void hash(const unsigned int *source, unsigned int *target, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        unsigned int key = source[i];
        unsigned int state = 0x9747b28cu;
        for (int j = 0; j < rounds; j++) {
            key *= 0xcc9e2d51u;
            key = key << 15 | key >> 17;
            state ^= key * 0x1b873593u;
            state = (state << 13 | state >> 19) * 5u + 0xe6546b64u;
        }
        state ^= state >> 16;
        state *= 0x85ebca6bu;
        state ^= state >> 13;
        target[i] = state;
    }
}
