/* Text: strings with a length, interning, a map from strings to numbers, and a growing buffer.
 *
 * Interned strings are equal exactly when their pointers are. */
#ifndef FW_TEXT_H
#define FW_TEXT_H

#include "arena.h"

#include <stdbool.h>
#include <stdint.h>

/* A map from strings to 32-bit numbers; keys are copied into the arena, zero-terminated. */
struct fw_map {
    struct fw_arena *arena;
    struct fw_map_entry *entries;
    size_t count;
    size_t capacity; /* a power of two, or 0 */
};

struct fw_map_entry {
    const char *key; /* NULL: empty */
    uint32_t length;
    uint32_t value;
    uint64_t hash;
};

/* An empty map whose memory comes from `arena`. */
struct fw_map fw_map_new(struct fw_arena *arena);

/* The entry of `key` (`length` bytes), or NULL. */
struct fw_map_entry *fw_map_find(const struct fw_map *map, const char *key, size_t length);

/* The entry of `key`, made with value 0 when it was missing (`*added` tells, unless NULL). */
struct fw_map_entry *fw_map_add(struct fw_map *map, const char *key, size_t length, bool *added);

/* The one copy of a text: adds it to the map when it is new. */
const char *fw_map_intern(struct fw_map *map, const char *text, size_t length);

/* A text under construction. */
struct fw_buffer {
    struct fw_arena *arena;
    char *text; /* zero-terminated once something was added; "" before */
    size_t length;
    size_t capacity;
};

struct fw_buffer fw_buffer_new(struct fw_arena *arena);
void fw_buffer_add(struct fw_buffer *buffer, const char *bytes, size_t length);
void fw_buffer_printf(struct fw_buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Parses all of a decimal, 0x- or 0-octal integer with an optional sign, and, when `suffixes`, an
 * optional K, M or G (powers of 1024).  False on anything else, overflow included. */
bool fw_text_integer(const char *text, bool suffixes, int64_t *value);

/* 64-bit FNV-1a of `length` bytes. */
uint64_t fw_hash(const void *bytes, size_t length);

/* The lesser of two strings' edit distances and `most`: for "did you mean". */
unsigned fw_text_distance(const char *a, const char *b, unsigned most);

#endif
