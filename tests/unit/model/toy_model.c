/* Models that exist for a test alone (tests/cli/models.py): one that answers, as small as a model
 * can be, and one that cannot be opened.  Each takes one line in src/model/models.c. */
#include "model.h"

static const struct fw_quantity_kind blocks = {.key = "toy_blocks",
                                               .title = "blocks of the grid",
                                               .unit = "blocks",
                                               .meaning = "as stated",
                                               .group = "What the toy counts"};

static enum fw_status predict(struct fw_prediction *prediction, void *state,
                              const struct fw_model_question *question)
{
    const uint32_t *grid = question->launch->grid;
    struct fw_quantity_row *row = FW_NEW(question->arena, struct fw_quantity_row);
    static const char *const sentences[] = {"Everything but the number of blocks."};
    (void)state;
    row->kind = &blocks;
    row->value = (double)grid[0] * grid[1] * grid[2];
    prediction->seconds = 1e-6 * row->value;
    prediction->limiter = "blocks";
    prediction->quantities = row;
    prediction->quantity_count = 1;
    fw_model_say(prediction, question->arena, sentences, 1);
    return FW_OK;
}

const struct fw_model fw_model_toy = {
    .name = "toy", .summary = "a microsecond a block", .predict = predict};

static enum fw_status open_absent(void **state, const struct fw_model_files *files,
                                  const struct fw_device *device, const struct fw_sink *sink)
{
    (void)state;
    (void)files;
    fw_report(sink, FW_ERROR, "TOY001", (struct fw_span){0},
              "the model absent has no parameters for %s", device->name);
    return FW_ERROR_INPUT;
}

const struct fw_model fw_model_absent = {
    .name = "absent", .summary = "one that never opens", .open = open_absent, .predict = predict};
