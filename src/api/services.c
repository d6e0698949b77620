/* Services, as handles. */
#include "api_check.h"
#include "serving.h"

enum fw_status fw_service_new(struct fw_service **service, const struct fw_context *context,
                              const struct fw_service_settings *settings)
{
    struct fw_service_settings all;
    struct api_check check = api_check_begin(context, __func__);
    if (service)
        *service = NULL;
    api_check_pointer(&check, service, "the result");
    api_check_size(&check, settings, "the settings");
    fw_session_options(&all, sizeof(all), settings);
    api_check_program_options(&check, all.options);
    api_check_predict(&check, all.predict);
    api_check_optional(&check, all.file, "file");
    api_check_optional(&check, all.kernel, "kernel");
    return check.status ? check.status : fw_service_make(service, context, &all);
}

void fw_service_free(struct fw_service *service)
{
    fw_service_drop(service);
}

enum fw_status fw_service_ask(const char **reply, struct fw_service *service, uint64_t line,
                              const char *request, size_t length)
{
    if (reply)
        *reply = NULL;
    if (!reply || !service || !request)
        return FW_ERROR_USAGE;
    return fw_service_reply(reply, service, line, request, length);
}

const char *fw_service_totals(struct fw_service *service)
{
    return service ? fw_service_sum(service) : NULL;
}
