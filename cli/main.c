/* forewarp: the program.  It sees include/forewarp.h and nothing else of the library. */
#include "command.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int device_command(struct session *session)
{
    const struct request *request = &session->request;
    bool json = request->values[OPTION_JSON] != NULL;
    const char *verb = request->operand_count ? request->operands[0] : "list";
    struct fw_device *device = NULL;
    enum fw_status status;
    char *text = NULL;
    if (strcmp(verb, "list") == 0 && request->operand_count <= 1) {
        status = fw_context_device_list(&text, session->context, json);
    } else if (strcmp(verb, "show") == 0 && request->operand_count == 2) {
        status = fw_context_device(&device, session->context, request->operands[1]);
        if (!status)
            status = fw_context_device_show(&text, session->context, device, json);
    } else if (strcmp(verb, "probe") == 0 && request->operand_count == 1) {
        return probe_command(session);
    } else {
        tell_error("CLI002", "device: list, show and one DEVICE, or probe");
        return 2;
    }
    fw_context_device_free(device);
    return session_print(text, status);
}

static int run(int count, char **arguments)
{
    static struct session session;
    /* For the build: what is made from the table of options. */
    if (count == 2 && strcmp(arguments[1], "--manual-page") == 0) {
        options_manual(stdout);
        return 0;
    }
    if (count == 2 && strcmp(arguments[1], "--completion-script") == 0) {
        options_completion(stdout);
        return 0;
    }
    for (int a = 1; a < count; a++) /* also for errors of the command line itself */
        if (strcmp(arguments[a], "--json") == 0)
            tell_in_json();
    if (!options_read(&session.request, count, arguments))
        return 2;
    if (session.request.values[OPTION_HELP]) {
        options_help(stdout, session.request.subcommand);
        return 0;
    }
    if (session.request.values[OPTION_VERSION]) {
        printf("forewarp %s\n", fw_version());
        return 0;
    }
    if (!session.request.subcommand) {
        options_help(stderr, NULL);
        tell_error("CLI001", "no command is given");
        return 2;
    }
    const char *const *values = session.request.values;
    if (session.request.subcommand->bit == ON_PREDICT)
        open_heap(!values[OPTION_LAUNCHES] && !values[OPTION_SERVE] && !values[OPTION_SOCKET]);
    int exit_status = session_open(&session);
    if (exit_status == 0)
        exit_status = session.request.subcommand->bit == ON_DEVICE    ? device_command(&session)
                      : session.request.subcommand->bit == ON_MEASURE ? measure_command(&session)
                      : session.request.subcommand->bit == ON_RANK    ? rank_command(&session)
                      : session.request.subcommand->bit == ON_DIFF    ? diff_command(&session)
                      : session.request.subcommand->bit == ON_REPORT  ? report_command(&session)
                      : session.request.subcommand->bit == ON_SERVE ? page_server_command(&session)
                      : session.request.subcommand->bit == ON_GENERATE ? generate_command(&session)
                      : session.request.subcommand->bit == ON_CALIBRATE
                          ? calibrate_command(&session)
                      : session.request.subcommand->bit & ON_TRAINING ? train_command(&session)
                      : session.request.subcommand->bit & ON_LOOPS    ? loops_command(&session)
                                                                      : kernel_command(&session);
    session_close(&session);
    return exit_status;
}

int main(int count, char **arguments)
{
    signal(SIGCHLD, SIG_DFL); /* ignored by who started us, compilers' ends would be lost */
    return tell_end(run(count, arguments));
}
