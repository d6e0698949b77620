/* What a launch asks of the board each second, and the watts that this draws.
 *
 * Watts are a sum over kinds of events: how many a second, by the time that a model predicts, times
 * the energy of each.  Energies are not negative; training finds them (src/train/energies.h), since
 * those of microbenchmarks are of operands that toggle few wires or many (data/h200/energies). */
#ifndef FW_FOREST_DRAWS_H
#define FW_FOREST_DRAWS_H

/* X(name, about): of units, the share of the time that they work; of events, 10^12 a second, so
 * that an energy is in watts or in picojoules. */
/* clang-format off */
#define FW_FOREST_DRAWS(X) \
    X(idle, "1") \
    X(active, "share of the multiprocessors that have a block") \
    X(dram, "share of the time that device memory works") \
    X(l1, "share of the time that L1 works") \
    X(l2, "share of the time that L2 works") \
    X(f16, "share of the time of the f16 units") \
    X(f32, "share of the time of the f32 units") \
    X(f64, "share of the time of the f64 units") \
    X(integer, "share of the time of the integer units") \
    X(integer_multiply, "share of the time of the integer multipliers") \
    X(issue, "share of the issue slots") \
    X(shuffle, "share of the time of shuffles") \
    X(special, "share of the time of the special functions") \
    X(tensor, "share of the time of the matrix units") \
    X(dram_read, "bytes read from device memory") \
    X(dram_write, "bytes written to device memory") \
    X(l2_to_l1, "bytes from L2 to L1") \
    X(l1_to_l2, "bytes from L1 to L2") \
    X(load_sectors, "sectors of loads") \
    X(store_sectors, "sectors of stores") \
    X(shared_wavefronts, "wavefronts of shared memory") \
    X(instructions, "instructions of threads") \
    X(arithmetic, "arithmetic instructions of threads") \
    X(logic, "logic instructions of threads") \
    X(control, "control instructions of threads") \
    X(shared_bytes, "bytes that threads move to and from shared memory") \
    X(global_bytes, "bytes that threads load from and store to device memory")
/* clang-format on */

enum fw_forest_draw {
#define X(name, about) FW_FOREST_DRAW_##name,
    FW_FOREST_DRAWS(X)
#undef X
        FW_FOREST_DRAW_COUNT
};

const char *fw_forest_draw_name(enum fw_forest_draw draw); /* "idle" */

/* Watts; 0: all energies are 0, none were found. */
double fw_forest_draws_watts(const double draws[FW_FOREST_DRAW_COUNT],
                             const double energies[FW_FOREST_DRAW_COUNT]);

#endif
