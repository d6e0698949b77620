/* forewarp-measure as a child.  See campaign_internal.h. */
#include "campaign_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 32, LONGEST_LINE = 1 << 16 };

/* Between fork and exec: async-signal-safe calls alone. */
static void become(const char *program, char *const *arguments, int output, int errors,
                   pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0)
        _exit(127);
    execv(program, arguments);
    _exit(127);
}

enum fw_status campaign_child_start(struct campaign_run *run, struct campaign_child *child,
                                    const char *const *arguments, const char *errors)
{
    const char *program = run->campaign->program;
    char *words[MOST_ARGUMENTS + 2];
    size_t count = 0;
    int ends[2] = {-1, -1};
    *child = (struct campaign_child){.process = -1};
    words[count++] = fw_arena_text(run->arena, program, strlen(program));
    for (; *arguments && count <= MOST_ARGUMENTS; arguments++)
        words[count++] = fw_arena_text(run->arena, *arguments, strlen(*arguments));
    words[count] = NULL;
    int file = open(errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (access(program, X_OK) != 0 || file < 0 || pipe(ends) != 0) {
        CAMPAIGN_ERROR(run, "CAM003", "cannot run %s: %s", program, strerror(errno));
        if (file >= 0)
            close(file);
        return FW_ERROR_MACHINE;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t parent = getpid();
    child->process = fork();
    if (child->process == 0)
        become(program, words, ends[1], file, parent);
    close(file);
    close(ends[1]);
    child->output = child->process > 0 ? fdopen(ends[0], "r") : NULL;
    if (child->output)
        return FW_OK;
    CAMPAIGN_ERROR(run, "CAM003", "cannot run %s: %s", program, strerror(errno));
    close(ends[0]);
    return FW_ERROR_MACHINE;
}

const char *campaign_child_line(struct campaign_run *run, struct campaign_child *child)
{
    static const size_t first = 4096;
    struct fw_buffer line = fw_buffer_new(run->arena);
    char *piece = fw_arena_alloc(run->arena, first);
    while (fgets(piece, (int)first, child->output)) {
        size_t length = strlen(piece);
        bool ended = length && piece[length - 1] == '\n';
        fw_buffer_add(&line, piece, length - ended);
        if (ended || line.length > LONGEST_LINE)
            return line.length ? line.text : "";
    }
    return NULL;
}

/* The last complaint: the line that opens with the program's name, else the last line. */
static const char *last_words(struct campaign_run *run, const char *errors)
{
    static const char own[] = "forewarp-measure: ";
    struct fw_source said;
    const char *found = NULL;
    if (fw_store_read_file(&said, run->arena, errors, NULL))
        return "nothing";
    for (char *line = strtok((char *)(uintptr_t)said.text, "\n"); line; line = strtok(NULL, "\n"))
        if (strncmp(line, own, sizeof(own) - 1) == 0)
            found = line + sizeof(own) - 1;
        else if (!found)
            found = line;
    return found ? found : "nothing";
}

enum fw_status campaign_child_end(struct campaign_run *run, struct campaign_child *child,
                                  const char *errors, bool quiet, int *code)
{
    int state = 0;
    fclose(child->output);
    while (waitpid(child->process, &state, 0) < 0 && errno == EINTR)
        ;
    *code = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    if (*code == 0)
        return FW_OK;
    if (*code == 127)
        CAMPAIGN_ERROR(run, "CAM003", "cannot run %s", run->campaign->program);
    else if (*code == -1)
        CAMPAIGN_ERROR(run, "CAM004", "forewarp-measure ended by signal %d", WTERMSIG(state));
    else if (!quiet)
        CAMPAIGN_ERROR(run, "CAM004", "%s", last_words(run, errors));
    return *code == 1 ? FW_ERROR_INPUT : FW_ERROR_MACHINE;
}
