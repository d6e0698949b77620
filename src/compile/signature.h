/* Signatures: the kernels that a CUDA C++ or OpenCL C source declares, with their parameters.
 *
 * PTX has lost the names of arguments; this finds them again.  Takes source text, as written or
 * preprocessed; gives kernels in order.  It reads tokens, not the language: comments, strings, raw
 * strings and directives are skipped, attributes, launch bounds and templates are tolerated.  What
 * it cannot read it leaves out; it never fails and never guesses a name. */
#ifndef FW_SIGNATURE_H
#define FW_SIGNATURE_H

#include "members.h"

struct fw_signature_parameter {
    const char *name; /* "" when the source gives none */
    const char *type; /* as written, without the name: "const float * __restrict__" */
    bool pointer;     /* a pointer or an array */
    bool constant;    /* what it points to (or, for no pointer, itself) is const */
    bool restricted;
    struct fw_members members; /* of a structure by value, once asked for; of others none */
};

struct fw_signature {
    const char *name;  /* without scopes and template arguments */
    uint32_t offset;   /* of the name in the text, in bytes */
    bool templated;    /* stands behind template <...> */
    bool defined;      /* has a body here */
    uint32_t block[3]; /* that OpenCL's reqd_work_group_size states; 0: none, or not read */
    bool block_unread; /* it states one that is not of numbers: a macro, where not preprocessed */
    FW_VECTOR(struct fw_signature_parameter) parameters;
};

struct fw_signatures {
    FW_VECTOR(struct fw_signature) kernels;
    bool embeds; /* the text has an #embed directive */
};

/* The kernels of a text of `length` bytes: functions marked __global__, __kernel, and, when
 * `opencl`, kernel.  All lives in the arena. */
void fw_signatures_read(struct fw_signatures *signatures, struct fw_arena *arena, const char *text,
                        size_t length, bool opencl);

/* Finds the members of all parameters that are structures, in a text (as written or preprocessed)
 * that has their definitions; those that are not found stay without. */
void fw_signatures_find_members(struct fw_signatures *signatures, struct fw_arena *arena,
                                const char *text, size_t length, bool opencl);

/* The kernel that a PTX entry comes from: the entry's own name, or the function's name inside a
 * mangled one (Itanium C++ ABI).  Of several with that name, one with `parameter_count` parameters
 * (SIZE_MAX: not known), definitions first; NULL when there is none or when more than one fits and
 * their parameters are named differently. */
const struct fw_signature *fw_signature_find(const struct fw_signatures *signatures,
                                             const char *entry, size_t parameter_count);

/* The function's name inside a mangled name ("_ZN3foo3barIfEEvPf" gives "bar"): its first byte and
 * `*length`.  A name that is not mangled is given back whole. */
const char *fw_signature_base(const char *entry, size_t *length);

#endif
