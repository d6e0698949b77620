/* Faults: what a kernel did wrong, by whom and where, and back to whoever runs it. */
#include "emulate_state.h"

#include <stdio.h>

void fw_emulate_fault(struct emulate_warp *warp, const struct emulate_micro *micro, unsigned lane,
                      const char *code, const char *format, ...)
{
    struct emulate_run *run = warp->run;
    const struct fw_instruction *instruction =
        &run->code.function->instructions[micro->instruction];
    char message[512], place[160] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (lane < LANES) {
        const uint32_t thread = warp->index * LANES + lane;
        snprintf(place, sizeof place, "block (%u,%u,%u), thread (%u,%u,%u)", run->at[0], run->at[1],
                 run->at[2], thread % run->block[0], thread / run->block[0] % run->block[1],
                 thread / run->block[0] / run->block[1]);
    } else {
        snprintf(place, sizeof place, "block (%u,%u,%u), warp %u", run->at[0], run->at[1],
                 run->at[2], warp->index);
    }
    char source[192] = "";
    const struct fw_module *module = run->code.function->module;
    if (instruction->line && module && instruction->file < module->file_count &&
        module->files[instruction->file])
        snprintf(source, sizeof source, "from %.150s:%u", module->files[instruction->file],
                 instruction->line);
    const char *notes[] = {place, source};
    fw_report_notes(run->sink, FW_ERROR, code, instruction->span, notes, source[0] ? 2 : 1, "%s",
                    message);
    run->failed = FW_ERROR_INPUT;
    longjmp(run->fault, 1);
}
