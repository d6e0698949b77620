#include "word_lines.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t fw_word_line(char **words, size_t most, struct fw_word_lines *lines, struct fw_arena *arena)
{
    const char *text = lines->source->text + lines->at;
    const char *stop = memchr(text, '\n', lines->source->length - lines->at);
    size_t count = 0;
    lines->begin = lines->at;
    if (!stop)
        return 0;
    char *line = fw_arena_text(arena, text, (size_t)(stop - text)), *rest = NULL;
    lines->at += (size_t)(stop - text) + 1;
    for (char *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (count == most)
            return 0;
        words[count++] = word;
    }
    return count;
}

bool fw_word_number(double *value, const char *word)
{
    char *end;
    *value = strtod(word, &end);
    return end != word && !*end && !isnan(*value);
}

bool fw_word_size(size_t *value, const char *word)
{
    char *end;
    errno = 0;
    unsigned long long read = strtoull(word, &end, 10);
    *value = (size_t)read;
    return *word >= '0' && *word <= '9' && !*end && !errno && read <= SIZE_MAX / 4;
}
