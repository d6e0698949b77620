/* The tiles of persistent loops, whose blocks go on by a whole grid: digits of block + grid *
 * iteration, where an address has no other floors of these two. */
#include "mixed_radix_internal.h"

#include "checked.h"
#include "quotient.h"

#include <string.h>

/* Whether a dividend is the tile of a persistent loop: block index + grid * iteration, and a
 * constant.  The first such one says which block index and which loop. */
static bool is_tile(const struct radix_work *work, const struct quotient *q)
{
    struct fw_mixed_radix *radix = work->radix;
    const struct fw_shape *shape = work->shape;
    uint32_t one = 0;
    if (quotient_terms(q, shape, &one) != 2)
        return false;
    for (uint32_t d = 0; d < 3; d++) {
        const int8_t b = shape->launch_variable[d];
        if (b < 0 || q->coefficient[b] != 1 || shape->low[b] != 0)
            continue;
        for (uint32_t v = 0; v < shape->variables; v++) {
            if (q->coefficient[v] != shape->high[b] + 1 || v == (uint32_t)b ||
                shape->loop_of[v] == FW_NONE || shape->quotient[v])
                continue;
            if (radix->tile_grid == 0) {
                radix->tile_grid = shape->high[b] + 1;
                radix->tile_axis = d;
                radix->tile_loop = v;
            }
            return radix->tile_axis == d && radix->tile_loop == v;
        }
    }
    return false;
}

/* Adds a digit of the tile.  False: no room, or shifts differ. */
static bool add_tile_digit(struct fw_mixed_radix *radix, struct fw_digit digit)
{
    uint32_t at = 0;
    while (at < radix->tile_digit_count && radix->tile_digits[at].every < digit.every)
        at++;
    if (radix->tile_digit_count && radix->tile_digits[0].shift != digit.shift)
        return false;
    if (at < radix->tile_digit_count && radix->tile_digits[at].every == digit.every)
        return !fw_add_overflows(radix->tile_digits[at].jump, digit.jump,
                                 &radix->tile_digits[at].jump);
    if (radix->tile_digit_count == FW_AFFINE_FLOORS)
        return false;
    for (uint32_t d = radix->tile_digit_count++; d > at; d--)
        radix->tile_digits[d] = radix->tile_digits[d - 1];
    radix->tile_digits[at] = digit;
    return true;
}

/* Takes floor `v` out of the address, which is one of the tile if `*of_tile` is set.  False: it
 * cannot be. */
static bool resolve_tile(struct radix_work *work, uint32_t v, bool *of_tile)
{
    struct fw_shape *shape = work->shape;
    struct quotient q;
    *of_tile = false;
    if (!quotient_definition(&q, shape, v))
        return mixed_radix_resolve(work, v);
    while (!is_tile(work, &q))
        if (!quotient_drop_small_terms(&q, shape) && !quotient_join_floors(&q, shape))
            return mixed_radix_resolve(work, v);
    int64_t whole = fw_floor_quotient(q.constant, q.every);
    *of_tile = true;
    shape->coefficient[v] = 0;
    return !fw_add_product_overflows(&shape->constant, q.jump, whole) &&
           add_tile_digit(work->radix,
                          (struct fw_digit){v, q.every, q.constant - whole * q.every, q.jump});
}

/* The axis of a block index of which a digit is whole in the grid; 3: none. */
static uint32_t axis_of_digits(const struct fw_mixed_radix *radix, const struct fw_shape *shape)
{
    for (uint32_t d = 0; d < 3; d++)
        for (uint32_t i = 0; i < radix->digit_count; i++) {
            const int8_t b = shape->launch_variable[d];
            if (b >= 0 && radix->digits[i].variable == (uint32_t)b && shape->low[b] == 0 &&
                (shape->high[b] + 1) % radix->digits[i].every == 0)
                return d;
        }
    return 3;
}

/* Makes the digits of the block index digits of the tile: floor(t / e) is floor(b / e) and grid / e
 * of each iteration, where e divides the grid.  `*moved`: the bytes of these, an iteration.  False:
 * it divides it not. */
static bool take_block_digits(struct fw_mixed_radix *radix, uint32_t block, int64_t *moved)
{
    *moved = 0;
    for (uint32_t d = 0; d < radix->digit_count; d++) {
        const struct fw_digit *digit = &radix->digits[d];
        if (digit->variable == block &&
            (radix->tile_grid % digit->every != 0 || !add_tile_digit(radix, *digit) ||
             fw_add_product_overflows(moved, digit->jump, radix->tile_grid / digit->every)))
            return false;
    }
    return true;
}

/* The loop that moves an address by as much as a whole grid of blocks would, `all` bytes: the one
 * of the tile, if a floor has said which that is.  False: none does. */
static bool find_tile_loop(struct fw_mixed_radix *radix, const struct fw_shape *shape, bool known,
                           int64_t all)
{
    for (uint32_t v = 0; v < shape->variables && !known; v++)
        if (shape->loop_of[v] != FW_NONE && !shape->quotient[v] && shape->coefficient[v] == all) {
            radix->tile_loop = v;
            known = true;
        }
    for (uint32_t d = 0; d < radix->digit_count && known; d++)
        known = radix->digits[d].variable != radix->tile_loop;
    for (uint32_t d = 1; d < radix->tile_digit_count && known; d++)
        known = radix->tile_digits[d].every % radix->tile_digits[d - 1].every == 0;
    return known && shape->coefficient[radix->tile_loop] == all;
}

/* Whether an address without floors is another one but for how blocks and iterations move it. */
static bool is_same_rest(const struct fw_mixed_radix *radix, const struct fw_shape *own,
                         const struct fw_shape *other)
{
    bool same = own->constant == other->constant;
    for (uint32_t v = 0; v < other->variables && same; v++)
        same = v == radix->tile_loop || (int8_t)v == other->launch_variable[radix->tile_axis] ||
               own->coefficient[v] == other->coefficient[v];
    return same;
}

/* Whether an address has floors, and a loop of the launch's blocks might go on by a grid. */
static bool may_have_tiles(const struct fw_shape *shape)
{
    bool floor = false, loop = false;
    for (uint32_t v = 0; v < shape->variables; v++) {
        floor |= shape->quotient[v] && shape->coefficient[v];
        loop |=
            shape->loop_of[v] != FW_NONE && !shape->quotient[v] && shape->low[v] < shape->high[v];
    }
    return floor && loop;
}

void mixed_radix_find_tiles(struct fw_mixed_radix *radix, const struct fw_shape *shape,
                            const struct fw_shape *rest, const struct radix_work *found)
{
    struct fw_shape own;
    struct fw_mixed_radix tiles = {.digit_count = 0};
    struct radix_work work = {
        .radix = &tiles, .shape = &own, .block = found->block, .over_grid = found->over_grid};
    bool known = false, of_tile;
    int64_t all, moved;
    if (!may_have_tiles(shape))
        return;
    fw_shape_copy(&own, shape);
    for (uint32_t v = shape->variables; v-- > 0;) {
        if (!shape->quotient[v] || !own.coefficient[v])
            continue;
        if (!resolve_tile(&work, v, &of_tile))
            return;
        known |= of_tile;
    }
    if (!known)
        tiles.tile_axis = axis_of_digits(&tiles, shape);
    if (tiles.tile_axis == 3)
        return;
    const uint32_t block = (uint32_t)shape->launch_variable[tiles.tile_axis];
    tiles.tile_grid = shape->high[block] + 1;
    tiles.tile_stride = own.coefficient[block];
    if (take_block_digits(&tiles, block, &moved) &&
        !fw_multiply_overflows(tiles.tile_stride, tiles.tile_grid, &all) &&
        !fw_add_overflows(all, moved, &all) && find_tile_loop(&tiles, &own, known, all) &&
        is_same_rest(&tiles, &own, rest)) {
        radix->of_tiles = true;
        radix->tile_axis = tiles.tile_axis;
        radix->tile_loop = tiles.tile_loop;
        radix->tile_grid = tiles.tile_grid;
        radix->tile_stride = tiles.tile_stride;
        memcpy(radix->tile_digits, tiles.tile_digits, sizeof(radix->tile_digits));
        radix->tile_digit_count = tiles.tile_digit_count;
    }
}
