#include "train.h"

#include <math.h>
#include <string.h>

#define LEVEL 0.9

static bool is_decided_by_data(int class)
{
    return class == FW_FOREST_LEANS || class == FW_FOREST_RANDOM;
}

/* Whether a row says nothing of a target: times of asynchronous launches, which no tree is taught,
 * have no class of the forest's. */
static bool is_other(const struct fw_training_row *row, enum fw_forest_target target)
{
    return target == FW_FOREST_SECONDS && row->launch.kind == FW_BLEND_KIND_ASYNCHRONOUS;
}

/* Families of a class with a prediction. */
static size_t families_of(int class, const double *predictions, const struct fw_training_rows *rows,
                          enum fw_forest_target target, struct fw_arena *scratch)
{
    bool *seen = FW_ARRAY(scratch, bool, rows->families.count + 1);
    size_t families = 0;
    for (size_t r = 0; r < rows->rows.count; r++) {
        const struct fw_training_row *row = &rows->rows.at[r];
        if (row->judged || !(predictions[r] > 0) || (int)row->basis.class != class ||
            is_other(row, target))
            continue;
        families += !seen[row->family];
        seen[row->family] = true;
    }
    return families;
}

size_t fw_train_errors(struct fw_conformal_row *errors, bool kept[FW_FOREST_CLASS_COUNT],
                       const double *predictions, const double *distances,
                       const struct fw_training_rows *rows, enum fw_forest_target target,
                       enum fw_forest_ratio ratio, struct fw_arena *scratch)
{
    const bool of_models = ratio == FW_FOREST_TO_MODELS;
    const struct fw_forest_deviation none = {0}, *of = of_models ? &FW_FOREST_DEVIATION : &none;
    size_t count = 0;
    for (int c = 0; c < FW_FOREST_CLASS_COUNT; c++)
        kept[c] = !is_decided_by_data(c) ||
                  families_of(c, predictions, rows, target, scratch) >= FW_TRAIN_LEAST_FAMILIES;
    for (size_t r = 0; r < rows->rows.count; r++) {
        const struct fw_training_row *row = &rows->rows.at[r];
        double deviation = fw_forest_basis_deviation(of, &row->basis, target, distances[r]);
        enum fw_forest_class class = row->basis.class;
        if (!of_models && target == FW_FOREST_SECONDS)
            class = fw_forest_class_at(class == FW_FOREST_SHORT ? FW_FOREST_KNOWN : class,
                                       predictions[r]);
        if (!row->judged && predictions[r] > 0 && kept[class] && !is_other(row, target))
            errors[count++] =
                (struct fw_conformal_row){log(row->measured[target] / predictions[r]) / deviation,
                                          row->family, class, deviation};
    }
    return count;
}

static size_t count_families(const struct fw_training_rows *rows, enum fw_forest_target target,
                             size_t *used, struct fw_arena *arena)
{
    bool *seen = FW_ARRAY(arena, bool, rows->families.count + 1);
    size_t families = 0;
    *used = 0;
    for (size_t r = 0; r < rows->rows.count; r++) {
        const struct fw_training_row *row = &rows->rows.at[r];
        if (row->judged || !(row->measured[target] > 0) || !(row->basis.target[target] > 0) ||
            is_other(row, target))
            continue;
        ++*used;
        families += !seen[row->family];
        seen[row->family] = true;
    }
    return families;
}

static enum fw_status train_part(struct fw_forest_part *part, const struct fw_training_rows *rows,
                                 const struct fw_training_choice *choice, struct fw_arena *arena,
                                 const struct fw_sink *sink)
{
    const struct fw_forest_deviation none = {0};
    struct fw_conformal_class classes[FW_FOREST_CLASS_COUNT];
    double *predictions = FW_ARRAY(arena, double, rows->rows.count);
    double *distances = FW_ARRAY(arena, double, rows->rows.count);
    struct fw_conformal_row *errors = FW_ARRAY(arena, struct fw_conformal_row, rows->rows.count);
    enum fw_status status = fw_cross_validate(predictions, distances, rows, choice, arena, sink);
    if (status)
        return status;
    bool kept[FW_FOREST_CLASS_COUNT];
    size_t count = fw_train_errors(errors, kept, predictions, distances, rows, choice->target,
                                   choice->ratio, arena);
    status = fw_conformal_fit(classes, FW_FOREST_CLASS_COUNT, errors, count, FW_CONFORMAL_EACH,
                              LEVEL, FW_TRAIN_LEAST_FAMILIES, arena);
    for (int c = 0; c < FW_FOREST_CLASS_COUNT && !status; c++)
        part->bounds[c] =
            kept[c]
                ? (struct fw_forest_bounds){classes[c].families, classes[c].low, classes[c].high,
                                            choice->target == FW_FOREST_SECONDS &&
                                                    choice->ratio == FW_FOREST_TO_MODELS
                                                ? FW_FOREST_DEVIATION
                                                : none}
                : (struct fw_forest_bounds){0, -(double)INFINITY, (double)INFINITY, none};
    part->level = LEVEL;
    part->families = count_families(rows, choice->target, &part->rows, arena);
    part->feature_count = fw_training_features(part->features, choice->sets);
    struct fw_training_grown grown = {0};
    if (!status)
        status = fw_training_grow(&grown, rows, choice, NULL, arena, sink);
    part->forest = grown.forest;
    part->near = grown.near;
    memcpy(part->energies, grown.energies, sizeof(part->energies));
    return status;
}

enum fw_status fw_train(struct fw_forest_bundle *bundle, const struct fw_training_rows *rows,
                        const struct fw_train_settings_inside *settings, struct fw_arena *arena,
                        const struct fw_sink *sink)
{
    enum fw_status status = FW_OK;
    *bundle = (struct fw_forest_bundle){.device = settings->device, .ratio = settings->ratio};
    for (int t = 0; t < FW_FOREST_TARGET_COUNT && !status; t++) {
        enum fw_forest_target target = (enum fw_forest_target)t;
        const struct fw_training_choice choice =
            fw_training_of(settings->ratio, target, settings->seed, settings->trees);
        size_t used, families = count_families(rows, target, &used, arena);
        if (families >= 2)
            status = train_part(&bundle->parts[t], rows, &choice, arena, sink);
    }
    if (!status && !bundle->parts[FW_FOREST_SECONDS].forest) {
        fw_report(sink, FW_ERROR, "FOR006", (struct fw_span){0},
                  "there are launches of less than two files with a time: nothing can be held out");
        status = FW_ERROR_INPUT;
    }
    if (status)
        fw_forest_bundle_free(bundle);
    return status;
}
