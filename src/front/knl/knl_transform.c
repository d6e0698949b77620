/* Lines that transform the program: each has one function of loop.h. */
#include "knl_internal.h"

#include <string.h>

static struct fw_span token_span(const struct knl *knl)
{
    return knl_span(knl, knl->token.text, knl->token.length);
}

static bool word_is(struct knl *knl, const char *text)
{
    return strcmp(knl_word_text(knl), text) == 0;
}

/* Takes the next word when it is that one. */
static bool take_word(struct knl *knl, const char *text)
{
    const char *before = knl->at;
    knl_word(knl);
    if (word_is(knl, text))
        return true;
    knl->at = before;
    return false;
}

/* "i, j, k" */
static enum fw_status read_names(knl_names *names, struct knl *knl)
{
    do {
        const char *name = NULL;
        enum fw_status status = knl_name(&name, knl);
        if (status != FW_OK)
            return status;
        *FW_APPEND(knl->arena, names) = name;
    } while (take_word(knl, ","));
    return FW_OK;
}

static enum fw_status expect_word(struct knl *knl, const char *text)
{
    if (take_word(knl, text))
        return FW_OK;
    knl_word(knl);
    return knl_fault(knl, "KNL002", "'%s' is expected here", text);
}

/* "id=*init*", "writes=res", "tag=x"; nothing: all statements. */
static enum fw_status read_selector(struct fw_loop_selector *selector, struct knl *knl)
{
    static const struct {
        const char *text;
        enum fw_loop_selector_kind kind;
    } kinds[] = {{"id", FW_LOOP_BY_ID}, {"writes", FW_LOOP_BY_TARGET}, {"tag", FW_LOOP_BY_TAG}};
    *selector = (struct fw_loop_selector){FW_LOOP_BY_ID, NULL};
    const char *before = knl->at;
    knl_word(knl);
    if (!knl->token.length) {
        knl->at = before;
        return FW_OK;
    }
    bool known = false;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (word_is(knl, kinds[i].text)) {
            selector->kind = kinds[i].kind;
            known = true;
        }
    if (!known)
        return knl_fault(knl, "KNL002", "'id=', 'writes=' or 'tag=' is expected here");
    enum fw_status status = expect_word(knl, "=");
    knl_word(knl);
    if (status == FW_OK && !knl->token.length)
        return knl_fault(knl, "KNL002", "a name is expected here");
    selector->pattern = knl_word_text(knl);
    return status;
}

/* ---- lines ---- */

static enum fw_status read_realize(struct knl *knl)
{
    struct fw_loop_selector selector;
    struct fw_span span = token_span(knl);
    enum fw_status status = read_selector(&selector, knl);
    if (status == FW_OK)
        status = knl_line_end(knl);
    return status == FW_OK ? fw_loop_realize(knl->program, selector, span) : status;
}

/* "rename i row" */
static enum fw_status read_rename(struct knl *knl)
{
    const char *from = NULL, *to = NULL;
    enum fw_status status = knl_name(&from, knl);
    if (status == FW_OK)
        status = knl_name(&to, knl);
    struct fw_span span = token_span(knl);
    if (status == FW_OK)
        status = knl_line_end(knl);
    return status == FW_OK ? fw_loop_rename(knl->program, from, to, span) : status;
}

/* "duplicate m as m_0 in id=*init*" */
static enum fw_status read_duplicate(struct knl *knl)
{
    const char *name = NULL, *copy = NULL;
    struct fw_loop_selector selector;
    enum fw_status status = knl_name(&name, knl);
    struct fw_span span = token_span(knl);
    if (status == FW_OK)
        status = expect_word(knl, "as");
    if (status == FW_OK)
        status = knl_name(&copy, knl);
    if (status == FW_OK)
        status = expect_word(knl, "in");
    if (status == FW_OK)
        status = read_selector(&selector, knl);
    if (status == FW_OK)
        status = knl_line_end(knl);
    return status == FW_OK ? fw_loop_duplicate(knl->program, name, copy, selector, span) : status;
}

/* "add i_outer to id=*fetch*" */
static enum fw_status read_add(struct knl *knl)
{
    const char *name = NULL;
    struct fw_loop_selector selector;
    enum fw_status status = knl_name(&name, knl);
    struct fw_span span = token_span(knl);
    if (status == FW_OK)
        status = expect_word(knl, "to");
    if (status == FW_OK)
        status = read_selector(&selector, knl);
    if (status == FW_OK)
        status = knl_line_end(knl);
    return status == FW_OK ? fw_loop_add_loop(knl->program, name, selector, span) : status;
}

/* "privatize t over m" */
static enum fw_status read_privatize(struct knl *knl)
{
    const char *array = NULL;
    knl_names loops = {0};
    enum fw_status status = knl_name(&array, knl);
    struct fw_span span = token_span(knl);
    if (status == FW_OK)
        status = expect_word(knl, "over");
    if (status == FW_OK)
        status = read_names(&loops, knl);
    if (status == FW_OK)
        status = knl_line_end(knl);
    return status == FW_OK
               ? fw_loop_privatize(knl->program, array, loops.at, (uint32_t)loops.count, span)
               : status;
}

/* "order i, j, k [unordered]" */
static enum fw_status read_order(struct knl *knl)
{
    knl_names loops = {0};
    struct fw_span span = token_span(knl);
    enum fw_status status = read_names(&loops, knl);
    bool unordered = status == FW_OK && take_word(knl, "unordered");
    if (status == FW_OK)
        status = knl_line_end(knl);
    return status == FW_OK
               ? fw_loop_set_order(knl->program, loops.at, (uint32_t)loops.count, unordered, span)
               : status;
}

/* "join i, j into ij" */
static enum fw_status read_join(struct knl *knl)
{
    knl_names loops = {0};
    const char *name = NULL;
    struct fw_span span = token_span(knl);
    enum fw_status status = read_names(&loops, knl);
    if (status == FW_OK && loops.count != 2)
        return knl_fault(knl, "KNL002", "two loops are joined: the outer one, the inner one");
    if (status == FW_OK)
        status = expect_word(knl, "into");
    if (status == FW_OK)
        status = knl_name(&name, knl);
    if (status == FW_OK)
        status = knl_line_end(knl);
    return status == FW_OK ? fw_loop_join(knl->program, loops.at[0], loops.at[1], name, span)
                           : status;
}

/* "axes u 1, 0" */
static enum fw_status read_axes(struct knl *knl)
{
    const char *array = NULL;
    uint32_t axes[FW_LOOP_RANK_MOST], count = 0;
    enum fw_status status = knl_name(&array, knl);
    struct fw_span span = token_span(knl);
    do {
        int64_t axis = 0;
        if (status == FW_OK)
            status = knl_number(&axis, knl);
        if (status != FW_OK)
            return status;
        if (count == FW_LOOP_RANK_MOST || axis < 0 || axis >= FW_LOOP_RANK_MOST)
            return knl_fault(knl, "KNL002", "a dimension from 0 to %d is expected here",
                             FW_LOOP_RANK_MOST - 1);
        axes[count++] = (uint32_t)axis;
    } while (take_word(knl, ","));
    status = knl_line_end(knl);
    return status == FW_OK ? fw_loop_set_axes(knl->program, array, axes, count, span) : status;
}

/* "coarsen i 4" */
static enum fw_status read_coarsen(struct knl *knl)
{
    const char *name = NULL;
    int64_t factor = 0;
    enum fw_status status = knl_name(&name, knl);
    struct fw_span span = token_span(knl);
    if (status == FW_OK)
        status = knl_number(&factor, knl);
    if (status == FW_OK)
        status = knl_line_end(knl);
    return status == FW_OK ? fw_loop_coarsen(knl->program, name, factor, span) : status;
}

/* "prefetch a over i_inner, k_inner [tag=t] [as NAME] [box] [untagged]" */
static enum fw_status read_prefetch(struct knl *knl)
{
    struct fw_loop_prefetch prefetch = {0};
    knl_names sweeps = {0};
    enum fw_status status = knl_name(&prefetch.array, knl);
    struct fw_span span = token_span(knl);
    if (status == FW_OK)
        status = expect_word(knl, "over");
    if (status == FW_OK)
        status = read_names(&sweeps, knl);
    prefetch.sweeps = sweeps.at;
    prefetch.sweep_count = (uint32_t)sweeps.count;
    while (status == FW_OK) {
        if (take_word(knl, "box")) {
            prefetch.box = true;
        } else if (take_word(knl, "untagged")) {
            prefetch.untagged = true;
        } else if (take_word(knl, "as")) {
            status = knl_name(&prefetch.name, knl);
        } else if (take_word(knl, "tag")) {
            status = expect_word(knl, "=");
            if (status == FW_OK)
                status = knl_name(&prefetch.tag, knl);
        } else {
            break;
        }
    }
    if (status == FW_OK)
        status = knl_line_end(knl);
    return status == FW_OK ? fw_loop_add_prefetch(knl->program, &prefetch, span) : status;
}

/* "strip a, c" */
static enum fw_status read_strip(struct knl *knl)
{
    knl_names arrays = {0};
    struct fw_span span = token_span(knl);
    const char *before = knl->at;
    knl_word(knl);
    bool none = knl->token.length == 0;
    knl->at = before;
    enum fw_status status = none ? FW_OK : read_names(&arrays, knl);
    if (status == FW_OK)
        status = knl_line_end(knl);
    return status == FW_OK ? fw_loop_strip(knl->program, arrays.at, (uint32_t)arrays.count, span)
                           : status;
}

enum fw_status knl_transformation(struct knl *knl, const char *word, bool *known)
{
    static const struct {
        const char *word;
        enum fw_status (*read)(struct knl *knl);
    } rows[] = {
        {"realize", read_realize},   {"rename", read_rename},       {"duplicate", read_duplicate},
        {"add", read_add},           {"privatize", read_privatize}, {"order", read_order},
        {"join", read_join},         {"axes", read_axes},           {"coarsen", read_coarsen},
        {"prefetch", read_prefetch}, {"strip", read_strip},
    };
    *known = false;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        if (strcmp(rows[i].word, word) != 0)
            continue;
        *known = true;
        enum fw_status status = fw_loop_finish(knl->program);
        return status == FW_OK ? rows[i].read(knl) : status;
    }
    return FW_OK;
}
