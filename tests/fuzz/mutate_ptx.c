/* Mutants of real PTX through the whole library, in process: reading, counting, predicting by each
 * model, traffic, ranking and emulating (mutant_questions.c) of changed texts (ptx_mutator.c) at
 * launches drawn at random.  Built with sanitizers, it finds crashes, undefined behaviour, leaks;
 * with any build, answers that take more than 10 s (-t) of processor time each or 2 GB of memory.
 *
 * usage: mutate-ptx DATA FOLDER COUNT SEED [-f FIRST] [-t SECONDS] FILE|FOLDER...   (.ptx files)
 *        mutate-ptx DATA FOLDER --replay FILE.ptx
 *
 * DATA is the source tree.  A mutant is told by the seed and its number: the same of both is the
 * same mutant of the same corpus.  Mutants run in batches, each a child process that a watch
 * ends when a mutant takes too much.  A find is kept in FOLDER as find-SEED-NUMBER.ptx, with what
 * was said (.log); its first line tells seed and number, so that it is replayed without a corpus.
 * Exit status: 0 when nothing was found. */
#include "mutant_questions.h"
#include "ptx_mutator.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 100, MEGABYTES_MOST = 2048, SOURCE_MOST = 1 << 16 };

/* What the child tells the watch, in memory that both see. */
struct progress {
    volatile uint64_t number;                    /* of the mutant at work */
    volatile int question;                       /* of enum mutant_question */
    uint64_t statuses[MUTANT_QUESTION_COUNT][8]; /* how often a question ended so; [0]: answered */
    volatile double asked; /* processor seconds of the child when the question at work began */
    double seconds[MUTANT_QUESTION_COUNT]; /* processor seconds, by question */
    double slowest;                        /* processor seconds of a mutant */
    uint64_t slowest_number;
};

struct harness {
    struct asker asker;
    struct ptx_corpus corpus;
    struct fw_arena *arena; /* of the corpus */
    struct progress *progress;
    const char *folder;
    uint64_t seed, finds;
    double seconds;             /* that a question may take */
    char path[4096], log[4096]; /* of the mutant at work */
};

/* Undefined behaviour ends the process as any crash does; freed memory is watched, a little. */
const char *__ubsan_default_options(void);
const char *__asan_default_options(void);

const char *__ubsan_default_options(void)
{
    return "halt_on_error=1:abort_on_error=1:print_stacktrace=1";
}

const char *__asan_default_options(void)
{
    return "abort_on_error=1:quarantine_size_mb=4:detect_leaks=1:malloc_context_size=2";
}

static double seconds_of(clockid_t clock)
{
    struct timespec time = {0};
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- the child ---- */

static void question_begins(void *user, enum mutant_question question)
{
    struct progress *progress = user;
    double now = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    if (progress->question == (int)question) /* the same of another model */
        progress->seconds[question] += now - progress->asked;
    progress->question = (int)question;
    progress->asked = now;
}

static void question_ended(void *user, enum mutant_question question, enum fw_status status)
{
    struct progress *progress = user;
    progress->statuses[question][-status & 7]++;
    progress->seconds[question] += seconds_of(CLOCK_PROCESS_CPUTIME_ID) - progress->asked;
    progress->question = -1;
}

static void say(void *user, const struct fw_message *message)
{
    (void)user;
    fprintf(stderr, "%s", message->rendered);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file)) {
        perror(path);
        _exit(100);
    }
}

static void run_text(struct harness *harness, uint64_t seed, uint64_t number, const char *text)
{
    /* Launches have a generator of their own: they do not depend on the corpus. */
    struct fw_random random = {seed * 0x2545f4914f6cdd1du + number * 2 + 1};
    double began = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    harness->progress->number = number;
    asker_ask(&harness->asker, harness->path, text, &random);
    double seconds = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - began;
    if (seconds > harness->progress->slowest) {
        harness->progress->slowest = seconds;
        harness->progress->slowest_number = number;
    }
}

static void run_mutant(struct harness *harness, uint64_t number)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_random random = {harness->seed * 0x9e3779b97f4a7c15u + number * 2};
    const char *text =
        fw_arena_printf(arena, "// mutant %llu %llu\n%s", (unsigned long long)harness->seed,
                        (unsigned long long)number, ptx_mutant(arena, &harness->corpus, &random));
    write_text(harness->path, text);
    if (ftruncate(STDERR_FILENO, 0) == 0) /* what was said of the mutant before */
        lseek(STDERR_FILENO, 0, SEEK_SET);
    run_text(harness, harness->seed, number, text);
    fw_arena_free(arena);
}

static void redirect(const char *path)
{
    int log = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (log < 0 || dup2(log, STDERR_FILENO) < 0)
        _exit(100);
    close(log);
}

static _Noreturn void run_batch(struct harness *harness, uint64_t first, uint64_t count)
{
    redirect(harness->log);
    for (uint64_t i = 0; i < count; i++)
        run_mutant(harness, first + i);
    asker_close(&harness->asker);
    fw_arena_free(harness->arena);
    exit(0); /* leaks are looked for here */
}

/* ---- the watch ---- */

static double megabytes_of(pid_t child)
{
    char path[64];
    long pages = 0, resident = 0;
    snprintf(path, sizeof(path), "/proc/%ld/statm", (long)child);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%ld %ld", &pages, &resident) != 2)
        resident = 0;
    if (file)
        fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

/* Waits for the child; NULL when it ended well, else what happened. */
static const char *watch(const struct harness *harness, pid_t child)
{
    const struct timespec pause = {0, 10000000};
    const char *ended = NULL;
    clockid_t clock;
    int status;
    if (clock_getcpuclockid(child, &clock))
        clock = CLOCK_MONOTONIC;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (seconds_of(clock) - harness->progress->asked > harness->seconds)
            ended = "hang";
        else if (megabytes_of(child) > MEGABYTES_MOST)
            ended = "memory";
        if (ended) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return ended;
        }
        nanosleep(&pause, NULL);
    }
    if (WIFSIGNALED(status))
        return "crash";
    return WEXITSTATUS(status) ? "leak" : NULL;
}

static void keep(struct harness *harness, const char *what, uint64_t number)
{
    char kept[4200];
    harness->finds++;
    printf("%s %llu in %s: find-%llu-%llu.ptx\n", what, (unsigned long long)number,
           harness->progress->question < 0
               ? "between"
               : mutant_question_name((enum mutant_question)harness->progress->question),
           (unsigned long long)harness->seed, (unsigned long long)number);
    fflush(stdout);
    snprintf(kept, sizeof(kept), "%s/find-%llu-%llu.ptx", harness->folder,
             (unsigned long long)harness->seed, (unsigned long long)number);
    rename(harness->path, kept);
    snprintf(kept, sizeof(kept), "%s/find-%llu-%llu.log", harness->folder,
             (unsigned long long)harness->seed, (unsigned long long)number);
    rename(harness->log, kept);
}

/* Runs mutants from `first` to below `end`, those behind a find in a child of their own.  Leaks are
 * seen at a child's end alone: its mutants run once more, one a child. */
static void run_range(struct harness *harness, uint64_t first, uint64_t end, uint64_t batch)
{
    while (first < end) {
        uint64_t count = end - first < batch ? end - first : batch;
        harness->progress->asked = 0;
        harness->progress->question = -1;
        harness->progress->number = first;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            run_batch(harness, first, count);
        const char *what = watch(harness, child);
        uint64_t number = harness->progress->number;
        if (what && strcmp(what, "leak") == 0 && count > 1)
            run_range(harness, first, first + count, 1);
        else if (what)
            keep(harness, what, number);
        first = !what || strcmp(what, "leak") == 0 ? first + count : number + 1;
    }
}

/* ---- the corpus ---- */

static char *read_file(struct fw_arena *arena, const char *path)
{
    char buffer[SOURCE_MOST];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(buffer, 1, sizeof(buffer), file) : 0;
    if (file)
        fclose(file);
    return size && size < sizeof(buffer) ? fw_arena_text(arena, buffer, size) : NULL;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* A file, or the .ptx files of a folder in the order of their names; large ones are left out. */
static void add_corpus(struct harness *harness, const char *path)
{
    FW_VECTOR(char *) names = {0};
    DIR *folder = opendir(path);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL)
        if (ends_with(entry->d_name, ".ptx"))
            *FW_APPEND(harness->arena, &names) =
                fw_arena_printf(harness->arena, "%s/%s", path, entry->d_name);
    if (folder)
        closedir(folder);
    else
        *FW_APPEND(harness->arena, &names) = fw_arena_printf(harness->arena, "%s", path);
    qsort(names.at, names.count, sizeof(*names.at), by_name);
    for (size_t i = 0; i < names.count; i++) {
        const char *text = read_file(harness->arena, names.at[i]);
        if (text)
            *FW_APPEND(harness->arena, &harness->corpus.texts) = text;
    }
}

static void report(const struct harness *harness, uint64_t tries, double seconds)
{
    static const char *const endings[] = {"answered", "input", "usage",  "machine",
                                          "memory",   "range", "budget", "other"};
    printf("%-10s", "question");
    for (size_t i = 0; i < 8; i++)
        printf(" %9s", endings[i]);
    printf(" %9s", "seconds");
    for (int q = 0; q < MUTANT_QUESTION_COUNT; q++) {
        printf("\n%-10s", mutant_question_name((enum mutant_question)q));
        for (size_t i = 0; i < 8; i++)
            printf(" %9llu", (unsigned long long)harness->progress->statuses[q][i]);
        printf(" %9.2f", harness->progress->seconds[q]);
    }
    printf("\n%llu texts, %llu mutants, %llu finds, %.0f s, %.1f mutants/s, slowest %.2f s "
           "(mutant %llu)\n",
           (unsigned long long)harness->corpus.texts.count, (unsigned long long)tries,
           (unsigned long long)harness->finds, seconds, (double)tries / seconds,
           harness->progress->slowest, (unsigned long long)harness->progress->slowest_number);
}

static int replay(struct harness *harness, const char *path)
{
    unsigned long long seed, number;
    const char *text = read_file(harness->arena, path);
    if (!text || sscanf(text, "// mutant %llu %llu", &seed, &number) != 2) {
        fprintf(stderr, "%s: no mutant\n", path);
        return 2;
    }
    snprintf(harness->path, sizeof(harness->path), "%s", path);
    run_text(harness, seed, number, text);
    report(harness, 1, harness->progress->slowest);
    asker_close(&harness->asker);
    fw_arena_free(harness->arena);
    return 0;
}

int main(int count, char **arguments)
{
    struct harness harness = {.folder = count > 2 ? arguments[2] : ".", .seconds = 10};
    harness.arena = fw_arena_new(0);
    harness.progress = mmap(NULL, sizeof(*harness.progress), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (count < 5 || harness.progress == MAP_FAILED ||
        !asker_open(&harness.asker, arguments[1], say)) {
        fprintf(stderr,
                "usage: mutate-ptx DATA FOLDER COUNT SEED [-f FIRST] [-t SECONDS] FILE|FOLDER...\n"
                "       mutate-ptx DATA FOLDER --replay FILE.ptx\n");
        return 2;
    }
    harness.asker.begins = question_begins;
    harness.asker.ended = question_ended;
    harness.asker.user = harness.progress;
    if (strcmp(arguments[3], "--replay") == 0)
        return replay(&harness, arguments[4]);
    uint64_t first = 0, tries = strtoull(arguments[3], NULL, 10);
    harness.seed = strtoull(arguments[4], NULL, 10);
    for (int i = 5; i < count; i++)
        if (strcmp(arguments[i], "-f") == 0 && i + 1 < count)
            first = strtoull(arguments[++i], NULL, 10);
        else if (strcmp(arguments[i], "-t") == 0 && i + 1 < count)
            harness.seconds = strtod(arguments[++i], NULL);
        else
            add_corpus(&harness, arguments[i]);
    if (mkdir(harness.folder, 0777) && errno != EEXIST)
        perror(harness.folder);
    snprintf(harness.path, sizeof(harness.path), "%s/running-%ld.ptx", harness.folder,
             (long)getpid());
    snprintf(harness.log, sizeof(harness.log), "%s/running-%ld.log", harness.folder,
             (long)getpid());
    if (harness.corpus.texts.count == 0)
        return 2;
    double began = seconds_of(CLOCK_MONOTONIC);
    run_range(&harness, first, first + tries, BATCH);
    report(&harness, tries, seconds_of(CLOCK_MONOTONIC) - began);
    unlink(harness.path);
    unlink(harness.log);
    uint64_t finds = harness.finds;
    asker_close(&harness.asker);
    fw_arena_free(harness.arena);
    return finds > 0;
}
