/* Lists of launches, and what their sources say of kernels.  See campaign_internal.h. */
#include "campaign_internal.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>

/* Types of scalars, as CUDA C++ and OpenCL C write them, and as a plan does. */
static const struct {
    const char *written, *plan;
} scalars[] = {{"int", "s32"},
               {"unsigned", "u32"},
               {"unsigned int", "u32"},
               {"uint", "u32"},
               {"float", "f32"},
               {"double", "f64"},
               {"long", "s64"},
               {"long long", "s64"},
               {"unsigned long", "u64"},
               {"unsigned long long", "u64"},
               {"ulong", "u64"},
               {"size_t", "u64"},
               {"half", "f16"},
               {"__half", "f16"},
               {"__nv_bfloat16", "bf16"},
               {"char", "s8"},
               {"signed char", "s8"},
               {"unsigned char", "u8"},
               {"uchar", "u8"},
               {"short", "s16"},
               {"unsigned short", "u16"},
               {"ushort", "u16"},
               {"int8_t", "s8"},
               {"uint8_t", "u8"},
               {"int16_t", "s16"},
               {"uint16_t", "u16"},
               {"int32_t", "s32"},
               {"uint32_t", "u32"},
               {"int64_t", "s64"},
               {"uint64_t", "u64"},
               /* PTX's; the bits of a whole number are the same with a sign and without */
               {".f16", "f16"},
               {".f32", "f32"},
               {".f64", "f64"},
               {".u8", "u8"},
               {".s8", "s8"},
               {".u16", "u16"},
               {".s16", "s16"},
               {".b32", "u32"},
               {".u32", "u32"},
               {".s32", "s32"},
               {".b64", "u64"},
               {".u64", "u64"},
               {".s64", "s64"}};

bool campaign_is_type(const char *text)
{
    for (size_t i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++)
        if (strcmp(scalars[i].plan, text) == 0)
            return true;
    return false;
}

static const char *plan_type(struct fw_arena *arena, const char *written)
{
    static const char *const ignored[] = {"const", "__const", "volatile", "private", "__private"};
    struct fw_buffer plain = fw_buffer_new(arena);
    for (const char *at = written + strspn(written, " \t\n"); *at;) {
        size_t length = strcspn(at, " \t\n");
        bool skip = false;
        for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
            skip = skip || (strlen(ignored[i]) == length && memcmp(ignored[i], at, length) == 0);
        if (!skip)
            fw_buffer_printf(&plain, "%s%.*s", plain.length ? " " : "", (int)length, at);
        at += length;
        at += strspn(at, " \t\n");
    }
    for (size_t i = 0; plain.length && i < sizeof(scalars) / sizeof(scalars[0]); i++)
        if (strcmp(scalars[i].written, plain.text) == 0)
            return scalars[i].plan;
    return NULL;
}

/* Whether a word is in a list separated by commas; any word, when there is no list. */
static bool among(const char *list, const char *word)
{
    size_t length = strlen(word);
    if (!list)
        return true;
    for (const char *at = list;; at += strcspn(at, ",") + 1) {
        if (strcspn(at, ",") == length && memcmp(at, word, length) == 0)
            return true;
        if (!at[strcspn(at, ",")])
            return false;
    }
}

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

/* One array, or one object a line. */
static json_t *parse(struct campaign_run *run, const struct fw_source *text)
{
    json_error_t error = {0};
    size_t blank = strspn(text->text, " \t\r\n");
    if (text->text[blank] == '[') {
        json_t *array = json_loadb(text->text, text->length, JSON_REJECT_DUPLICATES, &error);
        if (!array)
            fw_report(run->sink, FW_ERROR, "CAM001",
                      fw_span_at(text, (size_t)error.line, (size_t)error.column), "%s", error.text);
        return array;
    }
    json_t *list = json_array();
    int line = 1;
    for (const char *at = text->text; *at && list; line++) {
        size_t length = strcspn(at, "\n");
        if (strspn(at, " \t\r\n") < length) {
            json_t *one = json_loadb(at, length, JSON_REJECT_DUPLICATES, &error);
            if (!one) {
                fw_report(run->sink, FW_ERROR, "CAM001",
                          fw_span_at(text, (size_t)line, (size_t)error.column), "%s", error.text);
                json_decref(list);
                return NULL;
            }
            json_array_append_new(list, one);
        }
        at += length + (at[length] == '\n');
    }
    return list;
}

/* Whether a text may stand in a plan, which has one thing a line and names between quotes. */
static bool fits_plan(const char *text)
{
    for (const char *at = text; *at; at += fw_text_character(at))
        if (*at == '"' || !fw_text_character(at) || fw_text_is_control(at))
            return false;
    return true;
}

static bool members_fit_plan(const json_t *object)
{
    static const char *const repeated[] = {"file",  "kernel", "name", "size",
                                           "shape", "type",   "fill"};
    bool good = true;
    for (size_t i = 0; i < sizeof(repeated) / sizeof(repeated[0]); i++)
        good = good && (!text_of(object, repeated[i]) || fits_plan(text_of(object, repeated[i])));
    return good;
}

/* The texts of a launch and of its buffers that a plan repeats. */
static bool texts_fit_plan(const json_t *launch)
{
    bool good = members_fit_plan(launch);
    const char *name;
    json_t *buffer;
    json_object_foreach(json_object_get(launch, "buffers"), name, buffer)
    {
        good = good && fits_plan(name) && members_fit_plan(buffer);
    }
    return good;
}

static enum fw_status check(struct campaign_run *run, const char *path, size_t index,
                            const json_t *launch)
{
    static const char *const texts[] = {"file", "kernel"};
    static const char *const triples[] = {"grid", "block"};
    for (size_t i = 0; i < 2; i++) {
        const char *value = text_of(launch, texts[i]);
        if (!value || !*value) {
            fw_report_file(run->sink, FW_ERROR, "CAM001", path, "launch %zu has no \"%s\"",
                           index + 1, texts[i]);
            return FW_ERROR_INPUT;
        }
    }
    if (!texts_fit_plan(launch)) {
        fw_report_file(run->sink, FW_ERROR, "CAM001", path,
                       "launch %zu: a text of it, or of a buffer, has quotes or control characters",
                       index + 1);
        return FW_ERROR_INPUT;
    }
    for (size_t i = 0; i < 2; i++) {
        const json_t *value = json_object_get(launch, triples[i]);
        bool good = json_array_size(value) >= 1 && json_array_size(value) <= 3;
        for (size_t j = 0; j < json_array_size(value); j++)
            good = good && json_integer_value(json_array_get(value, j)) > 0;
        if (!good) {
            fw_report_file(run->sink, FW_ERROR, "CAM001", path,
                           "launch %zu (%s): \"%s\" is not [X, Y, Z]", index + 1,
                           text_of(launch, "kernel"), triples[i]);
            return FW_ERROR_INPUT;
        }
    }
    return FW_OK;
}

/* Every name of "A,B" is some launch's: one that is not was misspelt. */
static enum fw_status all_known(struct campaign_run *run, const char *path, const json_t *list,
                                const char *key, const char *names)
{
    for (const char *at = names; at && *at;) {
        size_t length = strcspn(at, ","), i;
        const char *name = fw_arena_text(run->arena, at, length);
        bool found = false;
        json_t *launch;
        json_array_foreach(list, i, launch)
        {
            const char *value = text_of(launch, key);
            found = found || (value && strcmp(value, name) == 0);
        }
        if (!found) {
            fw_report_file(run->sink, FW_ERROR, "CAM001", path, "no launch has the %s '%s'", key,
                           name);
            return FW_ERROR_INPUT;
        }
        at += length + (at[length] == ',');
    }
    return FW_OK;
}

enum fw_status campaign_list_read(struct campaign_run *run, json_t **list, const char **folder)
{
    struct stat about;
    struct fw_source text;
    const char *from = run->campaign->from, *path = from;
    if (stat(from, &about) == 0 && S_ISDIR(about.st_mode))
        path = fw_arena_printf(run->arena, "%s/launches.json", from);
    const char *slash = strrchr(path, '/');
    *folder = slash ? fw_arena_text(run->arena, path, (size_t)(slash - path)) : ".";
    *list = NULL;
    enum fw_status status = fw_store_read_file(&text, run->arena, path, run->sink);
    if (status)
        return status;
    json_t *all = parse(run, &text);
    json_t *chosen = all ? json_array() : NULL;
    for (size_t i = 0; i < json_array_size(all) && !status; i++) {
        json_t *launch = json_array_get(all, i);
        const char *size = text_of(launch, "size");
        status = check(run, path, i, launch);
        if (!status && among(run->campaign->kernels, text_of(launch, "kernel")) &&
            (!run->campaign->sizes || (size && among(run->campaign->sizes, size))))
            json_array_append(chosen, launch);
    }
    if (!all)
        status = FW_ERROR_INPUT;
    if (!status)
        status = all_known(run, path, all, "kernel", run->campaign->kernels);
    if (!status)
        status = all_known(run, path, all, "size", run->campaign->sizes);
    json_decref(all);
    if (!status && json_array_size(chosen) == 0) {
        fw_report_file(run->sink, FW_ERROR, "CAM001", path, "no launch of these sizes and kernels");
        status = FW_ERROR_INPUT;
    }
    *list = chosen;
    return status;
}

/* Comments become blanks, so that places stay. */
static const char *without_comments(struct fw_arena *arena, const struct fw_source *text)
{
    char *plain = fw_arena_text(arena, text->text, text->length);
    for (char *at = plain; *at;) {
        if (at[0] == '/' && at[1] == '/') {
            while (*at && *at != '\n')
                *at++ = ' ';
        } else if (at[0] == '/' && at[1] == '*') {
            at[0] = at[1] = ' ';
            for (at += 2; *at && !(at[0] == '*' && at[1] == '/'); at++)
                *at = *at == '\n' ? '\n' : ' ';
            if (*at)
                at[0] = at[1] = ' ';
        } else {
            at++;
        }
    }
    return plain;
}

enum fw_status campaign_source_read(struct campaign_run *run, struct campaign_source *source,
                                    const char *path)
{
    size_t length = strlen(path);
    *source = (struct campaign_source){.path = path};
    source->is_ptx = length > 4 && strcmp(path + length - 4, ".ptx") == 0;
    enum fw_status status = fw_store_read_file(&source->text, run->arena, path, run->sink);
    if (status)
        return status;
    source->plain = without_comments(run->arena, &source->text);
    if (!source->is_ptx)
        fw_signatures_read(&source->signatures, run->arena, source->text.text, source->text.length,
                           length > 3 && strcmp(path + length - 3, ".cl") == 0);
    return FW_OK;
}

static bool is_word(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_' || letter == '$' || letter == '.';
}

/* The entry's list of parameters in PTX, behind its parenthesis; NULL: no such entry. */
static const char *ptx_parameters(const struct campaign_source *source, const char *kernel)
{
    size_t length = strlen(kernel);
    for (const char *at = source->plain; (at = strstr(at, ".entry"));) {
        at += strlen(".entry");
        const char *name = at + strspn(at, " \t\n");
        if (strncmp(name, kernel, length) == 0 && !is_word(name[length])) {
            const char *open = name + length + strspn(name + length, " \t\n");
            return *open == '(' ? open + 1 : "";
        }
    }
    return NULL;
}

/* PTX has no names: a launch gives them in "parameters", or its arguments have numbers for names.
 */
static const char *read_ptx(struct campaign_run *run, campaign_parameters *parameters,
                            const struct campaign_source *source, const json_t *launch)
{
    const json_t *names = json_object_get(launch, "parameters");
    const json_t *buffers = json_object_get(launch, "buffers");
    const char *at = ptx_parameters(source, text_of(launch, "kernel"));
    if (!at)
        return "the source has no such kernel";
    for (; *at && *at != ')'; at += *at == ',') {
        const char *type = NULL;
        for (at += strspn(at, " \t\n"); *at && *at != ',' && *at != ')';
             at += strspn(at, " \t\n")) {
            size_t length = strcspn(at, " \t\n,)");
            if (*at == '.' && strncmp(at, ".param", length) != 0)
                type = type ? type : fw_arena_text(run->arena, at, length);
            at += length;
        }
        if (!type)
            break;
        struct campaign_parameter *one = FW_APPEND(run->arena, parameters);
        const char *name = json_string_value(json_array_get(names, parameters->count - 1));
        one->name = name ? name : fw_arena_printf(run->arena, "%zu", parameters->count - 1);
        one->pointer = json_object_get(buffers, one->name) != NULL;
        one->type = plan_type(run->arena, type);
    }
    return NULL;
}

const char *campaign_parameters_find(struct campaign_run *run, campaign_parameters *parameters,
                                     const struct campaign_source *source, const json_t *launch)
{
    parameters->count = 0;
    if (source->is_ptx)
        return read_ptx(run, parameters, source, launch);
    const struct fw_signature *signature =
        fw_signature_find(&source->signatures, text_of(launch, "kernel"), SIZE_MAX);
    if (!signature)
        return "the source has no such kernel";
    for (size_t i = 0; i < signature->parameters.count; i++) {
        const struct fw_signature_parameter *from = &signature->parameters.at[i];
        struct campaign_parameter *one = FW_APPEND(run->arena, parameters);
        one->name = from->name;
        one->pointer = from->pointer;
        one->type = from->pointer ? NULL : plan_type(run->arena, from->type);
    }
    return NULL;
}

/* Behind the bracket that closes the one at `at`. */
static const char *behind(const char *at, const char *last, char open, char close)
{
    size_t depth = 0;
    for (; at < last; at++) {
        depth += *at == open;
        if (*at == close && --depth == 0)
            return at + 1;
    }
    return last;
}

/* What stands before an assignment's target: the end of another statement, or of a condition. */
static bool opens_statement(const char *first, const char *at)
{
    while (at > first && isspace((unsigned char)at[-1]))
        at--;
    if (at == first || strchr(";{})", at[-1]))
        return true;
    return at - first >= 4 && memcmp(at - 4, "else", 4) == 0 &&
           (at - first == 4 || !is_word(at[-5]));
}

bool campaign_only_assigned(const struct campaign_source *source, const char *kernel,
                            const char *name)
{
    const struct fw_signature *signature = fw_signature_find(&source->signatures, kernel, SIZE_MAX);
    size_t length = strlen(name), mentions = 0;
    if (!signature)
        return false;
    const char *first = source->plain + signature->offset;
    first += strcspn(first, "{");
    const char *last = behind(first, source->plain + source->text.length, '{', '}');
    for (const char *at = first; at < last && (at = strstr(at, name)) && at < last; at += length) {
        if (is_word(at[-1]) || is_word(at[length]))
            continue;
        const char *next = at + length;
        while (next < last && isspace((unsigned char)*next))
            next++;
        if (*next != '[' || !opens_statement(first, at))
            return false;
        next = behind(next, last, '[', ']');
        while (next < last && isspace((unsigned char)*next))
            next++;
        if (next[0] != '=' || next[1] == '=')
            return false;
        mentions++;
    }
    return mentions > 0;
}
