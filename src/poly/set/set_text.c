/* Questions about sets that are given as text. */
#include "set_text.h"
#include "set_internal.h"
#include "text.h"

#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/point.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

static isl_set *read_set(struct fw_poly *poly, const char *text)
{
    fw_poly_begin(poly, UINT64_MAX);
    isl_set *set = fw_isl_set_of_text(poly, text);
    return set ? set : isl_set_read_from_str(poly->isl, text);
}

enum fw_status fw_set_text_empty(bool *empty, struct fw_poly *poly, const char *text)
{
    fw_isl_begin(poly);
    isl_set *set = read_set(poly, text);
    isl_bool answer = isl_set_is_empty(set);
    isl_set_free(set);
    *empty = answer == isl_bool_true;
    return answer == isl_bool_error ? fw_isl_status(poly) : FW_OK;
}

enum fw_status fw_set_text_subset(bool *subset, struct fw_poly *poly, const char *a, const char *b)
{
    fw_isl_begin(poly);
    isl_set *one = read_set(poly, a);
    isl_set *two = read_set(poly, b);
    isl_bool answer = isl_set_is_subset(one, two);
    isl_set_free(one);
    isl_set_free(two);
    *subset = answer == isl_bool_true;
    return answer == isl_bool_error ? fw_isl_status(poly) : FW_OK;
}

enum fw_status fw_set_text_range(int64_t *least, int64_t *greatest, bool *bounded,
                                 struct fw_poly *poly, const char *text)
{
    fw_isl_begin(poly);
    isl_set *set = read_set(poly, text);
    set = isl_set_project_out(set, isl_dim_param, 0, (unsigned)isl_set_dim(set, isl_dim_param));
    *bounded = false;
    isl_bool empty = isl_set_is_empty(set);
    isl_local_space *space = isl_local_space_from_space(isl_set_get_space(set));
    isl_aff *value = isl_aff_var_on_domain(space, isl_dim_set, 0);
    isl_val *low = isl_set_min_val(set, value);
    isl_val *high = isl_set_max_val(set, value);
    isl_aff_free(value);
    isl_set_free(set);
    bool some = empty == isl_bool_false;
    bool below = low && isl_val_is_int(low), above = high && isl_val_is_int(high);
    *least = some && below ? isl_val_get_num_si(low) : INT64_MIN;
    *greatest = some && above ? isl_val_get_num_si(high) : INT64_MAX;
    *bounded = some && below && above;
    bool failed = !low || !high || empty == isl_bool_error;
    isl_val_free(low);
    isl_val_free(high);
    return failed ? fw_isl_status(poly) : FW_OK;
}

/* Whether the set is what its inequalities say. */
static bool is_convex(isl_set *kept)
{
    isl_set *hull = isl_set_from_basic_set(isl_set_simple_hull(isl_set_copy(kept)));
    bool convex = isl_set_is_equal(kept, hull) == isl_bool_true;
    isl_set_free(hull);
    return convex;
}

/* "[i, k = 0, j]": isl prints what a dimension is equal to in the tuple, not behind the colon. */
static void add_tuple(struct fw_buffer *buffer, const char *open, const char *end)
{
    const char *at = memchr(open, '[', (size_t)(end - open));
    while (at && at < end && *at != ']') {
        const char *entry = ++at;
        unsigned depth = 0;
        bool equal = false;
        for (; at < end && (depth || (*at != ',' && *at != ']')); at++) {
            depth += *at == '(' || *at == '[';
            depth -= (*at == ')' || *at == ']') && depth;
            equal |= *at == '=';
        }
        if (equal)
            fw_buffer_printf(buffer, " and (%.*s)", (int)(at - entry), entry);
    }
}

enum fw_status fw_set_text_simplify(char **condition, bool *convex, struct fw_poly *poly,
                                    struct fw_arena *arena, const char *text, const char *context)
{
    *condition = NULL;
    fw_isl_begin(poly);
    isl_set *set = read_set(poly, text);
    set = fw_isl_coalesce(isl_set_detect_equalities(isl_set_compute_divs(set)));
    *convex = set && is_convex(set);
    if (context)
        set = isl_set_gist_params(set, read_set(poly, context));
    set = fw_isl_coalesce(isl_set_remove_redundancies(set));
    char *whole = isl_set_to_str(set);
    isl_set_free(set);
    if (!whole)
        return fw_isl_status(poly);
    const char *open = strchr(whole, '{'), *end = strrchr(whole, '}');
    const char *start = open ? strchr(open, ':') : NULL;
    bool several = memchr(whole, ';', strlen(whole)) != NULL;
    if (!open || !end || several) {
        free(whole);
        return FW_ERROR_INPUT;
    }
    fw_poly_begin(poly, UINT64_MAX);
    struct fw_buffer found = fw_buffer_new(poly->work.arena);
    fw_buffer_printf(&found, "0 = 0");
    if (start)
        fw_buffer_printf(&found, " and (%.*s)", (int)(end - start - 1), start + 1);
    add_tuple(&found, open + 1, start ? start : end);
    free(whole);
    *condition = fw_arena_text(arena, found.text, found.length);
    return FW_OK;
}

enum fw_status fw_set_text_witness(char **parameters, struct fw_poly *poly, struct fw_arena *arena,
                                   const char *text)
{
    *parameters = NULL;
    fw_isl_begin(poly);
    isl_set *set = isl_set_params(read_set(poly, text));
    isl_size count = isl_set_dim(set, isl_dim_param);
    isl_point *point = isl_set_sample_point(isl_set_copy(set));
    if (!point || isl_point_is_void(point) != isl_bool_false) {
        isl_point_free(point);
        isl_set_free(set);
        return FW_OK;
    }
    fw_poly_begin(poly, UINT64_MAX);
    struct fw_buffer buffer = fw_buffer_new(poly->work.arena);
    for (int i = 0; i < count; i++) {
        isl_val *value = isl_point_get_coordinate_val(point, isl_dim_param, i);
        const char *name = isl_set_get_dim_name(set, isl_dim_param, (unsigned)i);
        fw_buffer_printf(&buffer, "%s%s = %ld", i ? ", " : "", name ? name : "?",
                         isl_val_get_num_si(value));
        isl_val_free(value);
    }
    fw_buffer_add(&buffer, "", 0);
    isl_point_free(point);
    isl_set_free(set);
    *parameters = fw_arena_text(arena, buffer.text, buffer.length);
    return FW_OK;
}
