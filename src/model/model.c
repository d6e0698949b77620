/* What models share of making their answers. */
#include "model.h"

struct fw_cost_row *fw_model_costs(struct fw_arena *arena, const struct fw_resource_term *terms,
                                   uint32_t count, const struct fw_device *device)
{
    struct fw_cost_row *rows = FW_ARRAY(arena, struct fw_cost_row, count + 1);
    for (uint32_t t = 0; t < count; t++)
        rows[t] = (struct fw_cost_row){
            .name = fw_resource_text(terms[t].resource),
            .seconds = terms[t].seconds,
            .share = terms[t].share,
            .amount = terms[t].amount,
            .unit = fw_resource_unit(terms[t].resource),
            .rate = terms[t].rate,
            .figure = fw_figure_row(terms[t].figure)->name,
            .source = fw_figure_source_text(device->figures[terms[t].figure].source),
            .line = terms[t].line,
            .meaning = fw_resource_meaning(terms[t].resource)};
    return rows;
}

void fw_model_say(struct fw_prediction *prediction, struct fw_arena *arena,
                  const char *const *sentences, size_t count)
{
    size_t before = prediction->not_modelled_count;
    if (!count)
        return;
    const char **all = FW_ARRAY(arena, const char *, before + count);
    for (size_t l = 0; l < before; l++)
        all[l] = prediction->not_modelled[l];
    for (size_t l = 0; l < count; l++)
        all[before + l] = sentences[l];
    prediction->not_modelled = all;
    prediction->not_modelled_count = before + count;
}

void fw_model_say_all(struct fw_prediction *prediction, struct fw_arena *arena,
                      const char *const *sentences)
{
    size_t count = 0;
    while (sentences[count])
        count++;
    fw_model_say(prediction, arena, sentences, count);
}

void fw_model_say_unstated(struct fw_prediction *prediction,
                           const struct fw_model_question *question, bool uses_chain)
{
    static const char *const instructions[] = {
        "Instructions are the stated loads, stores and operations: \"instructions\", with what a "
        "compiler adds, is not stated."};
    static const char *const chain[] = {
        "No \"chain\" of operations that wait for each other is stated: their results are taken to "
        "be there at once."};
    if (question->unstated_instructions)
        fw_model_say(prediction, question->arena, instructions, 1);
    if (uses_chain && question->unstated_chain)
        fw_model_say(prediction, question->arena, chain, 1);
}
