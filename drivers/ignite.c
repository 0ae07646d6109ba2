/* SPDX-License-Identifier: MIT
 *
 * ignite: writes a database of states along homogeneous ignition, and its recipe beside it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drivers/generate/generate.h"
#include "pasr/generators/ignition.h"

static void print_path(const kb_ignition_path *p, int k)
{
    printf("%4d  T0 %g K, p %g atm, phi %g: ", k, p->T0, p->p, p->phi);
    if (isnan(p->delay))
        printf("no ignition");
    else
        printf("ignition delay %.6g s", p->delay);
    printf(", %ld states every %.4g s, T up to %.1f K\n", p->n, p->spacing, p->T_max);
    fflush(stdout);
}

/* time within its reactor and number of the reactor, for plots */
static void fill_aux(const kb_ignition *r, const kb_ignition_path *paths, long distinct,
                     kb_output *o)
{
    static const char *const names[] = {"time_s", "reactor"};
    o->naux = 2;
    o->aux_names = names;
    o->aux = kb_alloc((size_t)o->n * 2, sizeof *o->aux);
    for (int k = 0; k < kb_ignition_reactors(r); k++)
        for (long i = 0; i < paths[k].n; i++) {
            o->aux[2 * (paths[k].first + i)] = (double)i * paths[k].spacing;
            o->aux[2 * (paths[k].first + i) + 1] = k;
        }
    for (long i = distinct; i < o->n; i++)
        memcpy(o->aux + 2 * i, o->aux + 2 * (i % distinct), 2 * sizeof *o->aux);
}

static int make(const void *recipe, const kb_generation *g, kb_output *o, kb_error *err)
{
    const kb_ignition *r = recipe;
    kb_ignition once = *r;
    size_t width = (size_t)g->s->nsp + 2;
    once.n = r->tile > 0 && r->tile < r->n ? r->tile : r->n;
    o->kind = (kb_states_kind){"path", 0};
    o->method = "CVODE without restarts, dense output";
    o->n = r->n;
    o->states = kb_alloc((size_t)r->n * width, sizeof *o->states);
    kb_owned kb_ignition_path *paths = kb_alloc((size_t)kb_ignition_reactors(r), sizeof *paths);
    int code = kb_ignition_run(&once, g->m, g->s, o->states, paths, g->quiet ? NULL : print_path,
                               err);
    for (long i = once.n; i < r->n && !code; i++)
        memcpy(o->states + (size_t)i * width, o->states + (size_t)(i % once.n) * width,
               width * sizeof *o->states);
    if (!code) {
        fill_aux(r, paths, once.n, o);
        o->results = kb_ignition_results(r, paths);
    }
    return code;
}

static const kb_generator generator = {
    .program = "ignite", .form = &kb_ignition_form, .at_once = true, .make = make,
    .summary = "Writes a database of states (.npy: T [K], p [Pa], Y) along homogeneous ignition, "
               "and the recipe that makes it again (.json).\v"
               "Each reactor is integrated by CVODE without restarts, and sampled by its dense "
               "output. Without --t-end and --spacing the ignition delay (largest dT/dt) is found "
               "first.",
    .example = "build/ignite --mech gri30 --T0 1200,1600 --n 1024 --out gri30.npy"};

int main(int argc, char **argv)
{
    kb_ignition recipe;
    kb_ignition_defaults(&recipe);
    return kb_generate(argc, argv, &generator, &recipe);
}
