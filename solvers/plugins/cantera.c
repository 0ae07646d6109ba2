/* SPDX-License-Identifier: MIT
 *
 * cantera: the reactors of Cantera (Goodwin et al., cantera.org) as a plug-in, in a Python process:
 * the states go to solvers/plugins/cantera_reactor.py by a pipe, the results come back by another.
 * Compiled for a mechanism with KB_MECH_FILE, its YAML file, and KB_CANTERA_PYTHON, a Python that
 * has Cantera (solvers/mechanism.mk). What is timed is the loop over the ODEs in Python and the
 * pipes; one thread.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "solvers/plugin_api.h"

enum { REACTOR, OPTIONS };
static const kb_plugin_option options[] = {
    [REACTOR] = {"preconditioned", "0: dense Jacobian by differences; 1: moles, GMRES with "
                 "Cantera's adaptive preconditioner", 0}, {0}};

/* what Python is told before the states, and tells of each ODE after the results */
typedef struct {
    double n, species, dt, rtol, atol, constant_volume, max_substeps, option[OPTIONS];
} request;
typedef struct {
    int32_t status, steps, rejected, rhs, jac, lu, solve;
} report;

typedef struct {
    pid_t pid;
    FILE *to, *from;
    int ready;
} child;

static void run_python(int in, int out)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    execl(KB_CANTERA_PYTHON, KB_CANTERA_PYTHON, KB_CANTERA_SCRIPT, KB_MECH_FILE, (char *)NULL);
    _exit(127);
}

static void finish(void *self)
{
    child *c = self;
    if (c->to)
        fclose(c->to);
    if (c->from)
        fclose(c->from);
    if (c->pid > 0)
        waitpid(c->pid, NULL, 0);
    free(c);
}

/* starts Python, and waits until Cantera has read the mechanism */
static void *start(const kb_plugin_job *job, kb_plugin_ode *ode)
{
    int in[2], out[2];
    child *c = calloc(1, sizeof *c);
    request r = {(double)job->n, job->species, job->dt, job->rtol, job->atol,
                 job->constant_volume, (double)job->max_substeps, {job->options[REACTOR]}};
    (void)ode;
    if (!c || pipe2(in, O_CLOEXEC)) {
        free(c);
        return NULL;
    }
    if (pipe2(out, O_CLOEXEC)) {
        close(in[0]);
        close(in[1]);
        free(c);
        return NULL;
    }
    signal(SIGPIPE, SIG_IGN);
    c->pid = fork();
    if (c->pid == 0)
        run_python(in[0], out[1]);
    close(in[0]);
    close(out[1]);
    c->to = fdopen(in[1], "w");
    c->from = fdopen(out[0], "r");
    c->ready = c->pid > 0 && c->to && c->from && fwrite(&r, sizeof r, 1, c->to) == 1 &&
               fflush(c->to) == 0 && fgetc(c->from) == 'r';
    return c;
}

static int integrate(void *self, const kb_plugin_job *job, double *y, kb_plugin_work *work,
                     int32_t *status, char *why, int size)
{
    child *c = self;
    size_t n = (size_t)job->n, nsp = (size_t)job->species;
    if (!c->ready) {
        snprintf(why, (size_t)size, "%s does not run %s with %s (its reason stands above)",
                 KB_CANTERA_PYTHON, KB_CANTERA_SCRIPT, KB_MECH_FILE);
        return 1;
    }
    int good = fwrite(job->states, sizeof(double) * (nsp + 2), n, c->to) == n &&
               fflush(c->to) == 0 && fread(y, sizeof(double) * (nsp + 1), n, c->from) == n;
    for (size_t i = 0; good && i < n; i++) {
        report r;
        good = fread(&r, sizeof r, 1, c->from) == 1;
        status[i] = r.status;
        work[i] = (kb_plugin_work){.attempted = r.steps + r.rejected, .accepted = r.steps,
                                   .rejected = r.rejected, .rhs = r.rhs, .jac = r.jac,
                                   .lu = r.lu, .solve = r.solve};
    }
    if (!good)
        snprintf(why, (size_t)size, "Python ended within a job");
    return !good;
}

const kb_plugin_list *kb_plugin_get(void)
{
    static const kb_plugin_solver solver = {
        .name = "cantera", .summary = "a reactor of Cantera, integrated by its CVODES",
        .source = "Goodwin et al., Cantera, doi:10.5281/zenodo.14455267", .rtol = 1e-6,
        .atol = 1e-12, .options = options, .start = start, .finish = finish,
        .integrate_batch = integrate};
    static const kb_plugin_list list = {KB_PLUGIN_VERSION, 1, &solver};
    return &list;
}
