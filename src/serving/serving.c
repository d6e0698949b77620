#include "serving_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a program or worker of a request; less than a context's, since many are kept. */
static const size_t MEMORY_MOST = (size_t)512 << 20;
enum { REPLY_MOST = 16 << 20 };

/* ---- diagnostics ---- */

static void keep_first(void *user, const struct fw_diagnostic *diagnostic)
{
    struct fw_service *service = user;
    if (diagnostic->severity != FW_ERROR)
        return;
    fw_session_told_error();
    if (service->failed)
        return;
    struct fw_position at = fw_span_position(diagnostic->span);
    service->failed = true;
    snprintf(service->code, sizeof(service->code), "%s", diagnostic->code);
    snprintf(service->text, sizeof(service->text), "%s%s%s", diagnostic->message,
             diagnostic->note_count ? ": " : "",
             diagnostic->note_count ? diagnostic->notes[0] : "");
    snprintf(service->place, sizeof(service->place), "%s",
             diagnostic->span.source ? diagnostic->span.source->name : "");
    service->place_line = diagnostic->span.source ? at.line : 0;
    service->place_column = diagnostic->span.source ? at.column : 0;
}

/* ---- making and freeing ---- */

enum fw_status fw_service_make(struct fw_service **made, const struct fw_context *context,
                               const struct fw_service_settings *settings)
{
    struct fw_service *service = calloc(1, sizeof(*service));
    *made = NULL;
    if (!service)
        return FW_ERROR_MEMORY;
    service->context = context;
    service->quiet = *context;
    service->quiet.sink = (struct fw_sink){keep_first, service};
    if (service->quiet.memory > MEMORY_MOST)
        service->quiet.memory = MEMORY_MOST;
    service->settings = *settings;
    fw_session_options(&service->options, sizeof(service->options), settings->options);
    fw_session_options(&service->predict, sizeof(service->predict), settings->predict);
    service->options.size = sizeof(service->options);
    service->predict.size = sizeof(service->predict);
    service->arena = fw_arena_new(REPLY_MOST);
    service->answers = calloc(SERVICE_ANSWERS, sizeof(*service->answers));
    if (!service->arena || !service->answers) {
        fw_service_drop(service);
        return FW_ERROR_MEMORY;
    }
    *made = service;
    return FW_OK;
}

static void forget_answer(struct service_answer *answer)
{
    free(answer->key);
    free(answer->body);
    *answer = (struct service_answer){.key = NULL};
}

void fw_service_drop(struct fw_service *service)
{
    if (!service)
        return;
    service_free_kept(service);
    for (size_t a = 0; service->answers && a < SERVICE_ANSWERS; a++)
        forget_answer(&service->answers[a]);
    free(service->answers);
    json_decref(service->root);
    fw_arena_free(service->arena);
    free(service);
}

/* ---- asking ---- */

static enum fw_status bind_one(struct fw_service *service, struct fw_worker *worker,
                               const char *name, const json_t *value)
{
    uint32_t parameter = fw_session_find_argument(worker->record, name);
    const char *text;
    if (parameter != FW_NONE && json_is_integer(value) &&
        fw_type_class(worker->record->parameters[parameter].type) != 'f')
        return fw_session_worker_bind_integer(worker, parameter,
                                              (int64_t)json_integer_value(value));
    if (json_is_string(value))
        text = fw_arena_printf(service->arena, "%s=%s", name, json_string_value(value));
    else if (json_is_integer(value))
        text =
            fw_arena_printf(service->arena, "%s=%lld", name, (long long)json_integer_value(value));
    else
        text = fw_arena_printf(service->arena, "%s=%.17g", name, json_real_value(value));
    return fw_session_worker_bind(worker, text);
}

static enum fw_status set_launch(struct fw_service *service, struct fw_worker *worker)
{
    const struct service_request *request = &service->request;
    const uint32_t *grid = request->grid, *block = request->block;
    enum fw_status status = FW_OK;
    const char *name;
    json_t *value;
    fw_session_worker_clear(worker);
    if (block[0])
        fw_session_worker_set_block(worker, block[0], block[1], block[2]);
    if (grid[0])
        fw_session_worker_set_grid(worker, grid[0], grid[1], grid[2]);
    if (request->has_shared)
        fw_session_worker_set_shared(worker, request->shared);
    fw_session_worker_set_registers(worker, request->registers);
    json_object_foreach(request->arguments, name, value)
    {
        status = bind_one(service, worker, name, value);
        if (status)
            break;
    }
    return status;
}

/* All that an answer depends on, as bytes: kernels and devices by when they were made. */
static struct fw_buffer key_of(struct fw_service *service, const struct fw_predict_settings *how,
                               uint64_t kernel, uint64_t device)
{
    const struct service_request *request = &service->request;
    struct fw_buffer key = fw_buffer_new(service->arena);
    const struct {
        uint64_t kernel, device, shared;
        double clock;
        uint32_t grid[3], block[3], registers, flags;
    } plain = {.kernel = kernel,
               .device = device,
               .shared = request->shared,
               .clock = how->clock,
               .grid = {request->grid[0], request->grid[1], request->grid[2]},
               .block = {request->block[0], request->block[1], request->block[2]},
               .registers = request->registers,
               .flags = (uint32_t)request->has_shared + 2 * (uint32_t)how->cold};
    const char *name;
    json_t *value;
    fw_buffer_add(&key, (const char *)&plain, sizeof(plain));
    fw_buffer_add(&key, how->models ? how->models : "", how->models ? strlen(how->models) + 1 : 1);
    json_object_foreach(request->arguments, name, value)
    {
        json_int_t whole = json_integer_value(value);
        double real = json_is_real(value) ? json_real_value(value) : 0;
        const char *text = json_string_value(value);
        char kind = (char)json_typeof(value);
        fw_buffer_add(&key, name, strlen(name) + 1);
        fw_buffer_add(&key, &kind, 1);
        fw_buffer_add(&key, (const char *)&whole, sizeof(whole));
        fw_buffer_add(&key, (const char *)&real, sizeof(real));
        if (text)
            fw_buffer_add(&key, text, strlen(text) + 1);
    }
    return key;
}

/* Where an answer with this key is, or will be: of a few places by its hash, its own or the one
 * that was not used for the longest time. */
static struct service_answer *place_of(struct fw_service *service, const struct fw_buffer *key,
                                       bool *known)
{
    enum { WAYS = 8 };
    size_t first = fw_hash(key->text, key->length) & (SERVICE_ANSWERS - WAYS);
    struct service_answer *oldest = &service->answers[first];
    for (size_t w = 0; w < WAYS; w++) {
        struct service_answer *place = &service->answers[first + w];
        *known = place->key && place->key_length == key->length &&
                 memcmp(place->key, key->text, key->length) == 0;
        if (*known)
            return place;
        if (place->used < oldest->used)
            oldest = place;
    }
    return oldest;
}

/* Keeps an answer in its place, for whoever asks the same; without memory nothing is kept. */
static void keep_answer(struct service_answer *place, const struct fw_buffer *key, const char *body,
                        const struct fw_prediction *prediction)
{
    const uint64_t used = place->used;
    forget_answer(place);
    place->key = malloc(key->length);
    place->body = strdup(body);
    if (!place->key || !place->body) {
        forget_answer(place);
        return;
    }
    memcpy(place->key, key->text, key->length);
    place->key_length = key->length;
    place->used = used;
    place->seconds = prediction->seconds;
    place->has_overhead = prediction->has_overhead;
    place->overhead = prediction->overhead_seconds;
    place->has_joules = prediction->has_watts;
    place->joules = prediction->joules;
}

/* The answer's part of the reply, and what it adds to the totals. */
static enum fw_status answer(struct fw_service *service, struct service_answer *found)
{
    struct fw_predict_settings how = service->predict;
    const struct service_request *request = &service->request;
    const struct fw_device *device;
    const struct fw_answer *result;
    struct service_program *program;
    struct fw_worker *worker;
    uint64_t device_serial, kernel_serial;
    enum fw_status status = service_find_device(service, &device, &device_serial);
    if (!status)
        status = service_find_worker(service, device, &program, &worker, &kernel_serial);
    if (status)
        return status;
    how.cold = request->has_cold ? request->cold : how.cold;
    how.clock = request->clock > 0 ? request->clock : how.clock;
    how.models = request->models ? request->models : how.models;
    how.brief = true; /* replies have no account */
    struct fw_buffer key = key_of(service, &how, kernel_serial, device_serial);
    bool known;
    struct service_answer *place = place_of(service, &key, &known);
    place->used = ++service->clock;
    if (known) {
        *found = *place;
        return FW_OK;
    }
    status = set_launch(service, worker);
    if (!status)
        status = fw_session_worker_predict(&result, worker, device, &how);
    if (status == FW_ERROR_BUDGET || status == FW_ERROR_MEMORY)
        service_forget(program); /* a worker that was cut short answers no more */
    if (status)
        return status;
    const char *body = service_body(service->arena, result);
    const struct fw_prediction *first = &result->predictions[0];
    *found = (struct service_answer){.body = fw_arena_printf(service->arena, "%s", body),
                                     .seconds = first->seconds,
                                     .has_overhead = first->has_overhead,
                                     .overhead = first->overhead_seconds,
                                     .has_joules = first->has_watts,
                                     .joules = first->joules};
    keep_answer(place, &key, body, first);
    return FW_OK;
}

static void add_total(struct fw_service *service, const struct service_answer *found)
{
    struct service_total *total = &service->total;
    double repeats = (double)service->request.repeats;
    total->launches += repeats;
    total->seconds += repeats * found->seconds;
    total->overhead += found->has_overhead ? repeats * found->overhead : 0;
    total->without_overhead += found->has_overhead ? 0 : repeats;
    total->joules += found->has_joules ? repeats * found->joules : 0;
    total->without_joules += found->has_joules ? 0 : repeats;
}

/* ---- replies ---- */

/* "{"id": ..., "line": 7": the id as it came, where there was one. */
static void begin_reply(struct fw_service *service)
{
    const json_t *id = json_object_get(service->root, "id");
    struct fw_buffer *out = &service->out;
    *out = fw_buffer_new(service->arena);
    fw_buffer_printf(out, "{");
    if (json_is_string(id)) {
        fw_buffer_printf(out, "\"id\": ");
        service_add_text(out, json_string_value(id));
        fw_buffer_printf(out, ", ");
    } else if (json_is_integer(id)) {
        fw_buffer_printf(out, "\"id\": %lld, ", (long long)json_integer_value(id));
    } else if (json_is_real(id)) {
        fw_buffer_printf(out, "\"id\": %.17g, ", json_real_value(id));
    }
    fw_buffer_printf(out, "\"line\": %llu", (unsigned long long)service->line_number);
}

static void fail(struct fw_service *service, enum fw_status status)
{
    static const char *const words[] = {
        [-FW_ERROR_INPUT] = "input",       [-FW_ERROR_USAGE] = "usage",
        [-FW_ERROR_MACHINE] = "machine",   [-FW_ERROR_MEMORY] = "memory",
        [-FW_ERROR_OVERFLOW] = "overflow", [-FW_ERROR_BUDGET] = "budget"};
    struct fw_buffer *out = &service->out;
    begin_reply(service);
    fw_buffer_printf(out, ", \"error\": {\"code\": ");
    service_add_text(out, service->failed ? service->code : "API008");
    fw_buffer_printf(out, ", \"status\": \"%s\", \"message\": ", words[-(int)status]);
    service_add_text(out, service->failed ? service->text : "the reason was not told");
    if (service->failed && *service->place) {
        fw_buffer_printf(out, ", \"file\": ");
        service_add_text(out, service->place);
        fw_buffer_printf(out, ", \"line\": %u, \"column\": %u", service->place_line,
                         service->place_column);
    }
    fw_buffer_printf(out, "}}\n");
}

static enum fw_status ask(void *user)
{
    struct fw_service *service = user;
    struct service_answer found = {.key = NULL};
    enum fw_status status = service_read(service);
    if (!status)
        status = answer(service, &found);
    if (status)
        return status;
    begin_reply(service);
    fw_buffer_printf(&service->out, ", \"repeats\": %llu%s}\n",
                     (unsigned long long)service->request.repeats, found.body);
    add_total(service, &found);
    return FW_OK;
}

static enum fw_status tell_failure(void *user)
{
    struct fw_service *service = user;
    fail(service, service->failure);
    return FW_OK;
}

enum fw_status fw_service_reply(const char **reply, struct fw_service *service, uint64_t number,
                                const char *line, size_t length)
{
    static const struct fw_session_limit limit = {.doing = "the request", .many = true};
    json_decref(service->root);
    service->root = NULL;
    fw_arena_reset(service->arena);
    service->line = line;
    service->line_number = number;
    service->length = length;
    service->failed = false;
    service->total.requests++;
    *reply = NULL;
    enum fw_status status =
        fw_session_guard_within(&service->quiet, &limit, service->arena, NULL, ask, service);
    if (status) {
        service->total.failed++;
        service->failure = status;
        fw_arena_reset(service->arena);
        status = fw_session_guard_within(&service->quiet, &limit, service->arena, NULL,
                                         tell_failure, service);
    }
    if (!status)
        *reply = service->out.text;
    return status;
}

const char *fw_service_sum(struct fw_service *service)
{
    const struct service_total *total = &service->total;
    struct fw_buffer out = fw_buffer_new(service->arena);
    fw_buffer_printf(&out,
                     "{\"totals\": {\"requests\": %llu, \"failed\": %llu, \"launches\": %.17g, "
                     "\"seconds\": %.12g, \"overhead_seconds\": %.12g, \"without_overhead\": "
                     "%.17g, \"joules\": %.12g, \"without_joules\": %.17g}}\n",
                     (unsigned long long)total->requests, (unsigned long long)total->failed,
                     total->launches, total->seconds, total->overhead, total->without_overhead,
                     total->joules, total->without_joules);
    return out.text;
}
