/* Accesses of a kernel that volumes do not model, or model as something else; properties that a
 * profile lacks. */
#include "measured.h"

#include "boxes.h"
#include "footprint.h"
#include "local_memory.h"

/* Whether L2 executes it. */
static bool is_atomic(const struct fw_access *access)
{
    return (access->direction == FW_ATOMIC || access->direction == FW_REDUCTION) &&
           (access->space == FW_SPACE_GLOBAL || access->space == FW_SPACE_GENERIC);
}

/* Whether assemblers make a loop of comparing and swapping of it: ptxas 13.0 does so in shared
 * memory for floating-point numbers and for 64 bits. */
static bool is_loop(const struct fw_access *access)
{
    return (access->direction == FW_ATOMIC || access->direction == FW_REDUCTION) &&
           access->space == FW_SPACE_SHARED &&
           (fw_type_class(access->type) == 'f' || fw_type_bytes(access->type) > 4);
}

uint32_t fw_traffic_not_modelled(const char **sentences, struct fw_arena *arena,
                                 const struct fw_kernel *kernel)
{
    uint32_t count = 0, local = 0, unknown = 0, constant = 0, texture = 0, atomics = 0, shared = 0;
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        local += access->space == FW_SPACE_LOCAL;
        unknown += access->space == FW_SPACE_LOCAL && !fw_local_is_modelled(kernel, access);
        constant += access->space == FW_SPACE_CONST;
        texture += access->space == FW_SPACE_TEX;
        atomics += is_atomic(access);
        shared += is_loop(access);
    }
    if (atomics)
        sentences[count++] =
            fw_arena_printf(arena,
                            "Atomic operations (%u of the accesses): their bytes count as stores, "
                            "and they are spread evenly over the words that they may reach.",
                            atomics);
    if (shared)
        sentences[count++] =
            fw_arena_printf(arena,
                            "Atomic operations of shared memory that are loops of comparing and "
                            "swapping (%u of the accesses): what they repeat is not modelled.",
                            shared);
    if (constant)
        sentences[count++] =
            fw_arena_printf(arena,
                            "Loads through the constant cache (%u of the accesses): what all "
                            "threads load from one address counts as a hit of the nearest one.",
                            constant);
    if (texture)
        sentences[count++] = fw_arena_printf(
            arena, "Loads through textures (%u of the accesses) are not modelled.", texture);
    if (local > unknown)
        sentences[count++] = fw_arena_printf(arena,
                                             "Local memory (%u of the accesses) is modelled as "
                                             "such: an assembler may keep the array in registers.",
                                             local - unknown);
    if (unknown)
        sentences[count++] = fw_arena_printf(
            arena, "Local memory of unknown addresses (%u of the accesses) is not modelled.",
            unknown);
    if (kernel->resources.spill_store_bytes || kernel->resources.spill_load_bytes)
        sentences[count++] = fw_arena_printf(
            arena,
            "Register spills (%u bytes stored, %u bytes loaded per thread, of instructions as they "
            "stand) are distributed over loops by what is live there.",
            kernel->resources.spill_store_bytes, kernel->resources.spill_load_bytes);
    return count;
}

const char *fw_traffic_not_calibrated(struct fw_arena *arena, const struct fw_device *device)
{
    static const enum fw_figure figures[] = {
        FW_FIGURE_LATENCY_SPREAD,      FW_FIGURE_LATENCY_SPREAD_LOADS, FW_FIGURE_DRAM_QUEUE,
        FW_FIGURE_DRAM_PIECE_OVERHEAD, FW_FIGURE_DRAM_PIECE_STORE,     FW_FIGURE_DRAM_PIECE_FAR,
        FW_FIGURE_DRAM_PIECE_APART,    FW_FIGURE_DRAM_SHARED_WITHIN,   FW_FIGURE_DRAM_SHARED_ACROSS,
        FW_FIGURE_DRAM_SHARED_LATE,    FW_FIGURE_DRAM_SHARED_IN_PLACE, FW_FIGURE_DRAM_LONE_READ,
        FW_FIGURE_DRAM_LONE_WRITE,     FW_FIGURE_ISSUE_SHARE,          FW_FIGURE_EMPTY_DURATION};
    const char *names = NULL;
    for (size_t f = 0; f < sizeof(figures) / sizeof(figures[0]); f++) {
        const char *name = fw_figure_row(figures[f])->name;
        if (!fw_device_figure(device, figures[f], NULL))
            names = names ? fw_arena_printf(arena, "%s, %s", names, name) : name;
    }
    return names ? fw_arena_printf(arena,
                                   "The profile has no %s: the time does not include what "
                                   "they cost.",
                                   names)
                 : NULL;
}

/* The arrays that footprints bounded in one way, as a list of names; NULL: none. */
static const char *bounded_arrays(struct fw_arena *arena, const struct fw_kernel *kernel,
                                  const struct fw_affine_accesses *accesses,
                                  enum fw_footprint_bound bound)
{
    enum { MOST_NAMES = 4 };
    const char *names = NULL;
    uint32_t count = 0;
    for (uint32_t a = 0; a < accesses->arrays; a++) {
        bool named = a < kernel->array_count;
        const char *name =
            named ? fw_text_variable(arena, kernel->arrays[a].name) : "an unknown array";
        if (!(accesses->bounded[a] & bound) || ++count > MOST_NAMES)
            continue;
        names = names ? fw_arena_printf(arena, "%s, %s", names, name) : name;
    }
    return count > MOST_NAMES
               ? fw_arena_printf(arena, "%s and %u others", names, count - MOST_NAMES)
               : names;
}

uint32_t fw_traffic_bounded(const char **sentences, struct fw_arena *arena,
                            const struct fw_kernel *kernel,
                            const struct fw_affine_accesses *accesses)
{
    const char *unions = bounded_arrays(arena, kernel, accesses, FW_FOOTPRINT_UNION),
               *shares = bounded_arrays(arena, kernel, accesses, FW_FOOTPRINT_SHARES);
    uint32_t count = 0;
    if (unions)
        sentences[count++] =
            fw_arena_printf(arena,
                            "Accesses touch more than %d boxes of %s: their volumes are "
                            "upper bounds, those of the box around them at most.",
                            FW_BOXES_MOST, unions);
    if (shares)
        sentences[count++] =
            fw_arena_printf(arena,
                            "Accesses to %s are too many to tell which loads find their data "
                            "in L2: in the time, all of them count as if they did.",
                            shares);
    return count;
}
