#include "text.h"

#include "checked.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const uint64_t FNV_BEGIN = 14695981039346656037u, FNV_PRIME = 1099511628211u;

uint64_t fw_hash(const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    uint64_t hash = FNV_BEGIN;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ at[i]) * FNV_PRIME;
    return hash;
}

/* Goes on with `count` texts by as many bytes each. */
static inline void hash_on(uint64_t *hashes, const unsigned char *const *at, size_t bytes,
                           size_t count)
{
    uint64_t now[FW_HASHES_MOST] = {0};
    for (size_t t = 0; t < count; t++)
        now[t] = hashes[t];
    for (size_t i = 0; i < bytes; i++)
        for (size_t t = 0; t < count; t++)
            now[t] = (now[t] ^ at[t][i]) * FNV_PRIME;
    for (size_t t = 0; t < count; t++)
        hashes[t] = now[t];
}

void fw_hash_all(uint64_t *hashes, const char *const *texts, const size_t *lengths, size_t count)
{
    size_t done = 0;
    for (size_t t = 0; t < count; t++)
        hashes[t] = FNV_BEGIN;
    for (;;) { /* up to the end of the shortest that has not ended */
        const unsigned char *at[FW_HASHES_MOST] = {NULL};
        uint64_t now[FW_HASHES_MOST] = {0};
        size_t of[FW_HASHES_MOST] = {0}, left = 0, end = SIZE_MAX;
        for (size_t t = 0; t < count; t++)
            if (lengths[t] > done) {
                end = lengths[t] < end ? lengths[t] : end;
                at[left] = (const unsigned char *)texts[t] + done;
                now[left] = hashes[t];
                of[left++] = t;
            }
        if (!left)
            return;
        switch (left) { /* each its own loop, without one over the texts */
        case 1:
            hash_on(now, at, end - done, 1);
            break;
        case 2:
            hash_on(now, at, end - done, 2);
            break;
        case 3:
            hash_on(now, at, end - done, 3);
            break;
        default:
            hash_on(now, at, end - done, 4);
            break;
        }
        for (size_t t = 0; t < left; t++)
            hashes[of[t]] = now[t];
        done = end;
    }
}

struct fw_map fw_map_new(struct fw_arena *arena)
{
    return (struct fw_map){.arena = arena};
}

static struct fw_map_entry *slot(struct fw_map_entry *entries, size_t capacity, const char *key,
                                 size_t length, uint64_t hash)
{
    for (size_t i = hash & (capacity - 1);; i = (i + 1) & (capacity - 1)) {
        struct fw_map_entry *entry = &entries[i];
        if (!entry->key || (entry->hash == hash && entry->length == length &&
                            memcmp(entry->key, key, length) == 0))
            return entry;
    }
}

struct fw_map_entry *fw_map_find(const struct fw_map *map, const char *key, size_t length)
{
    if (!map->capacity)
        return NULL;
    struct fw_map_entry *entry =
        slot(map->entries, map->capacity, key, length, fw_hash(key, length));
    return entry->key ? entry : NULL;
}

static void rehash(struct fw_map *map)
{
    size_t capacity = map->capacity ? map->capacity * 2 : 16;
    struct fw_map_entry *entries = FW_ARRAY(map->arena, struct fw_map_entry, capacity);
    for (size_t i = 0; i < map->capacity; i++) {
        const struct fw_map_entry *old = &map->entries[i];
        if (old->key)
            *slot(entries, capacity, old->key, old->length, old->hash) = *old;
    }
    map->entries = entries;
    map->capacity = capacity;
}

struct fw_map_entry *fw_map_add(struct fw_map *map, const char *key, size_t length, bool *added)
{
    if (2 * (map->count + 1) > map->capacity)
        rehash(map);
    uint64_t hash = fw_hash(key, length);
    struct fw_map_entry *entry = slot(map->entries, map->capacity, key, length, hash);
    if (added)
        *added = !entry->key;
    if (!entry->key) {
        entry->key = fw_arena_text(map->arena, key, length);
        entry->length = (uint32_t)length;
        entry->hash = hash;
        map->count++;
    }
    return entry;
}

const char *fw_map_intern(struct fw_map *map, const char *text, size_t length)
{
    return fw_map_add(map, text, length, NULL)->key;
}

struct fw_buffer fw_buffer_new(struct fw_arena *arena)
{
    return (struct fw_buffer){.arena = arena, .text = fw_arena_text(arena, "", 0)};
}

static void reserve(struct fw_buffer *buffer, size_t more)
{
    size_t needed = buffer->length + more + 1;
    if (needed <= buffer->capacity)
        return;
    size_t capacity = buffer->capacity ? buffer->capacity : 64;
    while (capacity < needed)
        capacity *= 2;
    char *text = fw_arena_alloc(buffer->arena, capacity);
    memcpy(text, buffer->text, buffer->length);
    buffer->text = text;
    buffer->capacity = capacity;
}

void fw_buffer_add(struct fw_buffer *buffer, const char *bytes, size_t length)
{
    reserve(buffer, length);
    memcpy(buffer->text + buffer->length, bytes, length);
    buffer->length += length;
    buffer->text[buffer->length] = '\0';
}

void fw_buffer_printf(struct fw_buffer *buffer, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length > 0) {
        reserve(buffer, (size_t)length);
        vsnprintf(buffer->text + buffer->length, (size_t)length + 1, format, again);
        buffer->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

bool fw_text_integer(const char *text, bool suffixes, int64_t *value)
{
    if (*text == '\0' || *text == ' ' || *text == '\t' || *text == '\n')
        return false;
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 0);
    if (errno || end == text)
        return false;
    int shift = 0;
    if (suffixes && *end) {
        shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
        end += shift != 0;
    }
    int64_t scaled;
    if (*end || fw_multiply_overflows((int64_t)number, (int64_t)1 << shift, &scaled))
        return false;
    *value = scaled;
    return true;
}

size_t fw_text_character(const char *text)
{
    static const struct {
        unsigned char first, last, low, high; /* of the first byte, of the second */
        size_t length;
    } rows[] = {
        {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    const unsigned char *bytes = (const unsigned char *)text;
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        if (*bytes < rows[r].first || *bytes > rows[r].last)
            continue;
        for (size_t b = 1; b < rows[r].length; b++) {
            unsigned char low = b == 1 ? rows[r].low : 0x80, high = b == 1 ? rows[r].high : 0xbf;
            if (bytes[b] < low || bytes[b] > high)
                return 0;
        }
        return rows[r].length;
    }
    return 0;
}

unsigned fw_text_code(const char *text)
{
    const size_t length = fw_text_character(text);
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned code = length == 1 ? bytes[0] : bytes[0] & (0xffu >> (length + 1));
    for (size_t b = 1; b < length; b++)
        code = code << 6 | (bytes[b] & 0x3fu);
    return code;
}

bool fw_text_is_control(const char *text)
{
    static const struct {
        unsigned first, last;
    } rows[] = {{0x00, 0x1f},     {0x7f, 0x9f},     {0x61c, 0x61c},
                {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x206f},
                {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
    unsigned code = fw_text_code(text);
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++)
        if (code >= rows[r].first && code <= rows[r].last)
            return true;
    return false;
}

static char *printable(struct fw_arena *arena, const char *text, size_t length, const char *kept)
{
    struct fw_buffer out = fw_buffer_new(arena);
    const char *copy = fw_arena_text(arena, text, length); /* ends with a zero byte */
    for (size_t at = 0; at < length;) {
        size_t plain = at; /* most texts are nothing else */
        while (plain < length && copy[plain] >= ' ' && copy[plain] < 0x7f)
            plain++;
        fw_buffer_add(&out, copy + at, plain - at);
        at = plain;
        if (at == length)
            break;
        unsigned char byte = (unsigned char)copy[at];
        size_t bytes = fw_text_character(copy + at);
        if (bytes == 0 ||
            (bytes == 1 && fw_text_is_control(copy + at) && !(byte && strchr(kept, byte))))
            fw_buffer_printf(&out, "\\x%02x", byte);
        else if (bytes > 1 && fw_text_is_control(copy + at))
            fw_buffer_printf(&out, "\\u%04x", fw_text_code(copy + at));
        else
            fw_buffer_add(&out, copy + at, bytes);
        at += bytes ? bytes : 1;
    }
    return out.text;
}

char *fw_text_shown(struct fw_arena *arena, const char *text, size_t length)
{
    return printable(arena, text, length, "");
}

char *fw_text_shown_lines(struct fw_arena *arena, const char *text, size_t length)
{
    return printable(arena, text, length, "\n\t");
}

unsigned fw_text_distance(const char *a, const char *b, unsigned most)
{
    enum { LONGEST = 64 };
    unsigned row[LONGEST + 1];
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return most;
    for (unsigned j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned above = row[j];
            unsigned best = diagonal + (a[i - 1] != b[j - 1]);
            best = best < above + 1 ? best : above + 1;
            best = best < row[j - 1] + 1 ? best : row[j - 1] + 1;
            diagonal = above;
            row[j] = best;
        }
    }
    return row[m] < most ? row[m] : most;
}

unsigned fw_text_unlikeness(const char *a, const char *b, unsigned most)
{
    size_t shorter = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
    if (strcmp(a, b) == 0)
        return 0;
    if (strcasecmp(a, b) == 0)
        return most < 1 ? most : 1;
    unsigned distance = fw_text_distance(a, b, (most + 1) / 2);
    return distance >= shorter || 2 * distance > most ? most : 2 * distance;
}

const char *fw_text_variable(struct fw_arena *arena, const char *name)
{
    if (strncmp(name, "_Z", 2) != 0)
        return name;
    /* The first length that leads to the end: a name may have digits itself. */
    for (size_t at = 2; name[at]; at++) {
        if (name[at] < '1' || name[at] > '9' || (name[at - 1] >= '0' && name[at - 1] <= '9'))
            continue;
        char *part;
        const unsigned long length = strtoul(name + at, &part, 10);
        /* The scopes that a nested name is in end with it. */
        if (length > 0 && length <= strlen(part) &&
            part[length + strspn(part + length, "E")] == '\0')
            return fw_arena_text(arena, part, length);
    }
    return name;
}
