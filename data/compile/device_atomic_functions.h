/* Stands in for the CUDA toolkit's header of this name: all that there is is in forewarp_cuda.h and its
 * other parts, which are always there. */
#include "forewarp_cuda.h"
