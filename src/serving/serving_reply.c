/* Replies: answers as members of one line of JSON. */
#include "serving_internal.h"

#include <math.h>
#include <string.h>

void service_add_text(struct fw_buffer *out, const char *text)
{
    fw_buffer_add(out, "\"", 1);
    while (*text) {
        size_t bytes = fw_text_character(text);
        if (bytes == 0) { /* no UTF-8 */
            fw_buffer_add(out, "\xEF\xBF\xBD", 3);
            bytes = 1;
        } else if (*text == '"' || *text == '\\') {
            fw_buffer_add(out, "\\", 1);
            fw_buffer_add(out, text, 1);
        } else if ((unsigned char)*text < 0x20) {
            fw_buffer_printf(out, "\\u%04x", (unsigned)*text);
        } else {
            fw_buffer_add(out, text, bytes);
        }
        text += bytes;
    }
    fw_buffer_add(out, "\"", 1);
}

static void add_number(struct fw_buffer *out, const char *name, bool known, double value)
{
    if (known && isfinite(value))
        fw_buffer_printf(out, ", \"%s\": %.12g", name, value);
    else
        fw_buffer_printf(out, ", \"%s\": null", name);
}

static void add_name(struct fw_buffer *out, const char *name, const char *text)
{
    fw_buffer_printf(out, ", \"%s\": ", name);
    if (text)
        service_add_text(out, text);
    else
        fw_buffer_add(out, "null", 4);
}

/* What the answer leaned on by default. */
static void add_unknowns(struct fw_buffer *out, const struct fw_answer *answer)
{
    const char *between = "";
    fw_buffer_printf(out, ", \"unknowns\": [");
    for (size_t u = 0; u < answer->unknown_count; u++) {
        if (!answer->unknowns[u].is_default)
            continue;
        fw_buffer_printf(out, "%s", between);
        service_add_text(out, answer->unknowns[u].name);
        between = ", ";
    }
    fw_buffer_add(out, "]", 1);
}

static void add_what_if(struct fw_buffer *out, const struct fw_answer *answer)
{
    if (!answer->what_if_count)
        return;
    fw_buffer_printf(out, ", \"what_if\": [");
    for (size_t r = 0; r < answer->what_if_count; r++)
        fw_buffer_printf(out, "%s\"%s\"", r ? ", " : "", answer->what_if[r].property);
    fw_buffer_add(out, "]", 1);
}

const char *service_body(struct fw_arena *arena, const struct fw_answer *answer)
{
    const struct fw_prediction *first = &answer->predictions[0];
    struct fw_buffer out = fw_buffer_new(arena);
    add_name(&out, "kernel", answer->kernel->name);
    add_name(&out, "device", answer->device);
    add_name(&out, "model", first->model);
    add_number(&out, "seconds", true, first->seconds);
    add_number(&out, "overhead_seconds", first->has_overhead, first->overhead_seconds);
    if (first->has_interval)
        fw_buffer_printf(&out, ", \"interval\": [%.12g, %.12g]", first->low, first->high);
    else
        fw_buffer_printf(&out, ", \"interval\": null");
    add_number(&out, "watts", first->has_watts, first->watts);
    add_number(&out, "joules", first->has_watts, first->joules);
    add_name(&out, "limiter", first->limiter);
    add_number(&out, "occupancy", first->has_occupancy, first->occupancy);
    add_number(&out, "waves", first->has_occupancy, first->waves);
    add_unknowns(&out, answer);
    add_what_if(&out, answer);
    return out.text;
}
