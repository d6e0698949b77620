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

/* An empty one, in the arena; bytes, which may hold zeros, and text behind what it has. */
struct fw_buffer fw_buffer_new(struct fw_arena *arena);
void fw_buffer_add(struct fw_buffer *buffer, const char *bytes, size_t length);
void fw_buffer_printf(struct fw_buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Parses all of a decimal, 0x- or 0-octal integer with an optional sign, and, when `suffixes`, an
 * optional K, M or G (powers of 1024).  False on anything else, overflow included. */
bool fw_text_integer(const char *text, bool suffixes, int64_t *value);

/* Bytes of the UTF-8 character (RFC 3629) that a zero-terminated text begins with, 1 at its end; 0:
 * it begins with none. */
size_t fw_text_character(const char *text);

/* The code point of the UTF-8 character that a text begins with. */
unsigned fw_text_code(const char *text);

/* Whether the text begins with a character that does something to a terminal or to the order in
 * which others are shown, rather than being shown itself: what fw_text_shown does not keep. */
bool fw_text_is_control(const char *text);

/* A copy of `length` bytes in the arena as a terminal may show it, on one line: control characters
 * (C0, DEL) and bytes that are no UTF-8 as \x1b, C1 and the characters that turn the direction of
 * writing or break a line as \u202e.  All else stays as it is.  What people are shown of an input
 * (names of files, kernels and arguments, words of a source) goes through here. */
char *fw_text_shown(struct fw_arena *arena, const char *text, size_t length);

/* The same of a whole text of many lines: newlines and tabs stay. */
char *fw_text_shown_lines(struct fw_arena *arena, const char *text, size_t length);

/* The source's name of a variable: the last part of a mangled one (Itanium C++ ABI), in the arena:
 * "tile" of "_ZZ4foldPfE4tile" and of "_ZN3app4tileE".  A name that is not mangled, or in another
 * way, is given back as it is. */
const char *fw_text_variable(struct fw_arena *arena, const char *name);

/* 64-bit FNV-1a of `length` bytes. */
uint64_t fw_hash(const void *bytes, size_t length);

/* The same of `count` texts, up to FW_HASHES_MOST, of so many bytes each.  Each byte of a text
 * waits for the one before it: several together take about as long as the longest. */
enum { FW_HASHES_MOST = 4 };
void fw_hash_all(uint64_t *hashes, const char *const *texts, const size_t *lengths, size_t count);

/* How little a name is like another that may have been meant, for "did you mean": 0 for the same, 1
 * if they differ in the case of letters alone, else twice their edit distance; `most` where that is
 * more, or where as many letters differ as the shorter has. */
unsigned fw_text_unlikeness(const char *a, const char *b, unsigned most);

/* The lesser of two strings' edit distances and `most`: for "did you mean". */
unsigned fw_text_distance(const char *a, const char *b, unsigned most);

#endif
