/* Sets and their reading: the life of isl's objects. */
#include "set_internal.h"
#include "deadline.h"
#include "set_text.h"

#include <ctype.h>
#include <isl/options.h>
#include <isl/space.h>
#include <isl/stream.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More of either in a text than any sensible set has: isl's reader recurses. */
enum { TEXT_MOST = 1 << 18, NESTING_MOST = 60, DIGITS_MOST = 300, PARAMETERS_MOST = 40 };
static const size_t scratch_most = (size_t)1 << 29;
/* An operation of isl takes some microseconds.  Of the kernels of the tests the dearest question
 * takes fewer than 100,000. */
static const unsigned long isl_operations_most = 200000, build_operations_most = 1500000;

struct fw_poly *fw_poly_new(void)
{
    struct fw_poly *poly = calloc(1, sizeof(*poly));
    struct fw_arena *arena = fw_arena_new(scratch_most);
    isl_ctx *context = isl_ctx_alloc();
    if (!poly || !arena || !context) {
        isl_ctx_free(context);
        fw_arena_free(arena);
        free(poly);
        return NULL;
    }
    isl_options_set_on_error(context, ISL_ON_ERROR_CONTINUE);
    poly->isl = context;
    fw_work_init(&poly->work, arena, 0);
    return poly;
}

void fw_poly_free(struct fw_poly *poly)
{
    if (!poly)
        return;
    fw_arena_free(poly->work.arena);
    fw_work_clear(&poly->work);
    isl_ctx_free(poly->isl);
    free(poly);
}

void fw_poly_begin(struct fw_poly *poly, uint64_t budget)
{
    fw_arena_reset(poly->work.arena);
    poly->work.steps = 0;
    poly->work.step_budget = budget;
    poly->work.status = FW_ERROR_BUDGET; /* what an exhausted arena means */
}

/* Whether isl may do no more operations than it did, if `most` were all: an operation is an
 * allocation of isl's, and one more of them is tried. */
static bool has_spent(struct fw_poly *poly, unsigned long most)
{
    isl_ctx_set_max_operations(poly->isl, most);
    isl_space *space = isl_space_params_alloc(poly->isl, 0);
    isl_space_free(space);
    return !space;
}

/* Operations since fw_isl_begin: isl does not tell, but it keeps to any limit. */
static uint64_t operations_of(struct fw_poly *poly)
{
    unsigned long low = 1, high = poly->operations_most + 1;
    while (low < high) {
        unsigned long middle = low + (high - low) / 2;
        if (has_spent(poly, middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

static void begin(struct fw_poly *poly, unsigned long most)
{
    poly->operations += operations_of(poly);
    isl_ctx_reset_error(poly->isl);
    isl_ctx_reset_operations(poly->isl);
    /* Nothing is asked when the time is over; what has begun ends by its operations. */
    poly->operations_most = fw_deadline_passed() ? 1 : most;
    isl_ctx_set_max_operations(poly->isl, poly->operations_most);
}

void fw_isl_begin(struct fw_poly *poly)
{
    begin(poly, isl_operations_most);
}

void fw_isl_begin_build(struct fw_poly *poly)
{
    begin(poly, build_operations_most);
}

uint64_t fw_set_text_spent(struct fw_poly *poly)
{
    fw_isl_begin(poly);
    uint64_t spent = poly->operations;
    poly->operations = 0;
    return spent;
}

enum fw_status fw_isl_status(struct fw_poly *poly)
{
    enum isl_error error = isl_ctx_last_error(poly->isl);
    /* A reader that was stopped calls it a syntax error. */
    if (error != isl_error_alloc && has_spent(poly, poly->operations_most))
        return FW_ERROR_BUDGET;
    switch (error) {
    case isl_error_quota:
        return FW_ERROR_BUDGET;
    case isl_error_alloc:
        return FW_ERROR_MEMORY;
    default:
        return FW_ERROR_INPUT;
    }
}

enum fw_status fw_isl_failed(struct fw_poly *poly, const struct fw_sink *sink, struct fw_span span,
                             const char *what)
{
    enum fw_status status = fw_isl_status(poly);
    const char *message = isl_ctx_last_error_msg(poly->isl);
    if (status == FW_ERROR_BUDGET)
        fw_report(sink, FW_ERROR, "SET005", span, "%s takes more work than is allowed", what);
    else
        fw_report(sink, FW_ERROR, "SET002", span, "%s: %s", what,
                  message ? message : "it cannot be done");
    isl_ctx_reset_error(poly->isl);
    return status;
}

static isl_stat has_no_divs(isl_basic_set *basic, void *user)
{
    isl_size divs = isl_basic_set_dim(basic, isl_dim_div);
    (void)user;
    isl_basic_set_free(basic);
    return divs == 0 ? isl_stat_ok : isl_stat_error;
}

isl_set *fw_isl_coalesce(isl_set *set)
{
    if (!set || isl_set_foreach_basic_set(set, has_no_divs, NULL) != isl_stat_ok)
        return set;
    return isl_set_coalesce(set);
}

static struct fw_span span_at(const struct fw_source *source, size_t offset)
{
    return (struct fw_span){source, (uint32_t)offset, 1};
}

/* Whether the number at or behind the place is 0; before it stand a sign, and what isl's reader
 * passes over: blanks of all kinds, and comments. */
static bool is_zero(const struct fw_source *source, size_t at)
{
    while (at < source->length) {
        char c = source->text[at];
        if (c == '#')
            while (at < source->length && source->text[at] != '\n')
                at++;
        else if (!isspace((unsigned char)c) && c != '+' && c != '-')
            break;
        at += at < source->length;
    }
    size_t first = at;
    while (at < source->length && source->text[at] == '0')
        at++;
    return at > first && (at == source->length || source->text[at] < '0' || source->text[at] > '9');
}

/* Refuses what would be dangerous to hand to isl's reader: deep nesting, endless digits, zero
 * bytes, huge texts, huge exponents. */
static enum fw_status check_text(const struct fw_source *source, const struct fw_sink *sink)
{
    unsigned nesting = 0;
    unsigned digits = 0;
    if (source->length > TEXT_MOST) {
        fw_report(sink, FW_ERROR, "SET001", span_at(source, TEXT_MOST), "the text is too long");
        return FW_ERROR_INPUT;
    }
    for (size_t i = 0; i < source->length; i++) {
        char c = source->text[i];
        nesting += c == '(' || c == '[' || c == '{';
        if ((c == ')' || c == ']' || c == '}') && nesting)
            nesting--;
        digits = c >= '0' && c <= '9' ? digits + 1 : 0;
        const char *fault = NULL;
        if (nesting > NESTING_MOST)
            fault = "brackets are nested too deeply";
        else if (digits > DIGITS_MOST)
            fault = "the number has too many digits";
        else if (c == '\0')
            fault = "a zero byte in the text";
        else if (c == '\\')
            fault =
                "a backslash in the text"; /* before a line's end isl's reader passes over both */
        else if (c == '/' && i > 0 && source->text[i - 1] == '/' && is_zero(source, i + 1))
            fault = "a division by zero"; /* isl would divide two such numbers at once */
        else if (c == '^') {
            size_t next = i + 1;
            while (next < source->length && source->text[next] == ' ')
                next++;
            size_t first = next;
            while (next < source->length && source->text[next] >= '0' && source->text[next] <= '9')
                next++;
            if (next - first > 2)
                fault = "the exponent is too large";
        }
        if (fault) {
            fw_report(sink, FW_ERROR, "SET001", span_at(source, i), "%s", fault);
            return FW_ERROR_INPUT;
        }
    }
    return FW_OK;
}

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Where isl's reader stops: reads the text again from a stream that can tell.  The place is the
 * start of the last word or sign that isl looked at: at the fault or just behind it. */
static size_t find_fault(struct fw_poly *poly, const struct fw_source *source, enum text_kind kind)
{
    FILE *file =
        source->length ? fmemopen((void *)(uintptr_t)source->text, source->length, "r") : NULL;
    if (!file)
        return 0;
    isl_stream *stream = isl_stream_new_file(poly->isl, file);
    if (stream) {
        isl_set *set = kind == TEXT_SET ? isl_stream_read_set(stream) : NULL;
        isl_map *map = kind == TEXT_MAP ? isl_stream_read_map(stream) : NULL;
        isl_pw_qpolynomial *sum = kind == TEXT_SUM ? isl_stream_read_pw_qpolynomial(stream) : NULL;
        if (set || map || sum) {
            struct isl_token *token = isl_stream_next_token(stream);
            if (token)
                isl_token_free(token);
        }
        isl_set_free(set);
        isl_map_free(map);
        isl_pw_qpolynomial_free(sum);
        isl_stream_free(stream);
    }
    long place = ftell(file);
    fclose(file);
    size_t end = place < 0 ? 0 : (size_t)place;
    if (end > source->length)
        end = source->length;
    const char *text = source->text;
    while (end > 0 && strchr(" \t\r\n", text[end - 1]))
        end--;
    size_t start = end > 0 ? end - 1 : 0;
    while (start > 0 && is_word(text[start]) && is_word(text[start - 1]))
        start--;
    return start;
}

enum fw_status fw_isl_read(struct isl_read *read, struct fw_poly *poly,
                           const struct fw_source *source, enum text_kind kind,
                           const struct fw_sink *sink)
{
    static const char *const names[] = {"a set", "a relation", "a quasi-polynomial"};
    memset(read, 0, sizeof(*read));
    enum fw_status status = check_text(source, sink);
    if (status != FW_OK)
        return status;
    fw_poly_begin(poly, UINT64_MAX);
    char *text = fw_arena_text(poly->work.arena, source->text, source->length);
    fw_isl_begin(poly);
    if (kind == TEXT_SET && (read->set = fw_isl_set_of_text(poly, text)))
        return FW_OK;
    isl_stream *stream = isl_stream_new_str(poly->isl, text);
    bool complete = false;
    if (stream) {
        if (kind == TEXT_SET)
            read->set = isl_stream_read_set(stream);
        else if (kind == TEXT_MAP)
            read->map = isl_stream_read_map(stream);
        else
            read->sum = isl_stream_read_pw_qpolynomial(stream);
        complete = isl_stream_is_empty(stream);
    }
    isl_stream_free(stream);
    if ((read->set || read->map || read->sum) && complete)
        return FW_OK;
    if (fw_isl_status(poly) == FW_ERROR_BUDGET) {
        fw_isl_failed(poly, sink, span_at(source, 0), "reading the text");
        return FW_ERROR_BUDGET;
    }
    const char *message = isl_ctx_last_error_msg(poly->isl);
    bool readable = read->set || read->map || read->sum;
    bool syntax = readable || !message || strcmp(message, "syntax error") == 0;
    fw_isl_read_free(read);
    fw_isl_begin(poly);
    struct fw_span span = span_at(source, find_fault(poly, source, kind));
    isl_ctx_reset_error(poly->isl);
    if (readable)
        fw_report(sink, FW_ERROR, "SET001", span, "%s ends before this", names[kind]);
    else if (syntax)
        fw_report(sink, FW_ERROR, "SET001", span, "syntax error in %s in isl's notation",
                  names[kind]);
    else
        fw_report(sink, FW_ERROR, "SET002", span,
                  "this is not %s but something else, or several of different spaces", names[kind]);
    return FW_ERROR_INPUT;
}

void fw_isl_read_free(struct isl_read *read)
{
    isl_set_free(read->set);
    isl_map_free(read->map);
    isl_pw_qpolynomial_free(read->sum);
    memset(read, 0, sizeof(*read));
}

enum fw_status fw_set_of_isl(struct fw_set **set, struct fw_poly *poly, isl_set *taken)
{
    *set = calloc(1, sizeof(**set));
    if (!*set) {
        isl_set_free(taken);
        return FW_ERROR_MEMORY;
    }
    (*set)->poly = poly;
    (*set)->set = taken;
    return FW_OK;
}

enum fw_status fw_set_read(struct fw_set **set, struct fw_poly *poly,
                           const struct fw_source *source, const struct fw_sink *sink)
{
    struct isl_read read;
    *set = NULL;
    enum fw_status status = fw_isl_read(&read, poly, source, TEXT_SET, sink);
    return status == FW_OK ? fw_set_of_isl(set, poly, read.set) : status;
}

void fw_set_free(struct fw_set *set)
{
    if (!set)
        return;
    isl_set_free(set->set);
    free(set);
}

/* The rows of one kind as isl's matrix. */
static isl_mat *matrix_of(isl_ctx *context, const struct fw_set_rows *rows, bool equalities)
{
    uint32_t width = 1 + rows->parameter_count + rows->dimensions + rows->existentials;
    uint32_t count = 0;
    for (uint32_t i = 0; i < rows->row_count; i++)
        count += (rows->equalities && rows->equalities[i]) == equalities;
    isl_mat *matrix = isl_mat_alloc(context, count, width);
    uint32_t place = 0;
    for (uint32_t i = 0; i < rows->row_count; i++) {
        if ((rows->equalities && rows->equalities[i]) != equalities)
            continue;
        for (uint32_t column = 0; column < width; column++)
            matrix = isl_mat_set_element_val(
                matrix, (int)place, (int)column,
                isl_val_int_from_si(context, rows->coefficients[(size_t)i * width + column]));
        place++;
    }
    return matrix;
}

enum fw_status fw_set_from_rows(struct fw_set **set, struct fw_poly *poly,
                                const struct fw_set_rows *rows, const struct fw_sink *sink)
{
    *set = NULL;
    isl_ctx *context = poly->isl;
    if (rows->parameter_count > PARAMETERS_MOST || rows->dimensions > VARIABLES_MOST ||
        rows->existentials > VARIABLES_MOST) {
        fw_report(sink, FW_ERROR, "SET006", (struct fw_span){0},
                  "too many parameters or dimensions");
        return FW_ERROR_INPUT;
    }
    fw_isl_begin(poly);
    isl_space *space =
        isl_space_set_alloc(context, rows->parameter_count, rows->dimensions + rows->existentials);
    for (uint32_t i = 0; i < rows->parameter_count; i++)
        space = isl_space_set_dim_name(space, isl_dim_param, i, rows->parameters[i]);
    isl_basic_set *basic = isl_basic_set_from_constraint_matrices(
        space, matrix_of(context, rows, true), matrix_of(context, rows, false), isl_dim_cst,
        isl_dim_param, isl_dim_set, isl_dim_div);
    isl_set *result = isl_set_from_basic_set(basic);
    if (rows->existentials)
        result = isl_set_project_out(result, isl_dim_set, rows->dimensions, rows->existentials);
    if (!result)
        return fw_isl_failed(poly, sink, (struct fw_span){0}, "making the set");
    return fw_set_of_isl(set, poly, result);
}

enum fw_status fw_set_unite(struct fw_set **set, const struct fw_set *a, const struct fw_set *b,
                            const struct fw_sink *sink)
{
    *set = NULL;
    fw_isl_begin(a->poly);
    if (isl_set_dim(a->set, isl_dim_set) != isl_set_dim(b->set, isl_dim_set) ||
        a->poly != b->poly) {
        fw_report(sink, FW_ERROR, "SET007", (struct fw_span){0},
                  "a union of sets of different dimensions");
        return FW_ERROR_INPUT;
    }
    isl_set *left = isl_set_copy(a->set);
    isl_set *right = isl_set_copy(b->set);
    if (isl_set_is_params(left) != isl_bool_true && isl_set_is_params(right) != isl_bool_true) {
        left = isl_set_reset_tuple_id(left);
        right = isl_set_reset_tuple_id(right);
    }
    isl_set *both = isl_set_union(left, right);
    if (!both)
        return fw_isl_failed(a->poly, sink, (struct fw_span){0}, "the union");
    return fw_set_of_isl(set, a->poly, both);
}

enum fw_status fw_set_image(struct fw_set **image, const struct fw_set *domain,
                            const struct fw_source *relation, const struct fw_sink *sink)
{
    struct isl_read read;
    struct fw_poly *poly = domain->poly;
    *image = NULL;
    enum fw_status status = fw_isl_read(&read, poly, relation, TEXT_MAP, sink);
    if (status != FW_OK)
        return status;
    fw_isl_begin(poly);
    if (isl_map_dim(read.map, isl_dim_in) != isl_set_dim(domain->set, isl_dim_set)) {
        fw_report(sink, FW_ERROR, "SET007", span_at(relation, 0),
                  "the relation takes %d dimensions, the domain has %d",
                  (int)isl_map_dim(read.map, isl_dim_in),
                  (int)isl_set_dim(domain->set, isl_dim_set));
        fw_isl_read_free(&read);
        return FW_ERROR_INPUT;
    }
    isl_map *map = isl_map_reset_tuple_id(read.map, isl_dim_in);
    isl_set *source = isl_set_reset_tuple_id(isl_set_copy(domain->set));
    isl_set *result = isl_set_apply(source, map);
    if (!result)
        return fw_isl_failed(poly, sink, span_at(relation, 0), "the image");
    return fw_set_of_isl(image, poly, result);
}
