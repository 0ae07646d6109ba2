/* SPDX-License-Identifier: MIT
 *
 * Mechanisms: installed, built, built now, or read for engines of any mechanism.
 */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/shared_object.h"
#include "library/inside.h"

#define TAIL 600 /* characters of a failed build that are told */

extern char **environ;

static const char *source_tree(void)
{
    const char *given = getenv("KINBENCH_SOURCE");
    return given && *given ? given : KB_SOURCE_TREE;
}

/* ---- building ---- */

/* The environment of make: without what an outer make would hand on. Caller frees the list. */
static char **build_environment(void)
{
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    char **list = calloc(n + 1, sizeof *list);
    for (size_t i = 0; list && i < n; i++)
        if (strncmp(environ[i], "MAKE", 4) && strncmp(environ[i], "MFLAGS", 6))
            list[kept++] = environ[i];
    return list;
}

/* make in the source tree, what it says into the file; 0 if it ended well. mech NULL: the engines
 * of any mechanism */
static int run_make(const char *source, const char *mech, int log)
{
    char define[sizeof "MECH=" + 4096]; /* ci/names.mk refuses what a shell or make would expand */
    if (snprintf(define, sizeof define, "MECH=%s", mech ? mech : "") >= (int)sizeof define)
        return -1;
    char *argv[] = {"make", "-s", "-C", (char *)source, mech ? "library-mechanism" : "library-any",
                    mech ? define : NULL, NULL};
    char **env = build_environment();
    posix_spawn_file_actions_t files;
    if (!env || posix_spawn_file_actions_init(&files)) {
        free(env);
        return -1;
    }
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, log, 1);
    posix_spawn_file_actions_adddup2(&files, log, 2);
    pid_t pid;
    int status = -1, code = posix_spawnp(&pid, argv[0], &files, NULL, argv, env);
    posix_spawn_file_actions_destroy(&files);
    free(env);
    if (code)
        return -1;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* the end of what make said; text [TAIL + 1] */
static void read_end(FILE *log, char *text)
{
    fseek(log, 0, SEEK_END);
    long size = ftell(log), from = size > TAIL ? size - TAIL : 0;
    fseek(log, from, SEEK_SET);
    size_t n = fread(text, 1, TAIL, log);
    while (n && (text[n - 1] == '\n' || text[n - 1] == ' '))
        n--;
    text[n] = 0;
}

/* Builds, under a lock of the source tree; path [size]: of the solvers, the last line of make;
 * mech: as run_make */
static int build(const char *source, const char *mech, char *path, size_t size)
{
    char end[TAIL + 1], lock_path[4096];
    snprintf(lock_path, sizeof lock_path, "%s/Makefile", source);
    int lock = open(lock_path, O_RDONLY | O_CLOEXEC);
    if (lock < 0)
        return kb_fail_with(KB_ERROR_ARGUMENT, "%s%s%s not installed, and there is no "
                            "source tree %s to build it in (set KINBENCH_SOURCE)",
                            mech ? "mechanism '" : "", mech ? mech : "the engine of any mechanism",
                            mech ? "' is" : " is", source);
    FILE *log = tmpfile();
    if (!log) {
        int why = errno;
        close(lock);
        return kb_fail_with(KB_ERROR_ARGUMENT, "no temporary file for the build of '%s': %s",
                            mech ? mech : "any", strerror(why));
    }
    while (flock(lock, LOCK_EX) && errno == EINTR) /* by a signal of the caller's */
        ;
    int code = run_make(source, mech, fileno(log));
    close(lock);
    read_end(log, end);
    fclose(log);
    if (code)
        return kb_fail_with(KB_ERROR_ARGUMENT, "mechanism '%s' cannot be built (make -C %s "
                            "%s%s): %s", mech ? mech : "any", source,
                            mech ? "solvers MECH=" : "any", mech ? mech : "",
                            *end ? end : "make could not be started");
    const char *line = strrchr(end, '\n');
    snprintf(path, size, "%s", line ? line + 1 : end);
    return KB_SUCCESS;
}

/* ---- opening ---- */

static bool readable(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, R_OK) == 0;
}

/* kinbench/ beside this library, where make install puts mechanisms, wherever the folders have been
 * moved to. Found at loading: a relative path holds until the program changes its folder. */
static char installed[2048];
__attribute__((constructor)) static void find_installed(void)
{
    Dl_info library;
    char *path = dladdr(installed, &library) ? realpath(library.dli_fname, NULL) : NULL;
    if (path)
        snprintf(installed, sizeof installed, "%.*s/kinbench", (int)(strrchr(path, '/') - path),
                 path);
    free(path);
}

/* path [size]: of the installed solvers of name those of the highest level of x86-64 that this
 * processor runs; if it runs none, of the lowest, whose opening fails and says what is missing.
 * False: none is installed. */
static bool best_installed(const char *name, char *path, size_t size)
{
    static const char *const levels[] = {"v4/", "v3/", "v2/", ""};
    char at[4096];
    bool found = false, runs = false;
    for (size_t i = 0; i < sizeof levels / sizeof *levels && !runs; i++) {
        snprintf(at, sizeof at, "%s/%.1000s/%ssolvers.so", installed, name, levels[i]);
        if (!*installed || !readable(at))
            continue;
        snprintf(path, size, "%s", at);
        found = true;
        runs = kb_shared_runs(at);
    }
    return found;
}

/* path [size]: the solvers.so that name means */
static int find(const char *name, char *path, size_t size)
{
    const char *source = source_tree();
    if (kb_ends_in(name, ".so")) {
        snprintf(path, size, "%s", name);
        return KB_SUCCESS;
    }
    if (strchr(name, '/')) {
        char *whole = realpath(name, NULL);
        if (!whole)
            return kb_fail_with(KB_ERROR_ARGUMENT, "%s: %s", name, strerror(errno));
        int code = build(source, whole, path, size);
        free(whole);
        return code;
    }
    if (best_installed(name, path, size))
        return KB_SUCCESS;
    snprintf(path, size, "%s/build/mech/%s/solvers.so", source, name);
    return readable(path) ? KB_SUCCESS : build(source, name, path, size);
}

/* path [size]: the engines of any mechanism */
static int find_any(char *path, size_t size)
{
    const char *source = source_tree();
    if (best_installed("any", path, size))
        return KB_SUCCESS;
    snprintf(path, size, "%s/build/any/solvers.so", source);
    return readable(path) ? KB_SUCCESS : build(source, NULL, path, size);
}

/* solvers that were compiled for this mechanism from a file of that name; NULL: there are none */
static const kb_solvers *compiled_for(const kb_solvers *read, const char *file)
{
    char path[4096], name[256];
    kb_error err = {0};
    size_t whole = strcspn(file, ",");
    const char *stem = memrchr(file, '/', whole);
    stem = stem ? stem + 1 : file;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(stem, "."), stem);
    if (!best_installed(name, path, sizeof path))
        snprintf(path, sizeof path, "%s/build/mech/%s/solvers.so", source_tree(), name);
    const kb_solvers *s = readable(path) ? kb_solvers_open(path, &err) : NULL;
    return s && s->nsp == read->nsp && !strcmp(s->sha256, read->sha256) ? s : NULL;
}

/* no engines are built for a file that is not there */
static bool is_missing(const char *file, kb_error *err)
{
    const char *named = strchr(file, '=');
    char *first = kb_strdup(named ? named + 1 : file);
    first[strcspn(first, ",")] = 0;
    bool missing = access(first, F_OK);
    if (missing)
        kb_fail(err, KB_INVALID, "%s: %s", first, strerror(errno));
    free(first);
    return missing;
}

/* the solvers of a mechanism file without a compiler, or those compiled for it where they are */
static const kb_solvers *open_file(const char *file, kb_error *err)
{
    char path[4096];
    if (is_missing(file, err))
        return NULL;
    int code = find_any(path, sizeof path);
    if (code) {
        kb_fail(err, code, "%s", kb_last_error());
        return NULL;
    }
    const kb_solvers *read = kb_solvers_read(path, file, err);
    const kb_solvers *compiled = read ? compiled_for(read, file) : NULL;
    if (compiled)
        read->close(read);
    return compiled ? compiled : read;
}

static bool to_compile(void)
{
    const char *set = getenv("KINBENCH_COMPILE");
    return set && !strcmp(set, "1");
}

int kb_mechanism_open(const char *name, kb_mechanism **out)
{
    KB_HOLD_ENVIRONMENT();
    char path[4096];
    kb_error err = {0};
    if (!name || !out || !*name)
        return kb_fail_with(KB_ERROR_ARGUMENT, "kb_mechanism_open: an argument is NULL or empty");
    *out = NULL;
    bool file = kb_is_mechanism_file(name) && !to_compile();
    int code = file ? KB_SUCCESS : find(name, path, sizeof path);
    if (code)
        return code;
    const kb_solvers *solvers = NULL;
    jmp_buf no_memory;
    if (setjmp(no_memory)) {
        kb_no_memory = NULL;
        return kb_fail_with(KB_ERROR_MEMORY, "no memory to open %s", name);
    }
    kb_no_memory = &no_memory;
    solvers = file ? open_file(name, &err) : kb_solvers_open(path, &err);
    kb_no_memory = NULL;
    if (!solvers)
        return kb_fail_as(&err);
    *out = malloc(sizeof **out);
    if (!*out)
        return kb_fail_with(KB_ERROR_MEMORY, "no memory to open %s", name);
    (*out)->solvers = solvers;
    return KB_SUCCESS;
}

void kb_mechanism_close(kb_mechanism *m)
{
    if (m && m->solvers->close)
        m->solvers->close(m->solvers);
    free(m);
}

/* ---- what it is ---- */

/* false, with a reason for kb_last_error: m is NULL */
static bool given(const kb_mechanism *m)
{
    if (!m)
        kb_fail_with(KB_ERROR_ARGUMENT, "the mechanism is NULL");
    return m;
}

const char *kb_mechanism_name(const kb_mechanism *m)
{
    return given(m) ? m->solvers->mech : NULL;
}

int kb_mechanism_species(const kb_mechanism *m)
{
    return given(m) ? m->solvers->nsp : 0;
}

const char *kb_mechanism_species_name(const kb_mechanism *m, int k)
{
    return given(m) && k >= 0 && k < m->solvers->nsp ? m->solvers->species[k] : NULL;
}

double kb_mechanism_weight(const kb_mechanism *m, int k)
{
    return given(m) && k >= 0 && k < m->solvers->nsp ? m->solvers->W[k] : 0;
}

int kb_mechanism_find_species(const kb_mechanism *m, const char *name)
{
    if (!given(m))
        return -1;
    for (int k = 0; name && k < m->solvers->nsp; k++)
        if (!strcmp(m->solvers->species[k], name))
            return k;
    return -1;
}

int kb_mechanism_find_all(const kb_mechanism *m, int n, const char *const *names, int *index)
{
    if (!given(m))
        return KB_ERROR_ARGUMENT;
    if (n < 0 || (n > 0 && (!names || !index)))
        return kb_fail_with(KB_ERROR_ARGUMENT, "kb_mechanism_find_all: n = %d, expected 0 or more "
                            "names and indices", n);
    for (int i = 0; i < n; i++)
        if (kb_mechanism_find_species(m, names[i]) < 0)
            return kb_fail_with(KB_ERROR_ARGUMENT, "species %d, '%s', is not among the %d of %s", i,
                                names[i] ? names[i] : "NULL", m->solvers->nsp, m->solvers->mech);
    for (int i = 0; i < n; i++)
        index[i] = kb_mechanism_find_species(m, names[i]);
    return KB_SUCCESS;
}

int kb_mechanism_solver(const kb_mechanism *m, int i, const char **method, const char **engine)
{
    if (!given(m))
        return KB_ERROR_ARGUMENT;
    if (!method || !engine)
        return kb_fail_with(KB_ERROR_ARGUMENT, "kb_mechanism_solver: %s is NULL",
                            method ? "engine" : "method");
    if (i < 0 || i >= m->solvers->nsolvers)
        return KB_ERROR_ARGUMENT;
    *method = m->solvers->solvers[i]->info.name;
    *engine = m->solvers->solvers[i]->info.engine;
    return KB_SUCCESS;
}
