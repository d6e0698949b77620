/* Robots that move: beams in maps, samples of controls, distances to obstacles. */

/* Likelihoods of particles of a filter: each of a scan's beams is walked through a map of bytes until a cell is occupied; a block a particle. */
extern "C" __global__ void weigh_particles(const float *__restrict__ poses, const float *__restrict__ ranges, const unsigned char *__restrict__ map, float *__restrict__ weights, int beams, int width, int height, float cell, float sigma)
{
    __shared__ float part[8];
    const float x = poses[3 * blockIdx.x], y = poses[3 * blockIdx.x + 1], heading = poses[3 * blockIdx.x + 2];
    float error = 0.0f;
    for (int b = threadIdx.x; b < beams; b += blockDim.x) {
        const float angle = heading + (b - 0.5f * beams) * 4.7124f / beams;
        float s, c;
        sincosf(angle, &s, &c);
        float px = x / cell, py = y / cell;
        int step = 0;
        for (; step < 600; step++) {
            const int ix = (int)px, iy = (int)py;
            if (ix < 0 || iy < 0 || ix >= width || iy >= height || map[iy * width + ix] > 253)
                break;
            px += c;
            py += s;
        }
        const float d = (step * cell - ranges[b]) / sigma;
        error += fminf(d * d, 16.0f);
    }
    for (int d = 16; d > 0; d /= 2)
        error += __shfl_down_sync(0xffffffffu, error, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = error;
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int w = 0; w < blockDim.x / 32; w++)
            sum += part[w];
        weights[blockIdx.x] = __expf(-0.5f * sum / beams);
    }
}

/* Costs of sampled controls of a car (model predictive path integrals): a thread a sample, its noise by time. */
extern "C" __global__ void roll_out_controls(const float2 *__restrict__ noise, const float2 *__restrict__ nominal, const float4 *__restrict__ track, float *__restrict__ costs, int samples, int horizon, int track_points, float dt)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= samples)
        return;
    float x = 0.0f, y = 0.0f, heading = 0.0f, speed = 5.0f, cost = 0.0f;
    for (int t = 0; t < horizon; t++) {
        const float2 n = noise[(long long)t * samples + k], u = nominal[t];
        const float steer = fminf(fmaxf(u.x + n.x, -0.5f), 0.5f), pull = fminf(fmaxf(u.y + n.y, -4.0f), 3.0f);
        const float slip = atanf(0.5f * tanf(steer));
        float s, c;
        sincosf(heading + slip, &s, &c);
        x += speed * c * dt;
        y += speed * s * dt;
        heading += speed / 1.3f * sinf(slip) * dt;
        speed = fmaxf(speed + pull * dt, 0.0f);
        const float4 target = track[min(t, track_points - 1)];
        const float off = (x - target.x) * target.z + (y - target.y) * target.w;
        cost += off * off + 0.1f * (speed - 8.0f) * (speed - 8.0f) + 0.01f * (steer * n.x + pull * n.y);
    }
    costs[k] = cost;
}

/* A step of jump flooding in three dimensions: the nearest of 27 seeds at a distance; places in ten bits an axis. */
extern "C" __global__ void jump_flood(const unsigned *__restrict__ from, unsigned *__restrict__ to, int n, int jump)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= n || y >= n || z >= n)
        return;
    unsigned best = from[((long long)z * n + y) * n + x];
    int least = 0x7fffffff;
    for (int k = -1; k <= 1; k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) {
                const int px = x + i * jump, py = y + j * jump, pz = z + k * jump;
                if (px < 0 || py < 0 || pz < 0 || px >= n || py >= n || pz >= n)
                    continue;
                const unsigned seed = from[((long long)pz * n + py) * n + px];
                const int dx = (int)(seed & 1023) - x, dy = (int)(seed >> 10 & 1023) - y, dz = (int)(seed >> 20 & 1023) - z;
                const int d = dx * dx + dy * dy + dz * dz;
                if (d < least) {
                    least = d;
                    best = seed;
                }
            }
    to[((long long)z * n + y) * n + x] = best;
}
