/* emit and strip: code from the kernel language. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_REMOVED = 64 };

/* "a,c" as a list; `copy` is cut up.  False: too many, or an empty name. */
static bool cut(char *copy, const char *names[], size_t *count)
{
    for (char *at = copy; at;) {
        char *comma = strchr(at, ',');
        if (comma)
            *comma = '\0';
        if (!*at || *count == MOST_REMOVED)
            return false;
        names[(*count)++] = at;
        at = comma ? comma + 1 : NULL;
    }
    return true;
}

static int emit(struct session *session, const struct fw_emit_settings *settings)
{
    struct fw_program_options options;
    struct fw_program *program = NULL;
    const struct request *request = &session->request;
    char *text = NULL;
    if (!session_program_options(session, &options, NULL))
        return 2;
    enum fw_status status =
        fw_program_read(&program, session->context, request->operands[0], &options);
    if (!status)
        status = fw_program_emit(&text, program, request->values[OPTION_KERNEL], settings);
    fw_program_free(program);
    return session_print_code(text, status);
}

int loops_command(struct session *session)
{
    const struct request *request = &session->request;
    const char *names[MOST_REMOVED], *stated = request->values[OPTION_REMOVE];
    struct fw_emit_settings settings = {.size = sizeof(settings),
                                        .target = request->values[OPTION_TARGET],
                                        .bindings = request->set,
                                        .binding_count = request->set_count,
                                        .strip = request->subcommand->bit == ON_STRIP,
                                        .removed = names,
                                        .json = request->values[OPTION_JSON] != NULL};
    if (request->operand_count != 1) {
        tell_error("CLI002", "%s: one FILE is needed; see forewarp %s --help",
                   request->subcommand->text, request->subcommand->text);
        return 2;
    }
    char *copy = stated ? strdup(stated) : NULL;
    int exit_status = 2;
    if (stated && !copy)
        exit_status = 3;
    else if (copy && !cut(copy, names, &settings.removed_count))
        tell_error("CLI003", "--remove takes names of arrays, a,c, not %s", stated);
    else
        exit_status = emit(session, &settings);
    free(copy);
    return exit_status;
}
