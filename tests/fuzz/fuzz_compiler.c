/* Any bytes are taken for what compilers say: a version, a list of folders, messages about a source
 * (which are the bytes themselves, so that places lie inside and outside of it), and ptxas's report
 * of resources. */
#include "compile_internal.h"
#include "fuzzing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const defines[] = {"TILE=32", "\x1b[31mN=1"};
    struct fw_arena *arena = fw_arena_new((size_t)256 << 20);
    char *text = fw_arena_text(arena, (const char *)data, size);
    unsigned errors = 0;
    const struct fw_sink sink = {hear, &errors};
    const struct fw_source source = {"k.cu", text, size};
    const struct fw_compile_options options = {.defines = defines, .define_count = 2};
    struct fw_compiler compiler = {0};
    struct fw_assembly assembly = {0};
    if (compile_read_version(&compiler, arena, text) && !compiler.version[0])
        fail("a version of no digits");
    compile_read_places(&compiler, arena, text);
    for (size_t i = 0; i < compiler.system_folder_count; i++)
        if (compiler.system_folders[i][0] != '/' || !compiler.system_folders[i][1])
            fail("a folder of headers that is none, or all");
    const struct compilation compilation = {.arena = arena,
                                            .sink = &sink,
                                            .options = &options,
                                            .compiler = &compiler,
                                            .source = &source,
                                            .scratch = "/tmp/forewarp",
                                            .file = "k.cu",
                                            .messages = text};
    if ((compile_tell_messages(&compilation) > 0) != (errors > 0))
        fail("errors were counted and not told, or told and not counted");
    if (compile_read_assembly(&assembly, arena, text))
        for (size_t k = 0; k < assembly.kernels.count; k++)
            if (assembly.kernels.at[k].registers < 1 || assembly.kernels.at[k].registers > 255)
                fail("registers that no kernel has");
    fw_assembly_find(&assembly, "k");
    fw_arena_free(arena);
    return 0;
}
