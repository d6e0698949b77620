/* Files of trained parameters, by device, and the state that a model makes of them. */
#include "file.h"
#include "model.h"

const char *fw_model_trained_file(struct fw_source *source, struct fw_arena *arena,
                                  const struct fw_model_files *files, const char *kind,
                                  const char *device, size_t most)
{
    if (!files->data)
        return NULL;
    const char *path =
        fw_arena_printf(arena, "%s/models/%s/%s.%s", files->data, kind, device, kind);
    return fw_file_text(source, arena, path, most) ? NULL : fw_arena_printf(arena, "%s", device);
}

const char *fw_model_trained_for(struct fw_source *source, struct fw_arena *arena,
                                 const struct fw_model_files *files, const char *kind,
                                 const struct fw_device *device, size_t most)
{
    const char *found = NULL, *name;
    for (unsigned n = 0; !found && (name = fw_device_trained(device, n)) != NULL; n++)
        found = fw_model_trained_file(source, arena, files, kind, name, most);
    return found;
}

enum fw_status fw_model_open_parameters(void **state, const struct fw_model_opening *opening,
                                        const struct fw_model_files *files,
                                        const struct fw_device *device, const struct fw_sink *sink)
{
    struct fw_arena *arena = fw_arena_new(opening->memory);
    struct fw_model_opened *volatile opened = NULL;
    jmp_buf exhausted;
    enum fw_status status;
    *state = NULL;
    if (!arena)
        return FW_ERROR_MEMORY;
    fw_arena_on_exhausted(arena, &exhausted);
    if (setjmp(exhausted) == 0) {
        opened = fw_arena_alloc(arena, opening->size);
        opened->arena = arena;
        status = opening->read(opened, files, device, sink);
    } else {
        status = fw_arena_status(arena);
        if (status == FW_ERROR_MEMORY)
            fw_report(sink, FW_ERROR, "MOD004", (struct fw_span){0},
                      "the parameters of the model take more memory than there is for them");
    }
    fw_arena_on_exhausted(arena, NULL);
    if (!status)
        *state = opened;
    else if (opened)
        opening->close(opened);
    else
        fw_arena_free(arena);
    return status;
}

void fw_model_close_parameters(void *state)
{
    fw_arena_free(((struct fw_model_opened *)state)->arena);
}
