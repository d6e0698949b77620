// Places on hyperbolas: the root of a thread's own time squared and an offset, which all threads load alike (`hyperbola`, and with
// what a row of blocks has of its own, `rows`), or each for itself (`scattered`); `straight` has no root.  nvcc -O3 -ptx -arch=sm_90
#define BEGIN                                                                                                                                        \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                                             \
    if (i >= samples)                                                                                                                                \
        return;                                                                                                                                      \
    const float time = i * dt;                                                                                                                       \
    float sum = 0;                                                                                                                                   \
    for (int k = 0; k < 96; k++)

extern "C" __global__ void hyperbola(const float *__restrict__ gather, const float *__restrict__ offsets, float *__restrict__ out, int samples, float slowness, float dt)
{
    BEGIN sum += gather[k * samples + (int)(sqrtf(time * time + offsets[k] * slowness) / dt)];
    out[i] = sum;
}
extern "C" __global__ void rows(const float *__restrict__ gather, const float *__restrict__ offsets, float *__restrict__ out, int samples, float slowness, float dt)
{
    const float velocity = 1 + blockIdx.y * slowness, inverse = 1 / (velocity * velocity);
    BEGIN sum += gather[k * samples + (int)(sqrtf(time * time + offsets[k] * offsets[k] * inverse) / dt)];
    out[blockIdx.y * samples + i] = sum;
}
extern "C" __global__ void scattered(const float *__restrict__ gather, const float *__restrict__ offsets, float *__restrict__ out, int samples, float slowness, float dt)
{
    BEGIN sum += gather[k * samples + (int)(sqrtf(time * time + offsets[k * samples + i] * slowness) / dt)];
    out[i] = sum;
}
extern "C" __global__ void straight(const float *__restrict__ gather, const float *__restrict__ offsets, float *__restrict__ out, int samples, float slowness, float dt)
{
    BEGIN sum += gather[k * samples + (int)((time + offsets[k] * slowness) / dt)];
    out[i] = sum;
}
