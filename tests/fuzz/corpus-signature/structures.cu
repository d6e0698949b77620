struct extent { int width, height; };
typedef struct { unsigned long long n; const float *in[2]; } list;
struct __align__(16) all { extent size; list lists[2]; float k[3][3]; bool b = true; half2 h; int size_of() const { return 1; } };
__global__ void k(const all a, dim3 n, list l, struct extent e) {}
