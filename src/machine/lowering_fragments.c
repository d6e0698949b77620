/* lowering, of wmma: fragments of matrices that a warp loads and stores, and their products.
 *
 * A fragment is loaded by words of 32 bits, one to four of them by one LDSM where the instruction
 * names shared memory; what lies the other way round is turned (MOVM), bytes are loaded one by one.
 * Sums lie in pairs along one side.  A product is one of the tensor core for each 16 x 8 sums and
 * 256 bits of depth, of tf32 and bytes 128.
 *
 * Source: data/lowering/fragments.txt, what one fragment more beside another adds. */
#include "lowering_internal.h"
#include "warp.h"

#include <stdio.h>

enum { WORD_BITS = 32, LONGEST = 96 };

struct fragment {
    uint32_t bits;   /* of an element */
    uint32_t words;  /* of a lane, of 32 bits */
    bool shared;     /* the instruction names shared memory */
    bool along_rows; /* elements that follow each other in memory are of one row */
    const char *load, *store;
};

static enum fw_type type_of(const struct fw_instruction *at)
{
    return at->type_count ? (enum fw_type)at->types[0] : FW_TYPE_NONE;
}

/* Factors: a by rows and b by columns lie as the tensor core takes them. */
static void list_factor(char text[LONGEST], const struct fragment *f, bool natural)
{
    const char *load = f->load;
    const uint32_t most = f->bits == 8 ? 2 : 4; /* words of one LDSM */
    if (f->bits == 64)
        snprintf(text, LONGEST, "%s%s.64", f->shared ? "" : "IMAD.WIDE ", load);
    else if (f->bits == 32)
        snprintf(text, LONGEST, "%s %s*%u", f->shared ? "LEA*4" : "IMAD.WIDE*5", load, f->words);
    else if (f->bits == 8 && !natural)
        snprintf(text, LONGEST, "IADD3*3 IMAD*3 LEA*2 %s*%u PRMT*%u", load, 4 * f->words, f->words);
    else if (f->shared)
        snprintf(text, LONGEST, "LDSM*%u", (f->words + most - 1) / most);
    else if (natural)
        snprintf(text, LONGEST, "IMAD.WIDE LEA*2 %s*%u", load, f->words);
    else
        snprintf(text, LONGEST, "IMAD.WIDE LEA*2 %s*%u MOVM*%u", load, f->words, f->words);
}

/* Sums: pairs lie along the rows, of m8n32 along the columns. */
static void list_sums(char text[LONGEST], const struct fragment *f, bool pairs, bool loads)
{
    const char *addresses = f->shared ? ""
                            : pairs   ? "IMAD.WIDE LEA*2 "
                                      : "IMAD.WIDE LEA*2 IADD3*4 ";
    const char *move = loads ? f->load : f->store;
    if (f->bits == 16 && !pairs && loads)
        snprintf(text, LONGEST, "%s%s*4 MOVM*4", addresses, move);
    else if (f->bits == 16)
        snprintf(text, LONGEST, "%s%s*4", addresses, move);
    else
        snprintf(text, LONGEST, "%s%s%s*%u", addresses, move,
                 !pairs          ? f->bits == 64 ? ".64" : ""
                 : f->bits == 64 ? ".128"
                                 : ".64",
                 (f->bits == 64 ? 2 : 8) / (pairs ? 2U : 1U));
}

static bool list_product(char text[LONGEST], const struct fw_instruction *at,
                         const uint32_t sizes[3])
{
    enum fw_type type = at->type_count > 2 ? (enum fw_type)at->types[1] : FW_TYPE_F16;
    uint32_t bits = fw_type_bits(type), depth = type == FW_TYPE_TF32 ? 4 : 16;
    if (type == FW_TYPE_F64)
        snprintf(text, LONGEST, "DMMA");
    else if (bits == 8 || bits == 16 || type == FW_TYPE_TF32)
        snprintf(text, LONGEST, "%s*%u", bits == 8 ? "IMMA" : "HMMA",
                 sizes[0] * sizes[1] * sizes[2] / (16 * 8 * depth));
    else /* of less than a byte: no tensor core of compute capability 9.0 has them */
        return false;
    return true;
}

static bool list(char text[LONGEST], const struct fw_instruction *at)
{
    uint32_t sizes[3];
    if (!fw_instruction_shape(at, sizes))
        return false;
    if (fw_instruction_has(at, "mma"))
        return list_product(text, at, sizes);
    bool is_a = fw_instruction_has(at, "a"), is_b = fw_instruction_has(at, "b");
    struct fragment f = {.bits = fw_type_bits(type_of(at)), .shared = at->space == FW_SPACE_SHARED};
    f.load = f.shared ? "LDS" : at->space == FW_SPACE_GLOBAL ? "LDG" : "LD";
    f.store = f.shared ? "STS" : at->space == FW_SPACE_GLOBAL ? "STG" : "ST";
    f.along_rows = !fw_instruction_has(at, "col");
    f.words = sizes[is_b ? 2 : 0] * sizes[is_a ? 2 : 1] * f.bits / (WORD_BITS * FW_WARP_THREADS);
    if (f.bits < 8)
        return false;
    if (is_a || is_b)
        list_factor(text, &f, f.along_rows == is_a);
    else
        list_sums(text, &f, f.along_rows == (sizes[0] != 8 || sizes[1] == 8),
                  fw_instruction_has(at, "load"));
    return true;
}

/* The tensor core does not see the lowest bits of tf32, which a conversion clears for others. */
static bool is_factor_alone(const struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = &work->function->instructions[i];
    if (at->opcode != FW_OP_CVT || type_of(at) != FW_TYPE_TF32 || !fw_instruction_has(at, "rna"))
        return false;
    uint32_t value = fw_lowering_value(work, i);
    uint32_t uses = value == FW_NO_INDEX ? 0 : fw_lowering_use_count(work, value);
    for (uint32_t u = 0; u < uses; u++) {
        uint32_t user = fw_lowering_use(work, value, u);
        if (user == FW_NO_INDEX || (work->function->instructions[user].opcode != FW_OP_WMMA &&
                                    work->function->instructions[user].opcode != FW_OP_MMA))
            return false;
    }
    return uses > 0;
}

void fw_lowering_fragments(struct lowering *work)
{
    char text[LONGEST];
    if (work->column == 0) /* other products: not looked at */
        return;
    for (uint32_t i = 0; i < work->function->instruction_count; i++) {
        const struct fw_instruction *at = &work->function->instructions[i];
        if (at->opcode == FW_OP_WMMA && list(text, at))
            fw_lowering_list(&work->result->instructions[i], work->arena, text);
        else if (work->column == 2 && is_factor_alone(work, i))
            fw_lowering_list(&work->result->instructions[i], work->arena, "FSETP @IADD3");
    }
}
