/* The plan of a list of launches, and its sources.  See campaign_internal.h. */
#include "campaign_internal.h"
#include "file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file that launches name, once. */
struct file {
    const char *name;              /* as the list has it */
    const char *stem;              /* of what stands beside the plan: "copy" for "copy.ptx" */
    const char *planned;           /* name of the source beside the plan */
    const char *missing;           /* why its launches are left out; NULL: they are not */
    struct campaign_source source; /* that says what the parameters are */
    struct campaign_source cuda;   /* that says what is only assigned; may be the same */
    struct fw_source text;         /* what goes beside the plan */
    bool compiled;                 /* by job `job` */
    size_t job;
};

struct planning {
    struct campaign_run *run;
    const char *folder; /* of the list */
    const char *beside; /* folder of the plan */
    FW_VECTOR(struct file) files;
    FW_VECTOR(struct fw_compile_job) jobs;
    struct fw_buffer plan;
    struct fw_map names;
    size_t *round; /* in which each launch of the list is measured */
};

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static bool is_there(const char *path)
{
    return access(path, R_OK) == 0;
}

static bool has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name), tail = strlen(suffix);
    return length > tail && strcmp(name + length - tail, suffix) == 0;
}

static enum fw_status read_text(struct planning *planning, struct file *file, const char *path)
{
    return fw_store_read_file(&file->text, planning->run->arena, path, planning->run->sink);
}

/* The source that OpenCL builds: the .cl itself, or the one beside a .cu. */
static enum fw_status prepare_opencl(struct planning *planning, struct file *file, const char *base)
{
    struct fw_arena *arena = planning->run->arena;
    const char *path = fw_arena_printf(arena, "%s.cl", base);
    file->planned = fw_arena_printf(arena, "%s.cl", file->stem);
    if (!is_there(path)) {
        file->missing = "there is no OpenCL source of it";
        return FW_OK;
    }
    enum fw_status status = campaign_source_read(planning->run, &file->source, path);
    file->text = file->source.text;
    return status;
}

static enum fw_status prepare_ptx(struct planning *planning, struct file *file, const char *path)
{
    struct campaign_run *run = planning->run;
    const char *made = run->campaign->ptx ? fw_arena_printf(run->arena, "%s/%s.ptx",
                                                            run->campaign->ptx, file->stem)
                                          : NULL;
    enum fw_status status = campaign_source_read(run, &file->source, path);
    file->planned = fw_arena_printf(run->arena, "%s.ptx", file->stem);
    if (status || file->source.is_ptx || made) {
        file->text = file->source.text;
        if (!status && made && !is_there(made))
            file->missing = "the folder of PTX has none of it";
        return status || !made || file->missing ? status : read_text(planning, file, made);
    }
    struct fw_compile_job *job = FW_APPEND(run->arena, &planning->jobs);
    job->input.path = path;
    job->options = run->campaign->compile;
    job->options.language = has_suffix(path, ".cl") ? FW_LANGUAGE_OPENCL : FW_LANGUAGE_CUDA;
    job->options.target = run->target;
    file->compiled = true;
    file->job = planning->jobs.count - 1;
    return FW_OK;
}

static enum fw_status find_file(struct planning *planning, const char *name, struct file **found)
{
    struct fw_arena *arena = planning->run->arena;
    for (size_t i = 0; i < planning->files.count; i++)
        if (strcmp(planning->files.at[i].name, name) == 0) {
            *found = &planning->files.at[i];
            return FW_OK;
        }
    struct file *file = FW_APPEND(arena, &planning->files);
    const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
    const char *dot = strrchr(last, '.');
    const char *path = name[0] == '/' ? fw_arena_printf(arena, "%s", name)
                                      : fw_arena_printf(arena, "%s/%s", planning->folder, name);
    const char *base = fw_arena_text(arena, path, strlen(path) - (dot ? strlen(dot) : 0));
    file->name = fw_arena_printf(arena, "%s", name);
    file->stem = fw_arena_text(arena, last, strlen(last) - (dot ? strlen(dot) : 0));
    *found = file;
    if (!dot || (strcmp(dot, ".cu") != 0 && strcmp(dot, ".cl") != 0 && strcmp(dot, ".ptx") != 0)) {
        file->missing = "its file is no .cu, .cl or .ptx";
        return FW_OK;
    }
    return strcmp(planning->run->backend, "opencl") == 0 ? prepare_opencl(planning, file, base)
                                                         : prepare_ptx(planning, file, path);
}

/* Numbers with all their digits; what the list wrote as a whole number stays one. */
static void add_number(struct fw_buffer *to, const json_t *value)
{
    if (json_is_integer(value))
        fw_buffer_printf(to, " %lld", (long long)json_integer_value(value));
    else
        fw_buffer_printf(to, " %.17g", json_number_value(value));
}

/* A word of a plan, where quotes, blanks and the sign of a comment say something. */
static bool is_word(const char *text)
{
    for (const char *at = text; *at; at++)
        if (strchr("\"# ", *at) || iscntrl((unsigned char)*at))
            return false;
    return *text != '\0';
}

static bool is_fill(const char *text)
{
    static const char *const fills[] = {"zero",        "random", "ramp",
                                        "permutation", "cycle",  "untouched"};
    for (size_t i = 0; i < sizeof(fills) / sizeof(fills[0]); i++)
        if (strcmp(fills[i], text) == 0)
            return true;
    return false;
}

static const char *add_buffer(struct fw_buffer *to, const char *name, const json_t *buffer)
{
    const char *type = text_of(buffer, "type"), *fill = text_of(buffer, "fill");
    const json_t *count = json_object_get(buffer, "count");
    const json_t *low = json_object_get(buffer, "low"), *high = json_object_get(buffer, "high");
    const json_t *step = json_object_get(buffer, "step"),
                 *jitter = json_object_get(buffer, "jitter");
    if (!type || !fill || !json_is_integer(count))
        return "a buffer lacks type, count or fill";
    if (!campaign_is_type(type))
        return "a buffer is of a type that no plan has";
    if (!is_fill(fill))
        return "a buffer has a fill that no plan has";
    fw_buffer_printf(to, "    buffer %s %s %lld %s", name, type,
                     (long long)json_integer_value(count), fill);
    if (strcmp(fill, "random") == 0 && (low || high)) {
        fw_buffer_printf(to, " %.17g", low ? json_number_value(low) : 0);
        fw_buffer_printf(to, " %.17g", high ? json_number_value(high) : 1);
    } else if (strcmp(fill, "ramp") == 0) {
        long long most = json_integer_value(jitter);
        fw_buffer_printf(to, " %.17g %.17g %lld", json_number_value(low),
                         step ? json_number_value(step) : 1, most > 0 ? most : 1);
    }
    fw_buffer_add(to, "\n", 1);
    return NULL;
}

static double bytes_of(const json_t *launch)
{
    double bytes = 0;
    const char *name;
    json_t *buffer;
    json_object_foreach(json_object_get(launch, "buffers"), name, buffer)
    {
        const char *type = text_of(buffer, "type");
        size_t length = type ? strlen(type) : 0;
        double width = length && type[length - 1] == '8'                    ? 1
                       : length > 1 && strcmp(type + length - 2, "16") == 0 ? 2
                       : length > 1 && strcmp(type + length - 2, "64") == 0 ? 8
                                                                            : 4;
        bytes += width * json_number_value(json_object_get(buffer, "count"));
    }
    return bytes;
}

static const char *add_arguments(struct planning *planning, struct file *file, const json_t *launch)
{
    struct fw_buffer *to = &planning->plan;
    const json_t *arguments = json_object_get(launch, "arguments");
    const json_t *buffers = json_object_get(launch, "buffers");
    campaign_parameters parameters = {0};
    const char *why = campaign_parameters_find(planning->run, &parameters, &file->source, launch);
    for (size_t i = 0; !why && i < parameters.count; i++) {
        const struct campaign_parameter *one = &parameters.at[i];
        const json_t *value = json_object_get(arguments, one->name);
        const json_t *buffer = json_object_get(buffers, one->name);
        if (one->pointer) {
            why = buffer ? add_buffer(to, one->name, buffer) : "a pointer has no buffer";
        } else if (!one->type || !json_is_number(value)) {
            why = one->type ? "a scalar has no value" : "a scalar is of a type that no plan has";
        } else {
            fw_buffer_printf(to, "    scalar %s %s", one->name, one->type);
            add_number(to, value);
            fw_buffer_add(to, "\n", 1);
        }
    }
    return why;
}

static void add_outputs(struct planning *planning, const struct file *file, const json_t *launch)
{
    const char *kernel = text_of(launch, "kernel");
    size_t i;
    json_t *output;
    json_array_foreach(json_object_get(launch, "outputs"), i, output)
    {
        const char *name = json_string_value(output);
        const json_t *buffer =
            json_object_get(json_object_get(launch, "buffers"), name ? name : "");
        const char *fill = text_of(buffer, "fill");
        bool fresh = fill && strcmp(fill, "zero") == 0 && !file->source.is_ptx &&
                     campaign_only_assigned(&file->source, kernel, name);
        if (!name || !buffer || !is_word(name))
            continue;
        fw_buffer_printf(&planning->plan, "    output %s%s\n", name, fresh ? " poison" : "");
        if (planning->run->campaign->restore && !fresh)
            fw_buffer_printf(&planning->plan, "    restore %s\n", name);
    }
}

static void add_triple(struct fw_buffer *to, const char *name, const json_t *triple)
{
    size_t i;
    json_t *value;
    fw_buffer_printf(to, "    %s", name);
    json_array_foreach(triple, i, value)
        fw_buffer_printf(to, " %lld", (long long)json_integer_value(value));
    fw_buffer_add(to, "\n", 1);
}

/* "copy copy medium 128x1x1": file, kernel, and what tells launches of one kernel apart. */
static const char *name_of(struct planning *planning, const struct file *file, const json_t *launch)
{
    struct fw_arena *arena = planning->run->arena;
    const char *size = text_of(launch, "size"), *shape = text_of(launch, "shape");
    const char *given = text_of(launch, "name");
    const char *name =
        given ? given
              : fw_arena_printf(arena, "%s %s%s%s%s%s", file->stem, text_of(launch, "kernel"),
                                size ? " " : "", size ? size : "", shape ? " " : "",
                                shape ? shape : "");
    struct fw_map_entry *entry = fw_map_add(&planning->names, name, strlen(name), NULL);
    return entry->value++ ? fw_arena_printf(arena, "%s (%u)", name, entry->value) : name;
}

static enum fw_status add_launch(struct planning *planning, const json_t *launch)
{
    struct campaign_run *run = planning->run;
    struct fw_buffer *to = &planning->plan;
    size_t before = to->length;
    struct file *file;
    enum fw_status status = find_file(planning, text_of(launch, "file"), &file);
    if (status)
        return status;
    long long shared = json_integer_value(json_object_get(launch, "shared"));
    double bytes = bytes_of(launch);
    const char *name = name_of(planning, file, launch), *why = file->missing;
    if (!why && shared && strcmp(run->backend, "opencl") == 0)
        why = "launch-time shared memory is CUDA's";
    if (!why && run->campaign->most_bytes > 0 && bytes > run->campaign->most_bytes)
        why = "its buffers are larger than was allowed";
    if (!why) {
        fw_buffer_printf(to, "\nconfiguration \"%s\"\n    source \"%s\"\n    kernel %s\n", name,
                         file->planned, text_of(launch, "kernel"));
        add_triple(to, "grid", json_object_get(launch, "grid"));
        add_triple(to, "block", json_object_get(launch, "block"));
        if (shared)
            fw_buffer_printf(to, "    shared %lld\n", shared);
        why = add_arguments(planning, file, launch);
    }
    if (why) {
        to->length = before;
        run->result->left_out++;
        fw_report(run->sink, FW_WARNING, "CAM005", (struct fw_span){0}, "left out: %s: %s", name,
                  why);
        return FW_OK;
    }
    add_outputs(planning, file, launch);
    fw_buffer_printf(to, "end\n");
    run->result->configurations++;
    return FW_OK;
}

/* Between configurations, so that one's heat is not the next one's. */
static const double pause_seconds = 0.1;

static void add_head(struct planning *planning)
{
    const struct fw_campaign *campaign = planning->run->campaign;
    struct fw_buffer *to = &planning->plan;
    fw_buffer_printf(to, "plan 1\npause %g\ncache %s\n", pause_seconds,
                     campaign->cold ? "cold" : "warm");
    if (campaign->trials)
        fw_buffer_printf(to, "trials %u\n", campaign->trials);
    if (campaign->settle_seconds >= 0)
        fw_buffer_printf(to, "settle %g\n", campaign->settle_seconds);
    if (campaign->energy_seconds > 0)
        fw_buffer_printf(to, "energy %g\n", campaign->energy_seconds);
    if (campaign->limit_seconds > 0)
        fw_buffer_printf(to, "limit %g\n", campaign->limit_seconds);
}

static enum fw_status write_sources(struct planning *planning)
{
    struct campaign_run *run = planning->run;
    enum fw_status status = FW_OK;
    if (planning->jobs.count)
        status = fw_compile_batch(planning->jobs.at, planning->jobs.count, 0, run->arena, NULL,
                                  run->sink);
    for (size_t i = 0; i < planning->files.count && !status; i++) {
        struct file *file = &planning->files.at[i];
        const struct fw_compiled *compiled =
            file->compiled ? &planning->jobs.at[file->job].compiled : NULL;
        if (!file->missing)
            status = campaign_file_write(
                run, fw_arena_printf(run->arena, "%s/%s", planning->beside, file->planned),
                compiled ? compiled->ptx : file->text.text,
                compiled ? compiled->ptx_length : file->text.length);
    }
    return status;
}

/* Launches of one kernel and size are one study: its first launches are all in round 0, its second
 * in round 1, and so on.  Measured round by round, whatever drifts meanwhile (heat, other work)
 * does not follow the shape of the blocks.  The number of rounds. */
static size_t find_rounds(struct planning *planning, const json_t *list)
{
    struct fw_map studies = fw_map_new(planning->run->arena);
    size_t count = json_array_size(list), rounds = 0;
    planning->round = FW_ARRAY(planning->run->arena, size_t, count + 1);
    for (size_t i = 0; i < count; i++) {
        const json_t *launch = json_array_get(list, i);
        const char *size = text_of(launch, "size");
        const char *study =
            fw_arena_printf(planning->run->arena, "%s\n%s\n%s", text_of(launch, "file"),
                            text_of(launch, "kernel"), size ? size : "");
        struct fw_map_entry *entry = fw_map_add(&studies, study, strlen(study), NULL);
        planning->round[i] = entry->value++;
        if (planning->round[i] >= rounds)
            rounds = planning->round[i] + 1;
    }
    return rounds;
}

/* Whether the folder is one of the system's devices or processes: /dev/stdout is there, whatever it
 * leads to. */
static bool is_of_system(struct fw_arena *scratch, const char *folder)
{
    static const char *const names[] = {"/dev/", "/proc/", "/sys/"};
    char *real = realpath(folder, NULL);
    const char *path = real ? fw_arena_printf(scratch, "%s/", real) : "";
    free(real);
    if (strncmp(path, "/dev/shm/", strlen("/dev/shm/")) == 0)
        return false;
    for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
        if (strncmp(path, names[n], strlen(names[n])) == 0)
            return true;
    return false;
}

enum fw_status campaign_plan_write(struct campaign_run *run, const char *path)
{
    struct planning planning = {.run = run};
    json_t *list = NULL;
    const char *slash = strrchr(path, '/'), *why = fw_file_refuses(path);
    planning.beside = !slash          ? "."
                      : slash == path ? "/"
                                      : fw_arena_text(run->arena, path, (size_t)(slash - path));
    if (!why && is_of_system(run->arena, planning.beside))
        why = "its sources cannot be written beside it";
    if (why) { /* before its sources are written beside it */
        fw_report_file(run->sink, FW_ERROR, "CAM002", path, "%s", why);
        return FW_ERROR_MACHINE;
    }
    planning.plan = fw_buffer_new(run->arena);
    planning.names = fw_map_new(run->arena);
    enum fw_status status = campaign_list_read(run, &list, &planning.folder);
    if (!status)
        add_head(&planning);
    size_t rounds = status ? 0 : find_rounds(&planning, list);
    for (size_t round = 0; round < rounds; round++)
        for (size_t i = 0; i < json_array_size(list) && !status; i++)
            if (planning.round[i] == round)
                status = add_launch(&planning, json_array_get(list, i));
    json_decref(list);
    if (!status)
        fw_file_make_folders(run->arena, path);
    if (!status)
        status = write_sources(&planning);
    if (!status)
        status = campaign_file_write(run, path, planning.plan.text, planning.plan.length);
    return status;
}
