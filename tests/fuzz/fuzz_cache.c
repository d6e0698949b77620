/* Any bytes are taken for the body of a cache entry whose digest is right: it gives a whole result
 * or none. */
#include "compile_internal.h"
#include "fuzzing.h"

/* The word that heads an entry, from one that the cache itself wrote. */
static const char *find_magic(const struct compilation *compilation, const struct fw_digest *key)
{
    static char magic[200];
    const struct fw_compiled compiled = {.ptx = "//\n", .ptx_length = 3};
    size_t length = 0;
    if (*magic)
        return magic;
    compile_cache_put(compilation, key, &compiled);
    char *text = compile_read_file(
        compilation->arena,
        fw_arena_printf(compilation->arena, "%s/%s.ptx", compilation->options->cache, key->text),
        LARGEST_OUTPUT, &length);
    char *end = text ? strchr(text, '\n') : NULL;
    while (end && end > text && end[-1] != ' ')
        end--;
    if (!end || (size_t)(end - text) >= sizeof(magic))
        fail("the cache writes no entry, or one of another form than this target knows");
    memcpy(magic, text, (size_t)(end - text));
    return magic;
}

static void check(const struct fw_compiled *compiled)
{
    if (strlen(compiled->ptx) > compiled->ptx_length)
        fail("PTX that is longer than it says");
    for (size_t i = 0; i < compiled->signatures.kernels.count; i++) {
        const struct fw_signature *kernel = &compiled->signatures.kernels.at[i];
        if (!kernel->name)
            fail("a kernel without a name");
        for (size_t p = 0; p < kernel->parameters.count; p++)
            if (!kernel->parameters.at[p].name || !kernel->parameters.at[p].type)
                fail("a parameter without a name");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const folders[] = {"/usr/include"};
    const struct fw_compiler compiler = {
        .version = "1", .system_folders = folders, .system_folder_count = 1};
    struct fw_arena *arena = fw_arena_new((size_t)256 << 20);
    const struct fw_compile_options options = {.cache = fuzz_folder()};
    struct compilation compilation = {.arena = arena, .options = &options, .compiler = &compiler};
    struct fw_digest key;
    struct fw_buffer body = fw_buffer_new(arena);
    struct fw_compiled compiled = {0};
    memset(key.text, '0', sizeof(key.text) - 1);
    key.text[sizeof(key.text) - 1] = '\0';
    const char *magic = find_magic(&compilation, &key);
    fw_buffer_add(&body, (const char *)data, size);
    if (!size)
        fw_buffer_printf(&body, " ");
    compile_store(arena, options.cache,
                  fw_arena_printf(arena, "%s/%s.ptx", options.cache, key.text), magic, &body);
    if (compile_cache_get(&compilation, &key, &compiled))
        check(&compiled);
    else if (compilation.dependencies.count || compiled.ptx)
        fail("no entry, and something of it");
    fw_arena_free(arena);
    return 0;
}
