/* Waves, spins, finite elements, particles, orbits, reactions. */

/* The wave equation to eighth order: a tile of a plane in shared memory, the planes above and below in registers. */
extern "C" __global__ void wave_eighth_order(const float *__restrict__ now, const float *__restrict__ speed, float *__restrict__ next, int nx, int ny, int nz)
{
    __shared__ float s[16][40];
    const float w[5] = {-2.847222f, 1.6f, -0.2f, 0.025396f, -0.001786f};
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty, plane = nx * ny;
    int here = y * nx + x;
    float column[9];
    for (int k = 0; k < 8; k++)
        column[k + 1] = now[k * plane + here];
    for (int z = 4; z < nz - 4; z++) {
        for (int k = 0; k < 8; k++)
            column[k] = column[k + 1];
        column[8] = now[(z + 4) * plane + here];
        __syncthreads();
        s[ty + 4][tx + 4] = column[4];
        if (tx < 4) {
            s[ty + 4][tx] = x >= 4 ? now[z * plane + here - 4] : 0.0f;
            s[ty + 4][tx + 36] = x + 32 < nx ? now[z * plane + here + 32] : 0.0f;
        }
        if (ty < 4) {
            s[ty][tx + 4] = y >= 4 ? now[z * plane + here - 4 * nx] : 0.0f;
            s[ty + 12][tx + 4] = y + 8 < ny ? now[z * plane + here + 8 * nx] : 0.0f;
        }
        __syncthreads();
        float sum = 3 * w[0] * column[4];
        for (int r = 1; r <= 4; r++)
            sum += w[r] * (column[4 - r] + column[4 + r] + s[ty + 4][tx + 4 - r] + s[ty + 4][tx + 4 + r] + s[ty + 4 - r][tx + 4] + s[ty + 4 + r][tx + 4]);
        int i = z * plane + here;
        next[i] = 2 * column[4] - next[i] + speed[i] * sum;
    }
}

/* Half of the spins of a lattice, each turned by chance and its neighbours, borders joined. */
extern "C" __global__ void turn_spins(signed char *spin, int n, int colour, float beta, unsigned seed)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y, x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + (y + colour) % 2;
    if (x >= n || y >= n)
        return;
    int left = x == 0 ? n - 1 : x - 1, right = x == n - 1 ? 0 : x + 1, up = y == 0 ? n - 1 : y - 1, down = y == n - 1 ? 0 : y + 1;
    int s = spin[y * n + x], sum = spin[y * n + left] + spin[y * n + right] + spin[up * n + x] + spin[down * n + x];
    unsigned h = (unsigned)(y * n + x) * 747796405u + seed;
    h = ((h >> ((h >> 28) + 4)) ^ h) * 277803737u;
    h = (h >> 22) ^ h;
    float u = (h >> 8) * (1.0f / 16777216.0f);
    spin[y * n + x] = u < expf(-2.0f * beta * s * sum) ? -s : s;
}

/* Stiffness of bilinear elements times a vector, added to the nodes: a thread an element of a regular mesh. */
extern "C" __global__ void scatter_elements(const float *kappa, const float *u, float *result, int nx, int ny)
{
    int ex = blockIdx.x * blockDim.x + threadIdx.x, ey = blockIdx.y * blockDim.y + threadIdx.y;
    if (ex >= nx || ey >= ny)
        return;
    int node[4] = {ey * (nx + 1) + ex, ey * (nx + 1) + ex + 1, (ey + 1) * (nx + 1) + ex + 1, (ey + 1) * (nx + 1) + ex};
    float k = kappa[ey * nx + ex] / 6.0f, v[4];
    for (int i = 0; i < 4; i++)
        v[i] = u[node[i]];
    for (int i = 0; i < 4; i++) {
        float sum = 4 * v[i] - v[(i + 1) % 4] - 2 * v[(i + 2) % 4] - v[(i + 3) % 4];
        atomicAdd(&result[node[i]], k * sum);
    }
}

/* Densities of smoothed particles from lists of neighbours, the k-th neighbours of all one after another. */
extern "C" __global__ void smoothed_density(const float4 *place, const int *count, const int *neighbour, float *density, int n, float h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 p = place[i];
    float sum = 0;
    int neighbours = count[i];
    for (int k = 0; k < neighbours; k++) {
        float4 o = place[neighbour[k * n + i]];
        float dx = p.x - o.x, dy = p.y - o.y, dz = p.z - o.z, q = sqrtf(dx * dx + dy * dy + dz * dz) / h;
        if (q < 1.0f)
            sum += o.w * (1.0f - 1.5f * q * q + 0.75f * q * q * q);
        else if (q < 2.0f)
            sum += o.w * 0.25f * (2.0f - q) * (2.0f - q) * (2.0f - q);
    }
    density[i] = sum;
}

struct motion {
    double x, y, u, v;
};

__device__ motion pull(motion m)
{
    double r2 = m.x * m.x + m.y * m.y + 0.01, s = rsqrt(r2), g = s * s * s;
    return motion{m.u, m.v, -g * m.x, -g * m.y};
}

__device__ motion moved(motion m, motion d, double h) { return motion{m.x + h * d.x, m.y + h * d.y, m.u + h * d.u, m.v + h * d.v}; }

/* Orbits by Runge and Kutta's method of fourth order in double precision, a thread a body. */
extern "C" __global__ void orbits(double *x, double *y, double *u, double *v, int bodies, int steps, double h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= bodies)
        return;
    motion m = {x[i], y[i], u[i], v[i]};
    for (int s = 0; s < steps; s++) {
        motion a = pull(m), b = pull(moved(m, a, 0.5 * h)), c = pull(moved(m, b, 0.5 * h)), d = pull(moved(m, c, h));
        m = moved(moved(moved(moved(m, a, h / 6), b, h / 3), c, h / 3), d, h / 6);
    }
    x[i] = m.x;
    y[i] = m.y;
    u[i] = m.u;
    v[i] = m.v;
}

/* Two substances that react and spread, borders joined by remainders. */
extern "C" __global__ void react_and_spread(const float *u, const float *v, float *u2, float *v2, int n, float feed, float kill)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    int l = (x + n - 1) % n, r = (x + 1) % n, up = (y + n - 1) % n, down = (y + 1) % n;
    float a = u[y * n + x], b = v[y * n + x];
    float la = u[y * n + l] + u[y * n + r] + u[up * n + x] + u[down * n + x] - 4 * a;
    float lb = v[y * n + l] + v[y * n + r] + v[up * n + x] + v[down * n + x] - 4 * b;
    float rate = a * b * b;
    u2[y * n + x] = a + 0.16f * la - rate + feed * (1 - a);
    v2[y * n + x] = b + 0.08f * lb + rate - (feed + kill) * b;
}

/* Structure factors of Ewald's sum: a block a wave vector, over all charges. */
extern "C" __global__ void structure_factors(const float4 *charge, float2 *factor, int charges, int side)
{
    __shared__ float cosines[128], sines[128];
    int b = blockIdx.x;
    float kx = 6.2831853f * (b % side), ky = 6.2831853f * (b / side % side - side / 2), kz = 6.2831853f * (b / side / side - side / 2);
    float c = 0, s = 0;
    for (int i = threadIdx.x; i < charges; i += blockDim.x) {
        float4 p = charge[i];
        float sine, cosine;
        sincosf(kx * p.x + ky * p.y + kz * p.z, &sine, &cosine);
        c += p.w * cosine;
        s += p.w * sine;
    }
    cosines[threadIdx.x] = c;
    sines[threadIdx.x] = s;
    __syncthreads();
    for (int h = 64; h > 0; h >>= 1) {
        if (threadIdx.x < h) {
            cosines[threadIdx.x] += cosines[threadIdx.x + h];
            sines[threadIdx.x] += sines[threadIdx.x + h];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        factor[b] = make_float2(cosines[0], sines[0]);
}
