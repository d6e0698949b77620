/* Unions: parts of a domain made disjoint, each summed. */
#include "domain.h"

#include <string.h>

enum { SUBTRACTIONS_MOST = 4000 };

/* A conjunction on its way through the earlier members of its union. */
struct remainder {
    struct summation *summation;
    const struct domain *domain;
    const struct part *part;
    uint32_t member; /* the conjunction that is reduced */
    unsigned spent;
};

/* line <= -1 */
static struct line *negation(struct work *work, const struct line *line, int sign)
{
    struct line *zero = fw_line_new(work, 1, false);
    zero->at[0] = integer_constant(-1);
    return fw_line_combine(work, integer_constant(-sign), line, integer_constant(1), zero);
}

static enum simplex_answer feasible(struct summation *s, struct state *state, struct line *more)
{
    fw_state_push(s->work, state, more);
    uint32_t context_count;
    struct line **context = fw_floor_context(s, state->lines, state->count, &context_count);
    enum simplex_answer answer =
        fw_simplex_feasible(s->work, state->lines, state->count, context, context_count);
    state->count--;
    return answer;
}

/* Takes variables up, floors with the lines that define them. */
static void use(struct work *work, const struct domain *domain, struct state *state,
                uint64_t columns)
{
    uint64_t fresh = columns & ~state->live;
    state->live |= columns;
    for
        EACH_COLUMN(column, fresh)
    for (unsigned i = 0; i < 2; i++)
        if (domain->definitions[column][i])
            fw_state_push(work, state, domain->definitions[column][i]);
}

static struct state copy_state(struct work *work, const struct state *state, uint32_t room)
{
    struct state copy = fw_state_new(work, state->count + room, state->live, state->weight);
    memcpy(copy.lines, state->lines, state->count * sizeof(struct line *));
    copy.count = state->count;
    return copy;
}

static void subtract(struct remainder *remainder, struct state *state, uint32_t earlier);

/* Goes on with the points of the state where `negated` holds. */
static void branch(struct remainder *remainder, const struct state *state, struct line *negated,
                   uint32_t earlier)
{
    struct work *work = remainder->summation->work;
    struct fw_arena_mark mark = fw_summation_mark(remainder->summation);
    struct state outside = copy_state(work, state, 8);
    fw_state_push(work, &outside, negated);
    subtract(remainder, &outside, earlier + 1);
    fw_summation_release(remainder->summation, mark);
}

/* Sums the state's points that lie in none of the members from `earlier` up to its own. */
static void subtract(struct remainder *remainder, struct state *state, uint32_t earlier)
{
    struct summation *s = remainder->summation;
    struct work *work = s->work;
    if (++remainder->spent > SUBTRACTIONS_MOST)
        fw_work_fail(work, FW_ERROR_BUDGET);
    if (earlier == remainder->member) {
        fw_summation_add(s, state);
        return;
    }
    const struct basic *other = &remainder->part->basics[earlier];
    struct state both = copy_state(work, state, other->count + 8);
    use(work, remainder->domain, &both, other->used);
    for (uint32_t i = 0; i < other->count; i++)
        fw_state_push(work, &both, other->lines[i]);
    if (!fw_state_tidy(s, &both) || !fw_state_reduce(s, &both)) {
        subtract(remainder, state, earlier + 1);
        return;
    }
    use(work, remainder->domain, state, other->used);
    for (uint32_t i = 0; i < other->count; i++) {
        struct line *line = other->lines[i];
        for (int sign = 1; sign >= (line->equality ? -1 : 1); sign -= 2) {
            struct line *negated = negation(work, line, sign);
            if (feasible(s, state, negated) != SIMPLEX_EMPTY)
                branch(remainder, state, negated, earlier);
        }
        fw_state_push(work, state, line);
    }
}

void fw_domain_sum(struct summation *s, const struct domain *domain)
{
    struct work *work = s->work;
    for (uint32_t p = 0; p < domain->part_count; p++) {
        const struct part *part = &domain->parts[p];
        for (uint32_t member = 0; member < part->basic_count; member++) {
            const struct basic *basic = &part->basics[member];
            struct state state = fw_state_new(work, basic->count + 8, 0, part->weight);
            memcpy(state.lines, basic->lines, basic->count * sizeof(struct line *));
            state.count = basic->count;
            use(work, domain, &state, basic->used);
            struct remainder remainder = {s, domain, part, member, 0};
            subtract(&remainder, &state, 0);
        }
    }
}
