// Kernels whose emulation is timed by bench-emulate.  speed.ptx: nvcc -arch=sm_80 -ptx -lineinfo speed.cu
extern "C" __global__ void saxpy(float *y, const float *x, float a, int n, int repeats)
{
    int stride = gridDim.x * blockDim.x;
    for (int r = 0; r < repeats; r++)
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
            y[i] = a * x[i] + y[i];
}

#define TILE 16
extern "C" __global__ void matmul(float *c, const float *a, const float *b, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        as[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

extern "C" __global__ void nbody(float4 *out, const float4 *bodies, int n)
{
    __shared__ float4 tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = bodies[i];
    float ax = 0, ay = 0, az = 0;
    for (int t = 0; t < n; t += blockDim.x) {
        tile[threadIdx.x] = bodies[t + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < blockDim.x; k++) {
            float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            float d = dx * dx + dy * dy + dz * dz + 1e-3f;
            float r = rsqrtf(d), f = tile[k].w * r * r * r;
            ax += dx * f;
            ay += dy * f;
            az += dz * f;
        }
        __syncthreads();
    }
    out[i] = make_float4(ax, ay, az, 0);
}

extern "C" __global__ void stencil(float *out, const float *in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
        return;
    for (int z = 1; z < n - 1; z++) {
        int i = (z * n + y) * n + x;
        out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] +
                                        in[i - n * n] + in[i + n * n]);
    }
}

extern "C" __global__ void mandelbrot(int *out, int width, int most)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    double cr = -2.0 + 3.0 * x / width, ci = -1.5 + 3.0 * y / width, zr = 0, zi = 0;
    int i = 0;
    while (i < most && zr * zr + zi * zi < 4.0) {
        double t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        i++;
    }
    out[y * width + x] = i;
}

extern "C" __global__ void hash(unsigned *out, int rounds)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, a = i, b = 0x9e3779b9u, c = ~i;
    for (int r = 0; r < rounds; r++) {
        a -= c; a ^= (c << 4) | (c >> 28); c += b;
        b -= a; b ^= (a << 6) | (a >> 26); a += c;
        c -= b; c ^= (b << 8) | (b >> 24); b += a;
    }
    out[i] = a ^ b ^ c;
}
