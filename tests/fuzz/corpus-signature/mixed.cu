#define X(a) \
    a
/* __global__ void no(); */ template <typename T, int N = (3 > 2)> __global__ void __launch_bounds__(256) add(T *__restrict__ a, T const *b = f(1, 2));
extern "C" __attribute__((global)) void k(std::pair<int, float> p, int (*f)(int), float tile[16][N], const int);
R"x(__global__ void no())x" 'a' __kernel void cl(__global float4 *restrict a, local int *b) {}
