/* Work on several threads. */
#include "forest_internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { THREADS_MOST = 64 };

struct pool {
    atomic_size_t next;
    size_t count;
    void (*work)(void *user, uint32_t thread, size_t i);
    void *user;
};

struct member {
    struct pool *pool;
    uint32_t number;
    pthread_t thread;
    bool started;
};

uint32_t forest_threads(uint32_t asked, size_t count)
{
    long processors = asked ? (long)asked : sysconf(_SC_NPROCESSORS_ONLN);
    if (processors < 1)
        processors = 1;
    if (processors > THREADS_MOST)
        processors = THREADS_MOST;
    return count && (size_t)processors > count ? (uint32_t)count : (uint32_t)processors;
}

static void *run(void *user)
{
    const struct member *member = user;
    struct pool *pool = member->pool;
    for (size_t i = atomic_fetch_add(&pool->next, 1); i < pool->count;
         i = atomic_fetch_add(&pool->next, 1))
        pool->work(pool->user, member->number, i);
    return NULL;
}

void forest_parallel(uint32_t threads, size_t count,
                     void (*work)(void *user, uint32_t thread, size_t i), void *user)
{
    struct pool pool = {.count = count, .work = work, .user = user};
    struct member members[THREADS_MOST];
    for (uint32_t t = 0; t < threads; t++)
        members[t] = (struct member){.pool = &pool, .number = t};
    for (uint32_t t = 1; t < threads; t++)
        members[t].started = pthread_create(&members[t].thread, NULL, run, &members[t]) == 0;
    run(&members[0]);
    for (uint32_t t = 1; t < threads; t++)
        if (members[t].started)
            pthread_join(members[t].thread, NULL);
}
