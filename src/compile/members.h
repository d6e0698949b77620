/* Members of structures that kernels take by value: PTX has their bytes alone.
 *
 * Takes a source as tokens and the name of a type; gives the type's parts that are numbers or
 * pointers, each with its place, by the rules of layout that CUDA C++ and OpenCL C share with their
 * hosts (LP64).  It reads declarations, not the language: of a type with bases, virtual functions,
 * bit-fields, unions, template arguments or bounds that are no integers it gives nothing, and the
 * caller compares the size with PTX's. */
#ifndef FW_MEMBERS_H
#define FW_MEMBERS_H

#include "source_tokens.h"

struct fw_member {
    const char *name; /* behind the argument's: ".w", ".k[3]", ".size.x" */
    uint32_t offset;  /* bytes in the argument */
    uint32_t bytes;
};

struct fw_members {
    FW_VECTOR(struct fw_member) parts;
    uint32_t bytes; /* of the whole */
};

/* The members of a type as a parameter states it ("const struct box"); false, and none: it is not
 * known, or no structure.  All lives in the tokens' arena. */
bool fw_members_read(struct fw_members *members, const struct source_tokens *tokens,
                     const char *type);

#endif
