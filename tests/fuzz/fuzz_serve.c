/* Any lines are requests: each has one reply, one line of JSON, and the totals count them. */
#include "fuzzing.h"

#include "forewarp.h"

#include <jansson.h>

static const char kernel[] = FW_SOURCE_TREE "/tests/golden/kernels/saxpy.ptx";

static json_t *parse(const char *reply)
{
    json_error_t error;
    const char *end = reply ? strchr(reply, '\n') : NULL;
    if (!end || end[1])
        fail("a reply is no line");
    json_t *root = json_loadb(reply, (size_t)(end - reply), JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(root))
        fail("a reply is no object");
    return root;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 16 };
    const struct fw_context_options options = {
        .size = sizeof(options), .data = FW_SOURCE_TREE, .question_seconds = 1};
    const struct fw_program_options read = {.size = sizeof(read), .compiler = "none"};
    const struct fw_predict_settings predict = {.size = sizeof(predict), .models = "roofline"};
    struct fw_service_settings settings = {
        .size = sizeof(settings), .options = &read, .predict = &predict, .file = kernel};
    const char *at = (const char *)data, *end = at + size;
    struct fw_context *context;
    struct fw_device *device;
    struct fw_service *service;
    uint64_t asked = 0, failed = 0;
    if (fw_context_new(&context, &options) != FW_OK ||
        fw_context_device(&device, context, "h200") != FW_OK)
        fail("there is no device");
    settings.device = device;
    if (fw_service_new(&service, context, &settings) != FW_OK)
        fail("there is no service");
    while (at < end && asked < MOST) {
        const char *stop = memchr(at, '\n', (size_t)(end - at)), *reply;
        size_t length = (size_t)((stop ? stop : end) - at);
        if (fw_service_ask(&reply, service, ++asked, at, length) != FW_OK)
            fail("a request has no reply");
        json_t *root = parse(reply);
        failed += json_object_get(root, "error") != NULL;
        if (!json_object_get(root, "error") == !json_object_get(root, "seconds"))
            fail("neither an answer nor an error, or both");
        json_decref(root);
        at += length + 1;
    }
    json_t *root = parse(fw_service_totals(service)), *totals = json_object_get(root, "totals");
    if ((uint64_t)json_integer_value(json_object_get(totals, "requests")) != asked ||
        (uint64_t)json_integer_value(json_object_get(totals, "failed")) != failed)
        fail("the totals count others");
    json_decref(root);
    fw_service_free(service);
    fw_context_device_free(device);
    fw_context_free(context);
    return 0;
}
