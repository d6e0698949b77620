/* Properties of the units beside loads and stores: atomic operations in L2 and in shared memory,
 * addresses and misses of constant memory. */
#include "probe_profile_internal.h"

#include <math.h>

enum { U32, U64, F32, F64 };

static struct fw_probe_atomic on(int type, enum fw_probe_atomic_pattern pattern, unsigned words)
{
    return (struct fw_probe_atomic){.type = type, .pattern = pattern, .words = words};
}

/* Additions a second; NaN: not measured. */
static struct fw_probe_spread rate_of(struct probe *probe, struct fw_probe_atomic which)
{
    struct fw_probe_atomic *atomics;
    size_t count = fw_probe_atomics(&atomics, probe->arena);
    for (size_t i = 0; i < count; i++) {
        const struct fw_probe_atomic *at = &atomics[i];
        if (at->type != which.type || at->pattern != which.pattern || at->words != which.words ||
            at->returns != which.returns || at->offset != which.offset)
            continue;
        const char *name = fw_probe_atomic_name(probe->arena, at);
        struct fw_probe_spread seconds = probe_seconds(probe, name, true);
        double all = FW_PROBE_ATOMIC_BLOCKS * FW_PROBE_ATOMIC_THREADS * probe->multiprocessors;
        return seconds.value > 0 ? probe_inverse(all * at->times, seconds) : probe_nothing;
    }
    return probe_nothing;
}

static void set_rate(struct probe *probe, enum fw_figure figure, struct fw_probe_spread rate,
                     const char *how)
{
    if (rate.value > 0)
        probe_set(probe, figure, rate, how);
    else
        probe_missing(probe, figure, "was not measured");
}

/* Bytes of a slice: an array of 2 KiB is on as many slices as it is faster than one of 128 bytes.
 */
static double slice_bytes(struct probe *probe)
{
    enum { FEW = 32, MORE = 512 };
    struct fw_probe_spread one = rate_of(probe, on(U32, FW_PROBE_ATOMIC_ROW, FEW));
    struct fw_probe_spread more = rate_of(probe, on(U32, FW_PROBE_ATOMIC_ROW, MORE));
    double bytes = MORE * fw_probe_atomic_bytes[U32], slices = nearbyint(more.value / one.value);
    if (!(one.value > 0) || !(slices >= 1)) {
        probe_missing(probe, FW_FIGURE_ATOMIC_SLICE_BYTES, "was not measured");
        return 0;
    }
    double low = bytes / ceil(more.value / one.value),
           high = bytes / fmax(1, floor(more.value / one.value));
    probe_set_between(probe, FW_FIGURE_ATOMIC_SLICE_BYTES,
                      (struct fw_probe_spread){bytes / slices, low, high, more.count},
                      "2 KiB over the slices that their rate shows");
    return bytes / slices;
}

/* Passes a second that change all words of sectors, of one slice. */
static struct fw_probe_spread whole_of(struct probe *probe, int type, double slice)
{
    enum { WORDS = 256, SECTOR = 32 };
    double bytes = fw_probe_atomic_bytes[type], slices = fmax(1, WORDS * bytes / slice);
    return probe_scaled(rate_of(probe, on(type, FW_PROBE_ATOMIC_ROW, WORDS)),
                        bytes / SECTOR / slices);
}

/* Slices that work side by side: the rate over a large array by that of one. */
static void figure_slices(struct probe *probe, double passes, double whole)
{
    enum { LARGE = 1048576, SECTOR = 32 };
    double found[2 * FW_PROBE_ATOMIC_TYPES];
    size_t count = 0;
    for (int type = 0; type < FW_PROBE_ATOMIC_TYPES; type++) {
        double one = rate_of(probe, on(type, FW_PROBE_ATOMIC_ONE, LARGE)).value / passes;
        double row = rate_of(probe, on(type, FW_PROBE_ATOMIC_ROW, LARGE)).value *
                     fw_probe_atomic_bytes[type] / SECTOR / whole;
        if (one > 0)
            found[count++] = one;
        if (row > 0)
            found[count++] = row;
    }
    if (count)
        probe_set(probe, FW_FIGURE_ATOMIC_SLICES, fw_probe_spread(probe->arena, found, count),
                  "additions over 1048576 words by the rate of one slice: by type and pattern");
    else
        probe_missing(probe, FW_FIGURE_ATOMIC_SLICES, "was not measured");
}

static void figures_atomics(struct probe *probe)
{
    struct fw_probe_atomic result = on(U32, FW_PROBE_ATOMIC_ONE, 1);
    struct fw_probe_spread passes = rate_of(probe, result);
    result.returns = true;
    set_rate(probe, FW_FIGURE_ATOMIC_PASSES, passes, "u32 additions to one word");
    set_rate(probe, FW_FIGURE_ATOMIC_FLOAT_WORD, rate_of(probe, on(F32, FW_PROBE_ATOMIC_ONE, 1)),
             "f32 additions to one word");
    set_rate(probe, FW_FIGURE_ATOMIC_RESULT_WORD, rate_of(probe, result),
             "u32 additions to one word whose results are used");
    double slice = slice_bytes(probe);
    if (!(slice > 0) || !(passes.value > 0)) {
        probe_missing(probe, FW_FIGURE_ATOMIC_WHOLE, "was not measured");
        probe_missing(probe, FW_FIGURE_ATOMIC_WHOLE_F64, "was not measured");
        probe_missing(probe, FW_FIGURE_ATOMIC_SLICES, "was not measured");
        return;
    }
    struct fw_probe_spread whole = whole_of(probe, U32, slice);
    set_rate(probe, FW_FIGURE_ATOMIC_WHOLE, whole, "u32 additions to 256 neighbouring words");
    set_rate(probe, FW_FIGURE_ATOMIC_WHOLE_F64, whole_of(probe, F64, slice),
             "f64 additions to 256 neighbouring words");
    figure_slices(probe, passes.value, whole.value);
}

/* What no property says yet: every rate, for whoever looks for a rule. */
static void findings_atomics(struct probe *probe)
{
    struct fw_probe_atomic *atomics;
    size_t count = fw_probe_atomics(&atomics, probe->arena);
    for (size_t i = 0; i < count; i++) {
        struct fw_probe_spread rate = rate_of(probe, atomics[i]);
        if (rate.value > 0)
            probe_finding(probe, fw_probe_atomic_name(probe->arena, &atomics[i]), "operations/s",
                          rate);
    }
}

/* Cycles of one instruction of a warp, of 32 warps; point `index`. */
static struct fw_probe_spread cycles_of(struct probe *probe, const char *name, size_t index)
{
    return probe_column(probe, name, index, 32.0 * FW_PROBE_UNIT_ITERATIONS * FW_PROBE_UNIT_UNROLL);
}

/* Cycles that each further word of a warp adds; NaN: not measured. */
static double cycles_of_a_word(struct probe *probe, const char *name)
{
    double words[FW_PROBE_UNIT_LANES], cycles[FW_PROBE_UNIT_LANES];
    for (size_t i = 0; i < FW_PROBE_UNIT_LANES; i++) {
        words[i] = exp2((double)i);
        cycles[i] = cycles_of(probe, name, i).value;
        if (!(cycles[i] > 0))
            return NAN;
    }
    return fw_probe_line(probe->arena, words, cycles, FW_PROBE_UNIT_LANES).slope;
}

static void figures_constants(struct probe *probe)
{
    enum { NEAR = 0, BEYOND = 3 }; /* 1 and 8 KiB */
    double word = cycles_of_a_word(probe, "constant_lanes");
    struct fw_probe_spread near = cycles_of(probe, "constant_walk", NEAR);
    struct fw_probe_spread far = cycles_of(probe, "constant_walk", BEYOND);
    double line = cycles_of_a_word(probe, "constant_lines");
    if (word > 0)
        probe_set(probe, FW_FIGURE_CONSTANT_REQUESTS,
                  (struct fw_probe_spread){1 / word, 1 / word, 1 / word, near.count},
                  "what each further word of a warp adds");
    else
        probe_missing(probe, FW_FIGURE_CONSTANT_REQUESTS, "was not measured");
    if (line > 0)
        probe_finding(probe, "constant, a further word 64 bytes apart", "cycles",
                      (struct fw_probe_spread){line, line, line, near.count});
    double missed = far.value - near.value;
    if (missed > 0 && isfinite(missed))
        probe_set(probe, FW_FIGURE_CONSTANT_MISSES,
                  (struct fw_probe_spread){1 / missed, 1 / missed, 1 / missed, far.count},
                  "walks of 32 warps through 8 KiB, beyond those through 1 KiB");
    else
        probe_missing(probe, FW_FIGURE_CONSTANT_MISSES,
                      near.value > 0 ? "8 KiB take as long as 1 KiB" : "was not measured");
    for (size_t i = 0; i < FW_PROBE_CONSTANT_SIZES && near.value > 0; i++)
        probe_finding(probe, fw_arena_printf(probe->arena, "constant walk, %d KiB", 1 << i),
                      "cycles", cycles_of(probe, "constant_walk", i));
}

static void findings_shared(struct probe *probe)
{
    for (int type = 0; type < FW_PROBE_ATOMIC_TYPES; type++) {
        const char *name = fw_arena_printf(probe->arena, "shared_%s", fw_probe_atomic_types[type]);
        for (size_t i = 0; i < FW_PROBE_UNIT_LANES; i++) {
            struct fw_probe_spread cycles = cycles_of(probe, name, i);
            if (cycles.value > 0)
                probe_finding(probe,
                              fw_arena_printf(probe->arena, "atomic %s, %d words", name, 1 << i),
                              "cycles", cycles);
        }
    }
}

void probe_figures_units(struct probe *probe)
{
    figures_atomics(probe);
    figures_constants(probe);
    findings_atomics(probe);
    findings_shared(probe);
}
