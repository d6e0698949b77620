/* Kernels that move data and do next to nothing else: several arrays read and written, in place or
 * not, in rows of any alignment, by threads that do one element or many.  What figures of device
 * memory's time come from; never stars or lattice-Boltzmann. */

/* Element (x, y) of R arrays to W others; `pitch`: elements from one array to the next. */
#define SHEET(T, R, W)                                                                             \
    extern "C" __global__ void sheet_##T##_##R##_##W(const T *__restrict__ a, T *__restrict__ b,   \
                                                     int nx, int ny, long long pitch)              \
    {                                                                                              \
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;  \
        if (x >= nx || y >= ny)                                                                    \
            return;                                                                                \
        long long i = (long long)y * nx + x;                                                       \
        T sum = (T)x;                                                                              \
        _Pragma("unroll") for (int r = 0; r < R; r++) sum += a[r * pitch + i];                     \
        _Pragma("unroll") for (int w = 0; w < W; w++) b[w * pitch + i] = sum + (T)w;               \
        if (W == 0 && sum == (T)-1)                                                                \
            b[i] = sum;                                                                            \
    }
SHEET(float, 1, 1)
SHEET(float, 2, 1)
SHEET(float, 3, 1)
SHEET(float, 4, 1)
SHEET(float, 8, 1)
SHEET(float, 16, 1)
SHEET(float, 1, 2)
SHEET(float, 1, 4)
SHEET(float, 2, 2)
SHEET(float, 4, 4)
SHEET(float, 8, 8)
SHEET(float, 16, 16)
SHEET(float, 0, 1)
SHEET(float, 0, 4)
SHEET(float, 4, 0)
SHEET(float, 8, 0)
SHEET(double, 1, 1)
SHEET(double, 2, 1)
SHEET(double, 4, 1)
SHEET(double, 8, 1)
SHEET(double, 4, 4)
SHEET(double, 16, 16)
SHEET(double, 0, 4)
SHEET(double, 4, 0)

/* The same with loads one element to the left, in place, and to the right: rows that begin beside a sector. */
#define SHIFT(T, R, W)                                                                             \
    extern "C" __global__ void shift_##T##_##R##_##W(const T *__restrict__ a, T *__restrict__ b,   \
                                                     int nx, int ny, long long pitch)              \
    {                                                                                              \
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;  \
        if (x >= nx || y >= ny)                                                                    \
            return;                                                                                \
        long long i = (long long)y * nx + x;                                                       \
        T sum = (T)x;                                                                              \
        _Pragma("unroll") for (int r = 0; r < R; r++) sum += a[r * pitch + i + (r + 2) % 3];       \
        _Pragma("unroll") for (int w = 0; w < W; w++) b[w * pitch + i] = sum + (T)w;               \
    }
SHIFT(float, 1, 1)
SHIFT(float, 4, 4)
SHIFT(float, 16, 16)
SHIFT(double, 1, 1)
SHIFT(double, 4, 1)
SHIFT(double, 4, 4)
SHIFT(double, 8, 8)
SHIFT(double, 16, 16)

/* Element (x, y, z) of R arrays to W others. */
#define CUBE(T, R, W)                                                                              \
    extern "C" __global__ void cube_##T##_##R##_##W(const T *__restrict__ a, T *__restrict__ b,    \
                                                    int nx, int ny, long long pitch)               \
    {                                                                                              \
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;  \
        int z = blockIdx.z * blockDim.z + threadIdx.z;                                             \
        if (x >= nx || y >= ny)                                                                    \
            return;                                                                                \
        long long i = ((long long)z * ny + y) * nx + x;                                            \
        T sum = (T)x;                                                                              \
        _Pragma("unroll") for (int r = 0; r < R; r++) sum += a[r * pitch + i];                     \
        _Pragma("unroll") for (int w = 0; w < W; w++) b[w * pitch + i] = sum + (T)w;               \
    }
CUBE(double, 1, 1)
CUBE(double, 4, 1)
CUBE(double, 8, 8)
CUBE(float, 4, 4)

/* K arrays in place: all loaded first, or one after the other, since a store may change what is
 * loaded next. */
#define PLACE(T, K)                                                                                \
    extern "C" __global__ void place_##T##_##K(T *a, T *b, int nx, int ny, long long pitch)        \
    {                                                                                              \
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;  \
        if (x >= nx || y >= ny)                                                                    \
            return;                                                                                \
        long long i = (long long)y * nx + x;                                                       \
        T value[K];                                                                                \
        _Pragma("unroll") for (int k = 0; k < K; k++) value[k] = a[k * pitch + i];                 \
        _Pragma("unroll") for (int k = 0; k < K; k++) a[k * pitch + i] = value[k] * (T)0.5 + (T)1; \
    }                                                                                              \
    extern "C" __global__ void turns_##T##_##K(T *a, T *b, int nx, int ny, long long pitch)        \
    {                                                                                              \
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;  \
        if (x >= nx || y >= ny)                                                                    \
            return;                                                                                \
        long long i = (long long)y * nx + x;                                                       \
        _Pragma("unroll") for (int k = 0; k < K; k++) a[k * pitch + i] =                           \
            a[k * pitch + i] * (T)0.5 + (T)1;                                                      \
    }
PLACE(float, 1)
PLACE(float, 2)
PLACE(float, 4)
PLACE(float, 8)
PLACE(double, 1)
PLACE(double, 4)

/* A thread goes down K rows of a column, R arrays to W others; in place where a is b. */
#define MARCH(T, R, W)                                                                             \
    extern "C" __global__ void march_##T##_##R##_##W(const T *__restrict__ a, T *__restrict__ b,   \
                                                     int nx, int ny, long long pitch)              \
    {                                                                                              \
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;  \
        if (x >= nx)                                                                               \
            return;                                                                                \
        T last = (T)0;                                                                             \
        for (int k = 0; k < ny; k++) {                                                             \
            long long i = ((long long)k * gridDim.y * blockDim.y + y) * nx + x;                    \
            T sum = last;                                                                          \
            _Pragma("unroll") for (int r = 0; r < R; r++) sum += a[r * pitch + i];                 \
            _Pragma("unroll") for (int w = 0; w < W; w++) b[w * pitch + i] = sum + (T)w;           \
            last = sum * (T)0.5;                                                                   \
        }                                                                                          \
        if (W == 0 && last == (T)-1)                                                               \
            b[x] = last;                                                                           \
    }
MARCH(float, 1, 1)
MARCH(float, 2, 1)
MARCH(float, 4, 4)
MARCH(float, 4, 0)
MARCH(double, 1, 1)
MARCH(double, 2, 1)

/* The same where each value is read, changed and written back: the next row waits for its store. */
#define MARCH_PLACE(T)                                                                             \
    extern "C" __global__ void march_place_##T(T *a, T *b, int nx, int ny, long long pitch)        \
    {                                                                                              \
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;  \
        if (x >= nx)                                                                               \
            return;                                                                                \
        T last = (T)0;                                                                             \
        for (int k = 0; k < ny; k++) {                                                             \
            long long i = ((long long)k * gridDim.y * blockDim.y + y) * nx + x;                    \
            last = last * (T)0.5 + a[i];                                                           \
            a[i] = last;                                                                           \
        }                                                                                          \
    }
MARCH_PLACE(float)
MARCH_PLACE(double)

/* Strides of the whole grid, in one and two dimensions. */
#define STRIDE(T, R, W)                                                                            \
    extern "C" __global__ void stride_##T##_##R##_##W(const T *__restrict__ a, T *__restrict__ b,  \
                                                      int nx, int ny, long long pitch)             \
    {                                                                                              \
        for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < ny; y += gridDim.y * blockDim.y)   \
            for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < nx;                            \
                 x += gridDim.x * blockDim.x) {                                                    \
                long long i = (long long)y * nx + x;                                               \
                T sum = (T)x;                                                                      \
                _Pragma("unroll") for (int r = 0; r < R; r++) sum += a[r * pitch + i];             \
                _Pragma("unroll") for (int w = 0; w < W; w++) b[w * pitch + i] = sum + (T)w;       \
                if (W == 0 && sum == (T)-1)                                                        \
                    b[i] = sum;                                                                    \
            }                                                                                      \
    }
STRIDE(float, 1, 0)
STRIDE(float, 1, 1)
STRIDE(float, 2, 1)
STRIDE(double, 2, 1)

/* A tile of 32 by 32 to its place in the transposed matrix. */
#define TURN(T)                                                                                    \
    extern "C" __global__ void turn_##T(const T *__restrict__ a, T *__restrict__ b, int nx, int ny,\
                                        long long pitch)                                           \
    {                                                                                              \
        __shared__ T tile[32][33];                                                                 \
        int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;                  \
        for (int k = 0; k < 32; k += blockDim.y)                                                   \
            if (x < nx && y + k < ny)                                                              \
                tile[threadIdx.y + k][threadIdx.x] = a[(long long)(y + k) * nx + x];               \
        __syncthreads();                                                                           \
        x = blockIdx.y * 32 + threadIdx.x;                                                         \
        y = blockIdx.x * 32 + threadIdx.y;                                                         \
        for (int k = 0; k < 32; k += blockDim.y)                                                   \
            if (x < ny && y + k < nx)                                                              \
                b[(long long)(y + k) * ny + x] = tile[threadIdx.x][threadIdx.y + k];               \
    }
TURN(float)
TURN(double)

/* A thread adds up a row: lanes are rows apart, each line serves several of a thread's loads. */
#define ROWS(T)                                                                                    \
    extern "C" __global__ void rows_##T(const T *__restrict__ a, T *__restrict__ b, int nx, int ny,\
                                        long long pitch)                                           \
    {                                                                                              \
        int y = blockIdx.x * blockDim.x + threadIdx.x;                                             \
        if (y >= ny)                                                                               \
            return;                                                                                \
        T sum = (T)0;                                                                              \
        for (int x = 0; x < nx; x++)                                                               \
            sum += a[(long long)y * nx + x];                                                       \
        b[y] = sum;                                                                                \
    }
ROWS(float)
ROWS(double)
