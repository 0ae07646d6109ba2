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

static int add(kb_integrator *it, const kb_tuned *row)
{
    kb_mechanism m = {it->solvers};
    kb_integrator *one;
    int reactor = it->reactor == KB_CONST_V ? KB_CONSTANT_VOLUME : KB_CONSTANT_PRESSURE;
    int code = kb_integrator_create(&m, row->solver, row->engine, row->rtol, row->atol, reactor,
                                    &one);
    if (code)
        return code;
    one->layout = it->layout;
    one->threads = it->threads;
    one->block = it->block;
    one->max_substeps = it->max_substeps;
    one->repair = it->repair;
    one->refill = row->schedule == KB_REFILL;
    one->row = row;
    one->next = it->automatic->chosen;
    it->automatic->chosen = one;
    return KB_SUCCESS;
}

/* The table for the error asked for over dt, which is made at the first call between the same two
 * measured steps. NULL: no memory. */
static kb_choices *choices_for(kb_integrator *it, double dt)
{
    kb_automatic *a = it->automatic;
    double step[2];
    kb_held_steps(&kb_held_here, dt, step);
    for (kb_choices *c = a->choices; c; c = c->next)
        if (c->step[0] == step[0] && c->step[1] == step[1])
            return c;
    kb_choices *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->of = malloc((size_t)kb_held_here.count * sizeof *c->of);
    c->row = malloc((size_t)kb_tuned_here.count * sizeof *c->row);
    c->next = a->choices;
    a->choices = c;
    if (!c->of || !c->row)
        return NULL;
    memcpy(c->step, step, sizeof step);
    c->nof = kb_held_for(&kb_held_here, it->solvers->nsp, dt, c->of);
    c->nrows = kb_auto_hold(&kb_tuned_here, &(kb_held_table){c->of, c->nof}, a->error, c->row);
    return c;
}

static double least_of(const kb_choices *c, const kb_request *r)
{
    return kb_auto_least(&kb_tuned_here, &(kb_held_table){c->of, c->nof}, r);
}

/* none of these rows holds the error */
static int cannot(const kb_integrator *it, const kb_request *r, double least)
{
    const char *engine = it->automatic->engine ? it->automatic->engine : "these engines";
    if (!isfinite(least))
        return kb_fail_with(KB_ERROR_DEVICE, "auto: no solver of its table is on %s", engine);
    return kb_fail_with(KB_ERROR_ARGUMENT, "auto: no solver on %s was measured to hold an error of "
                        "%g (the least is %.2g); name a method, or ask for a larger one (rtol)",
                        engine, r->error, least);
}

static int no_memory(void)
{
    return kb_fail_with(KB_ERROR_MEMORY, "no memory for an integrator");
}

/* lock is held */
static int choose(kb_integrator *it, const kb_request *r, kb_integrator **chosen)
{
    kb_choices *c = choices_for(it, r->dt);
    if (!c)
        return no_memory();
    const kb_tuned *row = kb_auto_choose(&(kb_tuned_table){c->row, c->nrows}, r);
    if (!row)
        return cannot(it, r, least_of(c, r));
    kb_integrator *one = it->automatic->chosen;
    while (one && one->row != row)
        one = one->next;
    int code = one ? KB_SUCCESS : add(it, row);
    *chosen = one ? one : it->automatic->chosen;
    return code;
}

int kb_choose_integrator(kb_integrator **it, long n, double dt, bool on_gpu)
{
    kb_integrator *any = *it;
    if (!any->automatic)
        return KB_SUCCESS;
    wanted w = {any, on_gpu};
    kb_request r = {any->solvers->nsp, dt, n, any->automatic->error, kb_threads_of(any), there, &w};
    pthread_mutex_lock(&any->lock);
    int code = choose(any, &r, it);
    pthread_mutex_unlock(&any->lock);
    return code;
}

/* an error that nothing here holds at any n and dt is refused at once */
static int refuse(kb_integrator *it)
{
    wanted w = {it, false};
    kb_request r = {.error = it->automatic->error, .there = there, .context = &w};
    double least = INFINITY;
    for (int i = 0; i < kb_held_here.count; i++) {
        const kb_held *h = &kb_held_here.row[i];
        if (i && h->dt == h[-1].dt)
            continue;
        kb_choices *c = choices_for(it, h->dt);
        if (!c)
            return no_memory();
        least = fmin(least, least_of(c, &r));
    }
    return isfinite(least) && least > r.error ? cannot(it, &r, least) : KB_SUCCESS;
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
        return no_memory();
    it->automatic->error = error > 0 ? error : AUTO_ERROR;
    bool cpu = engine && !strncmp(engine, "cpu", 3);
    it->automatic->gpu = !cpu && kb_gpu_there(it->solvers);
    return refuse(it);
}

void kb_automatic_free(kb_integrator *it)
{
    kb_automatic *a = it->automatic;
    kb_automatic_forget(it);
    while (a && a->choices) {
        kb_choices *c = a->choices;
        a->choices = c->next;
        free(c->of);
        free(c->row);
        free(c);
    }
    free(a ? a->engine : NULL);
    free(a);
}

void kb_automatic_forget(kb_integrator *it)
{
    while (it->automatic && it->automatic->chosen) {
        kb_integrator *one = it->automatic->chosen;
        it->automatic->chosen = one->next;
        kb_integrator_free(one);
    }
}
