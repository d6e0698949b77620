/* Lines that several warps of a block ask for: the first warp that comes to one fetches it, and the
 * others wait for its data.  Warps that walk over the same lines therefore go in step, at the
 * latency of a miss, although most of their requests count as hits. */
#include "simulate_internal.h"

#include <math.h>

enum { KEPT = 4 /* the latest lines of a walk whose data may still be on their way */ };

/* How far a warp has come on its walk over the lines of one access. */
struct walk_position {
    uint64_t lines;
    double credit; /* of the next line */
};

/* A walk that warps share: what its first warp has fetched. */
struct walk_fetches {
    uint64_t lines;
    double there[KEPT];
    uint8_t levels[KEPT]; /* that the data come from */
};

struct shared_lines {
    uint32_t *numbers; /* by instruction: of its access among those with shared lines, or FW_NONE */
    uint32_t count;    /* of these */
    struct walk_position *positions; /* by warp and number */
    struct walk_fetches *fetches;    /* by leading warp and number */
};

void shared_lines_open(struct machine *m)
{
    uint32_t *numbers = FW_ARRAY(m->arena, uint32_t, m->instructions), count = 0;
    for (uint32_t i = 0; i < m->instructions; i++)
        numbers[i] = m->of->accesses[i].leader ? count++ : FW_NONE;
    if (!count)
        return;
    m->shared = FW_NEW(m->arena, struct shared_lines);
    *m->shared = (struct shared_lines){numbers, count, NULL, NULL};
    size_t walks = (size_t)m->warp_count * count;
    m->shared->positions = FW_ARRAY(m->arena, struct walk_position, walks);
    m->shared->fetches = FW_ARRAY(m->arena, struct walk_fetches, walks);
}

void shared_lines_start_block(struct machine *m, uint32_t b)
{
    const uint32_t warps = m->of->warps;
    for (uint32_t i = 0; m->shared && i < m->instructions; i++)
        for (uint32_t w = b * warps; m->shared->numbers[i] != FW_NONE && w < (b + 1) * warps; w++) {
            size_t at = (size_t)w * m->shared->count + m->shared->numbers[i];
            /* Accesses come to lines at different times, but for those whose walks go in step, and
             * the warps of a block at the same. */
            const uint32_t walk = m->shared->numbers[fw_sm_walk(&m->of->accesses[i], i)];
            const uint32_t number = walk != FW_NONE ? walk : m->shared->numbers[i];
            const double phase = 0.5 + 0.6180339887498949 * number;
            m->shared->positions[at] = (struct walk_position){.credit = fmod(phase, 1)};
            m->shared->fetches[at] = (struct walk_fetches){0};
        }
}

struct shared_line shared_lines_come(struct machine *m, uint32_t w, uint32_t instruction)
{
    const struct fw_sm_access *access = &m->of->accesses[instruction];
    const uint32_t warps = m->of->warps, number = m->shared->numbers[instruction];
    const uint32_t leader = w / warps * warps + access->leader[w % warps];
    struct walk_position *position = &m->shared->positions[(size_t)w * m->shared->count + number];
    struct walk_fetches *fetches = &m->shared->fetches[(size_t)leader * m->shared->count + number];
    struct shared_line line = {.leader = leader};
    position->credit += access->comes;
    if (position->credit >= 1) {
        position->credit -= 1;
        position->lines++;
    }
    line.fetched = position->lines > fetches->lines;
    fetches->lines = line.fetched ? position->lines : fetches->lines;
    if (fetches->lines - position->lines >= KEPT)
        return line; /* long there */
    line.there = &fetches->there[position->lines % KEPT];
    line.level = &fetches->levels[position->lines % KEPT];
    return line;
}

struct shared_lines *shared_lines_copy(const struct machine *m)
{
    if (!m->shared)
        return NULL;
    const size_t walks = (size_t)m->warp_count * m->shared->count;
    struct shared_lines *copy = fw_arena_copy(m->arena, m->shared, sizeof(*copy));
    copy->positions =
        fw_arena_copy(m->arena, m->shared->positions, walks * sizeof(*copy->positions));
    copy->fetches = fw_arena_copy(m->arena, m->shared->fetches, walks * sizeof(*copy->fetches));
    return copy;
}

void shared_lines_skip(struct machine *m, double cycles)
{
    size_t walks = m->shared ? (size_t)m->warp_count * m->shared->count : 0;
    for (size_t at = 0; at < walks; at++)
        for (uint32_t k = 0; k < KEPT; k++)
            m->shared->fetches[at].there[k] += cycles;
}
