/* The launch of address expressions: a grid that covers the domain, and whether all addresses lie
 * in their fields. */
#include "address_internal.h"

#include <string.h>

enum { MOST_AXES = FW_ADDRESS_AXES + ADDRESS_LOOPS };

static const int64_t first_iterations[ADDRESS_LOOPS];

enum fw_status fw_address_grid(uint32_t grid[3], const struct fw_address_kernel *kernel,
                               struct fw_bound *bound, const struct fw_launch *launch,
                               const struct fw_sink *sink)
{
    struct fw_launch one = *launch;
    struct fw_point origin = {{0}, {0}, first_iterations};
    grid[0] = grid[1] = grid[2] = 1;
    memcpy(one.grid, grid, sizeof(one.grid));
    memcpy(one.block, grid, sizeof(one.block)); /* whether the blocks are any is told later */
    enum fw_status status = fw_bound_set(bound, &one);
    for (uint32_t d = 0; d < kernel->axes && !status; d++) {
        int64_t points, each = (int64_t)launch->block[d] * kernel->coarsening[d];
        if (!fw_bound_evaluate(bound, kernel->points[d], &origin, &points)) {
            fw_report(sink, FW_ERROR, "ADR020", kernel->point_spans[d],
                      "the domain's size along %s leaves 64 bits, or divides by 0",
                      kernel->coordinates[d]);
            return FW_ERROR_INPUT;
        }
        if (points <= 0 || (points - 1) / each + 1 > (d ? 65535 : INT32_MAX)) {
            fw_report(sink, FW_ERROR, "ADR020", kernel->point_spans[d],
                      points <= 0 ? "the domain has no point along %s: its size there is %lld"
                                  : "the domain is too large for a grid of such blocks along %s: "
                                    "%lld points",
                      kernel->coordinates[d], (long long)points);
            return FW_ERROR_INPUT;
        }
        grid[d] = (uint32_t)((points - 1) / each + 1);
    }
    return status;
}

enum fw_status fw_address_spread(const struct fw_address_kernel *kernel, struct fw_bound *bound,
                                 struct fw_launch *launch, const struct fw_sink *sink)
{
    struct fw_point origin = {{0}, {0}, first_iterations};
    for (uint32_t p = 0; p < kernel->record->parameter_count; p++) {
        int64_t bytes;
        if (kernel->spreads[p] == FW_NO_EXPRESSION || launch->spreads[p] > 0)
            continue;
        if (!fw_bound_evaluate(bound, kernel->spreads[p], &origin, &bytes) || bytes <= 0) {
            fw_report(sink, FW_ERROR, "ADR023", (struct fw_span){0},
                      "elements of %s are drawn from none, or from more than 64 bits hold",
                      kernel->record->parameters[p].name);
            return FW_ERROR_INPUT;
        }
        launch->spreads[p] = (double)bytes;
    }
    return FW_OK;
}

/* ---- bounds ---- */

struct check {
    const struct fw_address_kernel *kernel;
    struct fw_bound *bound;
    const struct fw_launch *launch;
    const struct fw_sink *sink;
    uint32_t access;
    int64_t low[MOST_AXES], high[MOST_AXES]; /* of coordinates, then iterations */
    bool free[MOST_AXES];                    /* takes both ends */
};

/* The thread whose first point, or nearest before it, is at the coordinates. */
static void point_of(struct fw_point *point, const struct check *check, const int64_t *at)
{
    memset(point, 0, sizeof(*point));
    for (uint32_t d = 0; d < check->kernel->axes; d++) {
        int64_t thread = at[d] / check->kernel->coarsening[d];
        point->block[d] = (uint32_t)(thread / check->launch->block[d]);
        point->thread[d] = (uint32_t)(thread % check->launch->block[d]);
    }
    point->iterations = at + check->kernel->axes;
}

static bool lies_in(const struct check *check, const struct fw_point *point, uint32_t domain)
{
    const struct fw_kernel *record = check->kernel->record;
    for (; domain; domain = record->domains[domain].parent) {
        const struct fw_domain *at = &record->domains[domain];
        bool known = true;
        if (at->kind == FW_DOMAIN_RESTRICT &&
            !fw_bound_holds(check->bound, record->branches[at->branch].condition, point, &known))
            return false;
    }
    return true;
}

/* Tells how far outside a corner is, and where. */
static void tell(const struct check *check, const int64_t *at, int64_t below, int64_t beyond)
{
    const struct fw_address_kernel *kernel = check->kernel;
    struct fw_arena *arena = fw_arena_new(1 << 20);
    if (!arena)
        return;
    struct fw_buffer where = fw_buffer_new(arena);
    for (uint32_t d = 0; d < kernel->axes; d++)
        fw_buffer_printf(&where, "%s%s = %lld", d ? ", " : "", kernel->coordinates[d],
                         (long long)at[d]);
    for (uint32_t l = 0; l < kernel->record->loop_count; l++)
        fw_buffer_printf(&where, ", iteration %lld of loop %u", (long long)at[kernel->axes + l],
                         l + 1);
    fw_report(check->sink, FW_ERROR, "ADR021", kernel->spans[check->access],
              "%s %s: by %lld bytes, for the thread at %s",
              below > 0 ? "this address lies below its field"
                        : "this address lies beyond its field",
              kernel->fields[check->access], (long long)(below > 0 ? below : beyond), where.text);
    fw_arena_free(arena);
}

/* One corner of the domain; false: the address leaves its field there. */
static bool corner(struct check *check, const int64_t *at)
{
    const struct fw_access *access = &check->kernel->record->accesses[check->access];
    fw_expression bytes = check->kernel->bytes[check->access];
    struct fw_point point;
    int64_t offset, size = 0;
    point_of(&point, check, at);
    if (!lies_in(check, &point, access->domain))
        return true;
    bool sized = bytes != FW_NO_EXPRESSION;
    if (!fw_bound_evaluate(check->bound, access->offset, &point, &offset) ||
        (sized && !fw_bound_evaluate(check->bound, bytes, &point, &size)) ||
        offset > INT64_MAX / 4 || offset < INT64_MIN / 4) {
        fw_report(check->sink, FW_ERROR, "ADR022", check->kernel->spans[check->access],
                  "the address or its field %s leaves 64 bits, or divides by 0",
                  check->kernel->fields[check->access]);
        return false;
    }
    offset -= check->kernel->begins[check->access];
    if (offset >= 0 && (!sized || offset + access->bytes <= size))
        return true;
    tell(check, at, -offset, offset + access->bytes - size);
    return false;
}

/* The box that the access's domain lies in.  False: it is empty, or cannot be told. */
static bool find_box(struct check *check)
{
    const struct fw_address_kernel *kernel = check->kernel;
    const struct fw_kernel *record = kernel->record;
    const struct fw_access *access = &record->accesses[check->access];
    uint32_t axes = kernel->axes + record->loop_count;
    for (uint32_t d = 0; d < kernel->axes; d++)
        if (!fw_bound_range(check->bound, access->domain, kernel->first[d], &check->low[d],
                            &check->high[d]) ||
            check->low[d] < 0)
            return false;
    for (uint32_t d = kernel->axes; d < axes; d++) {
        uint32_t loop = d - kernel->axes, inner = record->domains[access->domain].innermost;
        struct fw_point origin = {{0}, {0}, first_iterations};
        int64_t trips = 1;
        bool in = inner != FW_NONE && loop <= inner;
        if (in && !fw_bound_evaluate(check->bound, record->loops[loop].trips, &origin, &trips))
            return false;
        check->low[d] = 0;
        check->high[d] = trips > 0 ? trips - 1 : 0;
    }
    return true;
}

static bool check_access(struct check *check)
{
    uint32_t axes = check->kernel->axes + check->kernel->record->loop_count;
    if (check->kernel->record->accesses[check->access].data_dependent || !find_box(check))
        return true;
    for (uint32_t c = 0; c < 1u << axes; c++) {
        int64_t at[MOST_AXES] = {0};
        for (uint32_t d = 0; d < axes; d++)
            at[d] = c >> d & 1 ? check->high[d] : check->low[d];
        if (!corner(check, at))
            return false;
    }
    return true;
}

enum fw_status fw_address_check(const struct fw_address_kernel *kernel, struct fw_bound *bound,
                                const struct fw_launch *launch, const struct fw_sink *sink)
{
    struct check check = {.kernel = kernel, .bound = bound, .launch = launch, .sink = sink};
    for (uint32_t a = 0; a < kernel->record->access_count; a++) {
        check.access = a;
        if (!check_access(&check))
            return FW_ERROR_INPUT;
    }
    return FW_OK;
}
