/* The width of a warp. */
#ifndef FW_WARP_H
#define FW_WARP_H

/* Threads of a warp of every CUDA device so far (CUDA C++ Programming Guide, compute capabilities:
 * warp size 32), and of PTX's warp-wide instructions, whose masks have 32 bits.  Where a device is
 * known, its profile's value counts instead: AMD's wavefronts may have 64. */
enum { FW_WARP_THREADS = 32 };

#endif
