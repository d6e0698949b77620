/* LZ4 blocks: sequences of literals and of matches with what was written before. */
#include "fatbin_reader.h"

#include <string.h>

enum { LEAST_MATCH = 4, MORE = 15 /* of a half byte: bytes follow */ };

/* A length whose further bytes follow, each up to 255, while they are 255.  False: none is left. */
static bool add_bytes(size_t *length, const unsigned char **at, const unsigned char *end)
{
    unsigned char byte;
    do {
        if (*at == end)
            return false;
        byte = *(*at)++;
        *length += byte;
    } while (byte == 255);
    return true;
}

bool fw_lz4_block(char *to, size_t to_length, const char *from, size_t from_length)
{
    const unsigned char *at = (const unsigned char *)from, *end = at + from_length;
    size_t done = 0;
    while (at < end) {
        unsigned token = *at++;
        size_t literals = token >> 4, match = token & MORE;
        if (literals == MORE && !add_bytes(&literals, &at, end))
            return false;
        if (literals > (size_t)(end - at) || literals > to_length - done)
            return false;
        memcpy(to + done, at, literals);
        done += literals;
        at += literals;
        if (at == end) /* the last sequence has no match */
            break;
        if (end - at < 2)
            return false;
        size_t distance = at[0] | (size_t)at[1] << 8;
        at += 2;
        if (match == MORE && !add_bytes(&match, &at, end))
            return false;
        match += LEAST_MATCH;
        if (distance == 0 || distance > done || match > to_length - done)
            return false;
        for (size_t i = 0; i < match; i++, done++) /* it may overlap itself */
            to[done] = to[done - distance];
    }
    return done == to_length;
}
