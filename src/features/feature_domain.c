/* Rows of features from the counts of a kernel-language program. */
#include "feature_rows.h"

#include <math.h>
#include <string.h>

static enum fw_type type_of(const char *text)
{
    return fw_type_find(text, (unsigned)strlen(text));
}

static enum fw_space space_of(const char *text)
{
    for (int s = 0; s < FW_SPACE_COUNT; s++)
        if (strcmp(fw_space_text((enum fw_space)s), text) == 0)
            return (enum fw_space)s;
    return FW_SPACE_NONE;
}

static void add_operations(struct fw_feature_rows *rows, struct fw_arena *arena,
                           const struct fw_counts *counts)
{
    for (size_t r = 0; r < counts->operation_count; r++) {
        const struct fw_operation_row *from = &counts->operations[r];
        bool function = strncmp(from->operation, "func:", 5) == 0;
        *FW_APPEND(arena, &rows->operations) =
            (struct fw_feature_operation){.name = from->operation + (function ? 5 : 0),
                                          .type = type_of(from->type),
                                          .arithmetic = true,
                                          .count = from->count.value};
    }
}

static double ratio_of(const struct fw_counts *counts, const struct fw_memory_row *row)
{
    for (size_t f = 0; f < counts->footprint_count; f++) {
        const struct fw_footprint_row *print = &counts->footprints[f];
        if (strcmp(print->array, row->array) == 0 &&
            strcmp(print->direction, row->direction) == 0 && print->elements.known &&
            print->accesses.known && print->elements.value > 0)
            return print->accesses.value / print->elements.value;
    }
    return NAN;
}

static void add_accesses(struct fw_feature_rows *rows, struct fw_arena *arena,
                         const struct fw_counts *counts)
{
    for (size_t r = 0; r < counts->memory_count; r++) {
        const struct fw_memory_row *from = &counts->memory[r];
        struct fw_feature_access *to = FW_APPEND(arena, &rows->accesses);
        *to = (struct fw_feature_access){
            .space = space_of(from->space),
            .direction = strcmp(from->direction, "load") == 0 ? FW_LOAD : FW_STORE,
            .type = type_of(from->type),
            .array = from->array,
            .tag = from->tag,
            .has_thread_strides = from->has_thread_strides,
            .has_block_strides = from->has_block_strides,
            .count = from->count.value,
            .ratio = ratio_of(counts, from),
            .access = FW_NONE};
        memcpy(to->thread_strides, from->thread_strides, sizeof(to->thread_strides));
        memcpy(to->block_strides, from->block_strides, sizeof(to->block_strides));
    }
}

void fw_feature_rows_of_counts(struct fw_feature_rows *rows, struct fw_arena *arena,
                               const struct fw_answer *answer, uint32_t warp)
{
    const struct fw_counts *counts = answer->counts;
    *rows = (struct fw_feature_rows){.layer = "domain", .warp = warp, .blocks = 1};
    rows->block_threads = 1;
    for (int d = 0; d < 3; d++) {
        rows->blocks *= answer->grid[d];
        rows->block_threads *= answer->block[d];
    }
    add_operations(rows, arena, counts);
    add_accesses(rows, arena, counts);
    rows->flops = counts->flops.value;
    double threads = rows->blocks * rows->block_threads;
    rows->barriers = threads > 0 ? counts->barriers.count.value / threads : 0;
    for (size_t a = 0; a < answer->kernel->argument_count; a++) {
        const struct fw_argument_row *argument = &answer->kernel->arguments[a];
        if (argument->is_bound && !argument->is_float)
            *FW_APPEND(arena, &rows->parameters) =
                (struct fw_feature_parameter){argument->name, argument->integer};
    }
}
