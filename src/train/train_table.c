/* Rows with their predictions as CSV. */
#include "train.h"

#include <math.h>

static void add_number(struct fw_buffer *out, double number)
{
    fw_buffer_printf(out, number > 0 && isfinite(number) ? ",%.9g" : ",", number);
}

static void add_head(struct fw_buffer *out)
{
    fw_buffer_printf(out, "name,list,family,class,kind,blend_class,traffic,trace");
    for (int t = 0; t < FW_FOREST_TARGET_COUNT; t++) {
        const char *target = fw_forest_target_name((enum fw_forest_target)t);
        fw_buffer_printf(out, ",measured_%s,basis_%s,predicted_%s", target, target, target);
    }
    for (int f = 0; f < FW_FOREST_FEATURE_COUNT; f++)
        fw_buffer_printf(out, ",%s", fw_forest_feature_row((enum fw_forest_feature)f)->name);
    fw_buffer_printf(out, "\n");
}

enum fw_status fw_train_table(struct fw_buffer *out, const struct fw_training_rows *rows,
                              const struct fw_train_settings_inside *settings,
                              const struct fw_sink *sink)
{
    double *predictions[FW_FOREST_TARGET_COUNT];
    enum fw_status status = FW_OK;
    for (int t = 0; t < FW_FOREST_TARGET_COUNT && !status; t++) {
        const struct fw_training_choice choice =
            fw_training_usual((enum fw_forest_target)t, settings->seed, settings->trees);
        predictions[t] = FW_ARRAY(out->arena, double, rows->rows.count + 1);
        status = fw_cross_validate(predictions[t], NULL, rows, &choice, out->arena, sink);
    }
    if (status)
        return status;
    add_head(out);
    for (size_t r = 0; r < rows->rows.count; r++) {
        const struct fw_training_row *row = &rows->rows.at[r];
        if (row->judged)
            continue;
        fw_buffer_printf(out, "%s,%s,%u,%s,%s,%s", row->name, row->list, (unsigned)row->family,
                         fw_forest_class_name(row->basis.class),
                         fw_blend_kind_name(row->launch.kind),
                         fw_blend_class_name(row->launch.class));
        add_number(out, row->traffic);
        add_number(out, row->trace);
        for (int t = 0; t < FW_FOREST_TARGET_COUNT; t++) {
            add_number(out, row->measured[t]);
            add_number(out, row->basis.target[t]);
            add_number(out, predictions[t][r]);
        }
        for (int f = 0; f < FW_FOREST_FEATURE_COUNT; f++) {
            bool quick =
                fw_forest_feature_row((enum fw_forest_feature)f)->set == FW_FOREST_SET_QUICK;
            fw_buffer_printf(out, ",%.9g", (quick ? &row->quick : &row->basis)->features[f]);
        }
        fw_buffer_printf(out, "\n");
    }
    return FW_OK;
}
