/* Many programs at once, and what they share: the compilers that were found. */
#include "session.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WORKERS = 256, LARGEST_COMPILER = 1 << 20 };

/* A compiler that was found: for this language, by this name. */
struct found_compiler {
    struct found_compiler *next;
    struct fw_arena *arena;
    enum fw_language language;
    char *asked; /* NULL: the best that there is */
    struct fw_compiler compiler;
};

struct fw_session_compilers {
    pthread_mutex_t lock;
    struct found_compiler *first;
};

struct fw_session_compilers *fw_session_compilers_new(void)
{
    struct fw_session_compilers *compilers = calloc(1, sizeof(*compilers));
    if (compilers)
        pthread_mutex_init(&compilers->lock, NULL);
    return compilers;
}

static void free_compiler(struct found_compiler *found)
{
    if (!found)
        return;
    free(found->asked);
    fw_arena_free(found->arena);
    free(found);
}

void fw_session_compilers_free(struct fw_session_compilers *compilers)
{
    if (!compilers)
        return;
    while (compilers->first) {
        struct found_compiler *found = compilers->first;
        compilers->first = found->next;
        free_compiler(found);
    }
    pthread_mutex_destroy(&compilers->lock);
    free(compilers);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static enum fw_status find(struct found_compiler **result, const struct fw_context *context,
                           const struct fw_compile_options *options)
{
    struct found_compiler *found = calloc(1, sizeof(*found));
    *result = NULL;
    if (!found)
        return FW_ERROR_MEMORY;
    found->language = options->language;
    found->asked = options->compiler ? fw_session_text(options->compiler) : NULL;
    found->arena = fw_arena_new(LARGEST_COMPILER);
    enum fw_status status = FW_ERROR_MEMORY;
    if (found->arena && (found->asked || !options->compiler))
        status = fw_compiler_find(&found->compiler, found->arena, options, &context->sink);
    if (status)
        free_compiler(found);
    else
        *result = found;
    return status;
}

enum fw_status fw_session_find_compiler(const struct fw_compiler **compiler,
                                        const struct fw_context *context,
                                        const struct fw_compile_options *options)
{
    struct fw_session_compilers *compilers = context->compilers;
    enum fw_status status = FW_OK;
    pthread_mutex_lock(&compilers->lock); /* others wait: they want the same one */
    struct found_compiler *found = compilers->first;
    while (found &&
           !(found->language == options->language && same_text(found->asked, options->compiler)))
        found = found->next;
    if (!found) {
        status = find(&found, context, options);
        if (found) {
            found->next = compilers->first;
            compilers->first = found;
        }
    }
    pthread_mutex_unlock(&compilers->lock);
    *compiler = found ? &found->compiler : NULL;
    return status;
}

/* ---- many programs ---- */

struct many {
    struct fw_program_item *items;
    size_t count, next;
    const struct fw_context *context;
    pthread_mutex_t lock;
};

static void *read_next(void *user)
{
    struct many *many = user;
    for (;;) {
        pthread_mutex_lock(&many->lock);
        size_t i = many->next < many->count ? many->next++ : many->count;
        pthread_mutex_unlock(&many->lock);
        if (i == many->count)
            return NULL;
        struct fw_program_item *item = &many->items[i];
        item->status =
            fw_session_program_read(&item->program, many->context, item->path, item->options);
        if (!item->status && item->program->compiled)
            fw_session_assemble(item->program);
    }
}

enum fw_status fw_session_program_read_many(struct fw_program_item *items, size_t count,
                                            const struct fw_context *context, unsigned workers)
{
    pthread_t threads[MOST_WORKERS];
    struct many many = {.items = items, .count = count, .context = context};
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = workers ? workers : processors > 0 ? (size_t)processors : 1, started = 0;
    most = most < count ? most : count;
    most = most < MOST_WORKERS ? most : MOST_WORKERS;
    for (size_t i = 0; i < count; i++)
        items[i].program = NULL;
    pthread_mutex_init(&many.lock, NULL);
    while (started + 1 < most && pthread_create(&threads[started], NULL, read_next, &many) == 0)
        started++;
    read_next(&many);
    for (size_t t = 0; t < started; t++)
        pthread_join(threads[t], NULL);
    pthread_mutex_destroy(&many.lock);
    for (size_t i = 0; i < count; i++)
        if (items[i].status)
            return items[i].status;
    return FW_OK;
}
