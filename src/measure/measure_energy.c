#include "measure_energy.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* Between two looks: a hundredth of a step of NVML's counter. */
static const long look_nanoseconds = 1000000;

struct fw_energy_watch {
    const struct fw_backend *backend;
    void *session;
    pthread_t thread;
    pthread_mutex_t lock; /* over what follows */
    bool ends;
    double seen; /* joules of the last look; below 0: none */
    double first_time, first_joules, last_time, last_joules;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* False: the watch ends. */
static bool take(struct fw_energy_watch *watch, double time, double joules)
{
    pthread_mutex_lock(&watch->lock);
    bool goes_on = !watch->ends;
    if (goes_on && joules >= 0) {
        if (watch->seen >= 0 && joules != watch->seen) {
            if (watch->first_time < 0) {
                watch->first_time = time;
                watch->first_joules = joules;
            }
            watch->last_time = time;
            watch->last_joules = joules;
        }
        watch->seen = joules;
    }
    pthread_mutex_unlock(&watch->lock);
    return goes_on;
}

static void *look(void *of)
{
    struct fw_energy_watch *watch = of;
    for (;;) {
        struct fw_sample sample;
        watch->backend->sample(watch->session, FW_PURPOSE_ENERGY, &sample);
        if (!take(watch, now(), sample.joules))
            return NULL;
        nanosleep(&(struct timespec){0, look_nanoseconds}, NULL);
    }
}

struct fw_energy_watch *fw_energy_watch_start(const struct fw_backend *backend, void *session)
{
    struct fw_energy_watch *watch = malloc(sizeof *watch);
    if (!watch)
        return NULL;
    *watch = (struct fw_energy_watch){
        .backend = backend, .session = session, .seen = -1, .first_time = -1, .last_time = -1};
    pthread_mutex_init(&watch->lock, NULL);
    if (pthread_create(&watch->thread, NULL, look, watch) == 0)
        return watch;
    pthread_mutex_destroy(&watch->lock);
    free(watch);
    return NULL;
}

double fw_energy_watch_window(struct fw_energy_watch *watch)
{
    pthread_mutex_lock(&watch->lock);
    double window =
        watch->last_time > watch->first_time ? watch->last_time - watch->first_time : -1;
    pthread_mutex_unlock(&watch->lock);
    return window;
}

bool fw_energy_watch_end(struct fw_energy_watch *watch, double *seconds, double *joules)
{
    pthread_mutex_lock(&watch->lock);
    watch->ends = true;
    pthread_mutex_unlock(&watch->lock);
    pthread_join(watch->thread, NULL);
    *seconds = watch->last_time - watch->first_time;
    *joules = watch->last_joules - watch->first_joules;
    pthread_mutex_destroy(&watch->lock);
    free(watch);
    return *seconds > 0;
}
