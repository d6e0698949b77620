/* A kernel with constants is the same kernel with literals: for random values, what is read with
 * -DNAME=VALUE and what is read from a text whose names were replaced by digits are refused alike,
 * or are written out as the same text and have equal counts.
 *
 * usage: knl-constants ROOT [SEED] */
#include "emit.h"
#include "knl_reader.h"
#include "loop_statistics.h"
#include "random.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 12, CONSTANTS_MOST = 4, FILE_MOST = 1 << 16 };

static const char *const files[] = {"matmul", "matmul_prefetch", "matmul_coarse", "stencil_16",
                                    "dg",     "dg_prefetch_u"};

/* One place of each kind in which a number may stand; constants are single letters, so that texts
 * grow where they are replaced. */
static const char *const texts[] = {
    "let A = 4\nlet B = 7\n"
    "domain [n] -> {[i, j]: 0 <= i < n and B <= j < 2A + B and i mod A = 0 and 3 B*i >= -A}\n"
    "assume n >= A*4 and n mod A = 0\narray x: f32[n + B, A*3 + B*2]\n"
    "y[i, j] = A*x[i, j] + B - cast(f32, A)**2\n",
    "let A = 3\nlet B = 2\n"
    "domain [n] -> {[i, k]: 0 <= i < n and 0 <= k < A}\nassume n >= 1\narray x: f32\n"
    "temporary t: f32[A + 1] shared\nscaled(e, f) := A*e + B*f\n"
    "for i\nif i % (A + 1) == 0 and i >= B\n<> s = sum(k, x[i*A + k]) {id=s}\n"
    "y[i] = scaled(s, B) {dep=s}\nelif i > B + A\ny[i] = if(x[i] > B, A, B)\nelse\ny[i] = -A\nend\n"
    "end\nsplit i A outer=block.0\n",
    "let A = 8\nlet B = 3\n"
    "domain [n, m] -> {[i, j]: 0 <= i < n and 0 <= j < m}\nassume n >= 1 and m >= 1\n"
    "array x: f32[n, m]\nfunction twice(x)\ndomain [n] -> {[l]: 0 <= l < n and l mod A < B}\n"
    "z[l] = B*x[l]\nend\ny[i, j] = x[i, j] + B\nsplit i A outer=block.0 inner=thread.0\n"
    "split j 2*B\nfix m A*B + 1\ncoarsen i_inner B\ntag j_inner unroll\n",
    "let A = 1\nlet B = 0\n"
    "domain [n] -> {[i, j]: 0 <= i, j < n}\nassume n >= 4\narray x: f32[n, n]\n"
    "y[i, j] = x[i, j] + A\naxes y B, A\nsplit i max(A, 2)*4 outer=block.0 inner=thread.0\n"};

struct constants {
    size_t count;
    char names[CONSTANTS_MOST][64];
    int64_t values[CONSTANTS_MOST];
};

struct reading {
    struct fw_arena *arena;
    struct fw_poly *poly;
    struct fw_source source;
    struct fw_loop_program *program;
    struct fw_loop_statistics *statistics;
    enum fw_status status;
    char message[512];
};

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    struct reading *reading = user;
    if (diagnostic->severity == FW_ERROR && !reading->message[0])
        snprintf(reading->message, sizeof(reading->message), "%s %s", diagnostic->code,
                 diagnostic->message);
}

static void read_text(struct reading *reading, const char *text, const struct constants *constants)
{
    const char *defines[CONSTANTS_MOST];
    memset(reading, 0, sizeof(*reading));
    reading->arena = fw_arena_new(0);
    reading->poly = fw_poly_new();
    reading->source = (struct fw_source){"text", text, strlen(text)};
    for (size_t c = 0; constants && c < constants->count; c++)
        defines[c] = fw_arena_printf(reading->arena, "%s=%lld", constants->names[c],
                                     (long long)constants->values[c]);
    const struct fw_knl_options options = {.defines = defines,
                                           .define_count = constants ? constants->count : 0};
    const struct fw_loop_statistics_options counted = {
        .contract = true, .footprints = true, .barriers = true};
    const struct fw_sink sink = {hear, reading};
    reading->status = fw_knl_read_with(&reading->program, reading->arena, reading->poly,
                                       &reading->source, &options, &sink);
    if (reading->program) {
        enum fw_status status =
            fw_loop_statistics_new(&reading->statistics, reading->program, &counted);
        reading->program->sink = NULL;
        if (status)
            reading->statistics = NULL;
    }
}

static void close_reading(struct reading *reading)
{
    fw_loop_statistics_free(reading->statistics);
    fw_poly_free(reading->poly);
    fw_arena_free(reading->arena);
}

/* The constants that the text declares, in "let" lines. */
static void find_constants(struct constants *constants, const char *text)
{
    constants->count = 0;
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        if (strncmp(at, "let ", 4) != 0 || constants->count == CONSTANTS_MOST)
            continue;
        size_t length = strcspn(at + 4, " ");
        snprintf(constants->names[constants->count++], sizeof(constants->names[0]), "%.*s",
                 (int)length, at + 4);
    }
}

/* The text without its "let" lines and with digits in the place of names: in expressions and lines
 * brackets around what is negative. */
static char *with_literals(struct fw_arena *arena, const char *text,
                           const struct constants *constants)
{
    struct fw_buffer out = fw_buffer_new(arena);
    bool after_digit = false;
    for (const char *at = text; *at;) {
        size_t length = 0;
        bool replaced = false;
        if ((at == text || at[-1] == '\n') && strncmp(at, "let ", 4) == 0) {
            at += strcspn(at, "\n") + 1;
            continue;
        }
        while (isalpha((unsigned char)*at) &&
               (isalnum((unsigned char)at[length]) || at[length] == '_'))
            length++;
        for (size_t c = 0; c < constants->count && length; c++)
            if (strlen(constants->names[c]) == length &&
                memcmp(constants->names[c], at, length) == 0) {
                fw_buffer_printf(&out, constants->values[c] < 0 ? "%s(%lld)" : "%s%lld",
                                 after_digit ? "*" : "", (long long)constants->values[c]);
                replaced = true;
            }
        if (!replaced)
            fw_buffer_add(&out, at, length ? length : 1);
        if (*at != ' ')
            after_digit = !length && isdigit((unsigned char)*at);
        at += length ? length : 1;
    }
    fw_buffer_add(&out, "", 0);
    return out.text;
}

static bool same_count(const struct reading *a, const struct reading *b, const struct fw_count *x,
                       const struct fw_count *y, const int64_t values[5])
{
    static const char *const names[] = {"n", "m", "nmatrices", "nelements", "nunit_nodes"};
    mpz_t first, second;
    bool same = (x == NULL) == (y == NULL);
    if (!x || !y)
        return same;
    mpz_init(first);
    mpz_init(second);
    enum fw_status one = fw_loop_evaluate(first, x, a->poly, names, values, 5);
    same = one == fw_loop_evaluate(second, y, b->poly, names, values, 5) &&
           (one || mpz_cmp(first, second) == 0);
    mpz_clear(first);
    mpz_clear(second);
    return same;
}

static bool same_counts(const struct reading *a, const struct reading *b, int64_t n)
{
    const struct fw_loop_statistics *x = a->statistics, *y = b->statistics;
    const int64_t values[] = {n, n + 3, 3, n, n};
    if (!x || !y)
        return !x == !y;
    bool same = x->operations.count == y->operations.count && x->memory.count == y->memory.count &&
                x->footprints.count == y->footprints.count &&
                x->block_threads == y->block_threads &&
                same_count(a, b, x->flops, y->flops, values) &&
                same_count(a, b, x->barriers, y->barriers, values);
    for (size_t r = 0; r < x->operations.count && same; r++)
        same = same_count(a, b, x->operations.at[r].count, y->operations.at[r].count, values);
    for (size_t r = 0; r < x->memory.count && same; r++)
        same = same_count(a, b, x->memory.at[r].count, y->memory.at[r].count, values);
    for (size_t r = 0; r < x->footprints.count && same; r++)
        same = same_count(a, b, x->footprints.at[r].count, y->footprints.at[r].count, values);
    return same;
}

struct totals {
    unsigned equal, refused, wrong;
};

static void compare(struct totals *totals, const char *name, const char *text,
                    const struct constants *constants, struct fw_random *random)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct reading stated, literal;
    const char *plain = with_literals(arena, text, constants);
    read_text(&stated, text, constants);
    read_text(&literal, plain, NULL);
    bool same = stated.status == literal.status;
    if (same && stated.status == FW_OK) {
        int64_t unit = constants->values[0] > 0 ? constants->values[0] : 1;
        same = strcmp(fw_emit_knl(stated.program), fw_emit_knl(literal.program)) == 0 &&
               same_counts(&stated, &literal, unit * fw_random_between(random, 1, 40));
    }
    totals->equal += same && stated.status == FW_OK;
    totals->refused += same && stated.status != FW_OK;
    totals->wrong += !same;
    if (!same)
        printf("DIFFER: %s, with constants \"%s\", with literals \"%s\"\n%s\n", name,
               stated.message, literal.message, plain);
    close_reading(&stated);
    close_reading(&literal);
    fw_arena_free(arena);
}

static void try_values(struct totals *totals, const char *name, const char *text,
                       struct fw_random *random)
{
    struct constants constants;
    find_constants(&constants, text);
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (size_t c = 0; c < constants.count; c++)
            constants.values[c] = fw_random_between(random, round % 4 ? 1 : -3, round % 2 ? 8 : 40);
        compare(totals, name, text, &constants, random);
    }
}

int main(int count, char **arguments)
{
    const char *root = count > 1 ? arguments[1] : ".";
    uint64_t seed = count > 2 ? strtoull(arguments[2], NULL, 0) : 20261121;
    struct fw_random random = {seed};
    struct totals totals = {0};
    static char text[FILE_MOST];
    for (size_t t = 0; t < sizeof(texts) / sizeof(*texts); t++)
        try_values(&totals, "text", texts[t], &random);
    for (size_t f = 0; f < sizeof(files) / sizeof(*files); f++) {
        char path[4096];
        snprintf(path, sizeof(path), "%s/kernels/knl/%s.knl", root, files[f]);
        FILE *file = fopen(path, "rb");
        size_t length = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
        text[length] = '\0';
        if (file)
            fclose(file);
        if (!length) {
            printf("cannot read %s\n", path);
            return 1;
        }
        try_values(&totals, files[f], text, &random);
    }
    printf("seed %llu: %u equal, %u refused alike, %u differ\n", (unsigned long long)seed,
           totals.equal, totals.refused, totals.wrong);
    return totals.wrong || totals.equal < 20 || totals.refused < 5;
}
