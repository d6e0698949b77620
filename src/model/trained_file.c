/* Files of trained parameters, by device. */
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
