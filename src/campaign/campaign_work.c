/* Files while a campaign runs, and what a killed one left.  See campaign_internal.h. */
#include "campaign_internal.h"
#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char marks[] = ".campaign";

static enum fw_status cannot(struct campaign_run *run, const char *path)
{
    fw_report_file(run->sink, FW_ERROR, "CAM002", path, "%s", strerror(errno));
    return FW_ERROR_MACHINE;
}

enum fw_status campaign_file_write(struct campaign_run *run, const char *path, const char *text,
                                   size_t length)
{
    const char *why = fw_file_replace(run->arena, path, text, length);
    if (why)
        fw_report_file(run->sink, FW_ERROR, "CAM002", path, "%s", why);
    return why ? FW_ERROR_MACHINE : FW_OK;
}

/* The files of process `who`. */
static void name_files(struct campaign_run *run, struct campaign_work *work, const char *who)
{
    const char *base = fw_arena_printf(run->arena, "%s/%s", work->folder, who);
    work->mark = fw_arena_printf(run->arena, "%s%s", base, marks);
    work->plans = fw_arena_printf(run->arena, "%s.plan", base);
    work->records = fw_arena_printf(run->arena, "%s.records", base);
    work->skip = fw_arena_printf(run->arena, "%s.skip", base);
    work->errors = fw_arena_printf(run->arena, "%s.errors", base);
    work->fresh = fw_arena_printf(run->arena, "%s.%s", work->skip, who);
}

static void remove_files(const struct campaign_work *work)
{
    DIR *plans = opendir(work->plans);
    struct dirent *entry;
    while (plans && (entry = readdir(plans)))
        unlinkat(dirfd(plans), entry->d_name, 0);
    if (plans)
        closedir(plans);
    rmdir(work->plans);
    unlink(work->records);
    unlink(work->skip);
    unlink(work->errors);
    unlink(work->fresh);
    unlink(work->mark);
}

/* What a process left that no longer holds its mark.  Its records go into the store first. */
static enum fw_status adopt(struct campaign_run *run, const struct campaign_work *own,
                            struct fw_store *store, const char *who)
{
    struct campaign_work left = {.folder = own->folder};
    struct fw_source name, records;
    struct fw_store_outcome outcome = {0};
    enum fw_status status = FW_OK;
    name_files(run, &left, who);
    left.lock = open(left.mark, O_RDWR | O_CLOEXEC);
    if (left.lock < 0)
        return FW_OK;
    bool free_now = flock(left.lock, LOCK_EX | LOCK_NB) == 0;
    /* Records that cannot be read now stay for another day. */
    bool any = free_now && access(left.records, F_OK) == 0;
    if (any)
        status = fw_store_read_file(&name, run->arena, left.mark, run->sink);
    any = any && !status && name.length > 0;
    if (any)
        status = fw_store_read_file(&records, run->arena, left.records, run->sink);
    if (any && !status)
        status =
            fw_store_add(&outcome, store, name.text, left.records, records.text, records.length);
    if (free_now && !status)
        remove_files(&left);
    close(left.lock);
    return status;
}

enum fw_status campaign_work_open(struct campaign_run *run, struct campaign_work *work,
                                  struct fw_store *store)
{
    *work = (struct campaign_work){.lock = -1, .name_lock = -1};
    work->folder = fw_arena_printf(run->arena, "%s.work", run->campaign->store);
    if (mkdir(work->folder, 0777) != 0 && errno != EEXIST)
        return cannot(run, work->folder);
    DIR *folder = opendir(work->folder);
    struct dirent *entry;
    enum fw_status status = FW_OK;
    while (folder && !status && (entry = readdir(folder))) {
        size_t length = strlen(entry->d_name), tail = sizeof(marks) - 1;
        if (length > tail && strcmp(entry->d_name + length - tail, marks) == 0)
            status =
                adopt(run, work, store, fw_arena_text(run->arena, entry->d_name, length - tail));
    }
    if (!folder)
        return cannot(run, work->folder);
    closedir(folder);
    if (status)
        return status;
    name_files(run, work, fw_arena_printf(run->arena, "%ld", (long)getpid()));
    for (int i = 0; i < 10 && work->lock < 0; i++) { /* another one may just have tidied up */
        mkdir(work->folder, 0777);
        work->lock = open(work->mark, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    }
    if (work->lock < 0 || flock(work->lock, LOCK_EX | LOCK_NB) != 0)
        return cannot(run, work->mark);
    return mkdir(work->plans, 0777) == 0 ? FW_OK : cannot(run, work->plans);
}

/* Locks a file that others may remove between our opening and our locking it. */
static int lock_file(const char *path)
{
    for (;;) {
        struct stat ours, there;
        int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (file < 0)
            return -1;
        bool locked = flock(file, LOCK_EX | LOCK_NB) == 0;
        if (locked && fstat(file, &ours) == 0 && stat(path, &there) == 0 &&
            ours.st_ino == there.st_ino)
            return file;
        close(file);
        if (!locked) {
            errno = EWOULDBLOCK;
            return -1;
        }
    }
}

enum fw_status campaign_work_name(struct campaign_run *run, struct campaign_work *work,
                                  const char *name)
{
    ssize_t length = (ssize_t)strlen(name);
    work->name = fw_arena_printf(run->arena, "%s/%016llx.lock", work->folder,
                                 (unsigned long long)fw_hash(name, strlen(name)));
    work->name_lock = lock_file(work->name);
    if (work->name_lock < 0 && errno == EWOULDBLOCK) {
        CAMPAIGN_ERROR(run, "CAM006", "another process measures the campaign %s into %s", name,
                       run->campaign->store);
        return FW_ERROR_MACHINE;
    }
    if (work->name_lock < 0)
        return cannot(run, work->name);
    return write(work->lock, name, (size_t)length) == length ? FW_OK : cannot(run, work->mark);
}

void campaign_work_close(struct campaign_work *work, bool keep)
{
    if (work->lock < 0)
        return;
    if (work->name_lock >= 0) {
        unlink(work->name);
        close(work->name_lock);
    }
    if (!keep) {
        remove_files(work);
        rmdir(work->folder); /* stays while others work in it */
    }
    close(work->lock);
}
