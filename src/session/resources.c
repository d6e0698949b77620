/* Resources of kernels as ptxas allocates them, and as machine code beside the PTX has them. */
#include "session.h"
#include "deadline.h"

#include <stdlib.h>
#include <string.h>

enum { ASSEMBLE_SECONDS = 60 };

/* What is told on the way: failures are warnings, as the answer is given all the same. */
struct softened {
    const struct fw_sink *sink;
    bool asked_for; /* by the user: then it is told that there is no ptxas, too */
};

static void soften(void *user, const struct fw_diagnostic *diagnostic)
{
    static const char *const notes[] = {
        "registers are estimated from PTX instead; --ptxas=never does not ask"};
    const struct softened *softened = user;
    if (!softened->asked_for && strcmp(diagnostic->code, "CMP020") == 0)
        return;
    fw_report_notes(softened->sink, FW_WARNING, diagnostic->code, diagnostic->span, notes, 1, "%s",
                    diagnostic->message);
}

/* The architecture to assemble for: the device's, or the PTX's own; 0 when the device cannot run
 * this PTX: it is for a later one, or for one architecture or family alone (sm_90a, sm_100f). */
static unsigned choose_target(const struct fw_program *program, bool *specific)
{
    const char *target = program->module->target ? program->module->target : "";
    const char *digits = strncmp(target, "sm_", 3) == 0 ? target + 3 : "";
    char *suffix;
    unsigned long own = strtoul(digits, &suffix, 10);
    *specific = *suffix == 'a' || *suffix == 'f';
    if (own == 0 || own > 1000)
        return 0;
    unsigned wanted = program->capability ? program->capability : (unsigned)own;
    bool fits = *suffix == 'a'   ? wanted == own
                : *suffix == 'f' ? wanted >= own && wanted / 10 == own / 10
                                 : wanted >= own;
    return fits ? wanted : 0;
}

static void ask(struct fw_program *program)
{
    const struct fw_context *context = program->context;
    bool always = program->ptxas == FW_PTXAS_ALWAYS;
    struct softened softened = {&context->sink, always};
    struct fw_sink sink = {soften, &softened};
    struct fw_assemble_options options = {
        .cache = context->cache,
        .seconds = fw_deadline_child_seconds(program->assemble_seconds ? program->assemble_seconds
                                                                       : ASSEMBLE_SECONDS)};
    program->assembly = FW_NEW(program->arena, struct fw_assembly);
    options.target = choose_target(program, &options.specific);
    if (!options.target) {
        if (always)
            fw_report(&sink, FW_WARNING, "API050", (struct fw_span){0},
                      "ptxas was not asked: PTX for %s does not run on compute capability %u.%u",
                      program->module->target, program->capability / 10, program->capability % 10);
        return;
    }
    int64_t since = fw_deadline_pause();
    fw_assemble(program->assembly, program->arena, program->source.text, program->source.length,
                &options, &sink);
    fw_deadline_resume(since);
    fw_deadline_check(program->arena);
}

/* Whether ptxas is asked is a matter of the question alone, never of what a cache holds: the same
 * command gives the same answer. */
static bool is_asked(const struct fw_program *program)
{
    return program->ptxas == FW_PTXAS_ALWAYS ||
           (program->ptxas == FW_PTXAS_AUTO && program->compiled);
}

static enum fw_status assemble(void *user)
{
    ask(user);
    return FW_OK;
}

void fw_session_assemble(struct fw_program *program)
{
    if (is_asked(program) && !program->assembly)
        fw_session_guard(program->context, program->arena, NULL, assemble, program);
}

/* What machine code beside the PTX takes.  Static shared memory is the PTX's: sections of machine
 * code also have what the driver reserves. */
static void take_machine_code(struct fw_kernel *record, const struct fw_program *program)
{
    struct fw_resources *resources = &record->resources;
    const struct fw_assembled *said = fw_assembly_find(program->machine, record->name);
    if (!said)
        return;
    resources->registers = said->registers;
    resources->registers_source = "machine code";
    resources->assembler = program->machine->version;
    resources->stack_bytes = said->stack_bytes;
    resources->wgmma_serialized = said->wgmma_serialized;
    if (resources->local_bytes)
        return; /* the PTX's own local memory: which instructions are of spills is not told */
    resources->spill_store_bytes = said->spill_store_bytes;
    resources->spill_load_bytes = said->spill_load_bytes;
}

void fw_session_resources(struct fw_program *program, struct fw_kernel *record)
{
    if (is_asked(program) && !program->assembly)
        ask(program);
    if (program->machine && !(program->assembly && program->assembly->known))
        take_machine_code(record, program);
    if (!program->assembly)
        return;
    const struct fw_assembled *said = fw_assembly_find(program->assembly, record->name);
    if (!program->assembly->known || !said)
        return;
    record->resources.registers = said->registers;
    record->resources.registers_source = "ptxas";
    record->resources.assembler = program->assembly->version;
    record->resources.static_shared = said->shared_bytes;
    record->resources.stack_bytes = said->stack_bytes;
    record->resources.spill_store_bytes = said->spill_store_bytes;
    record->resources.spill_load_bytes = said->spill_load_bytes;
    record->resources.wgmma_serialized = said->wgmma_serialized;
}
