/* SPDX-License-Identifier: MIT
 *
 * The method "auto": an integrator of its own for each choice that calls have led to.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "library/inside.h"
#include "solvers/auto.h"

typedef struct {
    const kb_integrator *it;
    bool on_gpu; /* on nothing else */
} wanted;

static bool there(const void *context, const kb_tuned *row)
{
    const wanted *w = context;
    const kb_automatic *a = w->it->automatic;
    char name[64];
    size_t length = strcspn(row->solver, ":");
    if (length >= sizeof name || (a->engine && strcmp(a->engine, row->engine)) ||
        (row->threads ? w->on_gpu : !a->gpu))
        return false;
    memcpy(name, row->solver, length);
    name[length] = 0;
    return kb_solver_find(w->it->solvers, name, row->engine);
}

static kb_integrator *add(kb_integrator *it, const kb_tuned *row)
{
    kb_mechanism m = {it->solvers};
    kb_integrator *one;
    int reactor = it->reactor == KB_CONST_V ? KB_CONSTANT_VOLUME : KB_CONSTANT_PRESSURE;
    if (kb_integrator_create(&m, row->solver, row->engine, row->rtol, row->atol, reactor, &one))
        return NULL;
    one->layout = it->layout;
    one->threads = it->threads;
    one->block = it->block;
    one->max_substeps = it->max_substeps;
    one->repair = it->repair;
    one->refill = row->schedule == KB_REFILL;
    one->row = row;
    one->next = it->automatic->chosen;
    return it->automatic->chosen = one;
}

/* none of these rows holds the error */
static int cannot(const kb_integrator *it, const kb_request *r)
{
    const char *engine = it->automatic->engine ? it->automatic->engine : "these engines";
    double least = kb_auto_least(&kb_tuned_here, &kb_held_here, r);
    if (!isfinite(least))
        return kb_fail_with(KB_ERROR_DEVICE, "auto: no solver of its table is on %s", engine);
    return kb_fail_with(KB_ERROR_ARGUMENT, "auto: no solver on %s was measured to hold an error of "
                        "%g (the least is %.2g); name a method, or ask for a larger one (rtol)",
                        engine, r->error, least);
}

kb_integrator *kb_integrator_for(kb_integrator *it, long n, double dt, bool on_gpu)
{
    if (!it->automatic)
        return it;
    wanted w = {it, on_gpu};
    kb_request r = {it->solvers->nsp, dt, n, it->automatic->error, kb_threads_of(it), there, &w};
    kb_tuned_table table = {it->automatic->row, it->automatic->nrows};
    const kb_tuned *row = kb_auto_choose(&table, &r);
    if (!row) {
        cannot(it, &r);
        return NULL;
    }
    pthread_mutex_lock(&it->lock);
    kb_integrator *one = it->automatic->chosen;
    while (one && one->row != row)
        one = one->next;
    one = one ? one : add(it, row);
    pthread_mutex_unlock(&it->lock);
    return one;
}

/* the table for the error; an error that nothing here holds at any n and dt is refused at once */
static int hold(kb_integrator *it)
{
    kb_automatic *a = it->automatic;
    a->row = malloc((size_t)kb_tuned_here.count * sizeof *a->row);
    if (!a->row)
        return kb_fail_with(KB_ERROR_MEMORY, "no memory for an integrator");
    a->nrows = kb_auto_hold(&kb_tuned_here, &kb_held_here, a->error, a->row);
    wanted w = {it, false};
    kb_request r = {.error = a->error, .there = there, .context = &w};
    double least = kb_auto_least(&kb_tuned_here, &kb_held_here, &r);
    return isfinite(least) && least > a->error ? cannot(it, &r) : KB_SUCCESS;
}

int kb_automatic_create(kb_integrator *it, const char *method, const char *engine)
{
    if (strcmp(method, AUTO_NAME))
        return kb_fail_with(KB_ERROR_ARGUMENT, "%s: auto has no options", method);
    double error = it->choice.rtol;
    if (error != 0 && !(error > 0 && error <= 1))
        return kb_fail_with(KB_ERROR_ARGUMENT, "auto: rtol = %g, expected an error from above 0 to "
                            "1 (0: %g)", error, AUTO_ERROR);
    it->automatic = calloc(1, sizeof *it->automatic);
    if (!it->automatic || (engine && !(it->automatic->engine = strdup(engine))))
        return kb_fail_with(KB_ERROR_MEMORY, "no memory for an integrator");
    it->automatic->error = error > 0 ? error : AUTO_ERROR;
    bool cpu = engine && !strncmp(engine, "cpu", 3);
    it->automatic->gpu = !cpu && kb_gpu_there(it->solvers);
    return hold(it);
}

void kb_automatic_forget(kb_integrator *it)
{
    while (it->automatic && it->automatic->chosen) {
        kb_integrator *one = it->automatic->chosen;
        it->automatic->chosen = one->next;
        kb_integrator_free(one);
    }
}
