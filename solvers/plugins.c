/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dladdr, memfd_create */
#include "solvers/plugins.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/shared_object.h"

#define GRACE 1.0 /* [s] for a run that was told to end */

extern char **environ;

typedef struct {
    kb_solver solver; /* first: run() finds the rest by it */
    char *file, *mech, *host; /* .so of the plug-in, solvers.so, program */
    char *broken;    /* why it could not be loaded; NULL */
    int which;
    int nsp;
    double limit;
} plugin;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the process of a run ---- */

typedef struct {
    int fd;
    size_t size;
    kb_plugin_call *call;
} shared;

static int shared_open(shared *s, size_t extra, kb_error *err)
{
    s->size = sizeof *s->call + extra;
    s->fd = memfd_create("kinbench", 0);
    if (s->fd < 0 || ftruncate(s->fd, (off_t)s->size))
        return kb_fail(err, KB_INVALID, "no memory to share with a plug-in: %s", strerror(errno));
    s->call = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
    if (s->call == MAP_FAILED)
        return kb_fail(err, KB_INVALID, "no memory to share with a plug-in: %s", strerror(errno));
    return KB_OK;
}

static void shared_close(shared *s)
{
    if (s->call && s->call != MAP_FAILED)
        munmap(s->call, s->size);
    if (s->fd >= 0)
        close(s->fd);
}

static int start_host(const plugin *p, const char *task, int fd, pid_t *pid)
{
    char number[16];
    snprintf(number, sizeof number, "%d", fd);
    char *argv[] = {p->host, (char *)task, number, p->file, p->mech, NULL};
    posix_spawnattr_t own_group;
    posix_spawnattr_init(&own_group);
    posix_spawnattr_setflags(&own_group, POSIX_SPAWN_SETPGROUP);
    int code = posix_spawn(pid, p->host, NULL, &own_group, argv, environ);
    posix_spawnattr_destroy(&own_group);
    return code;
}

/* Its wait status, and the end of what it has started in its process group; false: it still runs */
static bool has_ended(pid_t pid, int *status)
{
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) || !info.si_pid)
        return false;
    kill(-pid, SIGKILL);
    waitpid(pid, status, 0);
    return true;
}

/* Waits; when *stop is set, or after the limit, tells the process to end, and ends it if it does
 * not. *late: it was told for the limit, or had to be ended. Returns its wait status. */
static int await_host(pid_t pid, kb_plugin_call *call, const volatile int *stop, double limit,
                      int *late)
{
    int status = 0;
    double told = 0, begin = now();
    struct timespec nap = {0, 200000};
    while (!has_ended(pid, &status)) {
        bool asked = stop && *stop;
        if (!told && (asked || now() - begin > limit)) {
            told = now();
            *late = !asked;
            call->stop = 1;
        }
        if (told && now() - told > GRACE) {
            *late = 1;
            kill(-pid, SIGKILL);
            waitpid(pid, &status, 0);
            return status;
        }
        nanosleep(&nap, NULL);
        nap.tv_nsec = nap.tv_nsec < 5000000 ? nap.tv_nsec * 2 : nap.tv_nsec;
    }
    return status;
}

/* what the end of the process means */
static int judge(const plugin *p, const shared *s, int status, int late, kb_error *err)
{
    const char *name = p->solver.info.name;
    if (late && (WIFSIGNALED(status) || WEXITSTATUS(status) == KB_INTERRUPTED))
        return kb_fail(err, KB_INVALID, "plug-in %s did not end within %.3g s%s", name, p->limit,
                       WIFSIGNALED(status) ? ", nor when it was asked to" : "");
    if (WIFSIGNALED(status))
        return kb_fail(err, KB_INVALID, "plug-in %s crashed: %s", name,
                       strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status) == KB_INTERRUPTED)
        return kb_fail(err, KB_INTERRUPTED, "interrupted");
    if (!s->call->finished)
        return kb_fail(err, KB_INVALID, "plug-in %s ended its process", name);
    if (WEXITSTATUS(status))
        return kb_fail(err, KB_INVALID, "plug-in %s: %.900s", name, s->call->error);
    return KB_OK;
}

static int run_host(const plugin *p, shared *s, const char *task, const volatile int *stop,
                    kb_error *err)
{
    pid_t pid;
    int late = 0, code = start_host(p, task, s->fd, &pid);
    if (code)
        return kb_fail(err, KB_INVALID, "%s cannot be started: %s", p->host, strerror(code));
    int status = await_host(pid, s->call, stop, p->limit, &late);
    return judge(p, s, status, late, err);
}

/* ---- a run ---- */

static bool has_negative(const kb_count *c)
{
    return c->attempted < 0 || c->accepted < 0 || c->rejected < 0 || c->rhs < 0 || c->jac < 0 ||
           c->lu < 0 || c->solve < 0;
}

/* T [K] or a mass fraction, with room for the error of a coarse method */
static bool is_possible(int unknown, double value)
{
    return unknown ? value > -0.5 && value < 1.5 : value > 0 && value < 1e5;
}

/* is what a plug-in wrote what it says that it is? */
static int check_results(const plugin *p, const kb_plugin_call *c, const double *y,
                         const kb_count *count, kb_error *err)
{
    const char *name = p->solver.info.name;
    for (long i = 0; i < c->n; i++) {
        if (count[i].status < 0 || count[i].status >= KB_ODE_NSTATUS)
            return kb_fail(err, KB_INVALID, "plug-in %s: ODE %ld ended with status %d, which there "
                           "is not", name, i, count[i].status);
        if (has_negative(&count[i]))
            return kb_fail(err, KB_INVALID, "plug-in %s: a counter of ODE %ld is negative", name,
                           i);
        for (int k = 0; !count[i].status && k <= p->nsp; k++)
            if (!is_possible(k, y[i * (p->nsp + 1) + k]))
                return kb_fail(err, KB_INVALID, "plug-in %s wrote %g into unknown %d of ODE %ld "
                               "and called it ok", name, y[i * (p->nsp + 1) + k], k, i);
    }
    return KB_OK;
}

static void fill_call(const plugin *p, const kb_job *job, kb_plugin_call *c)
{
    c->which = p->which;
    c->nsp = p->nsp;
    c->n = job->n;
    c->reactor = job->reactor;
    c->threads = job->threads > 0 ? job->threads : 1;
    c->max_substeps = job->max_substeps > 0 ? job->max_substeps : 1000000;
    c->dt = job->dt;
    c->rtol = job->rtol;
    c->atol = job->atol;
    for (int i = 0; p->solver.info.options[i].name; i++)
        c->options[i] = job->options ? job->options[i] : p->solver.info.options[i].value;
    memcpy(kb_plugin_states(c), job->states, (size_t)(c->n * (c->nsp + 2)) * sizeof(double));
}

static double cpu;

double kb_plugins_cpu(void)
{
    return cpu;
}

static void fill_result(kb_plugin_call *c, kb_result *r)
{
    cpu += c->cpu;
    memcpy(r->y, kb_plugin_y(c), (size_t)(c->n * (c->nsp + 1)) * sizeof *r->y);
    memcpy(r->count, kb_plugin_counts(c), (size_t)c->n * sizeof *r->count);
    r->total = r->kernel = c->total;
    r->copy_in = r->copy_out = 0;
    r->lane_use = 1;
    r->lanes = 1;
    r->threads = c->threads;
    r->resident = c->threads;
}

static int run(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    const plugin *p = (const plugin *)self;
    shared s = {.fd = -1};
    if (p->broken)
        return kb_fail(err, KB_INVALID, "%.900s", p->broken);
    size_t n = (size_t)job->n, nsp = (size_t)p->nsp;
    int code = shared_open(&s, n * ((2 * nsp + 3) * sizeof(double) + sizeof(kb_count)), err);
    if (!code) {
        fill_call(p, job, s.call);
        code = run_host(p, &s, "run", job->stop, err);
    }
    if (!code)
        code = check_results(p, s.call, kb_plugin_y(s.call), kb_plugin_counts(s.call), err);
    if (!code)
        fill_result(s.call, result);
    shared_close(&s);
    return code;
}

/* ---- loading ---- */

static kb_option *copy_options(const kb_plugin_description *d)
{
    kb_option *o = kb_alloc((size_t)d->noptions + 1, sizeof *o);
    for (int i = 0; i < d->noptions; i++)
        o[i] = (kb_option){kb_strdup(d->option[i].name), kb_strdup(d->option[i].help),
                           d->option[i].value, -INFINITY, INFINITY, KB_REAL};
    return o;
}

static plugin *make_plugin(const plugin *from, const kb_plugin_description *d, int which)
{
    plugin *p = kb_alloc(1, sizeof *p);
    *p = *from;
    p->file = kb_strdup(from->file);
    p->mech = kb_strdup(from->mech);
    p->host = kb_strdup(from->host);
    p->which = which;
    p->solver.run = run;
    p->solver.info = (kb_solver_info){
        .name = kb_strdup(d->name), .engine = d->on_gpu ? "gpu-plugin" : "cpu-plugin",
        .source = kb_strdup(d->source), .summary = kb_strdup(d->summary),
        .rtol = d->rtol, .atol = d->atol, .options = copy_options(d), .lanes = 1};
    return p;
}

static void free_plugin(plugin *p)
{
    const kb_solver_info *info = &p->solver.info;
    for (int i = 0; info->options[i].name; i++) {
        free((char *)info->options[i].name);
        free((char *)info->options[i].help);
    }
    free((kb_option *)info->options);
    free((char *)info->name);
    free((char *)info->source);
    free((char *)info->summary);
    free(p->file);
    free(p->mech);
    free(p->host);
    free(p->broken);
    free(p);
}

/* of a file that says nothing of itself */
static plugin *make_broken(const plugin *from, const char *why)
{
    kb_plugin_description d = {.summary = "a plug-in that cannot be loaded", .rtol = 1e-6,
                               .atol = 1e-10};
    const char *slash = strrchr(from->file, '/'), *name = slash ? slash + 1 : from->file;
    snprintf(d.name, sizeof d.name, "%.*s", (int)(strlen(name) - 3), name);
    plugin *p = make_plugin(from, &d, 0);
    p->broken = kb_strdup(why);
    return p;
}

typedef struct {
    const kb_solver **solver;
    int n;
    char *list; /* the new one */
} additions;

static void add_word(additions *a, const char *name, const char *options)
{
    char *longer = kb_format("%s%s%s%s", a->list ? a->list : "", a->list ? "," : "", name, options);
    free(a->list);
    a->list = longer;
}

static void add(additions *a, plugin *p, const char *options)
{
    a->solver = kb_realloc(a->solver, (size_t)a->n + 1, sizeof *a->solver);
    a->solver[a->n++] = &p->solver;
    add_word(a, p->solver.info.name, options);
}

/* Two files may not have solvers of one name: the rows could not be told apart. */
static int check_name(const additions *a, const plugin *p, kb_error *err)
{
    for (int i = 0; i < a->n; i++) {
        const plugin *other = (const plugin *)a->solver[i];
        if (strcmp(other->solver.info.name, p->solver.info.name) ||
            strcmp(other->solver.info.engine, p->solver.info.engine) ||
            !strcmp(other->file, p->file))
            continue;
        return kb_fail(err, KB_INVALID, "--solvers: %s and %s both have a solver '%s' on %s (give "
                       "one of them another name)", other->file, p->file, p->solver.info.name,
                       p->solver.info.engine);
    }
    return KB_OK;
}

/* all solvers of one file; options: ":a=1:b=2" or "" */
static int add_file(additions *a, const plugin *from, const char *options, kb_error *clash)
{
    shared s = {.fd = -1};
    kb_error err = {0};
    plugin asked = *from;
    asked.solver.info.name = from->file;
    int code = shared_open(&s, 0, &err);
    code = code ? code : run_host(&asked, &s, "describe", NULL, &err);
    int broken = code, n = broken ? 1 : s.call->nsolvers;
    code = KB_OK;
    for (int i = 0; i < n && !code; i++) {
        plugin *p = broken ? make_broken(from, err.text)
                           : make_plugin(from, &s.call->solver[i], i);
        code = check_name(a, p, clash);
        if (code)
            free_plugin(p);
        else
            add(a, p, broken ? "" : options);
    }
    shared_close(&s);
    return code;
}

static char *find_host(kb_error *err)
{
    char *host = kb_beside_program("plugin_host");
    if (access(host, X_OK) == 0)
        return host;
    kb_fail(err, KB_INVALID, "%s is not there, which runs plug-ins (`make tools` builds it)", host);
    free(host);
    return NULL;
}

/* length of the file's name in a word of the list; 0: it is no file */
static size_t file_length(const char *word)
{
    size_t n = strcspn(word, ":");
    return n > 3 && !strncmp(word + n - 3, ".so", 3) ? n : 0;
}

/* a word of the list: the n first characters are a file */
static int add_named(additions *a, plugin *from, const char *word, size_t n, kb_words *files,
                     kb_error *err)
{
    if (!from->host && !(from->host = find_host(err)))
        return KB_INVALID;
    free(from->file);
    from->file = kb_format("%s%.*s", strchr(word, '/') ? "" : "./", (int)n, word);
    if (access(from->file, F_OK))
        return kb_fail(err, KB_INVALID, "--solvers: there is no file %s", from->file);
    kb_words_add(files, from->file);
    return add_file(a, from, word + n, err);
}

static void drop(additions *a)
{
    for (int i = 0; i < a->n; i++)
        free_plugin((plugin *)a->solver[i]);
    free(a->list);
}

void kb_plugins_drop(const kb_solvers *all, const kb_solvers *s, const char *list)
{
    if (!all || all == s)
        return;
    for (int i = s->nsolvers; i < all->nsolvers; i++)
        free_plugin((plugin *)all->solvers[i]);
    free((void *)all->solvers);
    free((void *)all);
    free((char *)list);
}

const kb_solvers *kb_plugins_add(const kb_solvers *s, const char **list, kb_words *files,
                                 double limit, kb_error *err)
{
    kb_words words;
    Dl_info here;
    additions a = {0};
    plugin from = {.nsp = s->nsp, .limit = limit};
    int code = KB_OK;
    from.mech = kb_strdup(dladdr(s->compiler, &here) ? here.dli_fname : "");
    kb_words_split(&words, *list);
    for (int i = 0; i < words.count && !code; i++) {
        size_t n = file_length(words.word[i]);
        if (n && !s->odes)
            code = kb_fail(err, KB_INVALID, "%s: a plug-in needs solvers that were compiled for %s",
                           words.word[i], s->mech);
        else if (n)
            code = add_named(&a, &from, words.word[i], n, files, err);
        else
            add_word(&a, words.word[i], "");
    }
    kb_words_free(&words);
    free(from.file);
    free(from.mech);
    free(from.host);
    if (code || !a.n) {
        drop(&a);
        s = code ? NULL : s;
    } else {
        *list = a.list;
        s = kb_solvers_with(s, a.solver, a.n);
    }
    free(a.solver);
    return s;
}
