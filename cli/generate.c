/* generate: measurement kernels by tags. */
#include "command.h"

#include <stdlib.h>

int generate_command(struct session *session)
{
    const struct request *request = &session->request;
    const char **tags = calloc((size_t)request->operand_count + 1, sizeof(*tags));
    char *text = NULL;
    if (!tags)
        return 3;
    for (int t = 0; t < request->operand_count; t++)
        tags[t] = request->operands[t];
    const struct fw_generate_settings settings = {.size = sizeof(settings),
                                                  .tags = tags,
                                                  .tag_count = (size_t)request->operand_count,
                                                  .match = request->values[OPTION_MATCH],
                                                  .folders = request->generators,
                                                  .folder_count = request->generator_count,
                                                  .output = request->values[OPTION_OUTPUT],
                                                  .list = request->values[OPTION_LIST] != NULL,
                                                  .json = request->values[OPTION_JSON] != NULL};
    enum fw_status status = fw_context_generate(&text, session->context, &settings);
    free(tags);
    return session_print(text, status);
}
