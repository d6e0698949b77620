/* report: kernels and rankings as one HTML page. */
#include "command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WORDS = 256 };

/* One kernel at one launch, of a program that was read. */
static enum fw_status add_kernel(struct session *own, struct fw_page *page,
                                 struct fw_program *program, const struct fw_device *device,
                                 const char *name)
{
    struct fw_predict_settings settings;
    struct fw_emulate_settings emulate;
    struct fw_worker *worker = NULL;
    const struct fw_kernel *kernel;
    if (!session_predict_settings(own, &settings, &emulate))
        return FW_ERROR_USAGE;
    enum fw_status status = fw_program_kernel(&kernel, program, own->request.values[OPTION_KERNEL]);
    if (!status)
        status = fw_worker_new(&worker, program, kernel);
    if (!status)
        status = session_set_launch(own, worker);
    if (!status)
        status = fw_page_add(page, worker, device, name, &settings);
    fw_worker_free(worker);
    return status;
}

static enum fw_status add_file(struct session *own, struct fw_page *page,
                               const struct fw_device *device, const char *file)
{
    struct fw_program_options options;
    struct fw_program *program = NULL;
    if (!session_program_options(own, &options, device))
        return FW_ERROR_USAGE;
    enum fw_status status = fw_program_read(&program, own->context, file, &options);
    if (!status)
        status = add_kernel(own, page, program, device, file);
    fw_program_free(program);
    return status;
}

/* With --vary also the ranking of what varies. */
/* Beside --domain, from which the ranking's grids follow, -g is the kernel's own. */
static enum fw_status add_ranking(struct session *own, struct fw_page *page,
                                  const struct fw_device *device, const char *file)
{
    struct fw_ranking *ranking = NULL;
    if (own->request.values[OPTION_DOMAIN])
        own->request.values[OPTION_GRID] = NULL;
    enum fw_status status = session_rank(&ranking, own, device, file);
    if (!status)
        status = fw_page_add_ranking(page, ranking);
    fw_ranking_free(ranking);
    return status;
}

/* "FILE OPTION..." as words; the name of a file that is there is one word.  Their number. */
static int split(char **words, char *text, const char *operand)
{
    int count = 0;
    words[count++] = text; /* in place of the program's name */
    if (access(operand, F_OK) == 0) {
        words[count++] = text;
        return count;
    }
    for (char *at = strtok(text, " \t\n"); at && count < MOST_WORDS; at = strtok(NULL, " \t\n"))
        words[count++] = at;
    return count;
}

static enum fw_status take_words(struct session *own, struct fw_page *page, const char *operand,
                                 char *text)
{
    char *words[MOST_WORDS + 1] = {NULL};
    struct fw_device *device;
    if (!options_add(&own->request, split(words, text, operand), words))
        return FW_ERROR_USAGE;
    if (own->request.operand_count != 1 || !own->request.values[OPTION_DEVICE]) {
        tell_error("CLI002",
                   own->request.operand_count == 1
                       ? "report: a device is needed (-d)%s"
                       : "report: a kernel is one FILE with its options, not \"%s\"",
                   own->request.operand_count == 1 ? "" : operand);
        return FW_ERROR_USAGE;
    }
    const char *file = own->request.operands[0];
    enum fw_status status = session_device(&device, own);
    if (status)
        return status;
    const char *const *values = own->request.values;
    if (own->request.varied_count == 0 || values[OPTION_GRID] || values[OPTION_GLOBAL])
        status = add_file(own, page, device, file);
    if (!status && own->request.varied_count)
        status = add_ranking(own, page, device, file);
    fw_context_device_free(device);
    return status;
}

static enum fw_status take_operand(const struct session *session, struct fw_page *page,
                                   const char *operand)
{
    struct session *own = malloc(sizeof(*own));
    char *text = strdup(operand);
    enum fw_status status = FW_ERROR_MEMORY;
    if (own && text) {
        *own = *session;
        status = take_words(own, page, operand, text);
    }
    free(text);
    free(own);
    return status;
}

/* ---- launches of a list ---- */

static enum fw_status add_item(struct session *own, struct fw_page *page,
                               const struct fw_device *device, const struct fw_launch_item *item)
{
    char grid[64], block[64], shared[32];
    struct request *request = &own->request;
    if (!item->file)
        return FW_ERROR_USAGE;
    snprintf(grid, sizeof(grid), "%u,%u,%u", item->grid[0], item->grid[1], item->grid[2]);
    snprintf(block, sizeof(block), "%u,%u,%u", item->block[0], item->block[1], item->block[2]);
    snprintf(shared, sizeof(shared), "%llu", (unsigned long long)item->shared);
    request->values[OPTION_KERNEL] = item->kernel;
    request->values[OPTION_GRID] = item->grid[0] ? grid : NULL;
    request->values[OPTION_GLOBAL] = NULL;
    request->values[OPTION_BLOCK] = item->block[0] ? block : NULL;
    request->values[OPTION_SHARED] = item->shared ? shared : NULL;
    request->compiled = item;
    for (size_t b = 0; b < item->binding_count && request->set_count < MOST_VALUES; b++)
        request->set[request->set_count++] = item->bindings[b];
    for (size_t d = 0; d < item->define_count && request->define_count < MOST_VALUES; d++)
        request->defines[request->define_count++] = item->defines[d];
    return add_file(own, page, device, item->file);
}

static enum fw_status take_list(const struct session *session, struct fw_page *page)
{
    struct session *own = malloc(sizeof(*own));
    struct fw_launch_list *list = NULL;
    struct fw_device *device = NULL;
    enum fw_status status = own ? FW_OK : FW_ERROR_MEMORY;
    if (!status)
        status =
            fw_launch_list_read(&list, session->context, session->request.values[OPTION_LAUNCHES]);
    if (!status)
        status = session_device(&device, session);
    for (size_t i = 0; !status && i < fw_launch_list_count(list); i++) {
        *own = *session;
        status = add_item(own, page, device, fw_launch_list_item(list, i));
    }
    fw_context_device_free(device);
    fw_launch_list_free(list);
    free(own);
    return status;
}

int report_command(struct session *session)
{
    const struct request *request = &session->request;
    const char *output = request->values[OPTION_OUTPUT];
    struct fw_page *page = NULL;
    char *html = NULL;
    if ((!request->operand_count && !request->values[OPTION_LAUNCHES]) || !output) {
        tell_error("CLI002", "report: %s; see forewarp report --help",
                   output ? "at least one FILE is needed, or --launches"
                          : "the page's file is needed (-o)");
        return 2;
    }
    if (request->values[OPTION_LAUNCHES] && !request->values[OPTION_DEVICE]) {
        tell_error("CLI002", "report: a device is needed (-d)");
        return 2;
    }
    enum fw_status status = fw_page_new(&page, session->context, NULL);
    for (int o = 0; o < request->operand_count && !status; o++)
        status = take_operand(session, page, request->operands[o]);
    if (!status && request->values[OPTION_LAUNCHES])
        status = take_list(session, page);
    if (!status)
        status = fw_page_render(&html, page);
    int error = status ? 0 : session_write_file(output, html, strlen(html));
    if (error) {
        tell_error_in("CLI005", output, 0, "cannot be written: %s", strerror(error));
        status = FW_ERROR_MACHINE;
    }
    fw_text_free(html);
    fw_page_free(page);
    return session_exit(status);
}
