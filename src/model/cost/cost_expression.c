#include "cost_expression.h"

#include <math.h>
#include <string.h>

static uint64_t hash_of(const struct fw_cost_node *node)
{
    uint64_t bits;
    memcpy(&bits, &node->constant, sizeof(bits));
    const uint64_t key[] = {(uint64_t)node->operation, node->left, node->right, bits};
    return fw_hash(key, sizeof(key));
}

/* Signed zeros are told apart. */
static bool same(const struct fw_cost_node *a, const struct fw_cost_node *b)
{
    return a->operation == b->operation && a->left == b->left && a->right == b->right &&
           memcmp(&a->constant, &b->constant, sizeof(a->constant)) == 0;
}

static uint32_t *slot_of(const struct fw_cost_graph *graph, const struct fw_cost_node *node)
{
    size_t slot = (size_t)hash_of(node) & (graph->slot_count - 1);
    while (graph->slots[slot] && !same(&graph->nodes.at[graph->slots[slot] - 1], node))
        slot = (slot + 1) & (graph->slot_count - 1);
    return &graph->slots[slot];
}

static void enlarge(struct fw_cost_graph *graph)
{
    graph->slot_count = graph->slot_count ? 2 * graph->slot_count : 64;
    graph->slots = FW_ARRAY(graph->arena, uint32_t, graph->slot_count);
    for (size_t n = 0; n < graph->nodes.count; n++)
        *slot_of(graph, &graph->nodes.at[n]) = (uint32_t)n + 1;
}

static uint32_t add(struct fw_cost_graph *graph, struct fw_cost_node node)
{
    uint32_t *slot = slot_of(graph, &node);
    if (*slot)
        return *slot - 1;
    if (graph->nodes.count == graph->most) {
        graph->full = true;
        return 0;
    }
    *FW_APPEND(graph->arena, &graph->nodes) = node;
    *slot = (uint32_t)graph->nodes.count;
    if (2 * graph->nodes.count > graph->slot_count)
        enlarge(graph);
    return (uint32_t)graph->nodes.count - 1;
}

void fw_cost_graph_begin(struct fw_cost_graph *graph, struct fw_arena *arena, size_t most)
{
    *graph = (struct fw_cost_graph){.arena = arena, .most = most};
    enlarge(graph);
}

uint32_t fw_cost_constant(struct fw_cost_graph *graph, double value)
{
    return add(graph, (struct fw_cost_node){.operation = FW_COST_CONSTANT, .constant = value});
}

uint32_t fw_cost_leaf(struct fw_cost_graph *graph, enum fw_cost_operation operation,
                      uint32_t number, struct fw_span place)
{
    return add(graph, (struct fw_cost_node){.operation = operation,
                                            .varies = operation == FW_COST_PARAMETER,
                                            .left = number,
                                            .place = place});
}

/* ---- simplification ---- */

static bool is_unary(enum fw_cost_operation operation)
{
    return operation >= FW_COST_STEP;
}

static double apply(enum fw_cost_operation operation, double left, double right)
{
    switch (operation) {
    case FW_COST_ADD:
        return left + right;
    case FW_COST_SUBTRACT:
        return left - right;
    case FW_COST_MULTIPLY:
        return left * right;
    case FW_COST_DIVIDE:
        return left / right;
    case FW_COST_SHARE:
        return right == 0 ? 0 : left / right;
    case FW_COST_POWER:
        return pow(left, right);
    case FW_COST_POWER_LOG:
        return left == 0 ? 0 : pow(left, right) * log(left);
    case FW_COST_MINIMUM: /* fmin would pass over what is no number */
        return left < right || isnan(left) ? left : right;
    case FW_COST_MAXIMUM:
        return left > right || isnan(left) ? left : right;
    case FW_COST_STEP:
        return left >= 0 ? 1 : 0;
    case FW_COST_TANH:
        return tanh(left);
    case FW_COST_EXP:
        return exp(left);
    case FW_COST_LOG:
        return log(left);
    case FW_COST_SQRT:
        return sqrt(left);
    case FW_COST_CONSTANT:
    case FW_COST_FEATURE:
    case FW_COST_PARAMETER:
        break;
    }
    return NAN;
}

static bool is_constant(const struct fw_cost_graph *graph, uint32_t node, double value)
{
    const struct fw_cost_node *at = &graph->nodes.at[node];
    return at->operation == FW_COST_CONSTANT && at->constant == value;
}

/* p f1 f2 as p (f1 f2): what a parameter is multiplied by is one node. */
static bool split_product(const struct fw_cost_graph *graph, uint32_t product, uint32_t *varying,
                          uint32_t *fixed)
{
    const struct fw_cost_node *at = &graph->nodes.at[product];
    if (at->operation != FW_COST_MULTIPLY ||
        graph->nodes.at[at->left].varies == graph->nodes.at[at->right].varies)
        return false;
    bool left = graph->nodes.at[at->left].varies;
    *varying = left ? at->left : at->right;
    *fixed = left ? at->right : at->left;
    return true;
}

/* Where an operation is one of its operands or a simpler one, that; `*known` says so. */
static uint32_t simpler(struct fw_cost_graph *graph, enum fw_cost_operation operation,
                        uint32_t left, uint32_t right, struct fw_span place, bool *known)
{
    uint32_t varying, fixed;
    bool commutes = operation == FW_COST_ADD || operation == FW_COST_MULTIPLY;
    *known = true;
    for (int turn = 0; turn < (commutes ? 2 : 1); turn++) {
        uint32_t a = turn ? right : left, b = turn ? left : right;
        if (operation == FW_COST_ADD && is_constant(graph, a, 0))
            return b;
        if (operation == FW_COST_MULTIPLY && is_constant(graph, a, 0))
            return a;
        if (operation == FW_COST_MULTIPLY && is_constant(graph, a, 1))
            return b;
        if (operation == FW_COST_MULTIPLY && !graph->nodes.at[b].varies &&
            split_product(graph, a, &varying, &fixed))
            return fw_cost_combine(graph, FW_COST_MULTIPLY, varying,
                                   fw_cost_combine(graph, FW_COST_MULTIPLY, fixed, b, place),
                                   place);
    }
    if ((operation == FW_COST_SUBTRACT && is_constant(graph, right, 0)) ||
        ((operation == FW_COST_DIVIDE || operation == FW_COST_POWER) &&
         is_constant(graph, right, 1)))
        return left;
    if (operation == FW_COST_SHARE && is_constant(graph, left, 0))
        return left;
    if (operation == FW_COST_POWER && is_constant(graph, right, 0))
        return fw_cost_constant(graph, 1);
    *known = false;
    return 0;
}

uint32_t fw_cost_combine(struct fw_cost_graph *graph, enum fw_cost_operation operation,
                         uint32_t left, uint32_t right, struct fw_span place)
{
    bool known;
    if (is_unary(operation))
        right = left;
    const struct fw_cost_node *a = &graph->nodes.at[left], *b = &graph->nodes.at[right];
    bool varies = a->varies || b->varies;
    if (graph->full)
        return 0;
    if (a->operation == FW_COST_CONSTANT && b->operation == FW_COST_CONSTANT) {
        double value = apply(operation, a->constant, b->constant);
        if (isfinite(value)) /* else it is told where it is evaluated */
            return fw_cost_constant(graph, value);
    }
    uint32_t simple = simpler(graph, operation, left, right, place, &known);
    if (known)
        return simple;
    if ((operation == FW_COST_ADD || operation == FW_COST_MULTIPLY) && left > right) {
        uint32_t swapped = left;
        left = right;
        right = swapped;
    }
    return add(graph, (struct fw_cost_node){.operation = operation,
                                            .varies = varies,
                                            .left = left,
                                            .right = right,
                                            .place = place});
}

uint32_t fw_cost_smooth_step(struct fw_cost_graph *graph, uint32_t x, uint32_t edge,
                             struct fw_span place)
{
    uint32_t inner = fw_cost_combine(graph, FW_COST_MULTIPLY, edge, x, place);
    uint32_t bend = fw_cost_combine(graph, FW_COST_TANH, inner, inner, place);
    uint32_t sum = fw_cost_combine(graph, FW_COST_ADD, bend, fw_cost_constant(graph, 1), place);
    return fw_cost_combine(graph, FW_COST_MULTIPLY, sum, fw_cost_constant(graph, 0.5), place);
}

uint32_t fw_cost_smooth_maximum(struct fw_cost_graph *graph, uint32_t a, uint32_t b, uint32_t edge,
                                struct fw_span place)
{
    uint32_t difference = fw_cost_combine(graph, FW_COST_SUBTRACT, a, b, place);
    uint32_t sum = fw_cost_combine(graph, FW_COST_ADD, a, b, place);
    uint32_t relative = fw_cost_combine(graph, FW_COST_SHARE, difference, sum, place);
    uint32_t step = fw_cost_smooth_step(graph, relative, edge, place);
    /* s(-r) = 1 - s(r) */
    return fw_cost_combine(graph, FW_COST_ADD, b,
                           fw_cost_combine(graph, FW_COST_MULTIPLY, difference, step, place),
                           place);
}

/* ---- derivatives ---- */

void fw_cost_mark(bool *needed, const struct fw_cost_graph *graph, uint32_t root)
{
    needed[root] = true;
    for (uint32_t n = root + 1; n-- > 0;) {
        const struct fw_cost_node *node = &graph->nodes.at[n];
        if (!needed[n] || node->operation <= FW_COST_PARAMETER)
            continue;
        needed[node->left] = needed[node->right] = true;
    }
}

/* One node's derivative from those of its operands, `da` and `db`. */
static uint32_t chain(struct fw_cost_graph *g, uint32_t n, uint32_t da, uint32_t db)
{
    const struct fw_cost_node node = g->nodes.at[n]; /* a copy: the nodes move */
    uint32_t a = node.left, b = node.right, zero = fw_cost_constant(g, 0),
             one = fw_cost_constant(g, 1);
#define MAKE(operation, x, y) fw_cost_combine(g, FW_COST_##operation, x, y, node.place)
    switch (node.operation) {
    case FW_COST_ADD:
        return MAKE(ADD, da, db);
    case FW_COST_SUBTRACT:
        return MAKE(SUBTRACT, da, db);
    case FW_COST_MULTIPLY:
        return MAKE(ADD, MAKE(MULTIPLY, da, b), MAKE(MULTIPLY, a, db));
    case FW_COST_DIVIDE:
    case FW_COST_SHARE: { /* (da - q db) / b */
        uint32_t top = MAKE(SUBTRACT, da, MAKE(MULTIPLY, n, db));
        return fw_cost_combine(g, node.operation, top, b, node.place);
    }
    case FW_COST_POWER: {
        uint32_t lower = MAKE(POWER, a, MAKE(SUBTRACT, b, one));
        uint32_t base = MAKE(MULTIPLY, MAKE(MULTIPLY, da, b), lower);
        return db == zero ? base : MAKE(ADD, base, MAKE(MULTIPLY, db, MAKE(POWER_LOG, a, b)));
    }
    case FW_COST_MINIMUM:
    case FW_COST_MAXIMUM: {
        bool least = node.operation == FW_COST_MINIMUM;
        uint32_t left = MAKE(STEP, least ? MAKE(SUBTRACT, b, a) : MAKE(SUBTRACT, a, b), zero);
        uint32_t right = MAKE(SUBTRACT, one, left);
        return MAKE(ADD, MAKE(MULTIPLY, da, left), MAKE(MULTIPLY, db, right));
    }
    case FW_COST_TANH:
        return MAKE(MULTIPLY, da, MAKE(SUBTRACT, one, MAKE(MULTIPLY, n, n)));
    case FW_COST_EXP:
        return MAKE(MULTIPLY, da, n);
    case FW_COST_LOG:
        return MAKE(DIVIDE, da, a);
    case FW_COST_SQRT:
        return MAKE(DIVIDE, MAKE(MULTIPLY, da, fw_cost_constant(g, 0.5)), n);
    case FW_COST_CONSTANT:
    case FW_COST_FEATURE:
    case FW_COST_PARAMETER:
    case FW_COST_STEP:
    case FW_COST_POWER_LOG: /* never differentiated: it comes of derivatives alone */
        break;
    }
#undef MAKE
    return zero;
}

void fw_cost_derivatives(uint32_t *derivatives, struct fw_cost_graph *graph, uint32_t root,
                         size_t count)
{
    uint32_t zero = fw_cost_constant(graph, 0), one = fw_cost_constant(graph, 1);
    bool *needed = FW_ARRAY(graph->arena, bool, (size_t)root + 1);
    uint32_t *of = FW_ARRAY(graph->arena, uint32_t, (size_t)root + 1);
    fw_cost_mark(needed, graph, root);
    for (size_t p = 0; p < count; p++) {
        for (uint32_t n = 0; n <= root && !graph->full; n++) {
            const struct fw_cost_node *node = &graph->nodes.at[n];
            of[n] = zero;
            if (!needed[n] || !node->varies)
                continue;
            if (node->operation == FW_COST_PARAMETER)
                of[n] = node->left == p ? one : zero;
            else if (of[node->left] != zero || of[node->right] != zero)
                of[n] = chain(graph, n, of[node->left], of[node->right]);
        }
        derivatives[p] = of[root];
    }
}

/* ---- text ---- */

static void write_node(struct fw_buffer *out, const struct fw_cost_graph *graph, uint32_t n,
                       const char *const *features, const char *const *parameters, unsigned depth)
{
    enum { DEEPEST = 12, LONGEST = 400 };
    static const char *const names[] = {
        [FW_COST_ADD] = " + ",      [FW_COST_SUBTRACT] = " - ",
        [FW_COST_MULTIPLY] = " * ", [FW_COST_DIVIDE] = " / ",
        [FW_COST_SHARE] = " / ",    [FW_COST_POWER] = " ^ ",
        [FW_COST_MINIMUM] = "min",  [FW_COST_MAXIMUM] = "max",
        [FW_COST_TANH] = "tanh",    [FW_COST_EXP] = "exp",
        [FW_COST_LOG] = "log",      [FW_COST_SQRT] = "sqrt",
        [FW_COST_STEP] = "step",    [FW_COST_POWER_LOG] = "power_log"};
    const struct fw_cost_node *node = &graph->nodes.at[n];
    bool infix = node->operation >= FW_COST_ADD && node->operation <= FW_COST_POWER;
    if (node->operation == FW_COST_CONSTANT) {
        fw_buffer_printf(out, "%.6g", node->constant);
        return;
    }
    if (node->operation <= FW_COST_PARAMETER) {
        fw_buffer_printf(out, "%s",
                         (node->operation == FW_COST_FEATURE ? features : parameters)[node->left]);
        return;
    }
    if (depth == DEEPEST || out->length > LONGEST) {
        fw_buffer_printf(out, "...");
        return;
    }
    bool bare = infix && (depth == 0 || node->operation == FW_COST_MULTIPLY);
    fw_buffer_printf(out, "%s%s", infix ? "" : names[node->operation], bare ? "" : "(");
    write_node(out, graph, node->left, features, parameters, depth + 1);
    if (!is_unary(node->operation)) {
        fw_buffer_printf(out, "%s", infix ? names[node->operation] : ", ");
        write_node(out, graph, node->right, features, parameters, depth + 1);
    }
    fw_buffer_printf(out, "%s", bare ? "" : ")");
}

const char *fw_cost_text(struct fw_arena *arena, const struct fw_cost_graph *graph, uint32_t root,
                         const char *const *features, const char *const *parameters)
{
    struct fw_buffer out = fw_buffer_new(arena);
    write_node(&out, graph, root, features, parameters, 0);
    return out.text;
}

/* ---- evaluation ---- */

void fw_cost_compile(struct fw_cost_program *program, struct fw_arena *arena,
                     const struct fw_cost_graph *graph, const uint32_t *roots, size_t count)
{
    size_t nodes = graph->nodes.count;
    bool *needed = FW_ARRAY(arena, bool, nodes);
    uint32_t *step_of = FW_ARRAY(arena, uint32_t, nodes);
    uint32_t last = 0;
    *program = (struct fw_cost_program){.outputs = FW_ARRAY(arena, uint32_t, count),
                                        .output_count = count};
    for (size_t r = 0; r < count; r++) {
        needed[roots[r]] = true;
        last = roots[r] > last ? roots[r] : last;
    }
    fw_cost_mark(needed, graph, last);
    for (size_t n = 0; n < nodes; n++)
        program->count += needed[n];
    program->steps = FW_ARRAY(arena, struct fw_cost_step, program->count);
    for (uint32_t n = 0, s = 0; n < nodes; n++) {
        const struct fw_cost_node *node = &graph->nodes.at[n];
        bool leaf = node->operation <= FW_COST_PARAMETER;
        if (!needed[n])
            continue;
        step_of[n] = s;
        program->steps[s++] = (struct fw_cost_step){.operation = node->operation,
                                                    .left = leaf ? node->left : step_of[node->left],
                                                    .right = leaf ? 0 : step_of[node->right],
                                                    .node = n,
                                                    .constant = node->constant};
    }
    for (size_t r = 0; r < count; r++)
        program->outputs[r] = step_of[roots[r]];
}

size_t fw_cost_scratch(const struct fw_cost_program *program, size_t rows)
{
    return program->count * rows;
}

static void run_step(double *restrict to, const struct fw_cost_step *step,
                     const double *restrict left, const double *restrict right, size_t rows)
{
    switch (step->operation) { /* the frequent ones become vectors */
    case FW_COST_ADD:
        for (size_t r = 0; r < rows; r++)
            to[r] = left[r] + right[r];
        break;
    case FW_COST_SUBTRACT:
        for (size_t r = 0; r < rows; r++)
            to[r] = left[r] - right[r];
        break;
    case FW_COST_MULTIPLY:
        for (size_t r = 0; r < rows; r++)
            to[r] = left[r] * right[r];
        break;
    case FW_COST_DIVIDE:
        for (size_t r = 0; r < rows; r++)
            to[r] = left[r] / right[r];
        break;
    case FW_COST_SHARE:
        for (size_t r = 0; r < rows; r++)
            to[r] = right[r] == 0 ? 0 : left[r] / right[r];
        break;
    default:
        for (size_t r = 0; r < rows; r++)
            to[r] = apply(step->operation, left[r], right[r]);
    }
}

void fw_cost_run(double *values, const struct fw_cost_program *program, const double *features,
                 size_t stride, size_t rows, const double *parameters)
{
    for (size_t s = 0; s < program->count; s++) {
        const struct fw_cost_step *step = &program->steps[s];
        double *to = &values[s * rows];
        if (step->operation == FW_COST_FEATURE)
            memcpy(to, &features[step->left * stride], rows * sizeof(double));
        else if (step->operation <= FW_COST_PARAMETER)
            for (size_t r = 0; r < rows; r++)
                to[r] =
                    step->operation == FW_COST_CONSTANT ? step->constant : parameters[step->left];
        else
            run_step(to, step, &values[step->left * rows], &values[step->right * rows], rows);
    }
}
