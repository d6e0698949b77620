/* Programs, bound kernels and devices that are kept from one request to the next: the one that was
 * not used for the longest time makes room. */
#include "serving_internal.h"

#include <stdlib.h>
#include <string.h>

enum { DEVICE_MOST = 64 << 20 };

/* ---- devices ---- */

struct finding {
    struct fw_service *service;
    struct service_device *place;
    const char *name;
};

static enum fw_status find_device(void *user)
{
    struct finding *finding = user;
    const struct fw_context *context = &finding->service->quiet;
    return fw_device_find(&finding->place->device, finding->place->arena, finding->name,
                          &context->profiles, context->profiles ? 1 : 0, &context->sink);
}

static void forget_device(struct service_device *place)
{
    free(place->name);
    fw_arena_free(place->arena);
    *place = (struct service_device){.used = 0};
}

enum fw_status service_find_device(struct fw_service *service, const struct fw_device **device,
                                   uint64_t *serial)
{
    const char *name = service->request.device;
    struct service_device *place = &service->devices[0];
    *serial = 0;
    *device = service->settings.device;
    if (!name && *device)
        return FW_OK;
    if (!name) {
        service_error(service, "SRV004", "the request names no \"device\", and none was given");
        return FW_ERROR_USAGE;
    }
    for (size_t d = 0; d < SERVICE_PROGRAMS_MOST; d++) {
        if (service->devices[d].name && strcmp(service->devices[d].name, name) == 0) {
            service->devices[d].used = ++service->clock;
            *device = service->devices[d].device;
            *serial = service->devices[d].serial;
            return FW_OK;
        }
        if (service->devices[d].used < place->used)
            place = &service->devices[d];
    }
    if (service->devices_read++ >= SERVICE_DEVICES_READ) {
        service_error(service, "SRV005", "this service has read %d devices, and reads no more",
                      SERVICE_DEVICES_READ);
        return FW_ERROR_BUDGET;
    }
    forget_device(place);
    *place = (struct service_device){.name = strdup(name),
                                     .arena = fw_arena_new(DEVICE_MOST),
                                     .used = ++service->clock,
                                     .serial = service->clock};
    struct finding finding = {service, place, name};
    enum fw_status status = FW_ERROR_MEMORY;
    if (place->name && place->arena)
        status = fw_session_guard(&service->quiet, place->arena, NULL, find_device, &finding);
    if (status)
        forget_device(place);
    *device = place->device;
    *serial = place->serial;
    return status;
}

/* ---- programs ---- */

void service_forget(struct service_program *program)
{
    for (size_t k = 0; k < program->kernel_count; k++) {
        fw_session_worker_free(program->kernels[k].worker);
        free(program->kernels[k].name);
    }
    fw_session_program_free(program->program);
    free(program->key);
    memset(program, 0, sizeof(*program));
}

void service_free_kept(struct fw_service *service)
{
    for (size_t p = 0; p < SERVICE_PROGRAMS_MOST; p++) {
        service_forget(&service->programs[p]);
        forget_device(&service->devices[p]);
    }
}

/* The request's definitions, behind those of the service. */
static const char **definitions(struct fw_service *service, size_t *count)
{
    const struct fw_program_options *options = &service->options;
    json_t *defines = service->request.defines, *value;
    const char *name;
    const char **all = FW_ARRAY(service->arena, const char *,
                                options->define_count + json_object_size(defines) + 1);
    *count = 0;
    for (size_t d = 0; d < options->define_count; d++)
        all[(*count)++] = options->defines[d];
    json_object_foreach(defines, name, value) all[(*count)++] =
        json_is_string(value)
            ? fw_arena_printf(service->arena, "%s=%s", name, json_string_value(value))
        : json_is_integer(value)
            ? fw_arena_printf(service->arena, "%s=%lld", name, (long long)json_integer_value(value))
            : fw_arena_printf(service->arena, "%s=%.17g", name, json_real_value(value));
    return all;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static enum fw_status read_program(struct fw_service *service, struct service_program *place,
                                   const struct fw_program_options *options, const char *file,
                                   const struct stat *about, const struct fw_buffer *key)
{
    service_forget(place);
    enum fw_status status =
        fw_session_program_read(&place->program, &service->quiet, file, options);
    if (status)
        return status;
    place->key = malloc(key->length);
    if (!place->key) {
        service_forget(place);
        return FW_ERROR_MEMORY;
    }
    memcpy(place->key, key->text, key->length);
    place->key_length = key->length;
    place->file = *about;
    return FW_OK;
}

static enum fw_status find_program(struct fw_service *service, const struct fw_device *device,
                                   struct service_program **found)
{
    enum { OLDEST_TARGET = 80 }; /* that every compiler of today still knows */
    const char *file = service->request.file ? service->request.file : service->settings.file;
    struct fw_program_options options = service->options;
    struct fw_buffer key = fw_buffer_new(service->arena);
    struct service_program *place = &service->programs[0];
    struct stat about;
    if (!file) {
        service_error(service, "SRV004", "the request names no \"file\", and none was given");
        return FW_ERROR_USAGE;
    }
    if (stat(file, &about) != 0 || !S_ISREG(about.st_mode)) { /* "-" and pipes are not ours */
        service_error(service, "SRV004", "this is no file that can be read: %s", file);
        return FW_ERROR_MACHINE;
    }
    double major, minor;
    if (fw_device_figure(device, FW_FIGURE_COMPUTE_MAJOR, &major) &&
        fw_device_figure(device, FW_FIGURE_COMPUTE_MINOR, &minor))
        options.capability = (unsigned)(10 * major + minor);
    options.target = options.capability >= OLDEST_TARGET ? options.capability : 0;
    options.defines = definitions(service, &options.define_count);
    fw_buffer_printf(&key, "%u\n%s", options.capability, file);
    for (size_t d = 0; d < options.define_count; d++)
        fw_buffer_printf(&key, "\n%s", options.defines[d]);
    for (size_t p = 0; p < SERVICE_PROGRAMS_MOST; p++) {
        struct service_program *one = &service->programs[p];
        if (one->key && one->key_length == key.length &&
            memcmp(one->key, key.text, key.length) == 0) {
            place = one;
            break;
        }
        if (one->used < place->used)
            place = one;
    }
    bool known = place->key && place->key_length == key.length &&
                 memcmp(place->key, key.text, key.length) == 0 && same_file(&place->file, &about);
    enum fw_status status =
        known ? FW_OK : read_program(service, place, &options, file, &about, &key);
    place->used = ++service->clock;
    *found = place;
    return status;
}

enum fw_status service_find_worker(struct fw_service *service, const struct fw_device *device,
                                   struct service_program **program, struct fw_worker **worker,
                                   uint64_t *serial)
{
    const char *asked = service->request.kernel ? service->request.kernel
                        : service->request.file ? NULL
                                                : service->settings.kernel;
    const struct fw_kernel *kernel;
    enum fw_status status = find_program(service, device, program);
    if (status)
        return status;
    struct service_program *of = *program;
    for (size_t k = 0; k < of->kernel_count; k++)
        if (strcmp(of->kernels[k].name, asked ? asked : "") == 0) {
            *worker = of->kernels[k].worker;
            *serial = of->kernels[k].serial;
            return FW_OK;
        }
    status = fw_session_program_kernel(&kernel, of->program, asked);
    if (status)
        return status;
    if (of->kernel_count == SERVICE_KERNELS_MOST) { /* the first makes room */
        fw_session_worker_free(of->kernels[0].worker);
        free(of->kernels[0].name);
        of->kernels[0] = of->kernels[--of->kernel_count];
    }
    char *name = strdup(asked ? asked : "");
    status = name ? fw_session_worker_new(worker, of->program, kernel) : FW_ERROR_MEMORY;
    if (status) {
        free(name);
        return status;
    }
    of->kernels[of->kernel_count].name = name;
    of->kernels[of->kernel_count].serial = *serial = ++service->clock;
    of->kernels[of->kernel_count++].worker = *worker;
    return FW_OK;
}
