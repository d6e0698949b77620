#include "cost_overlap.h"

#include <math.h>
#include <string.h>

/* The row of a kernel's traffic alone; SIZE_MAX: there is none.  "_all" must be a word of the name:
 * behind it stands "_" or nothing. */
static size_t traffic_of(const struct fw_cost_table *table, struct fw_arena *arena,
                         const char *kernel)
{
    static const char all[] = "_all";
    for (const char *at = strstr(kernel, all); at; at = strstr(at + 1, all)) {
        const char *rest = at + strlen(all);
        if (*rest && *rest != '_')
            continue;
        const char *name =
            fw_arena_printf(arena, "%.*s_traffic%s", (int)(at - kernel), kernel, rest);
        for (size_t r = 0; r < table->row_count; r++)
            if (strcmp(table->rows[r], name) == 0)
                return r;
    }
    return SIZE_MAX;
}

struct fw_cost_overlap_row *fw_cost_overlap_rows(size_t *count, struct fw_arena *arena,
                                                 const struct fw_cost_calibration *calibration)
{
    const struct fw_cost_model *model = calibration->model;
    const struct fw_cost_table *table = calibration->table;
    const struct fw_cost_fit *fit = calibration->chosen;
    size_t rows = table->row_count;
    struct fw_cost_overlap_row *found = FW_ARRAY(arena, struct fw_cost_overlap_row, rows + 1);
    struct fw_cost_program program;
    *count = 0;
    if (!model->grouped)
        return found;
    fw_cost_compile(&program, arena, &model->graph, &model->groups[FW_COST_ON_CHIP], 1);
    double *values = FW_ARRAY(arena, double, fw_cost_scratch(&program, 1));
    double *parameters = FW_ARRAY(arena, double, model->parameters.count + 1);
    for (size_t e = 0; e < fit->estimate_count; e++)
        parameters[fit->estimates[e].parameter] = fit->estimates[e].value;
    for (size_t r = 0; r < rows; r++) {
        size_t traffic = traffic_of(table, arena, table->rows[r]);
        if (traffic == SIZE_MAX)
            continue;
        struct fw_cost_overlap_row *row = &found[(*count)++];
        fw_cost_run(values, &program, &calibration->data.features[r], rows, 1, parameters);
        *row = (struct fw_cost_overlap_row){.kernel = table->rows[r],
                                            .held = calibration->held[r],
                                            .traffic = calibration->data.output[traffic],
                                            .whole = calibration->data.output[r],
                                            .on_chip = values[program.outputs[0]]};
        double least = fmin(row->traffic, row->on_chip);
        row->hidden = least > 0 ? (row->traffic + row->on_chip - row->whole) / least : (double)NAN;
        for (int o = 0; o < FW_COST_OVERLAP_COUNT; o++)
            row->predicted[o] =
                calibration->fits[o] ? calibration->fits[o]->predicted[r] : (double)NAN;
    }
    return found;
}
