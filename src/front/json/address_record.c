/* The kernel record of a description: coordinates as blocks and threads, guards as branches, every
 * point of a thread as a copy of the accesses. */
#include "address_internal.h"

#include <string.h>

enum { MOST_NAMES = ADDRESS_SIZES + FW_ADDRESS_AXES + ADDRESS_LOOPS + ADDRESS_FIELDS };

struct build {
    struct reader *reader;
    const struct description *all;
    struct fw_address_kernel *kernel;
    struct fw_kernel *record;
    struct fw_pool *pool;
    struct fw_arena *arena;
    struct meaning names[MOST_NAMES]; /* sizes, coordinates, loops, lets */
    uint32_t sizes, coordinates, loops, count;
    uint32_t *array_of;                       /* by field */
    uint32_t loop_domains[ADDRESS_LOOPS + 1]; /* of a thread's first point; [0]: in no loop */
    uint32_t *depths;                         /* by access: the loops around it */
    FW_VECTOR(struct fw_domain) domains;
    FW_VECTOR(struct fw_branch) branches;
    FW_VECTOR(struct fw_access) accesses;
    FW_VECTOR(struct fw_scheduled) schedule;
    FW_VECTOR(struct fw_opaque) opaques;
    fw_expression *spreads; /* by parameter */
    uint32_t chain;         /* the last of the point's instructions in it; FW_NONE */
    FW_VECTOR(fw_expression) bytes;
    FW_VECTOR(int64_t) begins;
    FW_VECTOR(const char *) fields;
    FW_VECTOR(struct fw_span) spans;
    bool failed;
};

static void fail(struct build *build, struct fw_span span, const char *code, const char *why)
{
    fw_report(build->reader->sink, FW_ERROR, code, span, "%s", why);
    build->failed = true;
}

static struct meanings known(const struct build *build, uint32_t count)
{
    return (struct meanings){build->arena, build->pool, build->reader->sink, build->names, count};
}

static struct meaning evaluate(struct build *build, const struct address_text *text, uint32_t count)
{
    struct meaning result = {0};
    struct meanings names = known(build, count);
    if (!build->failed && !address_evaluate(&result, &names, text))
        build->failed = true;
    return result;
}

static void add_name(struct build *build, const char *name, fw_expression value, bool varies,
                     uint32_t loop)
{
    build->names[build->count++] = (struct meaning){name, value, varies, loop};
}

/* ---- arguments ---- */

static void add_parameters(struct build *build)
{
    const struct description *all = build->all;
    struct fw_kernel *record = build->record;
    uint32_t most = (uint32_t)(all->sizes.count + all->fields.count), count = 0;
    struct fw_parameter *to = FW_ARRAY(build->arena, struct fw_parameter, most + 1);
    int64_t *usual = FW_ARRAY(build->arena, int64_t, most + 1);
    uint8_t *is_size = FW_ARRAY(build->arena, uint8_t, most + 1);
    build->spreads = FW_ARRAY(build->arena, fw_expression, most + 1);
    for (uint32_t p = 0; p < most; p++)
        build->spreads[p] = FW_NO_EXPRESSION;
    for (uint32_t s = 0; s < all->sizes.count; s++) {
        is_size[count] = 1;
        usual[count] = all->sizes.at[s].value;
        to[count] = (struct fw_parameter){
            .name = all->sizes.at[s].name, .type = FW_TYPE_S64, .bytes = 8, .position = count};
        add_name(build, to[count].name, fw_atom_new(build->pool, FW_ATOM_PARAMETER, count, 0, 0),
                 false, 0);
        count++;
    }
    record->arrays = FW_ARRAY(build->arena, struct fw_array, all->fields.count + 1);
    for (uint32_t f = 0; f < all->fields.count; f++) {
        const struct address_field *field = &all->fields.at[f];
        if (field->array != f) { /* in another, which stands before it */
            build->array_of[f] = build->array_of[field->array];
            continue;
        }
        bool global = field->space == FW_SPACE_GLOBAL;
        build->array_of[f] = record->array_count;
        record->arrays[record->array_count++] = (struct fw_array){
            .name = field->name, .space = field->space, .parameter = global ? count : FW_NONE};
        if (!global)
            continue;
        to[count] = (struct fw_parameter){.name = field->name,
                                          .type = FW_TYPE_U64,
                                          .bytes = 8,
                                          .is_pointer = true,
                                          .alignment = field->alignment,
                                          .position = count};
        count++;
    }
    record->parameters = to;
    record->parameter_count = count;
    build->kernel->usual = usual;
    build->kernel->is_size = is_size;
    build->sizes = build->count;
}

/* ---- domains ---- */

static uint32_t add_domain(struct build *build, const struct fw_domain *domain)
{
    *FW_APPEND(build->arena, &build->domains) = *domain;
    return (uint32_t)build->domains.count - 1;
}

/* The points of `parent` at which a condition holds; the same where it holds already. */
static uint32_t restricted(struct build *build, uint32_t parent, fw_condition condition,
                           uint32_t line)
{
    enum { TRUE = 1 };
    if (condition == TRUE)
        return parent;
    for (uint32_t up = parent; up; up = build->domains.at[up].parent) {
        const struct fw_domain *at = &build->domains.at[up];
        if (at->kind == FW_DOMAIN_RESTRICT && build->branches.at[at->branch].condition == condition)
            return parent;
    }
    for (uint32_t d = parent + 1; d < build->domains.count; d++) {
        const struct fw_domain *at = &build->domains.at[d];
        if (at->parent == parent && at->kind == FW_DOMAIN_RESTRICT &&
            build->branches.at[at->branch].condition == condition)
            return d;
    }
    uint32_t branch = (uint32_t)build->branches.count;
    *FW_APPEND(build->arena, &build->branches) =
        (struct fw_branch){.name = fw_arena_printf(build->arena, "taken@%s:%u%s%u",
                                                   build->record->file, line, "#", branch),
                           .condition = condition,
                           .line = line};
    return add_domain(build, &(struct fw_domain){.kind = FW_DOMAIN_RESTRICT,
                                                 .parent = parent,
                                                 .branch = branch,
                                                 .truth = true,
                                                 .innermost = build->domains.at[parent].innermost});
}

/* `points` is a domain's size along an axis: coordinate < points. */
static fw_condition below(struct build *build, fw_expression coordinate, fw_expression points)
{
    fw_expression one = fw_constant(build->pool, 1);
    return fw_is_positive(
        build->pool, fw_subtract(build->pool, fw_subtract(build->pool, points, coordinate), one));
}

static void add_axes(struct build *build)
{
    struct fw_address_kernel *kernel = build->kernel;
    struct fw_pool *pool = build->pool;
    build->coordinates = build->count;
    uint32_t domain = 0;
    for (uint32_t d = 0; d < build->all->axes; d++) {
        fw_expression block = fw_launch_value(pool, (enum fw_launch_index)(FW_BLOCK_X + d));
        fw_expression size = fw_launch_value(pool, (enum fw_launch_index)(FW_BLOCK_SIZE_X + d));
        fw_expression thread = fw_launch_value(pool, (enum fw_launch_index)(FW_THREAD_X + d));
        fw_expression global = fw_add(pool, fw_multiply(pool, block, size), thread);
        kernel->coordinates[d] = build->all->coordinates[d];
        kernel->points[d] = evaluate(build, &build->all->domain[d], build->sizes).value;
        kernel->point_spans[d] = build->all->domain[d].span;
        kernel->first[d] = fw_scale(pool, global, build->all->coarsening[d]);
        add_name(build, kernel->coordinates[d], kernel->first[d], true, 0);
        domain = restricted(build, domain, below(build, kernel->first[d], kernel->points[d]),
                            address_line(kernel->point_spans[d]));
    }
    kernel->axes = build->all->axes;
    build->loop_domains[0] = domain;
}

static void add_loops(struct build *build)
{
    struct fw_kernel *record = build->record;
    struct fw_pool *pool = build->pool;
    uint32_t count = (uint32_t)build->all->loops.count;
    record->loops = FW_ARRAY(build->arena, struct fw_loop, count + 1);
    record->loop_count = count;
    build->loops = build->count;
    for (uint32_t l = 0; l < count && !build->failed; l++) {
        const struct address_loop *loop = &build->all->loops.at[l];
        fw_expression iteration = fw_atom_new(pool, FW_ATOM_ITERATION, l, 0, 0);
        struct meaning trips = evaluate(build, &loop->trips, build->count);
        fw_expression last = fw_subtract(pool, trips.value, fw_constant(pool, 1));
        uint32_t before =
            restricted(build, build->loop_domains[l], fw_is_positive(pool, last), loop->line);
        record->loops[l] = (struct fw_loop){
            .name = fw_arena_printf(build->arena, "trips@%s:%u", record->file, loop->line),
            .parent = l ? l - 1 : FW_NONE,
            .depth = l + 1,
            .line = loop->line,
            .stays = fw_is_positive(pool, fw_subtract(pool, last, iteration)),
            .trips = trips.value};
        build->loop_domains[l + 1] = add_domain(
            build, &(struct fw_domain){
                       .kind = FW_DOMAIN_LOOP, .parent = before, .loop = l, .innermost = l});
        add_name(build, loop->name, iteration, true, l + 1);
    }
}

/* The part of a loop's domain in which a point of the thread has work. */
static uint32_t point_domain(struct build *build, uint32_t depth, const struct address_text *where,
                             uint32_t count, uint32_t domain)
{
    struct meanings names = known(build, build->count);
    for (uint32_t w = 0; w < count && !build->failed; w++) {
        fw_condition condition;
        uint32_t loop;
        if (!address_condition(&condition, &loop, &names, &where[w]))
            build->failed = true;
        else if (loop <= depth)
            domain = restricted(build, domain, condition, address_line(where[w].span));
    }
    return domain;
}

static uint32_t base_domain(struct build *build, uint32_t depth)
{
    uint32_t domain = build->loop_domains[depth];
    for (uint32_t d = 0; d < build->all->axes; d++)
        domain = restricted(
            build, domain,
            below(build, build->names[build->coordinates + d].value, build->kernel->points[d]),
            address_line(build->kernel->point_spans[d]));
    return point_domain(build, depth, build->all->where, build->all->where_count, domain);
}

/* ---- accesses ---- */

static struct fw_scheduled *add_row(struct build *build, const char *operation, enum fw_type type,
                                    enum fw_group group, uint32_t domain, uint32_t line)
{
    struct fw_scheduled *row = FW_APPEND(build->arena, &build->schedule);
    *row = (struct fw_scheduled){.operation = operation,
                                 .type = type,
                                 .group = group,
                                 .domain = domain,
                                 .access = FW_NONE,
                                 .line = line,
                                 .together = 1,
                                 .quantity = FW_NONE};
    return row;
}

/* Elements from one step of an axis of a field to the next; with a shape alone x runs fastest. */
static fw_expression stride_of(struct build *build, const struct address_field *field, uint32_t d)
{
    fw_expression stride = fw_constant(build->pool, 1);
    if (field->has_strides)
        return evaluate(build, &field->strides[d], build->sizes).value;
    for (uint32_t i = 0; i < d; i++)
        stride =
            fw_multiply(build->pool, stride, evaluate(build, &field->shape[i], build->sizes).value);
    return stride;
}

/* Bytes of a field with a shape. */
static fw_expression bytes_of(struct build *build, const struct address_field *field)
{
    fw_expression one = fw_constant(build->pool, 1), last = 0;
    if (!field->axes || !field->shape[0].text)
        return FW_NO_EXPRESSION;
    for (uint32_t d = 0; d < field->axes; d++) {
        fw_expression extent = evaluate(build, &field->shape[d], build->sizes).value;
        last = fw_add(build->pool, last,
                      fw_multiply(build->pool, fw_subtract(build->pool, extent, one),
                                  stride_of(build, field, d)));
    }
    return fw_scale(build->pool, fw_add(build->pool, last, one), field->bytes);
}

/* The element that an access means, with one of its offsets; and the innermost loop in it. */
static struct meaning element_of(struct build *build, const struct address_access *access,
                                 uint32_t offset)
{
    const struct address_field *field = &build->all->fields.at[access->field];
    struct meaning result = {0};
    for (uint32_t d = 0; d < access->axes; d++) {
        struct meaning at = evaluate(build, &access->at[d], build->count), more = {0};
        if (access->offset_count)
            more = evaluate(build, &access->offsets[offset][d], build->count);
        fw_expression sum = fw_add(build->pool, at.value, more.value);
        bool by_axes = access->axes == field->axes;
        if (field->has_origin && by_axes)
            sum = fw_add(build->pool, sum, evaluate(build, &field->origin[d], build->sizes).value);
        if (by_axes)
            sum = fw_multiply(build->pool, sum, stride_of(build, field, d));
        result.value = fw_add(build->pool, result.value, sum);
        result.loop = at.loop > result.loop ? at.loop : result.loop;
        result.loop = more.loop > result.loop ? more.loop : result.loop;
    }
    return result;
}

/* Whether an earlier point of the thread has loaded the same bytes in the same loop, and nothing
 * was stored to the array since. */
static bool is_loaded(const struct build *build, uint32_t array, fw_expression offset,
                      uint32_t bytes, uint32_t depth)
{
    for (size_t a = build->accesses.count; a-- > 0;) {
        const struct fw_access *at = &build->accesses.at[a];
        if (at->array != array)
            continue;
        if (at->direction == FW_STORE)
            return false;
        uint32_t innermost = build->domains.at[at->domain].innermost;
        if (at->offset == offset && at->bytes == bytes &&
            innermost == (depth ? depth - 1 : FW_NONE))
            return true;
    }
    return false;
}

/* An element that the data decide: the expression is a value of its own, and the array's spread the
 * most that any of its draws has. */
static struct meaning drawn_element(struct build *build, const struct address_access *access)
{
    const struct address_field *field = &build->all->fields.at[access->field];
    uint32_t parameter = build->record->arrays[build->array_of[access->field]].parameter;
    struct meaning below = evaluate(build, &access->drawn, build->sizes), result = {0};
    uint32_t opaque = (uint32_t)build->opaques.count;
    if (build->failed)
        return result;
    *FW_APPEND(build->arena, &build->opaques) =
        (struct fw_opaque){.kind = FW_OPAQUE_LOADED,
                           .instruction = (uint32_t)build->schedule.count,
                           .line = address_line(access->span),
                           .loop = FW_NONE};
    result.value = fw_atom_new(build->pool, FW_ATOM_UNKNOWN, opaque, 0, 0);
    fw_expression bytes = fw_scale(build->pool, below.value, field->bytes);
    if (parameter != FW_NONE)
        build->spreads[parameter] = build->spreads[parameter] == FW_NO_EXPRESSION
                                        ? bytes
                                        : fw_maximum(build->pool, bytes, build->spreads[parameter]);
    return result;
}

static void add_access(struct build *build, const struct address_access *access, uint32_t offset,
                       uint32_t depth, uint32_t domain)
{
    const struct address_field *field = &build->all->fields.at[access->field];
    bool drawn = access->drawn.text != NULL;
    struct meaning element =
        drawn ? drawn_element(build, access) : element_of(build, access, offset);
    uint32_t array = build->array_of[access->field], bytes = field->bytes * access->vector;
    uint32_t line = address_line(access->span);
    if (build->failed)
        return;
    if (element.loop > depth) {
        fail(build, access->span, "ADR011", "the access stands outside of a loop that it mentions");
        return;
    }
    fw_expression at = fw_add(build->pool, fw_scale(build->pool, element.value, field->bytes),
                              fw_constant(build->pool, field->offset));
    if (access->direction == FW_LOAD && is_loaded(build, array, at, bytes, depth))
        return;
    if (build->accesses.count == ADDRESS_ACCESSES) {
        fail(build, access->span, "ADR012", "a thread has more than 4096 accesses");
        return;
    }
    bool load = access->direction == FW_LOAD;
    struct fw_scheduled *row =
        add_row(build, load ? "ld" : "st", field->type, FW_GROUP_MEMORY, domain, line);
    row->access = (uint32_t)build->accesses.count;
    row->access_count = 1;
    *FW_APPEND(build->arena, &build->accesses) =
        (struct fw_access){.instruction = (uint32_t)build->schedule.count - 1,
                           .domain = domain,
                           .space = field->space,
                           .direction = access->direction,
                           .type = field->type,
                           .vector = access->vector,
                           .bytes = bytes,
                           .cache = "",
                           .array = array,
                           .offset = at,
                           .data_dependent = drawn,
                           .line = line,
                           .size = FW_NO_EXPRESSION,
                           .transaction = FW_NONE,
                           .quantity = FW_NONE};
    *FW_APPEND(build->arena, &build->bytes) = bytes_of(build, field);
    *FW_APPEND(build->arena, &build->begins) = field->offset;
    *FW_APPEND(build->arena, &build->fields) = field->name;
    *FW_APPEND(build->arena, &build->spans) =
        access->offset_count ? access->offsets[offset][0].span : access->span;
}

/* The loops around an access: as stated, else the innermost that any of its addresses mentions. */
static void find_depths(struct build *build)
{
    const struct description *all = build->all;
    for (uint32_t a = 0; a < all->accesses.count && !build->failed; a++) {
        const struct address_access *access = &all->accesses.at[a];
        uint32_t depth = 0;
        for (uint32_t l = 0; l < all->loops.count && access->loop; l++)
            if (strcmp(all->loops.at[l].name, access->loop) == 0)
                depth = l + 1;
        if (access->loop && !depth)
            fail(build, access->span, "ADR011", "there is no loop of that name");
        uint32_t most = access->offset_count ? access->offset_count : 1;
        most = access->drawn.text ? 0 : most;
        for (uint32_t o = 0; o < most && !access->loop && !build->failed; o++) {
            struct meaning element = element_of(build, access, o);
            depth = element.loop > depth ? element.loop : depth;
        }
        build->depths[a] = depth;
    }
}

static void add_accesses(struct build *build, enum fw_direction direction)
{
    const struct description *all = build->all;
    for (uint32_t a = 0; a < all->accesses.count && !build->failed; a++) {
        const struct address_access *access = &all->accesses.at[a];
        uint32_t depth = build->depths[a];
        uint32_t most = access->offset_count ? access->offset_count : 1;
        if (access->direction != direction)
            continue;
        uint32_t domain = point_domain(build, depth, access->where, access->where_count,
                                       base_domain(build, depth));
        for (uint32_t o = 0; o < most && !build->failed; o++)
            add_access(build, access, o, depth, domain);
    }
}

/* The last instruction needs the result of the one before it in the chain. */
static void add_to_chain(struct build *build)
{
    uint32_t last = (uint32_t)build->schedule.count - 1;
    struct fw_scheduled *row = &build->schedule.at[last];
    if (build->chain != FW_NONE) {
        row->waits_for = FW_ARRAY(build->arena, uint32_t, 1);
        row->waits_for[0] = build->chain;
        row->wait_count = 1;
    }
    build->chain = last;
}

static void add_operations(struct build *build)
{
    const struct description *all = build->all;
    for (uint32_t o = 0; o < all->operations.count && !build->failed; o++) {
        const struct address_operation *operation = &all->operations.at[o];
        uint32_t domain = base_domain(build, operation->depth);
        if (build->schedule.count + operation->times > ADDRESS_OPERATIONS) {
            fail(build, (struct fw_span){0}, "ADR012", "a thread has more than 65536 operations");
            return;
        }
        for (uint32_t t = 0; t < operation->times; t++) {
            add_row(build, operation->name, operation->type, operation->group, domain,
                    operation->line)
                ->flops = operation->flops;
            if (t < operation->chained)
                add_to_chain(build);
        }
    }
}

/* Instructions of a point, or of a loop's turn, that are stated one by one. */
static uint32_t count_stated(const struct build *build, uint32_t depth)
{
    const struct description *all = build->all;
    uint32_t stated = 0;
    for (uint32_t o = 0; o < all->operations.count; o++)
        stated += all->operations.at[o].depth == depth ? all->operations.at[o].times : 0;
    for (uint32_t a = 0; a < all->accesses.count; a++) {
        uint32_t count = all->accesses.at[a].offset_count;
        stated += build->depths[a] == depth ? count ? count : 1 : 0;
    }
    return stated;
}

/* What is issued beside that: it takes issue slots, and nothing else. */
static void add_others(struct build *build)
{
    for (uint32_t depth = 0; depth <= build->all->loops.count && !build->failed; depth++) {
        const struct address_work *work = &build->all->work[depth];
        uint32_t stated = work->has_instructions ? count_stated(build, depth) : 0;
        if (!work->has_instructions)
            continue;
        if (work->instructions < stated) {
            fail(build, work->span, "ADR013",
                 fw_arena_printf(build->arena,
                                 "%u instructions are fewer than the %u loads, stores and "
                                 "operations that are stated there",
                                 work->instructions, stated));
            return;
        }
        if (build->schedule.count + work->instructions - stated > ADDRESS_OPERATIONS) {
            fail(build, work->span, "ADR012", "a thread has more than 65536 instructions");
            return;
        }
        uint32_t domain = base_domain(build, depth), line = address_line(work->span);
        for (uint32_t i = stated; i < work->instructions; i++)
            add_row(build, "other", FW_TYPE_NONE, FW_GROUP_OTHER, domain, line);
    }
}

/* ---- points ---- */

/* Names at one point of the thread: its coordinates, and what "let" makes of them. */
static void set_point(struct build *build, const uint32_t at[3])
{
    const struct description *all = build->all;
    for (uint32_t d = 0; d < all->axes; d++)
        build->names[build->coordinates + d].value =
            fw_add(build->pool, build->kernel->first[d], fw_constant(build->pool, at[d]));
    build->count = build->loops + (uint32_t)all->loops.count;
    for (uint32_t l = 0; l < all->lets.count && !build->failed; l++) {
        struct meaning value = evaluate(build, &all->lets.texts[l], build->count);
        add_name(build, all->lets.names[l], value.value, value.varies, value.loop);
    }
}

static void add_points(struct build *build)
{
    const uint32_t *size = build->all->coarsening;
    uint64_t points = (uint64_t)size[0] * size[1] * size[2];
    bool beyond = false;
    for (uint32_t d = build->all->axes; d < 3; d++)
        beyond |= size[d] > 1;
    if (points > ADDRESS_POINTS || beyond) {
        struct place place = {NULL, "coarsening", 0};
        fail(build, address_span(build->reader->source, &place), "ADR012",
             beyond ? "coarsening along an axis that the domain does not have"
                    : "a thread works at 64 points at most");
        return;
    }
    for (uint32_t p = 0; p < points && !build->failed; p++) {
        uint32_t at[3] = {p % size[0], p / size[0] % size[1], p / size[0] / size[1]};
        set_point(build, at);
        build->chain = FW_NONE; /* points do not wait for each other */
        if (p == 0)
            find_depths(build);
        add_accesses(build, FW_LOAD);
        add_operations(build);
        add_others(build);
        add_accesses(build, FW_STORE);
    }
}

static void finish(struct build *build)
{
    struct fw_kernel *record = build->record;
    struct fw_address_kernel *kernel = build->kernel;
    record->domains = build->domains.at;
    record->domain_count = (uint32_t)build->domains.count;
    record->branches = build->branches.at;
    record->branch_count = (uint32_t)build->branches.count;
    record->accesses = build->accesses.at;
    record->access_count = (uint32_t)build->accesses.count;
    record->schedule = build->schedule.at;
    record->schedule_count = (uint32_t)build->schedule.count;
    record->resources =
        (struct fw_resources){.registers = build->all->registers,
                              .registers_source = build->all->registers ? "stated" : "",
                              .static_shared = build->all->static_shared,
                              .dynamic_shared = build->all->shared > 0};
    record->opaques = build->opaques.at;
    record->opaque_count = (uint32_t)build->opaques.count;
    kernel->spreads = build->spreads;
    kernel->bytes = build->bytes.at;
    kernel->begins = build->begins.at;
    kernel->fields = build->fields.at;
    kernel->spans = build->spans.at;
    kernel->shared = build->all->shared;
    for (uint32_t depth = 0; depth <= build->all->loops.count; depth++) {
        kernel->states_chain |= build->all->work[depth].has_chain;
        kernel->states_instructions |= build->all->work[depth].has_instructions;
    }
    memcpy(kernel->block, build->all->block, sizeof(kernel->block));
    memcpy(kernel->grid, build->all->grid, sizeof(kernel->grid));
    memcpy(kernel->coarsening, build->all->coarsening, sizeof(kernel->coarsening));
}

bool address_build(struct fw_address_kernel *kernel, struct reader *reader)
{
    struct fw_arena *arena = reader->arena;
    struct build *build = FW_NEW(arena, struct build);
    build->reader = reader;
    build->all = &reader->all;
    build->kernel = kernel;
    build->arena = arena;
    build->record = kernel->record = FW_NEW(arena, struct fw_kernel);
    build->record->arena = arena;
    build->record->name = reader->all.name;
    build->record->layer = "domain";
    build->record->file = reader->source->name;
    build->pool = &build->record->pool;
    build->array_of = FW_ARRAY(arena, uint32_t, reader->all.fields.count + 1);
    build->depths = FW_ARRAY(arena, uint32_t, reader->all.accesses.count + 1);
    fw_pool_init(build->pool, arena);
    add_domain(build, &(struct fw_domain){.kind = FW_DOMAIN_ALL, .innermost = FW_NONE});
    add_parameters(build);
    add_axes(build);
    add_loops(build);
    if (!build->failed)
        add_points(build);
    finish(build);
    return !build->failed;
}
