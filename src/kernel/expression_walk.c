/* Walking expressions: replacing atoms, asking about atoms, printing.
 * Expressions are graphs with shared parts: a cache keeps a walk from going through them again. */
#include "expression.h"
#include "scalar.h"

#include <stdlib.h>
#include <string.h>

/* What a walk has seen: atoms (odd keys) and conditions (even ones) with what became of them. */
struct seen {
    uint32_t key; /* 0: empty */
    uint32_t result;
};

enum { FEW = 128 };

struct cache {
    struct seen few[FEW];
    struct seen *many; /* grown beyond FEW: in the arena, or without one on the heap */
    struct fw_arena *arena;
    uint32_t capacity; /* of `many`; 0: none */
    uint32_t count;
};

static uint32_t atom_key(fw_atom atom)
{
    return atom * 2 + 3;
}

static uint32_t condition_key(fw_condition condition)
{
    return condition * 2 + 2;
}

static struct seen *place_in(struct seen *table, uint32_t capacity, uint32_t key)
{
    uint32_t at = key * 2654435761u >> 7 & (capacity - 1);
    while (table[at].key && table[at].key != key)
        at = (at + 1) & (capacity - 1);
    return &table[at];
}

static const struct seen *find_seen(struct cache *cache, uint32_t key)
{
    const struct seen *found = cache->capacity ? place_in(cache->many, cache->capacity, key)
                                               : place_in(cache->few, FEW, key);
    return found->key ? found : NULL;
}

static void remember(struct cache *cache, uint32_t key, uint32_t result)
{
    struct seen *table = cache->capacity ? cache->many : cache->few;
    uint32_t capacity = cache->capacity ? cache->capacity : FEW;
    if (2 * cache->count >= capacity) {
        struct seen *larger = cache->arena
                                  ? FW_ARRAY(cache->arena, struct seen, 4 * (size_t)capacity)
                                  : calloc(4 * (size_t)capacity, sizeof(*larger));
        if (!larger)
            return;
        for (uint32_t i = 0; i < capacity; i++)
            if (table[i].key)
                *place_in(larger, 4 * capacity, table[i].key) = table[i];
        if (!cache->arena)
            free(cache->many);
        table = cache->many = larger;
        capacity = cache->capacity = 4 * capacity;
    }
    struct seen *place = place_in(table, capacity, key);
    cache->count += place->key == 0;
    *place = (struct seen){key, result};
}

struct replacing {
    struct fw_pool *pool;
    const struct fw_replacement *with;
    struct cache cache;
};

static fw_expression replace_expression(struct replacing *r, fw_expression a);
static fw_condition replace_condition(struct replacing *r, fw_condition a);

/* What the caller says that an operation is. */
static fw_expression told(struct replacing *r, const struct fw_atom_node *node)
{
    return r->with->operation ? r->with->operation(r->with->user, node) : FW_NO_EXPRESSION;
}

/* A FOLD of other parts. */
static fw_expression rebuild_fold(struct fw_pool *pool, const struct fw_atom_node *node)
{
    fw_expression next, times;
    if (fw_fold_of(pool, node, &next, &times))
        return fw_fold(pool, node->c, node->a, next, times);
    return fw_atom_new(pool, FW_ATOM_UNKNOWN, FW_TOO_DEEP, (uint32_t)pool->atoms.count, 0);
}

static fw_expression rebuild(struct replacing *r, const struct fw_atom_node *node)
{
    struct fw_pool *pool = r->pool;
    fw_expression as_told = node->kind == FW_ATOM_SCALAR ? told(r, node) : FW_NO_EXPRESSION;
    if (as_told != FW_NO_EXPRESSION)
        return as_told;
    fw_expression a = replace_expression(r, node->a);
    fw_expression b = node->kind == FW_ATOM_POWER2 ? 0 : replace_expression(r, node->b), result;
    struct fw_atom_node rebuilt = {.kind = node->kind, .a = a, .b = b};
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_FLOOR:
        result = told(r, &rebuilt);
        return result == FW_NO_EXPRESSION ? fw_floor_divide(pool, a, b) : result;
    case FW_ATOM_TRUNCATE:
        result = told(r, &rebuilt);
        return result == FW_NO_EXPRESSION ? fw_truncate_divide(pool, a, b) : result;
    case FW_ATOM_MINIMUM:
        return fw_minimum(pool, a, b);
    case FW_ATOM_MAXIMUM:
        return fw_maximum(pool, a, b);
    case FW_ATOM_SELECT:
        rebuilt.c = replace_condition(r, node->c);
        result = told(r, &rebuilt);
        return result == FW_NO_EXPRESSION ? fw_select(pool, rebuilt.c, a, b) : result;
    case FW_ATOM_POWER2:
        return fw_power2(pool, a);
    case FW_ATOM_BITAND:
        return fw_bit_and(pool, a, b);
    case FW_ATOM_PRODUCT:
        return fw_multiply(pool, a, b);
    case FW_ATOM_SUM:
        return fw_add(pool, a, b);
    case FW_ATOM_AT:
    case FW_ATOM_STEP:
        return fw_atom_new(pool, (enum fw_atom_kind)node->kind, a, b, node->c);
    case FW_ATOM_FOLD:
        rebuilt.c = node->c;
        return rebuild_fold(pool, &rebuilt);
    case FW_ATOM_SCALAR:
        return fw_scalar_rebuild(pool, node->c, a, b);
    default:
        return fw_shift_right(pool, a, b);
    }
}

static fw_expression replace_atom(struct replacing *r, fw_atom atom)
{
    const struct fw_atom_node node = r->pool->atoms.at[atom];
    fw_expression result;
    const struct seen *seen = find_seen(&r->cache, atom_key(atom));
    if (seen)
        return seen->result;
    bool asked = r->with->replace && (node.kind <= FW_ATOM_UNKNOWN || node.kind == FW_ATOM_AT);
    result = asked ? r->with->replace(r->with->user, atom, &node) : FW_NO_EXPRESSION;
    if (result == FW_NO_EXPRESSION)
        result = node.kind > FW_ATOM_UNKNOWN
                     ? rebuild(r, &node)
                     : fw_atom_new(r->pool, node.kind, node.a, node.b, node.c);
    remember(&r->cache, atom_key(atom), result);
    return result;
}

static fw_expression replace_expression(struct replacing *r, fw_expression a)
{
    fw_expression sum = 0;
    for (uint32_t t = 0; t < r->pool->expressions.at[a].term_count; t++) {
        struct fw_term term = r->pool->expressions.at[a].terms[t];
        fw_expression product = fw_constant(r->pool, term.coefficient);
        for (uint32_t i = 0; i < term.atom_count; i++)
            product = fw_multiply(r->pool, product, replace_atom(r, term.atoms[i]));
        sum = fw_add(r->pool, sum, product);
    }
    return sum;
}

static fw_condition rebuild_condition(struct replacing *r, fw_condition a)
{
    struct fw_pool *pool = r->pool;
    const struct fw_condition_node node = pool->conditions.at[a];
    switch ((enum fw_condition_kind)node.kind) {
    case FW_CONDITION_POSITIVE:
        return fw_is_positive(pool, replace_expression(r, node.a));
    case FW_CONDITION_ZERO:
        return fw_is_zero(pool, replace_expression(r, node.a));
    case FW_CONDITION_UNSIGNED_LESS: {
        fw_expression left = replace_expression(r, node.a);
        return fw_unsigned_less(pool, left, replace_expression(r, node.b), node.c);
    }
    case FW_CONDITION_AND: {
        fw_condition left = replace_condition(r, node.a);
        return fw_condition_and(pool, left, replace_condition(r, node.b));
    }
    case FW_CONDITION_OR: {
        fw_condition left = replace_condition(r, node.a);
        return fw_condition_or(pool, left, replace_condition(r, node.b));
    }
    case FW_CONDITION_NOT:
        return fw_condition_not(pool, replace_condition(r, node.a));
    default:
        return a;
    }
}

static fw_condition replace_condition(struct replacing *r, fw_condition a)
{
    const struct seen *seen = find_seen(&r->cache, condition_key(a));
    if (seen)
        return seen->result;
    fw_condition result = rebuild_condition(r, a);
    remember(&r->cache, condition_key(a), result);
    return result;
}

fw_expression fw_expression_replace(struct fw_pool *pool, fw_expression a,
                                    const struct fw_replacement *with)
{
    struct replacing r = {.pool = pool, .with = with, .cache.arena = pool->arena};
    return replace_expression(&r, a);
}

fw_condition fw_condition_replace(struct fw_pool *pool, fw_condition a,
                                  const struct fw_replacement *with)
{
    struct replacing r = {.pool = pool, .with = with, .cache.arena = pool->arena};
    return replace_condition(&r, a);
}

struct asking {
    const struct fw_pool *pool;
    bool (*visit)(void *user, fw_atom atom, const struct fw_atom_node *node);
    void *user;
    struct cache cache;
};

static bool ask_expression(struct asking *q, fw_expression a);
static bool ask_condition(struct asking *q, fw_condition a);

static bool ask_atom(struct asking *q, fw_atom atom)
{
    const struct fw_atom_node *node = &q->pool->atoms.at[atom];
    if (find_seen(&q->cache, atom_key(atom)))
        return false;
    remember(&q->cache, atom_key(atom), 0);
    if (q->visit(q->user, atom, node))
        return true;
    if (node->kind <= FW_ATOM_UNKNOWN)
        return false;
    return ask_expression(q, node->a) ||
           (node->kind != FW_ATOM_POWER2 && ask_expression(q, node->b)) ||
           (node->kind == FW_ATOM_SELECT && ask_condition(q, node->c));
}

static bool ask_expression(struct asking *q, fw_expression a)
{
    const struct fw_expression_node *node = &q->pool->expressions.at[a];
    for (uint32_t t = 0; t < node->term_count; t++)
        for (uint32_t i = 0; i < node->terms[t].atom_count; i++)
            if (ask_atom(q, node->terms[t].atoms[i]))
                return true;
    return false;
}

static bool ask_condition(struct asking *q, fw_condition a)
{
    const struct fw_condition_node *node = &q->pool->conditions.at[a];
    if (find_seen(&q->cache, condition_key(a)))
        return false;
    remember(&q->cache, condition_key(a), 0);
    switch ((enum fw_condition_kind)node->kind) {
    case FW_CONDITION_POSITIVE:
    case FW_CONDITION_ZERO:
        return ask_expression(q, node->a);
    case FW_CONDITION_UNSIGNED_LESS:
        return ask_expression(q, node->a) || ask_expression(q, node->b);
    case FW_CONDITION_AND:
    case FW_CONDITION_OR:
        return ask_condition(q, node->a) || ask_condition(q, node->b);
    case FW_CONDITION_NOT:
        return ask_condition(q, node->a);
    case FW_CONDITION_UNKNOWN: {
        struct fw_atom_node unknown = {.kind = FW_ATOM_UNKNOWN, .a = node->a, .b = node->b};
        return q->visit(q->user, UINT32_MAX, &unknown);
    }
    default:
        return false;
    }
}

bool fw_expression_any(const struct fw_pool *pool, fw_expression a,
                       bool (*visit)(void *user, fw_atom atom, const struct fw_atom_node *node),
                       void *user)
{
    struct asking q = {.pool = pool, .visit = visit, .user = user};
    bool found = ask_expression(&q, a);
    free(q.cache.many);
    return found;
}

bool fw_condition_any(const struct fw_pool *pool, fw_condition a,
                      bool (*visit)(void *user, fw_atom atom, const struct fw_atom_node *node),
                      void *user)
{
    struct asking q = {.pool = pool, .visit = visit, .user = user};
    bool found = ask_condition(&q, a);
    free(q.cache.many);
    return found;
}

/* Shared parts are printed again each time: beyond so many characters only dots are. */
enum { MOST_PRINTED = 20000 };

struct printing {
    const struct fw_pool *pool;
    const struct fw_namer *namer;
    struct fw_buffer *out;
    size_t end; /* where the dots begin */
};

static void print_expression(const struct printing *to, fw_expression a);
static void print_condition(const struct printing *to, fw_condition a);

/* A side of a quotient: in brackets when it has several parts. */
static void print_part(const struct printing *to, fw_expression a)
{
    const struct fw_expression_node *node = &to->pool->expressions.at[a];
    bool bare = node->term_count == 0 ||
                (node->term_count == 1 &&
                 (node->terms[0].atom_count == 0 ||
                  (node->terms[0].atom_count == 1 && node->terms[0].coefficient == 1)));
    fw_buffer_printf(to->out, bare ? "" : "(");
    print_expression(to, a);
    fw_buffer_printf(to->out, bare ? "" : ")");
}

static void print_atom(const struct printing *to, fw_atom atom)
{
    const struct fw_pool *pool = to->pool;
    struct fw_buffer *out = to->out;
    static const char *const names[] = {
#define X(name, text) text,
        FW_ATOMS(X)
#undef X
    };
    const struct fw_atom_node *node = &pool->atoms.at[atom];
    if (node->kind <= FW_ATOM_UNKNOWN) {
        to->namer->name(to->namer->user, out, node);
        return;
    }
    struct fw_scalar scalar = {0};
    fw_expression operands[3];
    if (node->kind == FW_ATOM_SCALAR && fw_scalar_of(pool, node, &scalar, operands)) {
        fw_scalar_print(node->c, out);
        for (uint32_t o = 0; o < fw_scalar_operands(&scalar); o++) {
            fw_buffer_printf(out, o ? ", " : "(");
            print_expression(to, operands[o]);
        }
        fw_buffer_printf(out, ")");
        return;
    }
    fw_buffer_printf(out, "%s(", names[node->kind]);
    if (node->kind == FW_ATOM_FOLD)
        fw_buffer_printf(out, "c%u, ", node->c);
    if (node->kind == FW_ATOM_AT)
        fw_buffer_printf(out, "i%u, ", node->c);
    if (node->kind == FW_ATOM_SELECT) {
        print_condition(to, node->c);
        fw_buffer_printf(out, ", ");
    }
    if (node->kind == FW_ATOM_FLOOR) {
        print_part(to, node->a);
        fw_buffer_printf(out, " / ");
        print_part(to, node->b);
    } else {
        print_expression(to, node->a);
        if (node->kind != FW_ATOM_POWER2) {
            fw_buffer_printf(out, ", ");
            print_expression(to, node->b);
        }
    }
    fw_buffer_printf(out, ")");
}

static void print_expression(const struct printing *to, fw_expression a)
{
    const struct fw_pool *pool = to->pool;
    struct fw_buffer *out = to->out;
    if (out->length > to->end) {
        fw_buffer_printf(out, "...");
        return;
    }
    const struct fw_expression_node *node = &pool->expressions.at[a];
    if (node->term_count == 0)
        fw_buffer_printf(out, "0");
    for (uint32_t n = 0; n < node->term_count; n++) {
        /* The constant is stored first and read last. */
        bool shifted = node->terms[0].atom_count == 0 && node->term_count > 1;
        const struct fw_term *term = &node->terms[shifted ? (n + 1) % node->term_count : n];
        bool negative = term->coefficient < 0;
        uint64_t size = negative ? 0 - (uint64_t)term->coefficient : (uint64_t)term->coefficient;
        fw_buffer_printf(out, n ? (negative ? " - " : " + ") : (negative ? "-" : ""));
        if (size != 1 || term->atom_count == 0)
            fw_buffer_printf(out, term->atom_count ? "%llu*" : "%llu", (unsigned long long)size);
        for (uint32_t i = 0; i < term->atom_count; i++) {
            fw_buffer_printf(out, i ? "*" : "");
            print_atom(to, term->atoms[i]);
        }
    }
}

static void print_condition(const struct printing *to, fw_condition a)
{
    const struct fw_pool *pool = to->pool;
    struct fw_buffer *out = to->out;
    if (out->length > to->end) {
        fw_buffer_printf(out, "...");
        return;
    }
    const struct fw_condition_node *node = &pool->conditions.at[a];
    switch ((enum fw_condition_kind)node->kind) {
    case FW_CONDITION_FALSE:
    case FW_CONDITION_TRUE:
        fw_buffer_printf(out, node->kind == FW_CONDITION_TRUE ? "true" : "false");
        return;
    case FW_CONDITION_POSITIVE:
    case FW_CONDITION_ZERO:
        print_expression(to, node->a);
        fw_buffer_printf(out, node->kind == FW_CONDITION_ZERO ? " == 0" : " >= 0");
        return;
    case FW_CONDITION_UNSIGNED_LESS:
        print_expression(to, node->a);
        fw_buffer_printf(out, " <u%u ", node->c);
        print_expression(to, node->b);
        return;
    case FW_CONDITION_AND:
    case FW_CONDITION_OR:
        fw_buffer_printf(out, "(");
        print_condition(to, node->a);
        fw_buffer_printf(out, node->kind == FW_CONDITION_AND ? " and " : " or ");
        print_condition(to, node->b);
        fw_buffer_printf(out, ")");
        return;
    case FW_CONDITION_NOT:
        fw_buffer_printf(out, "not (");
        print_condition(to, node->a);
        fw_buffer_printf(out, ")");
        return;
    case FW_CONDITION_FLOAT:
        fw_buffer_printf(out, "float comparison %u", node->a);
        return;
    case FW_CONDITION_UNKNOWN:
        fw_buffer_printf(out, "unknown %u", node->a);
        return;
    }
}

void fw_expression_print(const struct fw_pool *pool, fw_expression a, const struct fw_namer *namer,
                         struct fw_buffer *out)
{
    struct printing to = {pool, namer, out, out->length + MOST_PRINTED};
    print_expression(&to, a);
}

void fw_condition_print(const struct fw_pool *pool, fw_condition a, const struct fw_namer *namer,
                        struct fw_buffer *out)
{
    struct printing to = {pool, namer, out, out->length + MOST_PRINTED};
    print_condition(&to, a);
}
