/* Binding: values for arguments and unknowns, given as text or as numbers. */
#include "session.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NOTES = 48, NOTE_LENGTH = 160, LONGEST_NAME = 400 };

/* Notes without memory of their own to fail on. */
struct notes {
    char texts[MOST_NOTES][NOTE_LENGTH];
    const char *at[MOST_NOTES];
    size_t count;
};

static void note(struct notes *notes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void note(struct notes *notes, const char *format, ...)
{
    va_list arguments;
    if (notes->count == MOST_NOTES)
        return;
    va_start(arguments, format);
    vsnprintf(notes->texts[notes->count], NOTE_LENGTH, format, arguments);
    va_end(arguments);
    notes->at[notes->count] = notes->texts[notes->count];
    notes->count++;
}

static enum fw_status refuse(const struct fw_worker *worker, const char *text, const char *why,
                             const struct notes *notes)
{
    fw_report_notes(&worker->program->context->sink, FW_ERROR, "API020", (struct fw_span){0},
                    notes ? notes->at : NULL, notes ? notes->count : 0, "-s %s: %s", text, why);
    return FW_ERROR_USAGE;
}

static enum fw_status no_such_argument(const struct fw_worker *worker, const char *text,
                                       const char *name)
{
    const struct fw_kernel *record = worker->record;
    struct notes notes = {.count = 0};
    const char *nearest = NULL;
    unsigned least = 7;
    char why[NOTE_LENGTH];
    for (uint32_t p = 0; p < record->parameter_count; p++) {
        const char *whole = record->parameters[p].name;
        const char *names[] = {whole, fw_session_short_name(record, whole)};
        for (size_t n = 0; n < 2; n++) {
            unsigned distance = fw_text_unlikeness(name, names[n], least);
            if (distance < least) {
                least = distance;
                nearest = names[n];
            }
        }
    }
    if (nearest)
        note(&notes, "did you mean %s?", nearest);
    for (uint32_t p = 0; p < record->parameter_count; p++)
        note(&notes, "argument %u: %s %s%s", record->parameters[p].position,
             fw_type_text(record->parameters[p].type),
             fw_session_short_name(record, record->parameters[p].name),
             record->parameters[p].is_pointer ? " (a pointer: needs no value)" : "");
    if (record->parameter_count == 0)
        note(&notes, "the kernel has no arguments");
    snprintf(why, sizeof(why), "the kernel %.60s has no argument %.60s", worker->row->name, name);
    return refuse(worker, text, why, &notes);
}

/* Whether all of the text is a finite number. */
static bool number(const char *text, double *value)
{
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value) && *text != ' ';
}

static bool fits(enum fw_type type, int64_t value)
{
    unsigned bits = fw_type_bits(type);
    if (bits >= 64 || bits == 0)
        return true;
    return value >= -((int64_t)1 << (bits - 1)) && value < (int64_t)1 << bits;
}

enum fw_status fw_session_worker_bind_integer(struct fw_worker *worker, size_t index, int64_t value)
{
    const struct fw_kernel *record = worker->record;
    if (index >= record->parameter_count || !fits(record->parameters[index].type, value)) {
        fw_session_error(worker->program->context, "API021",
                         index < record->parameter_count ? "%lld does not fit the argument %s"
                                                         : "%lld is for no argument of %s",
                         (long long)value,
                         index < record->parameter_count ? record->parameters[index].name
                                                         : worker->row->name);
        return FW_ERROR_USAGE;
    }
    worker->launch->integers[index] = value;
    worker->launch->floats[index] = (double)value;
    worker->launch->is_bound[index] = true;
    return FW_OK;
}

enum fw_status fw_session_worker_bind_number(struct fw_worker *worker, size_t index, double value)
{
    const struct fw_kernel *record = worker->record;
    if (index >= record->parameter_count || fw_type_class(record->parameters[index].type) != 'f' ||
        !isfinite(value)) {
        fw_session_error(worker->program->context, "API021",
                         "%g is for no floating-point argument of %s", value, worker->row->name);
        return FW_ERROR_USAGE;
    }
    worker->launch->floats[index] = value;
    worker->launch->integers[index] = 0;
    worker->launch->is_bound[index] = true;
    return FW_OK;
}

static enum fw_status bind_argument(struct fw_worker *worker, const char *text, uint32_t parameter,
                                    const char *value)
{
    const struct fw_parameter *to = &worker->record->parameters[parameter];
    char why[NOTE_LENGTH];
    double real;
    int64_t whole;
    if (fw_type_class(to->type) == 'f' && number(value, &real))
        return fw_session_worker_bind_number(worker, parameter, real);
    if (fw_type_class(to->type) != 'f' && fw_text_integer(value, true, &whole)) {
        if (fits(to->type, whole))
            return fw_session_worker_bind_integer(worker, parameter, whole);
        snprintf(why, sizeof(why), "%.40s does not fit %s", value, fw_type_text(to->type));
        return refuse(worker, text, why, NULL);
    }
    snprintf(why, sizeof(why), "\"%.40s\" is not %s (%s is %s)", value,
             fw_type_class(to->type) == 'f'
                 ? "a number"
                 : "a whole number, K, M or G (powers of 1024) behind it allowed",
             fw_session_short_name(worker->record, to->name), fw_type_text(to->type));
    return refuse(worker, text, why, NULL);
}

/* Names of kernels may be long: Numba's have all types of the arguments in them. */
const char *fw_session_short_name(const struct fw_kernel *record, const char *name)
{
    size_t length = strlen(record->name);
    bool own =
        strncmp(name, record->name, length) == 0 && strncmp(name + length, "_param_", 7) == 0;
    return own ? name + length + 1 : name;
}

size_t fw_session_whole_length(const struct fw_parameter *parameter)
{
    return parameter->is_member ? strcspn(parameter->name, "+.") : strlen(parameter->name);
}

/* A part of a structure by the argument's name or position and the part's offset: p+8, 0+8. */
static uint32_t find_member(const struct fw_kernel *record, const char *name)
{
    const char *plus = strchr(name, '+');
    char *behind;
    if (!plus || plus == name || plus[1] < '0' || plus[1] > '9')
        return FW_NONE;
    const unsigned long offset = strtoul(plus + 1, &behind, 10);
    if (*behind)
        return FW_NONE;
    const unsigned long position = strtoul(name, &behind, 10);
    const bool by_position = *name >= '0' && *name <= '9' && behind == plus;
    const size_t length = (size_t)(plus - name);
    for (uint32_t p = 0; p < record->parameter_count; p++) {
        const struct fw_parameter *parameter = &record->parameters[p];
        if (parameter->is_member && parameter->inside == offset &&
            (by_position ? parameter->position == position
                         : fw_session_whole_length(parameter) == length &&
                               strncmp(parameter->name, name, length) == 0))
            return p;
    }
    return FW_NONE;
}

uint32_t fw_session_find_argument(const struct fw_kernel *record, const char *name)
{
    uint32_t parameter = fw_kernel_parameter(record, name);
    if (parameter == FW_NONE)
        parameter = find_member(record, name);
    if (strncmp(name, "param_", 6) != 0)
        return parameter;
    for (uint32_t p = 0; p < record->parameter_count && parameter == FW_NONE; p++)
        if (strcmp(fw_session_short_name(record, record->parameters[p].name), name) == 0)
            parameter = p;
    return parameter;
}

static enum fw_status bind_alignment(struct fw_worker *worker, const char *text, char *name,
                                     const char *value)
{
    name[strlen(name) - strlen(".align")] = '\0';
    uint32_t parameter = fw_session_find_argument(worker->record, name);
    int64_t bytes;
    if (parameter == FW_NONE)
        return no_such_argument(worker, text, name);
    if (!fw_text_integer(value, true, &bytes) || bytes < 1 || bytes > 1 << 20 ||
        (bytes & (bytes - 1)) != 0)
        return refuse(worker, text, "an alignment is a power of two, in bytes, up to 1 MiB", NULL);
    if (!worker->record->parameters[parameter].is_pointer)
        return refuse(worker, text, "only pointers have an alignment", NULL);
    worker->alignments[parameter] = (uint32_t)bytes;
    worker->launch->alignments[parameter] = (uint32_t)bytes;
    return FW_OK;
}

static enum fw_status bind_unknown(struct fw_worker *worker, const char *text, const char *name,
                                   const char *value, bool is_loop)
{
    const struct fw_kernel *record = worker->record;
    uint32_t count = is_loop ? record->loop_count : record->branch_count;
    struct notes notes = {.count = 0};
    bool found = false;
    double given;
    if (!number(value, &given) || given < 0 || (is_loop ? given > 1e15 : given > 1))
        return refuse(worker, text,
                      is_loop ? "trips are a number, 0 or more"
                              : "a share of a branch is a number from 0 to 1",
                      NULL);
    for (uint32_t i = 0; i < count; i++) {
        const char *here = is_loop ? record->loops[i].name : record->branches[i].name;
        bool first = true;
        for (uint32_t j = 0; j < i && first; j++)
            first = strcmp(here, is_loop ? record->loops[j].name : record->branches[j].name) != 0;
        if (first &&
            (is_loop ? record->loops[i].data_dependent : record->branches[i].data_dependent))
            note(&notes, "%s depends on data", here);
        if (strcmp(here, name) != 0)
            continue;
        found = true;
        *(is_loop ? &worker->launch->trips[i] : &worker->launch->taken[i]) = given;
    }
    if (found)
        return FW_OK;
    if (!notes.count)
        note(&notes, "no %s of this kernel depends on data", is_loop ? "loop" : "branch");
    return refuse(worker, text, is_loop ? "there is no such loop" : "there is no such branch",
                  &notes);
}

static enum fw_status bind_quantity(struct fw_worker *worker, const char *text, const char *name,
                                    const char *value)
{
    const struct fw_kernel *record = worker->record;
    struct notes notes = {.count = 0};
    double given;
    if (!number(value, &given) || given < 0 || given > 1e18)
        return refuse(worker, text, "bytes and operations are a number, 0 or more", NULL);
    for (uint32_t q = 0; q < record->quantity_count; q++) {
        if (strcmp(record->quantities[q].name, name) == 0) {
            worker->launch->quantities[q] = given;
            return FW_OK;
        }
        note(&notes, "%s is stated nowhere", record->quantities[q].name);
    }
    return refuse(worker, text, "there is no such number", &notes);
}

/* A number of bytes, with K, M or G allowed; 0: it is none. */
static double bytes_of(const char *value)
{
    int64_t whole;
    double bytes;
    if (fw_text_integer(value, true, &whole))
        bytes = (double)whole;
    else if (!number(value, &bytes))
        bytes = 0;
    return bytes < 1 || bytes > 0x1p48 ? 0 : bytes;
}

/* `-s ARRAY.bytes=`: the size of an array, of any that a pointer is to. */
static enum fw_status bind_size(struct fw_worker *worker, const char *text, char *name,
                                const char *value)
{
    name[strlen(name) - strlen(".bytes")] = '\0';
    const uint32_t parameter = fw_session_find_argument(worker->record, name);
    const double bytes = bytes_of(value);
    if (parameter == FW_NONE)
        return no_such_argument(worker, text, name);
    if (!(bytes > 0))
        return refuse(worker, text, "a size is a number of bytes, K, M or G allowed", NULL);
    if (!worker->record->parameters[parameter].is_pointer)
        return refuse(worker, text, "only pointers are to arrays", NULL);
    worker->launch->sizes[parameter] = bytes;
    return FW_OK;
}

/* Over how many bytes of an array addresses that depend on data are drawn. */
static enum fw_status bind_spread(struct fw_worker *worker, const char *text, char *name,
                                  const char *value)
{
    name[strlen(name) - strlen(".spread")] = '\0';
    const struct fw_kernel *record = worker->record;
    uint32_t parameter = fw_session_find_argument(record, name);
    const double bytes = bytes_of(value);
    bool used = false;
    if (parameter == FW_NONE)
        return no_such_argument(worker, text, name);
    if (!(bytes > 0))
        return refuse(worker, text, "a spread is a number of bytes, K, M or G allowed", NULL);
    for (uint32_t a = 0; a < record->access_count; a++)
        used |= record->accesses[a].data_dependent && record->accesses[a].array != FW_NONE &&
                record->arrays[record->accesses[a].array].parameter == parameter;
    if (!used)
        return refuse(worker, text, "no access to this array depends on data", NULL);
    worker->spreads[parameter] = bytes;
    return FW_OK;
}

/* `-s ARRAY.length=`: the mean length of the rows or lists that an array tells. */
static enum fw_status bind_length(struct fw_worker *worker, const char *text, char *name,
                                  const char *value)
{
    name[strlen(name) - strlen(".length")] = '\0';
    const struct fw_kernel *record = worker->record;
    uint32_t parameter = fw_session_find_argument(record, name);
    struct notes notes = {.count = 0};
    int64_t whole;
    double length;
    bool told = false;
    if (parameter == FW_NONE)
        return no_such_argument(worker, text, name);
    if (fw_text_integer(value, true, &whole))
        length = (double)whole;
    else if (!number(value, &length))
        length = 0;
    if (!(length > 0) || length > 0x1p31)
        return refuse(worker, text, "a mean length is a number of entries, more than 0", NULL);
    for (uint32_t o = 0; o < record->opaque_count; o++) {
        const struct fw_opaque *opaque = &record->opaques[o];
        uint32_t from = (opaque->row || opaque->is_length) && opaque->array != FW_NONE
                            ? record->arrays[opaque->array].parameter
                            : FW_NONE;
        told |= from == parameter;
        if (from != FW_NONE)
            note(&notes, "%s tells lengths",
                 fw_session_short_name(record, record->parameters[from].name));
    }
    if (!told)
        return refuse(worker, text,
                      "no loop goes through rows or lists whose lengths this array tells", &notes);
    worker->launch->lengths[parameter] = length;
    return FW_OK;
}

/* `-s ARRAY.displacement=`: how many elements data move places in an array from threads' own. */
static enum fw_status bind_displacement(struct fw_worker *worker, const char *text, char *name,
                                        const char *value)
{
    name[strlen(name) - strlen(".displacement")] = '\0';
    const struct fw_kernel *record = worker->record;
    uint32_t parameter = fw_session_find_argument(record, name);
    int64_t elements;
    bool used = false;
    if (parameter == FW_NONE)
        return no_such_argument(worker, text, name);
    if (!fw_text_integer(value, true, &elements) || elements < 0 || elements > INT32_MAX)
        return refuse(worker, text, "a displacement is a number of elements, 0 or more", NULL);
    for (uint32_t a = 0; a < record->access_count; a++) {
        const struct fw_access *access = &record->accesses[a];
        const bool here = access->array != FW_NONE &&
                          record->arrays[access->array].parameter == parameter && access->data;
        for (uint32_t p = 0; here && p < access->data->part_count; p++)
            used |= access->data->parts[p].displaced || access->data->parts[p].loaded != FW_NONE;
    }
    if (!used)
        return refuse(worker, text,
                      "data move no access to this array from a place of the thread's own", NULL);
    worker->launch->displacements[parameter] = (double)elements;
    return FW_OK;
}

/* `-s ARRAY.kind=`: the order of an index array, by its own name or by that of what it indexes. */
static enum fw_status bind_kind(struct fw_worker *worker, const char *text, char *name,
                                const char *value)
{
    static const char *const kinds[] = {[FW_INDEX_RANDOM] = "random",
                                        [FW_INDEX_NEIGHBOURS] = "neighbours",
                                        [FW_INDEX_SORTED] = "sorted"};
    name[strlen(name) - strlen(".kind")] = '\0';
    uint32_t parameter = fw_session_find_argument(worker->record, name);
    if (parameter == FW_NONE)
        return no_such_argument(worker, text, name);
    for (uint8_t k = FW_INDEX_RANDOM; k <= FW_INDEX_SORTED; k++)
        if (strcmp(value, kinds[k]) == 0) {
            worker->kinds[parameter] = k;
            return FW_OK;
        }
    return refuse(worker, text, "a kind is random, neighbours or sorted", NULL);
}

/* `-s ARRAY.array=`: what the array is called in a sequence of launches. */
static enum fw_status bind_name(struct fw_worker *worker, const char *text, char *name,
                                const char *value)
{
    name[strlen(name) - strlen(".array")] = '\0';
    uint32_t parameter = fw_session_find_argument(worker->record, name);
    if (parameter == FW_NONE)
        return no_such_argument(worker, text, name);
    if (!worker->record->parameters[parameter].is_pointer)
        return refuse(worker, text, "only pointers are arrays", NULL);
    if (!*value)
        return refuse(worker, text, "the array's name is missing", NULL);
    worker->names[parameter] = fw_arena_text(worker->arena, value, strlen(value));
    return FW_OK;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

enum fw_status fw_session_worker_bind(struct fw_worker *worker, const char *text)
{
    char name[LONGEST_NAME];
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || (size_t)(equals - text) >= sizeof(name))
        return refuse(worker, text, "a value is stated as NAME=VALUE", NULL);
    memcpy(name, text, (size_t)(equals - text));
    name[equals - text] = '\0';
    if (strncmp(name, "taken@", 6) == 0 || strncmp(name, "trips@", 6) == 0)
        return bind_unknown(worker, text, name, equals + 1, name[1] == 'r');
    if (strncmp(name, "bytes@", 6) == 0 || strncmp(name, "operations@", 11) == 0)
        return bind_quantity(worker, text, name, equals + 1);
    uint32_t parameter = fw_session_find_argument(worker->record, name);
    if (parameter != FW_NONE)
        return bind_argument(worker, text, parameter, equals + 1);
    if (ends_with(name, ".spread"))
        return bind_spread(worker, text, name, equals + 1);
    if (ends_with(name, ".bytes"))
        return bind_size(worker, text, name, equals + 1);
    if (ends_with(name, ".length"))
        return bind_length(worker, text, name, equals + 1);
    if (ends_with(name, ".displacement"))
        return bind_displacement(worker, text, name, equals + 1);
    if (ends_with(name, ".kind"))
        return bind_kind(worker, text, name, equals + 1);
    if (ends_with(name, ".align"))
        return bind_alignment(worker, text, name, equals + 1);
    if (ends_with(name, ".array"))
        return bind_name(worker, text, name, equals + 1);
    return no_such_argument(worker, text, name);
}
