/*
 * Moves particles by their velocities: stored as seven floats one particle after another
 * (advance_structs), or one array after another (advance_arrays).
 *
 * Launch: one dimension, one thread a particle.
 *
 * particles  f32, 7 * n: position x, y, z, velocity x, y, z, mass
 * time       step
 */
extern "C" __global__ void advance_structs(float *particles, float time, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        particles[7 * i] += time * particles[7 * i + 3];
        particles[7 * i + 1] += time * particles[7 * i + 4];
        particles[7 * i + 2] += time * particles[7 * i + 5];
    }
}

extern "C" __global__ void advance_arrays(float *particles, float time, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        particles[i] += time * particles[3 * n + i];
        particles[n + i] += time * particles[4 * n + i];
        particles[2 * n + i] += time * particles[5 * n + i];
    }
}
