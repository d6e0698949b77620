/* Folders of generators, and folders of what was generated. */
#include "generate_internal.h"
#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { GENERATORS_MOST = 1024, PATH_MOST = 4096 };

static enum fw_status cannot(const struct fw_sink *sink, const char *path, const char *why)
{
    fw_report_file(sink, FW_ERROR, "GEN006", path, "%s", why);
    return FW_ERROR_MACHINE;
}

/* ---- generators ---- */

static enum fw_status read_file(const struct fw_source **source, struct fw_arena *arena,
                                const char *path, const struct fw_sink *sink)
{
    struct fw_source *read = FW_NEW(arena, struct fw_source);
    const char *why = fw_file_text(read, arena, path, GENERATE_TEXT_MOST);
    *source = read;
    return why ? cannot(sink, path, why) : FW_OK;
}

static int by_name(const void *a, const void *b)
{
    const char *const *one = a, *const *two = b;
    return strcmp(*one, *two);
}

typedef FW_VECTOR(const char *) names;

/* The names of a folder's NAME.tags. */
static enum fw_status list_folder(names *found, struct fw_arena *arena, const char *folder,
                                  const struct fw_sink *sink)
{
    static const char suffix[] = ".tags";
    DIR *open = opendir(folder);
    if (!open)
        return cannot(sink, folder, fw_arena_printf(arena, "cannot be read: %s", strerror(errno)));
    struct dirent *entry;
    while ((entry = readdir(open)) && found->count <= GENERATORS_MOST) {
        size_t length = strlen(entry->d_name);
        if (length > strlen(suffix) && entry->d_name[0] != '.' &&
            strcmp(entry->d_name + length - strlen(suffix), suffix) == 0)
            *FW_APPEND(arena, found) = fw_arena_text(arena, entry->d_name, length - strlen(suffix));
    }
    closedir(open);
    if (found->count > GENERATORS_MOST)
        return cannot(sink, folder, "there are more than 1,024 generators in it");
    if (!found->count)
        return cannot(sink, folder, "there is no generator in it: no NAME.tags");
    qsort(found->at, found->count, sizeof(*found->at), by_name);
    return FW_OK;
}

static enum fw_status add_generator(fw_generators *generators, struct fw_arena *arena,
                                    const char *folder, const char *name,
                                    const struct fw_sink *sink)
{
    struct fw_generator generator;
    const struct fw_source *file = NULL, *template = NULL;
    enum fw_status status =
        read_file(&file, arena, fw_arena_printf(arena, "%s/%s.tags", folder, name), sink);
    if (!status)
        status = fw_generator_read(&generator, arena, name, file, sink);
    if (!status)
        status =
            read_file(&template, arena, fw_arena_printf(arena, "%s/%s.knl", folder, name), sink);
    if (status)
        return status;
    if (template->length > GENERATE_TEMPLATE_MOST || strlen(template->text) != template->length) {
        fw_report(sink, FW_ERROR, "GEN001", fw_span_of_source(template),
                  "this is no text, or more than 64 KiB");
        return FW_ERROR_INPUT;
    }
    generator.template = template;
    for (size_t g = 0; g < generators->count; g++)
        if (strcmp(generators->at[g].name, name) == 0) {
            const char *note =
                fw_arena_printf(arena, "the other one: %s", generators->at[g].file->name);
            fw_report_notes(sink, FW_ERROR, "GEN007", fw_span_of_source(file), &note, 1,
                            "there is a generator '%s' already: names of variants begin with it, "
                            "and are unique",
                            name);
            return FW_ERROR_INPUT;
        }
    *FW_APPEND(arena, generators) = generator;
    return FW_OK;
}

enum fw_status fw_generators_add_folder(fw_generators *generators, struct fw_arena *arena,
                                        const char *folder, const struct fw_sink *sink)
{
    names found = {0};
    enum fw_status status = list_folder(&found, arena, folder, sink);
    for (size_t n = 0; n < found.count && !status; n++)
        status = add_generator(generators, arena, folder, found.at[n], sink);
    return status;
}

/* ---- what is generated ---- */

static void add_values(struct fw_buffer *to, const struct fw_generate_made *made, bool sizes)
{
    const struct fw_generator *generator = made->variant->generator;
    size_t arguments = generator->arguments.count, all = arguments + generator->lets.count;
    const char *between = "";
    for (size_t v = 0; v < (sizes ? arguments : all); v++) {
        const struct fw_generate_value *value = &made->variant->values[v];
        if (sizes && !generator->arguments.at[v].is_size)
            continue;
        const char *quote = value->is_number ? "" : "\"";
        fw_buffer_printf(to, "%s\"%s\": %s%s%s", between,
                         v < arguments ? generator->arguments.at[v].name
                                       : generator->lets.at[v - arguments].name,
                         quote, value->text, quote);
        between = ", ";
    }
}

/* "random 0 1" */
static void add_fill(struct fw_buffer *to, const char *fill)
{
    char *end;
    size_t word = strcspn(fill, " \t");
    fw_buffer_printf(to, "\"fill\": \"%.*s\"", (int)word, fill);
    double low = strtod(fill + word, &end);
    if (end == fill + word)
        return;
    fw_buffer_printf(to, ", \"low\": %.17g", low);
    const char *rest = end;
    double high = strtod(rest, &end);
    if (end != rest)
        fw_buffer_printf(to, ", \"high\": %.17g", high);
}

static void add_buffers(struct fw_buffer *to, const struct fw_generate_made *made)
{
    const char *between = "";
    fw_buffer_printf(to, ", \"buffers\": {");
    for (size_t b = 0; b < made->buffers.count; b++) {
        const struct fw_generate_buffer *buffer = &made->buffers.at[b];
        fw_buffer_printf(to, "%s\"%s\": {\"type\": \"%s\", \"count\": %lld, ", b ? ", " : "",
                         buffer->name, fw_type_text(buffer->type), (long long)buffer->count);
        add_fill(to, buffer->fill);
        fw_buffer_printf(to, "}");
    }
    fw_buffer_printf(to, "}, \"outputs\": [");
    for (size_t b = 0; b < made->buffers.count; b++)
        if (made->buffers.at[b].stored) {
            fw_buffer_printf(to, "%s\"%s\"", between, made->buffers.at[b].name);
            between = ", ";
        }
    fw_buffer_printf(to, "]");
}

static void add_launch(struct fw_buffer *to, const struct fw_generate_made *made)
{
    const struct fw_generator *generator = made->variant->generator;
    const char *stem = made->variant->stem;
    fw_buffer_printf(to, "{\"name\": \"%s\", \"file\": \"%s.cu\", \"kernel\": \"%s\", ",
                     made->variant->name, stem, stem);
    fw_buffer_printf(to, "\"grid\": [%lld, %lld, %lld], \"block\": [%lld, %lld, %lld], ",
                     (long long)made->grid[0], (long long)made->grid[1], (long long)made->grid[2],
                     (long long)made->block[0], (long long)made->block[1],
                     (long long)made->block[2]);
    fw_buffer_printf(to, "\"shared\": 0, \"arguments\": {");
    add_values(to, made, true);
    fw_buffer_printf(to, "}");
    add_buffers(to, made);
    fw_buffer_printf(to, ", \"data_dependent\": false, \"knl\": \"%s.knl\", \"generator\": \"%s\"",
                     stem, generator->name);
    fw_buffer_printf(to, ", \"values\": {");
    add_values(to, made, false);
    fw_buffer_printf(to, "}, \"expected\": {");
    for (size_t e = 0; e < made->expected.count; e++)
        fw_buffer_printf(to, "%s\"%s\": %s", e ? ", " : "", made->expected.at[e].what,
                         made->expected.at[e].count.text);
    fw_buffer_printf(to, "}}");
}

const char *fw_generate_launches(struct fw_arena *arena, const fw_generate_made_list *made)
{
    struct fw_buffer text = fw_buffer_new(arena);
    fw_buffer_printf(&text, "[\n");
    for (size_t m = 0; m < made->count; m++) {
        add_launch(&text, &made->at[m]);
        fw_buffer_printf(&text, "%s\n", m + 1 < made->count ? "," : "");
    }
    fw_buffer_printf(&text, "]\n");
    return text.text;
}

/* ---- writing ---- */

static bool write_one(const char *folder, const char *name, const char *suffix, const char *text)
{
    char path[PATH_MOST];
    if (snprintf(path, sizeof(path), "%s/%s%s", folder, name, suffix) >= (int)sizeof(path)) {
        errno = ENAMETOOLONG;
        return false;
    }
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    bool good = fputs(text, file) >= 0 && fflush(file) == 0;
    int code = errno;
    if (fclose(file) != 0 && good)
        return false;
    errno = code;
    return good;
}

static bool write_all(const char *folder, const fw_generate_made_list *made, const char *launches)
{
    const char *before = NULL;
    for (size_t m = 0; m < made->count; m++) {
        const struct fw_generate_made *one = &made->at[m];
        bool again = before == one->knl; /* another size of the same kernel */
        before = one->knl;
        if (!again && !(write_one(folder, one->variant->stem, ".knl", one->knl) &&
                        write_one(folder, one->variant->stem, ".cl", one->opencl) &&
                        write_one(folder, one->variant->stem, ".cu", one->cuda)))
            return false;
    }
    return write_one(folder, "launches", ".json", launches);
}

/* Removes a folder of files. */
static void discard(const char *folder)
{
    DIR *open = opendir(folder);
    struct dirent *entry;
    while (open && (entry = readdir(open)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(open), entry->d_name, 0);
    if (open)
        closedir(open);
    rmdir(folder);
}

enum fw_status fw_generate_write(const char *folder, const fw_generate_made_list *made,
                                 struct fw_arena *arena, const struct fw_sink *sink)
{
    const char *launches = fw_generate_launches(arena, made);
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    char *fresh = fw_arena_printf(arena, "%.*s.XXXXXX", (int)length, folder);
    const char *final = fw_arena_text(arena, folder, length);
    if (!mkdtemp(fresh))
        return cannot(sink, folder, fw_arena_printf(arena, "cannot be made: %s", strerror(errno)));
    bool good = write_all(fresh, made, launches) && chmod(fresh, 0755) == 0;
    if (good && rename(fresh, final) == 0)
        return FW_OK;
    int code = errno;
    discard(fresh);
    bool there = good && (code == ENOTEMPTY || code == EEXIST || code == ENOTDIR);
    return cannot(sink, folder,
                  there ? "it is there, and not an empty folder: name a new one, or remove it"
                        : fw_arena_printf(arena, "cannot be written: %s", strerror(code)));
}
