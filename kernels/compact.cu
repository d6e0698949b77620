/*
 * Keeps the elements above a threshold, packed; within a warp in their order, between warps in any.
 * One atomic addition a warp. A target that is full begins anew, so that launches may be repeated.
 *
 * Launch: one dimension, blocks of a multiple of 32 threads, one thread an element.
 *
 * source  n f32
 * target  f32, room for n
 * count   one u32: elements kept, added to
 *
 * Depends on data: the branches and the addresses of target on source and on the order of warps.
 */
extern "C" __global__ void compact(const float *source, float *target, unsigned int *count,
                                   float threshold, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    float value = i < n ? source[i] : 0.0f;
    int keep = i < n && value > threshold;
    unsigned int kept = __ballot_sync(0xffffffff, keep);

    if (kept == 0)
        return;
    unsigned int first = 0;
    if (lane == 0)
        first = atomicAdd(count, (unsigned int)__popc(kept));
    first = __shfl_sync(0xffffffff, first, 0);
    if (keep)
        target[(first + __popc(kept & ((1u << lane) - 1))) % n] = value;
}
