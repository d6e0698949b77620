/* calibrate: a cost model's parameters from a table; a calibration's predictions of one. */
#include "command.h"

#include <string.h>

static int evaluate(struct session *session, const struct fw_calibrate_settings *settings)
{
    static const enum option_index others[] = {OPTION_OUTPUT, OPTION_HOLD_OUT, OPTION_OVERLAP,
                                               OPTION_NON_NEGATIVE, OPTION_STARTS};
    char *text;
    for (size_t o = 0; o < sizeof(others) / sizeof(others[0]); o++)
        if (session->request.values[others[o]]) {
            tell_error("CLI003", "calibrate: --evaluate fits nothing: --output, --hold-out, "
                                 "--overlap, --non-negative and --starts are for fits");
            return 2;
        }
    enum fw_status status = fw_context_evaluate_calibration(&text, session->context, settings);
    return session_print(text, status);
}

static int fit(struct session *session, const struct fw_calibrate_settings *settings)
{
    const char *output = session->request.values[OPTION_OUTPUT];
    char *text, *calibration = NULL;
    enum fw_status status =
        fw_context_calibrate(&text, output ? &calibration : NULL, session->context, settings);
    limit_end();
    int code = status || !output ? 0 : session_write_file(output, calibration, strlen(calibration));
    fw_text_free(calibration);
    if (code)
        tell_error_in("CLI005", output, 0, "cannot be written: %s", strerror(code));
    int printed = session_print(text, status);
    return printed ? printed : code ? 3 : 0;
}

static int make_kernels(struct session *session)
{
    const struct request *request = &session->request;
    const struct fw_calibrate_for_settings settings = {.size = sizeof(settings),
                                                       .model = request->operands[0],
                                                       .file = request->values[OPTION_FOR],
                                                       .kernel = request->values[OPTION_KERNEL],
                                                       .bindings = request->set,
                                                       .binding_count = request->set_count,
                                                       .output = request->values[OPTION_OUTPUT],
                                                       .whole =
                                                           request->values[OPTION_WHOLE] != NULL};
    char *text;
    enum fw_status status = fw_context_calibrate_for(&text, session->context, &settings);
    return session_print(text, status);
}

int calibrate_command(struct session *session)
{
    const struct request *request = &session->request;
    const char *evaluated = request->values[OPTION_EVALUATE],
               *starts = request->values[OPTION_STARTS];
    uint64_t count = 0;
    const char *launches = request->values[OPTION_LAUNCHES];
    if (request->values[OPTION_FOR] && request->operand_count == 1)
        return make_kernels(session);
    if (request->operand_count != (evaluated ? 0 : 1) ||
        (request->values[OPTION_TABLE] != NULL) == (launches != NULL)) {
        tell_error("CLI002", "calibrate: one MODEL, or --evaluate CALIBRATION, and --table FILE or "
                             "--launches LIST are needed; see forewarp calibrate --help");
        return 2;
    }
    if (!launches && (request->values[OPTION_MEASURED] || request->values[OPTION_STORE] ||
                      request->values[OPTION_CAMPAIGN])) {
        tell_error("CLI003", "calibrate: --measured, --store and --campaign say what was measured "
                             "of --launches; a table has it");
        return 2;
    }
    if (starts && (!options_bytes(&count, starts) || count < 1 || count > 10000)) {
        tell_error("CLI003", "--starts is a whole number from 1 to 10000, not %s", starts);
        return 2;
    }
    /* An evaluation needs no measurements: those of a store are beside it when it is named. */
    bool store = !evaluated || request->values[OPTION_STORE] || request->values[OPTION_CAMPAIGN];
    const struct fw_calibrate_settings settings = {
        .size = sizeof(settings),
        .model = evaluated ? evaluated : request->operands[0],
        .table = request->values[OPTION_TABLE],
        .held_out = request->held_out,
        .held_out_count = request->held_out_count,
        .overlap = request->values[OPTION_OVERLAP],
        .device = request->values[OPTION_DEVICE],
        .starts = (unsigned)count,
        .launches = request->launches,
        .launch_count = request->launch_count,
        .measured = request->values[OPTION_MEASURED],
        .store = store ? session_store(session) : NULL,
        .campaign = request->values[OPTION_CAMPAIGN],
        .non_negative = request->values[OPTION_NON_NEGATIVE] != NULL,
        .json = request->values[OPTION_JSON] != NULL};
    return evaluated ? evaluate(session, &settings) : fit(session, &settings);
}
