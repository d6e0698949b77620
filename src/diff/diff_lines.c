/* Which line of one text became which of another: a longest common subsequence. */
#include "diff_internal.h"

#include <string.h>

enum { MOST_LINES = 3000, LONGEST_SHOWN = 48 };

struct line {
    const char *text; /* without space around it */
    size_t length;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static uint32_t split(struct line *lines, const struct fw_source *source)
{
    const char *at = source->text, *end = source->text + source->length;
    uint32_t count = 0;
    for (; at < end && count <= MOST_LINES; count++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at)), *last = stop ? stop : end;
        const char *next = last + 1;
        while (at < last && is_space(*at))
            at++;
        while (last > at && is_space(last[-1]))
            last--;
        if (count < MOST_LINES)
            lines[count] = (struct line){at, (size_t)(last - at)};
        at = next;
    }
    return count;
}

static bool same(const struct line *a, const struct line *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

const uint32_t *diff_match_lines(struct fw_arena *arena, const struct fw_source *from,
                                 const struct fw_source *to, uint32_t *count)
{
    struct line *a = FW_ARRAY(arena, struct line, MOST_LINES);
    struct line *b = FW_ARRAY(arena, struct line, MOST_LINES);
    uint32_t a_count = split(a, from), b_count = split(b, to);
    *count = b_count;
    if (a_count > MOST_LINES || b_count > MOST_LINES)
        return NULL;
    uint32_t *match = FW_ARRAY(arena, uint32_t, b_count + 1);
    size_t width = b_count + 1;
    /* longest[i * width + j]: of a's lines from i on and b's from j on */
    uint16_t *longest = FW_ARRAY(arena, uint16_t, (a_count + 1) * width);
    for (uint32_t i = a_count; i-- > 0;)
        for (uint32_t j = b_count; j-- > 0;) {
            uint16_t down = longest[(i + 1) * width + j], right = longest[i * width + j + 1];
            longest[i * width + j] = same(&a[i], &b[j])
                                         ? (uint16_t)(longest[(i + 1) * width + j + 1] + 1)
                                     : down > right ? down
                                                    : right;
        }
    for (uint32_t i = 0, j = 0; i < a_count && j < b_count;) {
        if (same(&a[i], &b[j]))
            match[++j] = ++i;
        else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1])
            i++;
        else
            j++;
    }
    return match;
}

const char *diff_line_text(struct fw_arena *arena, const struct fw_source *source, uint32_t line)
{
    const char *at = source->text, *end = source->text + source->length;
    for (uint32_t l = 1; l < line && at < end; l++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        at = stop ? stop + 1 : end;
    }
    if (at >= end)
        return NULL;
    const char *stop = memchr(at, '\n', (size_t)(end - at)), *last = stop ? stop : end;
    while (at < last && is_space(*at))
        at++;
    while (last > at && is_space(last[-1]))
        last--;
    size_t length = (size_t)(last - at);
    return fw_text_shown(arena, at, length < LONGEST_SHOWN ? length : LONGEST_SHOWN);
}
