#include "target/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"

enum { OUTPUT_LIMIT = 64 << 10 };

const char *tool_find(struct arena *a, const char *name)
{
    const char *path = getenv("PATH");
    const char *at = arena_printf(a, "%s:/usr/sbin:/sbin:/usr/bin:/bin", path ? path : "");
    while (*at) {
        size_t n = strcspn(at, ":");
        const char *full = arena_printf(a, "%.*s/%s", (int)n, at, name);
        if (n && *at == '/' && access(full, X_OK) == 0)
            return full;
        at += n;
        at += *at == ':';
    }
    return NULL;
}

/* In the child, between fork and exec. What goes wrong ends it as a signal would: it must not run our exit handlers. */
static void become(const char *program, const char *const argv[], const char *folder, int out)
{
    int none = open("/dev/null", O_RDONLY | O_CLOEXEC);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    signal(SIGPIPE, SIG_DFL);
    if (none < 0 || dup2(none, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0 || chdir(folder))
        kill(getpid(), SIGKILL);
    setenv("LC_ALL", "C", 1);
    execv(program, (char *const *)(uintptr_t)argv);
    kill(getpid(), SIGKILL);
}

static void read_all(int fd, struct str *s)
{
    char buffer[4096];
    for (;;) {
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return;
        if (s->n + (size_t)n < OUTPUT_LIMIT)
            str_putn(s, buffer, (size_t)n);
    }
}

/* The last line that says something, control characters as '?'. */
static const char *last_line(struct arena *a, const char *text)
{
    size_t end = strlen(text);
    while (end && (text[end - 1] == '\n' || text[end - 1] == ' '))
        end--;
    size_t from = end;
    while (from && text[from - 1] != '\n')
        from--;
    char *line = arena_strndup(a, text + from, end - from);
    for (char *p = line; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            *p = '?';
    return *line ? line : "it says nothing";
}

static int wait_for(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}

static int start(const char *program, const char *const argv[], const char *folder, int *ret_fd,
                 pid_t *ret, struct error *e)
{
    int pipes[2];
    if (pipe2(pipes, O_CLOEXEC))
        return error_sys(e, errno, "cannot run '%s'", argv[0]);
    pid_t child = fork();
    if (child == 0)
        become(program, argv, folder, pipes[1]);
    int sys = errno;
    close(pipes[1]);
    if (child < 0) {
        close(pipes[0]);
        return error_sys(e, sys, "cannot run '%s'", argv[0]);
    }
    *ret_fd = pipes[0];
    *ret = child;
    return 0;
}

int tool_run(struct arena *a, const char *const argv[], const char *folder, const char **ret_out,
             struct error *e)
{
    const char *program = tool_find(a, argv[0]);
    int fd = -1;
    pid_t child = -1;
    if (!program)
        return error_set(e, QD_E_NOTFOUND, "'%s' is not installed", argv[0]);
    if (start(program, argv, folder, &fd, &child, e))
        return -1;
    struct str out = str_new(OUTPUT_LIMIT);
    read_all(fd, &out);
    close(fd);
    int status = wait_for(child);
    const char *said = arena_strdup(a, out.at ? out.at : "");
    str_done(&out);
    if (status < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return error_set(e, QD_E_FAIL, "'%s' failed: %s", argv[0], last_line(a, said));
    if (ret_out)
        *ret_out = said;
    return 0;
}

const char *tool_line(struct arena *a, const char *const argv[])
{
    const char *line = argv[0];
    for (size_t i = 1; argv[i]; i++)
        line = arena_printf(a, "%s %s", line, argv[i]);
    return line;
}
