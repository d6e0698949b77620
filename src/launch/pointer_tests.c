/* Tests of pointers whose value is not given: null, alignment, the same array twice.
 *
 * A launch is predicted without addresses.  What a kernel asks of its pointers before it works is
 * known all the same for a launch that is to work: they are not null, each array is aligned as its
 * allocation is, and arrays do not overlap.  Where only such a thing is asked, arguments that are
 * pointers stand for addresses that satisfy it, far apart from each other; the binding notes each
 * of them, and -s NAME=ADDRESS and -s NAME.align=BYTES say otherwise.  Comparisons by order, and
 * those with what a loop moves on, are none of these tests. */
#include "bound_internal.h"
#include "checked.h"

/* Log2 of the distance of the arrays: a multiple of all alignments that code asks for, and no
 * array is so large. */
enum { APART = 40 };

int64_t bound_assumed_address(const struct fw_bound *bound, uint32_t parameter)
{
    uint32_t stated = bound->launch->alignments ? bound->launch->alignments[parameter] : 0;
    int64_t array = parameter < 1 << 16 ? (int64_t)parameter + 1 : 1 << 16;
    return (array << APART) + (stated ? stated : ALLOCATION_ALIGNMENT);
}

/* What an expression does when the arrays move. */
struct movement {
    bool known;
    int64_t by; /* known: each argument moves by a large power of two times a number of its own */
};

static const struct movement stays = {true, 0}, moves = {false, 0};

/* Shared parts are gone through each time they occur: beyond so many steps nothing is known. */
struct walk {
    const struct fw_kernel *kernel;
    uint32_t steps;
};

enum { MOST_STEPS = 2000 };

static struct movement expression_moves(struct walk *walk, fw_expression a);

static struct movement atom_moves(struct walk *walk, fw_atom atom)
{
    enum { UNIT = 36, SMALL_MASK = 1 << 20 };
    const struct fw_kernel *kernel = walk->kernel;
    const struct fw_atom_node *node = &kernel->pool.atoms.at[atom];
    struct movement a, b;
    int64_t constant;
    if (walk->steps++ >= MOST_STEPS)
        return moves;
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_PARAMETER:
        if (!kernel->parameters[node->a].is_pointer)
            return stays;
        return (struct movement){true, (int64_t)(1 + node->a * 2654435761u % 65521) << UNIT};
    case FW_ATOM_LAUNCH:
    case FW_ATOM_ITERATION:
    case FW_ATOM_TRIPS:
    case FW_ATOM_ARRAY:
    case FW_ATOM_CARRIED:
    case FW_ATOM_UNKNOWN:
        return stays;
    case FW_ATOM_POWER2:
        a = expression_moves(walk, node->a);
        return a.known && a.by == 0 ? stays : moves;
    case FW_ATOM_SELECT: /* what its condition asks is a test of its own */
        a = expression_moves(walk, node->a);
        b = expression_moves(walk, node->b);
        return a.known && b.known && a.by == b.by ? a : moves;
    case FW_ATOM_AT:
        return moves;
    default:
        break;
    }
    a = expression_moves(walk, node->a);
    b = expression_moves(walk, node->b);
    if (!a.known || !b.known || b.by)
        return moves;
    if (!a.by)
        return stays;
    if (!fw_expression_constant(&kernel->pool, node->b, &constant) || constant <= 0)
        return moves;
    if (node->kind == FW_ATOM_FLOOR && a.by % constant == 0)
        return (struct movement){true, a.by / constant};
    return node->kind == FW_ATOM_BITAND && constant < SMALL_MASK ? stays : moves;
}

static struct movement expression_moves(struct walk *walk, fw_expression a)
{
    const struct fw_expression_node *node = &walk->kernel->pool.expressions.at[a];
    struct movement sum = stays;
    for (uint32_t t = 0; t < node->term_count; t++) {
        const struct fw_term *term = &node->terms[t];
        for (uint32_t i = 0; i < term->atom_count; i++) {
            struct movement of = atom_moves(walk, term->atoms[i]);
            int64_t by;
            if (!of.known || (of.by && term->atom_count > 1) ||
                fw_multiply_overflows(of.by, term->coefficient, &by) ||
                fw_add_overflows(sum.by, by, &sum.by))
                return moves;
        }
    }
    return sum;
}

static bool is_pointer(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    const struct fw_kernel *kernel = user;
    (void)atom;
    return node->kind == FW_ATOM_PARAMETER && kernel->parameters[node->a].is_pointer;
}

static bool is_of_loop(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)user;
    (void)atom;
    return node->kind == FW_ATOM_ITERATION || node->kind == FW_ATOM_TRIPS ||
           node->kind == FW_ATOM_AT;
}

static bool tests_pointer(const struct fw_kernel *kernel, const struct fw_condition_node *node)
{
    struct fw_kernel *of = (struct fw_kernel *)(uintptr_t)kernel;
    bool two = node->kind == FW_CONDITION_UNSIGNED_LESS;
    if (!fw_expression_any(&kernel->pool, node->a, is_pointer, of) &&
        !(two && fw_expression_any(&kernel->pool, node->b, is_pointer, of)))
        return false;
    if (node->kind == FW_CONDITION_ZERO &&
        !fw_expression_any(&kernel->pool, node->a, is_of_loop, of))
        return true;
    struct walk walk = {.kernel = kernel};
    struct movement a = expression_moves(&walk, node->a);
    struct movement b = two ? expression_moves(&walk, node->b) : stays;
    return a.known && b.known && !a.by && !b.by;
}

bool bound_tests_pointer(struct fw_bound *bound, fw_condition condition)
{
    const struct fw_condition_node *node = &bound->kernel->pool.conditions.at[condition];
    uint8_t *known = &bound->pointer_tests[condition];
    if (*known == POINTER_TEST_NOT_ASKED)
        *known = tests_pointer(bound->kernel, node) ? POINTER_TEST_YES : POINTER_TEST_NO;
    return *known == POINTER_TEST_YES;
}

static bool note_pointer(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct fw_bound *bound = user;
    (void)atom;
    if (node->kind == FW_ATOM_PARAMETER && bound->kernel->parameters[node->a].is_pointer &&
        !bound->launch->is_bound[node->a])
        bound_note_pointer(bound, node->a);
    return false;
}

void bound_note_pointers(struct fw_bound *bound, fw_condition condition)
{
    fw_condition_any(&bound->kernel->pool, condition, note_pointer, bound);
}
