// Made by: scripts/study-registers --random 20 48
extern "C" __global__ void k0(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    __shared__ float tile[64];
    tile[g & 63] = 0.0f;
    switch ((7) & 3) {
    case 0:
    q += 16;
    break;
    case 3:
    acc = acc * 1.5f + g;
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k1(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    if ((((int)threadIdx.x / 3) <= g)) return;
    if (step == 0)
        asm volatile("{\n$again: bra $again;\n}");
    q += (int)blockIdx.x;
    asm volatile("exit;");
    acc += a[((n % 8)) & 4095];
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k2(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    __shared__ float tile[64];
    tile[g & 63] = 0.0f;
    for (int v1 = 0; v1 <= m; v1 += 7)
    {
        acc += a[((int)threadIdx.x) & 4095];
        out[(8) & 4095] = acc;
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k3(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    q += ((int)threadIdx.x / 8);
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k4(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    __shared__ float tile[64];
    tile[g & 63] = 0.0f;
    tile[((n * 3)) & 63] = acc;
    __syncthreads();
    acc += tile[(((int)blockIdx.x + n)) & 63];
    __syncthreads();
    if (((int)blockIdx.x != (n - 7)))
    {
        acc += __shfl_xor_sync(0xffffffffu, acc, 2);
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k5(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    #pragma unroll 2
    for (int v1 = (3 + (int)blockIdx.x); v1 < g; v1 += 1)
    {
        if (((min(m, (int)threadIdx.x) < ((int)blockIdx.x % 5)) || ((2 - m) >= v1)))
            asm volatile("exit;");
        acc = acc * 1.5f + 33;
        if ((v1 > (int)blockIdx.x)) break;
        acc += a[(n) & 4095];
    }
    for (int v2 = m; v2 < n; v2 += 1)
    {
        switch (((n + 31)) & 3) {
        case 3:
        acc = acc * 1.5f + n;
        break;
        case 0:
        acc += a[((n + v2)) & 4095];
        break;
        case 1:
        out[((int)blockIdx.x) & 4095] = acc;
        break;
        }
    }
    if (((64 - n) > (n >> 2)))
    {
        acc += a[(max(n, g)) & 4095];
        for (int v3 = 0; v3 < n; v3 += 1)
        {
            asm volatile("{\nbra $over;\nadd.f32 %0, %0, 0f3F800000;\n$over:\n}" : "+f"(acc));
            acc = acc * 1.5f + n;
        }
    }
    else
    {
        acc = acc * 1.5f + m;
        acc += a[(((int)blockIdx.x - n)) & 4095];
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k6(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    if (n < 0)
        __trap();
    acc += a[(g) & 4095];
    q += g;
    int v1 = (((int)threadIdx.x / 7) + g);
    q += (int)blockIdx.x;
    acc = acc * 1.5f + n;
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k7(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    for (int v1 = 0; v1 < ((int)threadIdx.x - (int)blockIdx.x); v1 += 2)
    {
        #pragma unroll 4
        for (int v2 = 1; v2 <= m; v2 += 1)
        {
            if ((v1 > ((int)blockIdx.x + m)))
            {
                acc = acc * 1.5f + (int)threadIdx.y;
                out[((v1 + n)) & 4095] = acc;
                out[(max(31, m)) & 4095] = acc;
            }
            #pragma unroll 2
            for (int v3 = v2; v3 >= 1; v3 -= 3)
            {
                acc += a[(m) & 4095];
                q += v3;
                acc += a[(v2) & 4095];
            }
        }
        acc = acc * 1.5f + v1;
    }
    q += (int)blockIdx.x;
    out[((((((int)blockIdx.x != (g * 8)) ? 8 : n) >= (16 & 31)) ? n : 8)) & 4095] = acc;
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k8(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    acc += a[(m) & 4095];
    acc += a[((g >> 2)) & 4095];
    acc += a[((n + (int)blockIdx.x)) & 4095];
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k9(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    out[((n * 2)) & 4095] = acc;
    acc += a[((5 - 4)) & 4095];
    if ((((int)threadIdx.x - n) <= (m * 8))) return;
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k10(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    if (((n * 4) > ((int)threadIdx.y * 5)))
    {
        for (int v1 = n; v1 >= (int)threadIdx.y; v1 -= 3)
        {
            for (int v2 = 0; v2 < (int)threadIdx.y; v2 += 1)
            {
                q += max(v1, (int)blockIdx.x);
                acc += a[((g + m)) & 4095];
            }
        }
        acc += a[(((int)threadIdx.x - (int)threadIdx.y)) & 4095];
        #pragma unroll 4
        for (int v3 = n; v3 > 0; v3 >>= 1)
        {
            if ((((unsigned)((100 / 4)) < (unsigned)(int)threadIdx.y) || ((5 - n) <= ((int)threadIdx.x - n)))) continue;
            acc += a[(((int)threadIdx.y >> 2)) & 4095];
        }
    }
    acc = acc * 1.5f + (int)blockIdx.x;
    int v4 = max((n + 7), (4 + (int)threadIdx.y));
    out[(m) & 4095] = acc;
    for (int v5 = 0; v5 < (m + n); v5 += 1)
    {
        q += (int)blockIdx.x;
        q += (n & 31);
        q += (n >> 3);
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k11(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    for (int v1 = (int)blockIdx.x; v1 >= ((int)blockIdx.x + g); v1 -= 7)
    {
        out[(((int)threadIdx.x + n)) & 4095] = acc;
        if (((int)blockIdx.x <= (int)blockIdx.x))
        {
            #pragma unroll 2
            for (int v2 = 1; v2 < ((int)blockIdx.x % 2); v2 *= 2)
            {
                q += v2;
            }
            #pragma unroll 4
            for (int v3 = 1; v3 < (((int)blockIdx.x + (int)blockIdx.x) >> 1); v3 += 3)
            {
                q += v1;
                out[((2 >> 2)) & 4095] = acc;
            }
            if (m > 1000)
                asm volatile("{\n$again: bra $again;\n}");
            q += m;
        }
        int v4 = g;
        out[(4) & 4095] = acc;
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k12(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    __shared__ float tile[64];
    tile[g & 63] = 0.0f;
    for (int v1 = m; v1 <= (33 - (int)threadIdx.x); v1 += 3)
    {
        asm volatile("{\nbra $over;\nadd.f32 %0, %0, 0f3F800000;\n$over:\n}" : "+f"(acc));
        acc = acc * 1.5f + (int)threadIdx.x;
        for (int v2 = 1; v2 < n; v2 <<= 1)
        {
            switch (((n >> 2)) & 3) {
            case 3:
            acc = acc * 1.5f + 0;
            break;
            case 2:
            q += n;
            break;
            case 0:
            acc += a[(((int)threadIdx.y + g)) & 4095];
            }
        }
    }
    for (int v3 = m; v3 <= m; v3 += step)
    {
        tile[((int)threadIdx.x) & 63] = acc;
        __syncthreads();
        acc += tile[(v3) & 63];
        __syncthreads();
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k13(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    __shared__ float tile[64];
    tile[g & 63] = 0.0f;
    if ((((n - 4) < min(n, (int)blockIdx.x)) || ((3 - m) >= 32)))
    {
        tile[(((int)threadIdx.x - n)) & 63] = acc;
        __syncthreads();
        acc += tile[(((int)blockIdx.x + m)) & 63];
        __syncthreads();
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k14(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    acc = acc * 1.5f + (int)blockIdx.x;
    if (((m >= ((int)blockIdx.x * 4)) && ((unsigned)(max(4, (int)threadIdx.x)) < (unsigned)n))) return;
    for (int v1 = n; v1 >= 0; v1 -= 7)
    {
        acc += a[(((int)blockIdx.x % 5)) & 4095];
    }
    acc += a[(max(g, m)) & 4095];
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k15(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    if (((m - 3) == ((int)blockIdx.x * 5))) return;
    acc += a[((g & 3)) & 4095];
    if (((g + (int)threadIdx.x) >= (g / 4)))
    {
        for (int v1 = 0; v1 < n; v1 += 1)
        {
            int v2 = (((int)blockIdx.x >> 2) % 4);
            acc = acc * 1.5f + v2;
            acc += a[((v2 + v2)) & 4095];
            switch (((v2 + v1)) & 3) {
            case 0:
            out[((v2 * 5)) & 4095] = acc;
            break;
            case 3:
            acc += a[((v2 / 3)) & 4095];
            break;
            case 1:
            acc += a[(((int)threadIdx.x % 4)) & 4095];
            case 2:
            q += (n + v1);
            break;
            }
        }
        acc += a[(((int)threadIdx.x - (int)threadIdx.x)) & 4095];
        q += (n & 3);
    }
    else
    {
        acc += a[(n) & 4095];
    }
    out[(n) & 4095] = acc;
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k16(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    __shared__ float tile[64];
    tile[g & 63] = 0.0f;
    for (int v1 = max(g, g); v1 > 0; v1 /= 3)
    {
        for (int v2 = (int)threadIdx.y; v2 >= (int)threadIdx.x; v2 -= 7)
        {
            acc += a[(g) & 4095];
        }
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k17(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    if ((((m + m) < (((n >> 1) < ((int)threadIdx.x & 31)) ? (int)threadIdx.y : m)) || ((31 % 8) <= n)))
    {
        acc += a[(16) & 4095];
        if (((m - g) >= (int)blockIdx.x))
        {
            if (((unsigned)((int)threadIdx.x) < (unsigned)(int)threadIdx.y))
            {
                q += ((int)threadIdx.x - (int)blockIdx.x);
                acc = acc * 1.5f + n;
                acc = acc * 1.5f + n;
            }
            if ((100 < (n + (int)threadIdx.y)))
            {
                acc = acc * 1.5f + g;
            }
            else
            {
                acc += a[((3 % 8)) & 4095];
                acc += a[(31) & 4095];
            }
            out[(((int)threadIdx.x + g)) & 4095] = acc;
        }
        else
        {
            out[(n) & 4095] = acc;
        }
    }
    else
    {
        acc = acc * 1.5f + (int)threadIdx.x;
        out[((int)threadIdx.x) & 4095] = acc;
    }
    acc += a[(max((int)threadIdx.y, g)) & 4095];
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k18(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    if (m > 1000)
        asm volatile("exit; trap;");
    q += max((int)threadIdx.x, g);
    acc = acc * 1.5f + g;
    for (int v1 = (((int)blockIdx.x - m) + (((g % 3) < (2 / 3)) ? n : (int)blockIdx.x)); v1 > 0; v1 /= 3)
    {
        if ((v1 >= min((int)blockIdx.x, v1)))
        {
            if (((((int)threadIdx.x % 5) >= (n + n)) || ((g & 7) != g))) break;
            out[(((int)threadIdx.x + m)) & 4095] = acc;
            if (step == 0)
                asm volatile("{\n$again: bra $again;\n}");
            q += (m + v1);
            out[((g - m)) & 4095] = acc;
        }
        else
        {
            if ((v1 <= (g - m)))
            {
                out[((v1 + m)) & 4095] = acc;
                out[(max(v1, v1)) & 4095] = acc;
                out[(v1) & 4095] = acc;
            }
            acc = acc * 1.5f + m;
            acc += a[(m) & 4095];
        }
        q += (5 - g);
    }
    q += (m % 8);
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k19(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    __shared__ float tile[64];
    tile[g & 63] = 0.0f;
    if (((((m - n) >= (int)blockIdx.x) ? (int)blockIdx.x : 63) != 8))
    {
        for (int v1 = 1; v1 < n; v1 <<= 1)
        {
            acc += __shfl_xor_sync(0xffffffffu, acc, 2);
            tile[((m - v1)) & 63] = acc;
            __syncthreads();
            acc += tile[((((unsigned)(v1) < (unsigned)v1) ? m : v1)) & 63];
            __syncthreads();
        }
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k20(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    if (((m % 4) != ((int)threadIdx.y + (int)threadIdx.x)))
    {
        q += ((int)threadIdx.x + (int)threadIdx.x);
    }
    q += (8 / 3);
    for (unsigned v1 = g; v1 < (unsigned)n; v1 += blockDim.x * gridDim.x)
    {
        acc += a[(((int)v1 >> 3)) & 4095];
        for (int v2 = ((int)v1 * 3); v2 < (((int)v1 >> 1) & 1); v2 += 3)
        {
            for (int v3 = v2; v3 < (int)blockIdx.x; v3 += step)
            {
                q += ((int)threadIdx.x / 7);
            }
            acc = acc * 1.5f + g;
        }
    }
    acc += a[((int)threadIdx.x) & 4095];
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k21(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    acc += a[((int)threadIdx.x) & 4095];
    if ((((int)threadIdx.x + 16) >= (int)blockIdx.x))
    {
        #pragma unroll 2
        for (unsigned v1 = min(m, 50) > 0 ? min(m, 50) : 0; v1-- > 0;)
        {
            if (((unsigned)(((int)v1 & 3)) < (unsigned)(int)threadIdx.x))
            {
                q += g;
                acc += a[((n >> 3)) & 4095];
            }
            else
            {
                q += (100 % 4);
            }
            acc = acc * 1.5f + m;
            for (int v2 = ((m == (n - g)) ? (int)threadIdx.x : 63); v2 < (int)v1; v2 += 1)
            {
                out[((g + m)) & 4095] = acc;
                acc += a[((v2 + g)) & 4095];
                out[((n * 5)) & 4095] = acc;
            }
        }
        out[((int)threadIdx.x) & 4095] = acc;
        out[((g + 7)) & 4095] = acc;
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k22(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    if ((((int)threadIdx.x * 5) >= (int)threadIdx.x)) return;
    int v1 = min(((int)threadIdx.y - n), g);
    out[(((int)threadIdx.y >> 3)) & 4095] = acc;
    switch ((n) & 3) {
    case 1:
    q += 4;
    break;
    case 2:
    q += max(5, (int)threadIdx.y);
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k23(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    switch (((int)blockIdx.x) & 3) {
    case 1:
    acc = acc * 1.5f + n;
    break;
    case 0:
    out[(((int)blockIdx.x + (int)blockIdx.x)) & 4095] = acc;
    case 3:
    acc += a[(m) & 4095];
    break;
    case 2:
    q += (m * 5);
    break;
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k24(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    if ((((7 - g) == (n + n)) || ((n + 1) > (int)blockIdx.x))) return;
    out[((n % 4)) & 4095] = acc;
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k25(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    if (n < 0)
        asm volatile("exit; trap;");
    acc += a[(n) & 4095];
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k26(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    for (int v1 = 0; v1 < n; v1 += step)
    {
        if ((min((int)blockIdx.x, v1) > v1))
        {
            acc += a[((n & 1)) & 4095];
        }
        else
        {
            int v2 = m;
            acc += a[(max(v1, (int)blockIdx.x)) & 4095];
            out[((v2 & 7)) & 4095] = acc;
        }
        out[((n + 32)) & 4095] = acc;
        out[((g * 3)) & 4095] = acc;
    }
    out[((int)blockIdx.x) & 4095] = acc;
    acc += a[((1 & 3)) & 4095];
    acc = acc * 1.5f + (int)threadIdx.x;
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k27(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    for (int v1 = 1; v1 < ((g * 3) >> 3); v1 += 3)
    {
        asm volatile("ret;");
        q += (m + g);
        if (m > 1000)
            asm volatile("{\n$again: bra $again;\n}");
        acc += a[((int)threadIdx.x) & 4095];
    }
    q += n;
    if ((((int)threadIdx.x + g) != n))
    {
        acc += a[(min(n, m)) & 4095];
    }
    if (((n - m) < (33 - (int)blockIdx.x)))
    {
        q += (int)threadIdx.x;
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k28(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    if (m > 1000)
        asm volatile("trap;");
    acc = acc * 1.5f + (int)blockIdx.x;
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k29(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    if ((((int)threadIdx.y >> 3) == (int)threadIdx.x))
    {
        q += (int)threadIdx.x;
        if ((((int)threadIdx.y & 1) > ((int)threadIdx.y - (int)threadIdx.x)))
        {
            if (((((int)threadIdx.x - g)) % 4 == 0)) return;
        }
        else
        {
            acc = acc * 1.5f + 16;
            acc += a[((g / 8)) & 4095];
        }
    }
    acc = acc * 1.5f + n;
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k30(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    q += (32 + (int)blockIdx.x);
    #pragma unroll 4
    for (int v1 = (g / 4); v1 <= n; v1 += step)
    {
        acc += a[(v1) & 4095];
        q += ((int)threadIdx.x + v1);
        for (unsigned v2 = min(g, 50) > 0 ? min(g, 50) : 0; v2-- > 0;)
        {
            out[(min(v1, (int)blockIdx.x)) & 4095] = acc;
        }
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k31(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    __shared__ float tile[64];
    tile[g & 63] = 0.0f;
    if (((((int)blockIdx.x + (int)blockIdx.x) <= 2) && (m <= (m % 5))))
    {
        acc += __shfl_xor_sync(0xffffffffu, acc, 16);
    }
    #pragma unroll 4
    for (int v1 = (m % 16); v1 <= n; v1 += 3)
    {
        if ((((int)blockIdx.x / 4) < (v1 - (int)blockIdx.x))) break;
        acc = acc * 1.5f + g;
        switch (((int)threadIdx.y) & 3) {
        case 1:
        acc = acc * 1.5f + g;
        break;
        case 0:
        out[(m) & 4095] = acc;
        break;
        case 3:
        acc += a[((g * 3)) & 4095];
        break;
        case 2:
        out[((v1 + m)) & 4095] = acc;
        break;
        }
    }
    acc += __shfl_xor_sync(0xffffffffu, acc, 2);
    acc += __shfl_xor_sync(0xffffffffu, acc, 2);
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k32(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    acc = acc * 1.5f + m;
    switch ((max(m, n)) & 3) {
    case 0:
    acc += a[(n) & 4095];
    break;
    case 1:
    acc = acc * 1.5f + (int)threadIdx.y;
    break;
    case 2:
    out[(((((int)threadIdx.x) % 4 == 0) ? 100 : n)) & 4095] = acc;
    case 3:
    out[((int)blockIdx.x) & 4095] = acc;
    break;
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k33(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    if ((((int)blockIdx.x - n) > (m - g)))
    {
        acc = acc * 1.5f + 5;
        if (((g & 7) >= min(m, n)))
            asm volatile("exit;");
        acc = acc * 1.5f + 2;
        acc += a[(g) & 4095];
    }
    else
    {
        acc += a[(m) & 4095];
    }
    switch ((n) & 3) {
    case 0:
    out[(((int)threadIdx.x & 1)) & 4095] = acc;
    break;
    case 2:
    q += (64 & 31);
    break;
    case 1:
    acc = acc * 1.5f + (int)threadIdx.x;
    case 3:
    acc += a[((g * 8)) & 4095];
    break;
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k34(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    for (int v1 = 0; v1 <= m; v1 += 3)
    {
        int v2 = ((n >> 1) & 15);
        acc = acc * 1.5f + v2;
    }
    out[(m) & 4095] = acc;
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k35(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    acc += a[(((int)threadIdx.y + (int)threadIdx.y)) & 4095];
    acc += a[((g >> 1)) & 4095];
    acc += a[(((int)blockIdx.x % 3)) & 4095];
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k36(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    q += (n >> 2);
    #pragma unroll 2
    for (int v1 = (((int)blockIdx.x % 5) + (int)threadIdx.x); v1 >= g; v1 -= 1)
    {
        acc = acc * 1.5f + n;
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k37(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    acc += a[(((int)blockIdx.x % 5)) & 4095];
    q += n;
    acc = acc * 1.5f + 31;
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k38(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    if (((n % 5) <= ((((int)blockIdx.x * 8) >= (3 - 8)) ? m : n)))
    {
        q += ((int)threadIdx.y / 7);
        if (m > 1000)
            asm volatile("{\n$again: bra $again;\n}");
        acc = acc * 1.5f + (int)threadIdx.y;
        if ((((31 & 7) == ((int)threadIdx.x / 3)) || ((g - (int)threadIdx.y) >= (int)blockIdx.x)))
        {
            out[((((((int)threadIdx.x + (int)blockIdx.x)) % 2 == 0) ? 16 : g)) & 4095] = acc;
            if ((((int)blockIdx.x + m) >= 16))
            {
                acc = acc * 1.5f + 32;
                acc += a[((int)threadIdx.y) & 4095];
            }
            else
            {
                acc += a[(g) & 4095];
                out[(7) & 4095] = acc;
            }
        }
    }
    else
    {
        if (((unsigned)(g) < (unsigned)(int)blockIdx.x))
        {
            switch ((((int)blockIdx.x * 8)) & 3) {
            case 2:
            out[(((int)threadIdx.x >> 1)) & 4095] = acc;
            break;
            case 1:
            acc = acc * 1.5f + g;
            break;
            }
            acc = acc * 1.5f + 0;
            acc += a[((5 & 7)) & 4095];
        }
    }
    acc = acc * 1.5f + g;
    acc = acc * 1.5f + g;
    out[(32) & 4095] = acc;
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k39(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    q += (int)blockIdx.x;
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k40(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    asm volatile("{\nbra $over;\nadd.f32 %0, %0, 0f3F800000;\n$over:\n}" : "+f"(acc));
    acc = acc * 1.5f + n;
    asm volatile("{\nbra $over;\nadd.f32 %0, %0, 0f3F800000;\n$over:\n}" : "+f"(acc));
    acc = acc * 1.5f + g;
    for (int v1 = 0; v1 <= ((m + m) * 4); v1 += step)
    {
        q += m;
        if ((((unsigned)((n + g)) < (unsigned)16) && ((unsigned)((1 / 2)) < (unsigned)(int)threadIdx.x)))
        {
            q += (v1 + n);
            switch ((((int)threadIdx.x >> 2)) & 3) {
            case 0:
            acc += a[(((((int)blockIdx.x / 8) != (v1 + (int)blockIdx.x)) ? n : v1)) & 4095];
            break;
            case 1:
            acc = acc * 1.5f + m;
            break;
            case 3:
            acc += a[(((int)threadIdx.x + g)) & 4095];
            break;
            }
        }
        else
        {
            for (int v2 = (n >> 1); v2 < m; v2 += 1)
            {
                q += (v2 * 2);
                acc = acc * 1.5f + g;
            }
            if (((n >> 3) != min(g, n)))
            {
                acc = acc * 1.5f + v1;
                q += max(g, g);
                acc = acc * 1.5f + n;
            }
        }
        q += ((int)blockIdx.x >> 3);
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k41(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    for (int v1 = 0; v1 < m; v1 += 1)
    {
        q += (n * 4);
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k42(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    __shared__ float tile[64];
    tile[g & 63] = 0.0f;
    switch ((((int)threadIdx.y + (int)blockIdx.x)) & 3) {
    case 0:
    out[(max(n, g)) & 4095] = acc;
    break;
    case 1:
    q += g;
    break;
    case 3:
    acc = acc * 1.5f + (int)threadIdx.x;
    case 2:
    q += ((((m / 3)) % 3 == 0) ? 63 : m);
    break;
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k43(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    q += (3 / 2);
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k44(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    __shared__ float tile[64];
    tile[g & 63] = 0.0f;
    if (step == 0)
        asm volatile("exit; trap;");
    out[(63) & 4095] = acc;
    #pragma unroll 4
    for (int v1 = m; v1 > m; v1 -= 1)
    {
        tile[((v1 / 16)) & 63] = acc;
        __syncthreads();
        acc += tile[(((int)threadIdx.y * 3)) & 63];
        __syncthreads();
        acc += __shfl_xor_sync(0xffffffffu, acc, 2);
    }
    switch (((32 - (int)blockIdx.x)) & 3) {
    case 1:
    out[(m) & 4095] = acc;
    break;
    case 2:
    acc += a[((n + 32)) & 4095];
    break;
    case 3:
    acc += a[(((int)blockIdx.x * 4)) & 4095];
    break;
    case 0:
    acc += a[(((int)blockIdx.x - (int)blockIdx.x)) & 4095];
    }
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k45(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    for (int v1 = ((int)threadIdx.y + n); v1 < m; v1 += 1)
    {
        if (step == 0)
            asm volatile("{\n$again: bra $again;\n}");
        acc = acc * 1.5f + (int)threadIdx.x;
        if ((((int)threadIdx.y != g) && ((v1 & 1) >= (m >> 3))))
        {
            asm volatile("{\nbra $over;\nadd.f32 %0, %0, 0f3F800000;\n$over:\n}" : "+f"(acc));
            out[((int)blockIdx.x) & 4095] = acc;
        }
        else
        {
            if ((n < (n + (int)threadIdx.y)))
            {
                acc += a[(64) & 4095];
                out[(max(g, n)) & 4095] = acc;
                out[((7 - v1)) & 4095] = acc;
            }
        }
        if (((n) % 4 == 0))
        {
            switch ((v1) & 3) {
            case 1:
            acc += a[(16) & 4095];
            break;
            case 0:
            out[((((v1 / 16) <= m) ? g : v1)) & 4095] = acc;
            break;
            }
        }
        else
        {
            acc = acc * 1.5f + v1;
        }
    }
    q += (5 + n);
    out[((g >> 2)) & 4095] = acc;
    acc = acc * 1.5f + 4;
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k46(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    acc = acc * 1.5f + (int)blockIdx.x;
    int v1 = (((int)threadIdx.x + (int)threadIdx.x) / 8);
    acc = acc * 1.5f + m;
    out[(q + g) & 4095] = acc;
}

extern "C" __global__ void k47(float *out, const float *a, int n, int m, int step)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x, q = 0;
    float acc = 0.0f;
    __shared__ float tile[64];
    tile[g & 63] = 0.0f;
    for (int v1 = 0; v1 < (n + 64); v1 += step)
    {
        for (int v2 = 0; v2 < v1; v2 += 3)
        {
            acc += __shfl_xor_sync(0xffffffffu, acc, 1);
            tile[((((v1 * 5) == (v2 & 3)) ? n : (int)blockIdx.x)) & 63] = acc;
            __syncthreads();
            acc += tile[(m) & 63];
            __syncthreads();
        }
        acc += __shfl_xor_sync(0xffffffffu, acc, 1);
        if ((1 >= (n + v1)))
        {
            tile[((((v1 / 7) == (g >> 3)) ? (int)threadIdx.x : m)) & 63] = acc;
            __syncthreads();
            acc += tile[(v1) & 63];
            __syncthreads();
        }
    }
    out[(q + g) & 4095] = acc;
}

