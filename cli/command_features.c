/* features: which there are; a table of many launches. */
#include "command.h"

static int list(const struct session *session)
{
    char *text;
    enum fw_status status = fw_context_feature_list(&text, session->context,
                                                    session->request.values[OPTION_JSON] != NULL);
    return session_print(text, status);
}

static int usage(const char *what)
{
    tell_error("CLI003", "features: %s", what);
    return 2;
}

int features_command(struct session *session)
{
    const struct request *request = &session->request;
    const char *cost = request->values[OPTION_COST], *launches = request->values[OPTION_LAUNCHES];
    struct fw_device *device = NULL;
    char *text = NULL;
    if (!launches && (cost || request->values[OPTION_MEASURED] || request->feature_count))
        return usage("a FILE is needed, or --launches LIST for a table");
    if (!launches)
        return list(session);
    if (request->operand_count)
        return usage("the list of --launches names its files: leave FILE out");
    if ((cost != NULL) == (request->feature_count > 0))
        return usage("a table needs --cost MODEL, or the names of features (-f)");
    if (request->values[OPTION_JSON])
        return usage("a table of launches is CSV: leave out --json");
    bool measured = request->values[OPTION_MEASURED] || request->values[OPTION_STORE] ||
                    request->values[OPTION_CAMPAIGN];
    enum fw_status status = session_device(&device, session);
    const struct fw_feature_table_settings settings = {.size = sizeof(settings),
                                                       .launches = request->launches,
                                                       .launch_count = request->launch_count,
                                                       .features = request->features,
                                                       .feature_count = request->feature_count,
                                                       .cost = cost,
                                                       .output = measured ? "f_cl_wall_time" : NULL,
                                                       .measured = request->values[OPTION_MEASURED],
                                                       .store =
                                                           measured ? session_store(session) : NULL,
                                                       .campaign = request->values[OPTION_CAMPAIGN],
                                                       .device = device};
    if (!status)
        status = fw_context_feature_table(&text, session->context, &settings);
    fw_context_device_free(device);
    return session_print(text, status);
}
