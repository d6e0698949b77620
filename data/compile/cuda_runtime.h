/* Stands in for the CUDA toolkit's header of this name: all that there is is in forewarp_cuda.h. */
#include "forewarp_cuda.h"
