/* Stands in for the CUDA toolkit's header of this name, which clang cannot do without the toolkit. */
#error "mma.h (wmma fragments) needs nvcc; mma.sync as inline PTX works with clang, too"
