/* SPDX-License-Identifier: MIT */
#include "drivers/flow/database.h"

#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/progress.h"
#include "drivers/flow/case_file.h"
#include "flow/engines/exported.h"
#include "flow/run/reactive.h"
#include "drivers/generate/generate.h"
#include "mech/find.h"
#include "mech/thermo/thermo.h"
#include "pasr/generators/common/fields.h"
#include "pasr/generators/common/mixture.h"

#define VERSION 1 /* of what a recipe gives */

typedef struct {
    char *mech, *thermo, *problem, *mixture, *chemistry;
    double p, T, length, T_least, per, dt;
    long nx, first, every, count, n;
} recipe;

#define KB_RECIPE_TYPE recipe
static const kb_field fields[] = {
    KB_ROWS_MECHANISM,
    KB_ROW_TEXT("case", "case", problem, 1, "a case or its file (docs/flow.md); none: the "
                "detonation, which mixture, p, T and length belong to"),
    KB_ROW_TEXT("mixture", "mixture", mixture, 0, "species and moles of the unburnt gas"),
    KB_ROW_NUMBER("p_Pa", "p", p, 1, 1e9, 0, "its pressure in Pa"),
    KB_ROW_NUMBER("T_K", "T", T, 200, 2000, 0, "its temperature in K"),
    KB_ROW_NUMBER("length_m", "length", length, 0, 1e3, 1,
                  "domain in m (0: 130 induction lengths)"),
    KB_ROW_WHOLE("nx", "nx", nx, 20, 1e6, 1, "cells along x"),
    KB_ROW_NUMBER("cells_per_induction", "cells-per-induction", per, 0, 1e4, 1,
                  "of a detonation, in place of nx"),
    KB_ROW_TEXT("chemistry", "chemistry", chemistry, 0, "solver of the run itself"),
    KB_ROW_NUMBER("T_least_K", "T-least", T_least, 0, 1e4, 1, "colder cells are not kept, in K"),
    KB_ROW_WHOLE("first_step", "first", first, 1, 1e8, 0, "first step that is kept"),
    KB_ROW_WHOLE("every", "every", every, 1, 1e8, 0, "steps from one to the next"),
    KB_ROW_WHOLE("count", "count", count, 1, 1e6, 0, "steps that are kept"),
    KB_ROW_NUMBER("dt_s", "dt", dt, 0, 1, 1, "step between two reactions in s, of one or more "
                  "steps of the flow (0: one, and Strang's splitting); steps are then these"),
    KB_ROW_WHOLE("n", "n", n, 0, 1e7, 1, "states, a third each that the reaction changes by more "
                 "than 10 K, by 0.1 to 10 K, and by less (0: all); with dt_s"),
    {0}};
static const kb_recipe_form form = {"flow", VERSION, fields};

static const char *const aux_names[] = {"step", "time_s", "dt_s", "dT_K", "x_m", "y_m"};
enum { DT_K = 3, NAUX = 6 }; /* dT_K: by which the reaction changes T; 0 without dt_s */
#define LARGE 10.0 /* [K] */
#define SMALL 0.1

/* a fluid cell, if it is hot enough */
static void keep_cell(const recipe *r, const kb_flow *f, int i, int j, double dt, kb_output *o)
{
    double *state = o->states + o->n * (f->stage.grid.nsp + 2), *aux = o->aux + o->n * o->naux;
    kb_flow_gather(f, i, j, state);
    if (kb_flow_is_solid(f, i, j) || state[0] < r->T_least)
        return;
    aux[0] = (double)f->step;
    aux[1] = f->t;
    aux[2] = dt;
    aux[4] = kb_flow_x(f, i);
    if (o->naux == NAUX)
        aux[5] = kb_flow_y(f, j);
    aux[DT_K] = 0;
    o->n++;
}

/* the change of T of the states from `first` on, which have reacted since; they are in the order of
 * the cells */
static void add_changes(const kb_flow *f, long first, kb_output *o)
{
    const kb_flow_grid *g = &f->stage.grid;
    for (long k = first; k < o->n; k++) {
        double *aux = o->aux + k * o->naux;
        int i = (int)((aux[4] - g->x0) / g->dx);
        int j = o->naux == NAUX ? (int)((aux[5] - g->y0) / g->dy) : 0;
        aux[DT_K] = f->w[(g->nsp + 4) * g->plane + kb_flow_at(g, i, j)] -
                    o->states[k * (g->nsp + 2)];
    }
}

/* ---- a selection by the change of T ---- */

static int stratum_of(double change) { return (fabs(change) <= LARGE) + (fabs(change) <= SMALL); }

/* n states, a third of each stratum, evenly over it; where one has fewer, the first that has more
 * takes its share. results: how many there are, and are kept. */
static int select_states(long n, const kb_flow *f, kb_output *o, kb_error *err)
{
    int columns = f->stage.grid.nsp + 2;
    long all[3] = {0}, kept[3] = {0}, seen[3] = {0}, m = 0, room = n;
    for (long k = 0; k < o->n; k++)
        all[stratum_of(o->aux[k * o->naux + DT_K])]++;
    for (int pass = 0; pass < 2; pass++)
        for (int s = 0; s < 3; s++) {
            long share = pass ? room : n / 3, more = all[s] - kept[s];
            share = share < more ? share : more;
            kept[s] += share;
            room -= share;
        }
    if (kept[0] == 0)
        return kb_fail(err, KB_INVALID, "no state of these steps changes by more than %g K over "
                       "dt_s (other steps, or a longer dt_s?)", LARGE);
    for (long k = 0; k < o->n; k++) {
        int s = stratum_of(o->aux[k * o->naux + DT_K]);
        long i = seen[s]++;
        if ((i + 1) * kept[s] / all[s] == i * kept[s] / all[s])
            continue;
        memmove(o->states + m * columns, o->states + k * columns,
                (size_t)columns * sizeof *o->states);
        memmove(o->aux + m * o->naux, o->aux + k * o->naux, (size_t)o->naux * sizeof *o->aux);
        m++;
    }
    o->n = m;
    json_t *counts = json_pack("{s:[III], s:[III]}", "found", (json_int_t)all[0],
                               (json_int_t)all[1], (json_int_t)all[2], "kept", (json_int_t)kept[0],
                               (json_int_t)kept[1], (json_int_t)kept[2]);
    o->results = o->results ? o->results : json_object();
    json_object_set_new(o->results, "dT_above_10_to_0.1_below", counts);
    json_object_set_new(o->results, "cells_x", json_integer(f->stage.grid.nx));
    return KB_OK;
}

static void keep(const recipe *r, const kb_flow *f, double dt, kb_output *o)
{
    const kb_flow_grid *g = &f->stage.grid;
    size_t rows = (size_t)o->n + (size_t)g->nx * (size_t)g->ny;
    o->states = kb_realloc(o->states, rows * (size_t)(g->nsp + 2), sizeof *o->states);
    o->aux = kb_realloc(o->aux, rows * (size_t)o->naux, sizeof *o->aux);
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++)
            keep_cell(r, f, i, j, dt, o);
}

/* one step of the recipe, whose states before reaction are kept if it is one of those */
static int step(const recipe *r, kb_flow *f, long step, kb_output *o, kb_error *err)
{
    bool kept = step >= r->first && (step - r->first) % r->every == 0;
    double before = f->t;
    long first = o->n;
    int code = r->dt > 0 ? kb_flow_transport(f, r->dt, err) : kb_flow_step(f, 1e30, err);
    if (!code && kept)
        keep(r, f, f->t - before, o);
    if (code || r->dt <= 0)
        return code;
    code = kb_flow_finish(f, err);
    if (!code)
        add_changes(f, first, o);
    return code;
}

static int march(const recipe *r, kb_flow *f, const kb_generation *g, kb_output *o, kb_error *err)
{
    long last = r->first + (r->count - 1) * r->every;
    int code = KB_OK;
    kb_progress line;
    double start = kb_clock();
    kb_progress_start(&line, g->quiet);
    for (long k = 1; !code && k <= last; k++) {
        code = *g->stop ? kb_fail(err, KB_INTERRUPTED, "interrupted after step %ld", k - 1)
                        : step(r, f, k, o, err);
        double spent = kb_clock() - start;
        kb_progress_show(&line, k, last, spent / (double)k * (double)(last - k), "steps");
    }
    kb_progress_end(&line);
    if (!code && o->n == 0)
        code = kb_fail(err, KB_INVALID, "no cell of these steps is hotter than T_least_K = %g",
                       r->T_least);
    return code || !r->n ? code : select_states(r->n, f, o, err);
}

static int run(const recipe *r, const kb_generation *g, const kb_flow_case *c, kb_output *o,
               kb_error *err)
{
    kb_flow f = {0};
    kb_flow_chemistry chemistry = {0};
    kb_flow_options options;
    kb_owned char *name = kb_built_name(r->mech);
    const kb_flow_engines *engines = kb_flow_engines_open(name, err);
    const kb_flow_engine *e = engines ? kb_flow_mechanism_engine(engines, "mp5", "cpu-simd", err)
                                      : NULL;
    kb_flow_defaults(c, &options);
    options.nx = (int)r->nx;
    if (c->y1 > c->y0)
        options.ny = (int)fmax(4, round((double)r->nx * c->ny / c->nx));
    o->naux = c->y1 > c->y0 ? NAUX : NAUX - 1;
    int code = e ? kb_flow_chemistry_open(&chemistry, g->s, r->chemistry, err) : KB_INVALID;
    if (!code && strcmp(engines->sha256, g->s->sha256))
        code = kb_fail(err, KB_INVALID, "flow.so was built for another mechanism (make flow-gas)");
    chemistry.threads = g->threads;
    code = code ? code : kb_flow_open(&f, c, &options, e, err);
    f.chemistry = &chemistry;
    code = code ? code : march(r, &f, g, o, err);
    kb_flow_close(&f);
    kb_flow_chemistry_close(&chemistry);
    return code;
}

static int of_detonation(recipe *r, const kb_generation *g, const kb_flow_case_file *file,
                         kb_output *o, kb_error *err)
{
    size_t n = (size_t)g->m->nspecies;
    double *Y = kb_alloc(2 * n, sizeof *Y), *X = Y + n;
    kb_flow_znd_start start = {0};
    kb_flow_case c = file->problem;
    int code = kb_mole_fractions(g->m, "mixture", r->mixture, X, err);
    if (!code) {
        kb_X_to_Y(g->m, X, Y);
        code = kb_flow_detonation_open(&c, &start, g->m, g->s, Y, r->T, r->p, r->length, 0, 0,
                                       err);
        if (!code && r->per > 0)
            r->nx = lround(r->per * c.x1 / start.zone.induction);
    }
    code = code ? code : run(r, g, &c, o, err);
    o->method = "planar detonation from its ZND profile: finite volumes, MP5, HLLC, SSP-RK3, "
                "Strang; states that the chemistry of a step starts from";
    kb_znd_free(&start.zone);
    free(Y);
    return code;
}

/* the case stands beside the states, too: its file may change */
static int of_regions(const recipe *r, const kb_generation *g, kb_flow_case_file *file,
                      kb_output *o, kb_error *err)
{
    int code = kb_flow_case_file_fill(file, g->m, err);
    code = code ? code : run(r, g, &file->problem, o, err);
    if (!code) {
        o->results = o->results ? o->results : json_object();
        json_object_set(o->results, "case", file->root);
    }
    o->method = "a case of the flow solver: finite volumes, MP5, SSP-RK3, Strang; states that the "
                "chemistry of a step starts from";
    return code;
}

static int make(const void *data, const kb_generation *g, kb_output *o, kb_error *err)
{
    recipe r = *(const recipe *)data;
    o->aux_names = aux_names;
    o->kind = (kb_states_kind){"flow", r.dt};
    if (r.n > 0 && r.dt <= 0)
        return kb_fail(err, KB_INVALID, "n = %ld: which states change by how much needs dt_s", r.n);
    kb_flow_case_file file;
    int code = kb_flow_case_file_read(&file, r.problem ? r.problem : "detonation", err);
    if (!code && r.per > 0 && !file.detonation)
        code = kb_fail(err, KB_INVALID, "cells_per_induction: for a detonation, not for case %s",
                       r.problem);
    if (!code && file.ideal)
        code = kb_fail(err, KB_INVALID, "case %s is of an ideal gas, without states to react",
                       r.problem);
    if (!code)
        code = file.detonation ? of_detonation(&r, g, &file, o, err)
                               : of_regions(&r, g, &file, o, err);
    kb_flow_case_file_free(&file);
    return code;
}

static const kb_generator generator = {
    .program = "flow", .form = &form, .make = make,
    .summary = "Writes a database of states (.npy: T [K], p [Pa], Y) of a planar detonation or a "
               "case of a file, and the recipe that makes it again (.json).\v"
               "The states of each kept step, in the order of the cells, are those between its "
               "flow and its chemistry. Step, time, length of the step and place are in the "
               ".aux.npy file.",
    .example = "build/flow --recipe datasets/recipes/h2co-flow.json --out h2co.npy"};

int kb_flow_database(int argc, char **argv)
{
    recipe r = {.mech = kb_strdup("h2co"), .mixture = kb_strdup("H2:2,O2:1,AR:7"),
                .chemistry = kb_strdup("rodas4"), .p = 6670, .T = 298, .T_least = 500, .nx = 1000,
                .first = 200, .every = 100, .count = 4};
    return kb_generate(argc, argv, &generator, &r);
}
