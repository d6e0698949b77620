/* Formulas of kernel-language counts, as people write them. */
#include "formula.h"
#include "loop_points.h"
#include "loop_work.h"

#include <string.h>

/* Made once a worker: the parameters, under what is assumed of them. */
static struct fw_formulas *formulas_of(struct fw_worker *worker)
{
    struct loop_work *work = worker->loops;
    struct fw_loop_program *program = work->program;
    if (work->formulas_tried)
        return work->formulas;
    work->formulas_tried = true;
    if (program->assumptions) {
        char *text = fw_arena_printf(worker->arena, "%s{ : %s }", fw_loop_prefix(program),
                                     program->assumptions);
        struct fw_source source = {"assumptions", text, strlen(text)};
        if (fw_set_read(&work->assumed_set, work->poly, &source, NULL) != FW_OK)
            return NULL;
    }
    work->formulas =
        fw_formulas_new(program->parameters.at, program->parameters.count, work->assumed_set, 0);
    return work->formulas;
}

const char *fw_session_loop_formula(struct fw_worker *worker, const struct fw_count *count)
{
    struct fw_formulas *formulas;
    const struct fw_formula *formula;
    const struct fw_product product = {1, &count, 1};
    if (!worker->settings || !worker->settings->symbolic || !(formulas = formulas_of(worker)) ||
        fw_formula_of(&formula, formulas, &product, 1) != FW_OK)
        return NULL;
    return fw_formula_text(formula, formulas, worker->results);
}
