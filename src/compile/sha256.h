/* SHA-256 (FIPS 180-4): names for contents that nobody can forge.  The cache of compiled kernels
 * uses it, because sources come from anybody. */
#ifndef FW_SHA256_H
#define FW_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct fw_sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    unsigned char block[64];
};

/* 64 hexadecimal digits and a zero byte. */
struct fw_digest {
    char text[65];
};

/* The state before any byte; bytes behind those so far (FIPS 180-4). */
struct fw_sha256 fw_sha256_new(void);
void fw_sha256_add(struct fw_sha256 *hash, const void *bytes, size_t length);

/* Adds a text with its length, so that "ab","c" and "a","bc" differ. */
void fw_sha256_text(struct fw_sha256 *hash, const char *text);

/* The digest of all that was added; the state is used up. */
struct fw_digest fw_sha256_end(struct fw_sha256 *hash);

#endif
