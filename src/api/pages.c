/* Pages of reports, as handles: each kernel is asked all that the page shows. */
#include "api_check.h"
#include "page.h"

#include <stdlib.h>

enum { PAGE_BYTES = 1 << 30, COLUMNS = 50 };

struct fw_page {
    const struct fw_context *context;
    struct fw_arena *arena;
    struct fw_report_page *page;
};

struct taking {
    struct fw_page *page;
    const char *text;
    const struct fw_device *device;
    const struct fw_answer *answer;
    const struct fw_ranking *ranking;
    void (*take)(struct fw_report_page *page, const struct fw_answer *answer);
    char *html;
};

static enum fw_status guarded(struct fw_page *page, enum fw_status (*work)(void *user),
                              struct taking *taking)
{
    taking->page = page;
    return fw_session_guard(page->context, page->arena, NULL, work, taking);
}

static enum fw_status begin(void *user)
{
    struct taking *taking = user;
    taking->page->page = fw_report_page_new(taking->page->arena, taking->text);
    return FW_OK;
}

enum fw_status fw_page_new(struct fw_page **page, const struct fw_context *context,
                           const char *title)
{
    struct api_check check = api_check_begin(context, __func__);
    if (page)
        *page = NULL;
    api_check_pointer(&check, page, "the result");
    api_check_optional(&check, title, "the title");
    if (check.status)
        return check.status;
    struct fw_page *made = calloc(1, sizeof(*made));
    if (made)
        *made = (struct fw_page){.context = context, .arena = fw_arena_new((size_t)PAGE_BYTES)};
    struct taking taking = {.text = title};
    enum fw_status status = made && made->arena ? guarded(made, begin, &taking) : FW_ERROR_MEMORY;
    if (status)
        fw_page_free(made);
    else
        *page = made;
    return status;
}

void fw_page_free(struct fw_page *page)
{
    if (page)
        fw_arena_free(page->arena);
    free(page);
}

static enum fw_status take_prediction(void *user)
{
    struct taking *taking = user;
    fw_report_page_prediction(taking->page->page, taking->text, taking->device, taking->answer);
    return FW_OK;
}

static enum fw_status take(void *user)
{
    struct taking *taking = user;
    taking->take(taking->page->page, taking->answer);
    return FW_OK;
}

/* What is shown beside the prediction, where it can be told. */
static enum fw_status add_details(struct fw_page *page, struct fw_worker *worker,
                                  const struct fw_device *device,
                                  const struct fw_predict_settings *settings)
{
    const struct fw_count_settings counts = {.size = sizeof(counts), .brief = true};
    const struct fw_trace_settings trace = {.size = sizeof(trace), .columns = COLUMNS};
    struct fw_predict_settings models = *settings;
    struct taking taking = {.take = fw_report_page_counts};
    enum fw_status status = FW_OK;
    models.models = fw_report_page_has_traffic(page->page) ? "trace" : "traffic,trace";
    models.advice = false;
    models.calibration = NULL;
    models.volumes = NULL;
    if (!fw_session_worker_count(&taking.answer, worker, &counts))
        status = guarded(page, take, &taking);
    taking.take = fw_report_page_models;
    if (!status && !fw_session_worker_predict(&taking.answer, worker, device, &models))
        status = guarded(page, take, &taking);
    taking.take = fw_report_page_timeline;
    if (!status && !fw_session_worker_trace(&taking.answer, worker, device, &trace))
        status = guarded(page, take, &taking);
    return status;
}

enum fw_status fw_page_add(struct fw_page *page, struct fw_worker *worker,
                           const struct fw_device *device, const char *name,
                           const struct fw_predict_settings *settings)
{
    struct api_check check = api_check_begin(page ? page->context : NULL, __func__);
    struct fw_predict_settings all;
    api_check_pointer(&check, worker, "the worker");
    api_check_pointer(&check, device, "the device");
    api_check_text(&check, name, "the name");
    api_check_predict(&check, settings);
    if (check.status)
        return check.status;
    fw_session_options(&all, sizeof(all), settings);
    all.size = sizeof(all);
    all.advice = true;
    struct taking taking = {.text = name, .device = device};
    enum fw_status status = fw_session_worker_predict(&taking.answer, worker, device, &all);
    fw_session_worker_keep(worker, true); /* what the prediction's models said is shown, too */
    if (!status)
        status = guarded(page, take_prediction, &taking);
    if (!status)
        status = add_details(page, worker, device, &all);
    fw_session_worker_keep(worker, false);
    return status;
}

static enum fw_status take_ranking(void *user)
{
    struct taking *taking = user;
    fw_report_page_ranking(taking->page->page, taking->ranking);
    return FW_OK;
}

enum fw_status fw_page_add_ranking(struct fw_page *page, const struct fw_ranking *ranking)
{
    struct api_check check = api_check_begin(page ? page->context : NULL, __func__);
    struct taking taking = {.ranking = ranking};
    api_check_pointer(&check, ranking, "the ranking");
    return check.status ? check.status : guarded(page, take_ranking, &taking);
}

static enum fw_status write(void *user)
{
    struct taking *taking = user;
    struct fw_buffer out = fw_buffer_new(taking->page->arena);
    fw_report_page_write(&out, taking->page->page);
    taking->html = fw_session_text(out.text);
    return taking->html ? FW_OK : FW_ERROR_MEMORY;
}

enum fw_status fw_page_render(char **html, struct fw_page *page)
{
    struct api_check check = api_check_begin(page ? page->context : NULL, __func__);
    struct taking taking = {.html = NULL};
    if (html)
        *html = NULL;
    api_check_pointer(&check, html, "the result");
    if (check.status)
        return check.status;
    enum fw_status status = guarded(page, write, &taking);
    *html = taking.html;
    return status;
}
