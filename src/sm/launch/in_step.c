#include "in_step.h"

static double later(double a, double b)
{
    return a > b ? a : b;
}

void fw_in_step_begin(struct fw_in_step *step, double now)
{
    *step = (struct fw_in_step){0};
    for (uint32_t r = 0; r < FW_IN_STEP_ASKED; r++)
        step->runs[r].end = now;
}

void fw_in_step_ask(struct fw_in_step *step, uint32_t asked, double warps, double from, double work)
{
    if (!(warps > 1) || !(work > 0))
        return;
    const double end = step->runs[asked].end, begin = later(from, end);
    const double before = later(0, step->runs[asked].beyond - (begin - end));
    step->runs[asked].beyond = before + (warps - 1) * work;
    step->runs[asked].end = begin + work;
    step->beyond = later(step->beyond, step->runs[asked].beyond);
}

void fw_in_step_shift(struct fw_in_step *step, double cycles)
{
    for (uint32_t r = 0; r < FW_IN_STEP_ASKED; r++)
        step->runs[r].end += cycles;
}

void fw_in_step_multiply(struct fw_in_step *step, const struct fw_in_step *before, double times)
{
    for (uint32_t r = 0; r < FW_IN_STEP_ASKED; r++) {
        const double first = before->runs[r].beyond, added = step->runs[r].beyond - first;
        step->runs[r].beyond = later(0, first + times * added);
        step->beyond = later(step->beyond, step->runs[r].beyond);
    }
}

void fw_in_step_lengthen(struct fw_in_step *step, const struct fw_in_step *before, double cycles)
{
    for (uint32_t r = 0; r < FW_IN_STEP_ASKED; r++)
        step->runs[r].beyond = later(0, step->runs[r].beyond - cycles);
    step->beyond = later(before->beyond, step->beyond - cycles);
}
