/* The cache of compiled kernels.
 *
 * An entry is a file named by a digest of all that decides a compilation but the included files:
 * the source, its path, the compiler, the flags.  Inside it lists the included files as they were
 * (the user's by content, the compiler's by size and date), so that an entry whose files have
 * changed counts as none, and begins with a digest of itself, so that a damaged one does, too.  A
 * header that newly appears earlier in the search order is not noticed.  An entry that others own
 * or may write, or that is in a folder of which that is true, counts as none and is not made. */
#define _GNU_SOURCE /* mkostemp */
#include "compile_internal.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIGITS = 64 };

static const char magic[] = "forewarp-compiled 3 ";

const char *fw_compile_cache_folder(struct fw_arena *arena)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0] == '/')
        return fw_arena_printf(arena, "%s/forewarp", cache);
    if (home && home[0] == '/')
        return fw_arena_printf(arena, "%s/.cache/forewarp", home);
    return NULL;
}

static const char *entry_path(const struct compilation *compilation, const struct fw_digest *key)
{
    return fw_arena_printf(compilation->arena, "%s/%s.ptx", compilation->options->cache, key->text);
}

/* What a file is now: a digest of its content, or of its size and date for the compiler's own; ""
 * when it is not there. */
static struct fw_digest file_state(const struct compilation *compilation, const char *path)
{
    struct fw_digest none = {""};
    struct fw_sha256 hash = fw_sha256_new();
    struct stat about;
    if (stat(path, &about) != 0)
        return none;
    for (size_t i = 0; i < compilation->compiler->system_folder_count; i++) {
        if (compile_is_inside(path, compilation->compiler->system_folders[i])) {
            fw_sha256_add(&hash, &about.st_size, sizeof(about.st_size));
            fw_sha256_add(&hash, &about.st_mtim.tv_sec, sizeof(about.st_mtim.tv_sec));
            fw_sha256_add(&hash, &about.st_mtim.tv_nsec, sizeof(about.st_mtim.tv_nsec));
            return fw_sha256_end(&hash);
        }
    }
    size_t length;
    const char *text = compile_read_file(compilation->arena, path, LARGEST_SOURCE, &length);
    if (!text)
        return none;
    fw_sha256_add(&hash, text, length);
    return fw_sha256_end(&hash);
}

/* A reader of an entry's lines. */
struct entry {
    struct fw_arena *arena;
    const char *at;
    const char *end;
    bool good;
};

/* The next line when it begins with `word` and a space: what is behind; NULL, and not good, else.
 */
static const char *take(struct entry *entry, const char *word)
{
    size_t length = strlen(word);
    const char *line_end =
        entry->good ? memchr(entry->at, '\n', (size_t)(entry->end - entry->at)) : NULL;
    if (!line_end || (size_t)(line_end - entry->at) < length + 1 ||
        memcmp(entry->at, word, length) != 0 || entry->at[length] != ' ') {
        entry->good = false;
        return NULL;
    }
    const char *text = fw_arena_text(entry->arena, entry->at + length + 1,
                                     (size_t)(line_end - entry->at) - length - 1);
    entry->at = line_end + 1;
    return text;
}

static size_t take_count(struct entry *entry, const char *word)
{
    const char *text = take(entry, word);
    int64_t count = 0;
    if (!text || !fw_text_integer(text, false, &count) || count < 0 || count > UINT32_MAX)
        entry->good = false;
    return entry->good ? (size_t)count : 0;
}

static void take_dependencies(struct compilation *compilation, struct entry *entry)
{
    size_t count = take_count(entry, "files");
    for (size_t i = 0; i < count && entry->good; i++) {
        const char *line = take(entry, "file");
        if (!line || strlen(line) < DIGITS + 2) {
            entry->good = false;
            return;
        }
        const char *path = line + DIGITS + 1;
        struct fw_digest state = file_state(compilation, path);
        entry->good = state.text[0] && memcmp(line, state.text, DIGITS) == 0;
        *FW_APPEND(compilation->arena, &compilation->dependencies) = path;
    }
}

static void take_members(struct entry *entry, struct fw_members *members)
{
    members->bytes = (uint32_t)take_count(entry, "bytes");
    const size_t count = take_count(entry, "members");
    for (size_t m = 0; m < count && entry->good; m++) {
        struct fw_member *member = FW_APPEND(entry->arena, &members->parts);
        member->offset = (uint32_t)take_count(entry, "at");
        member->bytes = (uint32_t)take_count(entry, "long");
        member->name = take(entry, "name");
    }
}

static void take_signatures(struct entry *entry, struct fw_signatures *signatures)
{
    size_t count = take_count(entry, "kernels");
    for (size_t i = 0; i < count && entry->good; i++) {
        struct fw_signature *kernel = FW_APPEND(entry->arena, &signatures->kernels);
        kernel->offset = (uint32_t)take_count(entry, "offset");
        kernel->templated = take_count(entry, "templated");
        kernel->defined = take_count(entry, "defined");
        for (int d = 0; d < 3; d++)
            kernel->block[d] = (uint32_t)take_count(entry, "block");
        kernel->block_unread = take_count(entry, "unread");
        kernel->name = take(entry, "name");
        size_t parameters = take_count(entry, "parameters");
        for (size_t k = 0; k < parameters && entry->good; k++) {
            struct fw_signature_parameter *parameter = FW_APPEND(entry->arena, &kernel->parameters);
            size_t flags = take_count(entry, "flags");
            parameter->pointer = flags & 1;
            parameter->constant = flags & 2;
            parameter->restricted = flags & 4;
            parameter->name = take(entry, "name");
            parameter->type = take(entry, "type");
            take_members(entry, &parameter->members);
        }
    }
}

/* Whether nobody else could have written it: its owner is this user or the system's, and no others
 * may write it.  In a folder with the sticky bit they cannot replace what is not theirs. */
static bool is_ours(const struct stat *about, bool inside)
{
    bool owned = about->st_uid == geteuid() || about->st_uid == 0;
    bool open_to_others = about->st_mode & (S_IWGRP | S_IWOTH);
    return owned && (!open_to_others || (inside && (about->st_mode & S_ISVTX)));
}

bool compile_cache_is_ours(struct fw_arena *arena, const char *folder)
{
    struct stat about;
    const char *real = compile_real_path(arena, folder);
    char *path = real ? fw_arena_text(arena, real, strlen(real)) : NULL;
    bool good =
        path && lstat(path, &about) == 0 && S_ISDIR(about.st_mode) && is_ours(&about, false);
    for (char *slash; good && (slash = strrchr(path, '/')) != NULL && path[1];) {
        slash[slash == path] = '\0';
        good = lstat(path, &about) == 0 && is_ours(&about, true);
    }
    return good;
}

char *compile_read_entry(struct fw_arena *arena, const char *path, size_t most, size_t *length)
{
    struct stat about;
    bool good = lstat(path, &about) == 0 && S_ISREG(about.st_mode) && is_ours(&about, false);
    return good ? compile_read_file(arena, path, most, length) : NULL;
}

/* Once a process: a folder of others is there, and is not used. */
static void tell_of_others(const struct compilation *compilation)
{
    static atomic_flag told = ATOMIC_FLAG_INIT;
    const char *cache = compilation->options->cache;
    if (access(cache, F_OK) == 0 && !atomic_flag_test_and_set(&told))
        fw_report(compilation->sink, FW_NOTE, "CMP016", (struct fw_span){0},
                  "the cache %s is not used: others own or may write it, or a folder above it",
                  fw_text_shown(compilation->arena, cache, strlen(cache)));
}

bool compile_cache_get(struct compilation *compilation, const struct fw_digest *key,
                       struct fw_compiled *compiled)
{
    size_t length, head = strlen(magic) + DIGITS + 1;
    const char *cache = compilation->options->cache;
    if (!cache)
        return false;
    if (!compile_cache_is_ours(compilation->arena, cache)) {
        tell_of_others(compilation);
        return false;
    }
    const char *text = compile_read_entry(compilation->arena, entry_path(compilation, key),
                                          LARGEST_OUTPUT, &length);
    if (!text || length < head || memcmp(text, magic, strlen(magic)) != 0)
        return false;
    struct fw_sha256 hash = fw_sha256_new();
    fw_sha256_add(&hash, text + head, length - head);
    struct fw_digest digest = fw_sha256_end(&hash);
    if (memcmp(text + strlen(magic), digest.text, DIGITS) != 0)
        return false;
    struct entry entry = {compilation->arena, text + head, text + length, true};
    struct fw_signatures signatures = {0};
    const char *name = take(&entry, "key");
    entry.good = entry.good && strcmp(name, key->text) == 0;
    const char *confinement = take(&entry, "confinement");
    take_dependencies(compilation, &entry);
    take_signatures(&entry, &signatures);
    size_t ptx = take_count(&entry, "ptx");
    if (!entry.good || ptx != (size_t)(entry.end - entry.at)) {
        compilation->dependencies.count = 0;
        return false;
    }
    compiled->signatures = signatures;
    compiled->confinement = confinement;
    compiled->ptx = entry.at;
    compiled->ptx_length = ptx;
    compiled->cached = true;
    return true;
}

static void write_entry(const struct compilation *compilation, const struct fw_digest *key,
                        const struct fw_compiled *compiled, struct fw_buffer *body)
{
    fw_buffer_printf(body, "key %s\nconfinement %s\nfiles %zu\n", key->text, compiled->confinement,
                     compilation->dependencies.count);
    for (size_t i = 0; i < compilation->dependencies.count; i++) {
        const char *path = compilation->dependencies.at[i];
        fw_buffer_printf(body, "file %s %s\n", file_state(compilation, path).text, path);
    }
    fw_buffer_printf(body, "kernels %zu\n", compiled->signatures.kernels.count);
    for (size_t i = 0; i < compiled->signatures.kernels.count; i++) {
        const struct fw_signature *kernel = &compiled->signatures.kernels.at[i];
        fw_buffer_printf(body, "offset %u\ntemplated %d\ndefined %d\n", kernel->offset,
                         kernel->templated, kernel->defined);
        for (int d = 0; d < 3; d++)
            fw_buffer_printf(body, "block %u\n", kernel->block[d]);
        fw_buffer_printf(body, "unread %d\nname %s\nparameters %zu\n", kernel->block_unread,
                         kernel->name, kernel->parameters.count);
        for (size_t k = 0; k < kernel->parameters.count; k++) {
            const struct fw_signature_parameter *parameter = &kernel->parameters.at[k];
            fw_buffer_printf(body, "flags %d\nname %s\ntype %s\n",
                             parameter->pointer + 2 * parameter->constant +
                                 4 * parameter->restricted,
                             parameter->name, parameter->type);
            fw_buffer_printf(body, "bytes %u\nmembers %zu\n", parameter->members.bytes,
                             parameter->members.parts.count);
            for (size_t m = 0; m < parameter->members.parts.count; m++) {
                const struct fw_member *member = &parameter->members.parts.at[m];
                fw_buffer_printf(body, "at %u\nlong %u\nname %s\n", member->offset, member->bytes,
                                 member->name);
            }
        }
    }
    fw_buffer_printf(body, "ptx %zu\n", compiled->ptx_length);
    fw_buffer_add(body, compiled->ptx, compiled->ptx_length);
}

static bool make_folders(struct fw_arena *arena, const char *folder)
{
    char *path = fw_arena_text(arena, folder, strlen(folder));
    for (char *at = path + 1; *at; at++) {
        if (*at == '/') {
            *at = '\0';
            mkdir(path, 0700);
            *at = '/';
        }
    }
    struct stat about;
    mkdir(path, 0700);
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static bool write_all(int file, const char *bytes, size_t length)
{
    while (length) {
        ssize_t written = write(file, bytes, length);
        if (written <= 0)
            return false;
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

bool compile_store(struct fw_arena *arena, const char *folder, const char *path,
                   const char *magic_word, const struct fw_buffer *body)
{
    if (!make_folders(arena, folder) || !compile_cache_is_ours(arena, folder))
        return false;
    struct fw_sha256 hash = fw_sha256_new();
    fw_sha256_add(&hash, body->text, body->length);
    const char *head = fw_arena_printf(arena, "%s%s\n", magic_word, fw_sha256_end(&hash).text);
    char *temporary = fw_arena_printf(arena, "%s-XXXXXX", path);
    int file = mkostemp(temporary, O_CLOEXEC);
    if (file < 0)
        return false;
    bool written = write_all(file, head, strlen(head)) && write_all(file, body->text, body->length);
    if (close(file) == 0 && written && rename(temporary, path) == 0)
        return true;
    unlink(temporary);
    return false;
}

void compile_cache_put(const struct compilation *compilation, const struct fw_digest *key,
                       const struct fw_compiled *compiled)
{
    struct fw_arena *arena = compilation->arena;
    if (!compilation->options->cache)
        return;
    for (size_t i = 0; i < compilation->dependencies.count; i++)
        if (strchr(compilation->dependencies.at[i], '\n'))
            return; /* the entry is made of lines */
    struct fw_buffer body = fw_buffer_new(arena);
    write_entry(compilation, key, compiled, &body);
    compile_store(arena, compilation->options->cache, entry_path(compilation, key), magic, &body);
}
