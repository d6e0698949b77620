/* Any bytes are read as a set, counted, evaluated and printed, or refused with a diagnostic; as a
 * relation and as a sum, too. */
#include "formula.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    abort();
}

static void hear(void *user, const struct fw_diagnostic *diagnostic)
{
    struct fw_arena *arena = fw_arena_new(0);
    ++*(unsigned *)user;
    fw_diagnostic_render(arena, diagnostic);
    fw_arena_free(arena);
}

/* A count's value where all parameters are 5, twice: quickly and in integers of any size. */
static void check_count(struct fw_poly *poly, const struct fw_count *count)
{
    enum { PARAMETERS = 130 };
    int64_t small[PARAMETERS];
    mpz_srcptr big[PARAMETERS];
    mpz_t five, first, second;
    mpz_init_set_si(five, 5);
    mpz_inits(first, second, NULL);
    for (size_t i = 0; i < PARAMETERS; i++) {
        small[i] = 5;
        big[i] = five;
    }
    enum fw_status one = fw_count_evaluate(first, count, poly, small);
    enum fw_status other = fw_count_evaluate_big(second, count, poly, big);
    if (one == FW_OK && other == FW_OK && mpz_cmp(first, second) != 0)
        fail("two ways of evaluating differ");
    struct fw_arena *arena = fw_arena_new((size_t)64 << 20);
    char *text = NULL;
    if (fw_count_leaf_count(count) < 20 && fw_count_print(&text, count, poly, arena) == FW_OK &&
        !text)
        fail("printed nothing");
    fw_arena_free(arena);
    mpz_clears(five, first, second, NULL);
}

/* The simplified formula's value at a point where all parameters are 5 is the count's. */
static void check_formula(struct fw_poly *poly, const struct fw_count *count)
{
    enum { PARAMETERS = 40 };
    const char *names[PARAMETERS];
    int64_t values[PARAMETERS];
    size_t parameters = fw_count_parameter_count(count);
    const struct fw_product product = {1, &count, 1};
    const struct fw_formula *formula;
    mpz_t first, second;
    if (parameters > PARAMETERS || !fw_count_is_symbolic(count))
        return;
    for (size_t p = 0; p < parameters; p++) {
        names[p] = fw_count_parameter(count, p);
        values[p] = 5;
    }
    struct fw_formulas *formulas = fw_formulas_new(names, parameters, NULL, 5000);
    struct fw_arena *arena = fw_arena_new((size_t)64 << 20);
    mpz_inits(first, second, NULL);
    if (formulas && fw_formula_of(&formula, formulas, &product, 1) == FW_OK) {
        fw_formula_text(formula, formulas, arena);
        fw_formula_isl(formula, formulas, arena);
        if (fw_formula_evaluate(first, formula, formulas, values) == FW_OK &&
            fw_count_evaluate(second, count, poly, values) == FW_OK && mpz_cmp(first, second) != 0)
            fail("the formula differs from the count");
    }
    mpz_clears(first, second, NULL);
    fw_arena_free(arena);
    fw_formulas_free(formulas);
}

static void check_status(enum fw_status status, unsigned errors, bool made)
{
    if ((status == FW_OK) != made)
        fail("status and result do not agree");
    if (status == FW_ERROR_INPUT && errors == 0)
        fail("refused without a diagnostic");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_poly *poly = fw_poly_new();
    struct fw_source source = {"fuzz", fw_arena_text(arena, (const char *)data, size), size};
    unsigned errors = 0;
    const struct fw_sink sink = {hear, &errors};
    const struct fw_count_options options = {.budget = 5000};
    struct fw_set *set = NULL;
    struct fw_count *count = NULL;
    enum fw_status status = fw_set_read(&set, poly, &source, &sink);
    check_status(status, errors, set);
    if (set) {
        status = fw_set_count(&count, set, &options, &sink);
        check_status(status, errors, count);
        if (count)
            check_count(poly, count);
        if (count)
            check_formula(poly, count);
        fw_count_free(count);
        struct fw_set *image = NULL;
        fw_set_image(&image, set, &source, &sink);
        fw_set_free(image);
        fw_set_free(set);
    }
    count = NULL;
    if (fw_count_read_sum(&count, poly, &source, &options, &sink) == FW_OK) {
        check_count(poly, count);
        check_formula(poly, count);
    }
    fw_count_free(count);
    fw_poly_free(poly);
    fw_arena_free(arena);
    return 0;
}
