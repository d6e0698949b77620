/* rank under MPI: processes take configurations as they are done with others, from one counter.
 *
 * Each process adds what it predicted to a journal of its own, JOURNAL.0, JOURNAL.1 and so on; when
 * all are done, the first one reads them all and ranks.  A process that is lost ends the run, as
 * MPI has it, but no configuration that was done: the same command goes on from the journals. */
#include "rank_mpi.h"
#include "tell.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_PATH = 4096, MOST_JOURNALS = 4096, SUFFIX = 16, AT_A_TIME = 4 };

struct sharing {
    int rank, size;
    MPI_Win window; /* of the counter, in the first process */
    size_t at_a_time;
};

bool rank_mpi_runs(void)
{
    static const char *const set[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
    for (size_t s = 0; s < sizeof(set) / sizeof(set[0]); s++)
        if (getenv(set[s]))
            return true;
    return false;
}

/* The next configurations: a counter that all processes add to. */
static void take(void *user, size_t *first, size_t *last)
{
    struct sharing *sharing = user;
    uint64_t step = sharing->at_a_time, before = 0;
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, sharing->window);
    MPI_Fetch_and_op(&step, &before, MPI_UINT64_T, 0, 0, MPI_SUM, sharing->window);
    MPI_Win_unlock(0, sharing->window);
    *first = (size_t)before;
    *last = (size_t)(before + step);
}

/* The journals' common path: as stated, or in a fresh folder where all processes share a machine.
 */
static bool find_base(const struct sharing *sharing, const char *stated, char *base, char *folder)
{
    MPI_Comm here;
    int near = 0, good = 1;
    *folder = '\0';
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &near);
    MPI_Comm_free(&here);
    if (!stated && near != sharing->size)
        good = 0;
    if (!stated && good && sharing->rank == 0) {
        const char *temporary = getenv("TMPDIR");
        snprintf(folder, LONGEST_PATH - SUFFIX, "%s/forewarp-rank-XXXXXX",
                 temporary && *temporary ? temporary : "/tmp");
        good = mkdtemp(folder) != NULL;
    }
    MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!good)
        return sharing->rank != 0 ? false
                                  : tell_error("CLI003", "rank: processes on several machines need "
                                                         "a --journal in a folder that all see");
    MPI_Bcast(folder, LONGEST_PATH, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (stated)
        snprintf(base, LONGEST_PATH, "%s", stated);
    else
        snprintf(base, LONGEST_PATH, "%s/journal", folder);
    return true;
}

/* Journals that there are, of this run or an earlier one, as paths in one piece of memory. */
static size_t list_journals(char *paths, const char **list, const char *base)
{
    size_t count = 0;
    for (unsigned j = 0; j < MOST_JOURNALS; j++) {
        char *path = paths + count * (LONGEST_PATH + SUFFIX);
        snprintf(path, LONGEST_PATH + SUFFIX, "%s.%u", base, j);
        if (access(path, R_OK) == 0)
            list[count++] = path;
        else if (j >= 64)
            break;
    }
    return count;
}

static void clear_folder(const char *folder, const char *const *list, size_t count)
{
    for (size_t j = 0; j < count && *folder; j++)
        unlink(list[j]);
    if (*folder)
        rmdir(folder);
}

/* All processes predict; the first one then ranks. */
static enum fw_status share(struct fw_ranking **ranking, const struct fw_context *context,
                            struct sharing *sharing, const struct fw_rank_settings *settings,
                            const char *base, const char *folder)
{
    char own[LONGEST_PATH + SUFFIX];
    char *paths = malloc((size_t)MOST_JOURNALS * sizeof(own));
    const char **list = malloc(MOST_JOURNALS * sizeof(*list));
    struct fw_rank_settings part = *settings;
    int good = paths && list;
    enum fw_status status = good ? FW_OK : FW_ERROR_MEMORY;
    if (good) {
        snprintf(own, sizeof(own), "%s.%d", base, sharing->rank);
        part.merge = list;
        part.merge_count = list_journals(paths, list, base);
        for (size_t j = 0; j < part.merge_count; j++) /* its own is read as the journal */
            if (strcmp(list[j], own) == 0)
                list[j] = list[--part.merge_count];
        part.journal = own;
        part.take = take;
        part.take_user = sharing;
        part.workers = part.workers ? part.workers : 1; /* a process stands for a processor */
        status = fw_context_rank(ranking, context, &part);
        fw_ranking_free(*ranking);
        *ranking = NULL;
        good = status == FW_OK;
    }
    MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (good && sharing->rank == 0) {
        part = *settings;
        part.merge = list;
        part.merge_count = list_journals(paths, list, base);
        part.journal = NULL;
        status = fw_context_rank(ranking, context, &part);
        clear_folder(folder, list, part.merge_count);
    }
    free(paths);
    free(list);
    return status ? status : good ? FW_OK : FW_ERROR_MACHINE;
}

enum fw_status rank_mpi(struct fw_ranking **ranking, bool *first, const struct fw_context *context,
                        const struct fw_rank_settings *settings)
{
    struct sharing sharing = {.at_a_time = AT_A_TIME};
    char base[LONGEST_PATH], folder[LONGEST_PATH];
    uint64_t *counter = NULL;
    *ranking = NULL;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &sharing.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &sharing.size);
    MPI_Win_allocate(sharing.rank == 0 ? sizeof(*counter) : 0, sizeof(*counter), MPI_INFO_NULL,
                     MPI_COMM_WORLD, &counter, &sharing.window);
    if (sharing.rank == 0)
        *counter = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    enum fw_status status = FW_ERROR_USAGE;
    *first = sharing.rank == 0;
    if (find_base(&sharing, settings->journal, base, folder))
        status = share(ranking, context, &sharing, settings, base, folder);
    MPI_Win_free(&sharing.window);
    MPI_Finalize();
    return status;
}
