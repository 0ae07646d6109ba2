/* SPDX-License-Identifier: MIT
 *
 * kpp: the Rosenbrock integrator of KPP (Sandu and Sander, Atmos. Chem. Phys. 6 (2006) 187) with
 * the C that KPP writes of a mechanism: f, sparse Jacobian and its LU as straight-line code. KPP
 * has the kinetics alone: T, volume and rate constants stay what they are at the start of each ODE;
 * they are set before the clock runs. Linked for a mechanism with that code (drivers/peers/
 * peers.mk). Its state is global: one thread.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <model_Parameters.h>

#include <model_Global.h>

#include "mech/tables/sparse.h"
#include "mech/thermo/rates.h"
#include "solvers/plugin_api.h"

/* KPP's integrator with its counters, f and J */
extern int Nfun, Njac;
int Rosenbrock(double *y, double start, double end, double *atol, double *rtol,
               void (*f)(double, double *, double *), void (*J)(double, double *, double *),
               double *real, int *whole);
void Fun(double *y, double *fixed, double *constants, double *dy);
void Jac_SP(double *y, double *fixed, double *constants, double *J);

enum { METHOD };
static const kb_plugin_option options[] = {
    [METHOD] = {"method", "1: Ros2, 2: Ros3, 3: Ros4, 4: Rodas3, 5: Rodas4", 5}, {0}};
static const int place[] = { /* of each species in C; -1: no reaction has it */
#include <places.h>
};
enum { SPECIES = sizeof place / sizeof *place };

typedef struct {
    kb_mech mech;
    int directions;
    double *k; /* [n][directions] */
} kpp;

static void finish(void *self)
{
    kpp *a = self;
    kb_mech_free(&a->mech);
    free(a->k);
    free(a);
}

/* [M] of a three-body reaction, else 1 */
static double third_body(const kb_mech *m, const kb_reaction *r, const double *c, kb_term *terms)
{
    double base, M = 0, all = 0;
    if (r->type != KB_THREE_BODY)
        return 1;
    int n = kb_third_body(m, r, &base, terms);
    for (int i = 0; i < m->nspecies; i++)
        all += c[i];
    for (int i = 0; i < n; i++)
        M += terms[i].value * c[terms[i].species];
    return M + base * all;
}

static double concentrations(const kb_mech *m, const double *state, double *c)
{
    double moles = 0;
    for (int i = 0; i < m->nspecies; i++)
        moles += state[2 + i] / m->species[i].weight;
    double rho = state[1] / (KB_R * state[0] * moles);
    for (int i = 0; i < m->nspecies; i++)
        c[i] = rho * state[2 + i] / m->species[i].weight;
    return rho;
}

/* the constants of one state, in the order of kpp_model.c */
static void set_constants(const kb_mech *m, const double *state, double *k)
{
    double *c = kb_alloc(m->nspecies, sizeof *c);
    double *kf = kb_alloc(m->nreactions, sizeof *kf), *kr = kb_alloc(m->nreactions, sizeof *kr);
    kb_term *terms = kb_alloc(m->nspecies + 1, sizeof *terms);
    int n;
    concentrations(m, state, c);
    kb_mech_rates(m, state[0], state[1], c, kf, kr, NULL, NULL);
    for (int i = 0; i < m->nreactions; i++) {
        double M = third_body(m, &m->reactions[i], c, terms);
        if (kb_powers(&m->reactions[i], false, &n))
            *k++ = kf[i] * M;
        if (kb_powers(&m->reactions[i], true, &n))
            *k++ = kr[i] * M;
    }
    free(c);
    free(kf);
    free(kr);
    free(terms);
}

/* reasons go to stderr */
static int is_possible(const kb_plugin_job *job)
{
    double method = job->options[METHOD];
    if (job->species != SPECIES)
        fprintf(stderr, "kpp: built for %d species, not the %d of the mechanism\n", SPECIES,
                job->species);
    else if (job->threads != 1)
        fprintf(stderr, "kpp: its code has one thread, not %d\n", job->threads);
    else if (!(method == 1 || method == 2 || method == 3 || method == 4 || method == 5))
        fprintf(stderr, "kpp: method is 1 to 5\n");
    else
        return 1;
    return 0;
}

static void *start(const kb_plugin_job *job, kb_plugin_ode *ode)
{
    kpp *a = is_possible(job) && freopen("/dev/null", "w", stdout) ? calloc(1, sizeof *a) : NULL;
    kb_error err;
    (void)ode;
    if (!a)
        return NULL;
    if (kb_mech_load(&a->mech, KB_MECH_FILE, *KB_THERMO ? KB_THERMO : NULL, &err)) {
        fprintf(stderr, "kpp: %s\n", err.text);
        free(a);
        return NULL;
    }
    for (int i = 0, n; i < a->mech.nreactions; i++)
        a->directions += !!kb_powers(&a->mech.reactions[i], false, &n) +
                         !!kb_powers(&a->mech.reactions[i], true, &n);
    a->k = calloc((size_t)job->n * NREACT, sizeof *a->k);
    if (!a->k || a->directions != NREACT) {
        fprintf(stderr, "kpp: no memory, or %s is not what its code was written of\n",
                KB_MECH_FILE);
        finish(a);
        return NULL;
    }
    for (long i = 0; i < job->n; i++)
        set_constants(&a->mech, job->states + i * (SPECIES + 2), a->k + i * NREACT);
    return a;
}

static int status_of(int error)
{
    switch (error) {
    case 1: return KB_PLUGIN_OK;
    case -6: return KB_PLUGIN_TOO_MANY;
    case -7: return KB_PLUGIN_STEP_SMALL;
    default: return KB_PLUGIN_NEWTON;
    }
}

/* as KPP's templates, which evaluate the constants again in each call */
static void rhs(double t, double *y, double *dy)
{
    (void)t;
    Nfun++;
    Fun(y, FIX, RCONST, dy);
}

static void jacobian(double t, double *y, double *J)
{
    (void)t;
    Njac++;
    Jac_SP(y, FIX, RCONST, J);
}

static int integrate_one(const kpp *a, const kb_plugin_job *job, const double *state, double *y,
                         kb_plugin_work *work)
{
    double c[SPECIES], atol[SPECIES], rtol[SPECIES], real[20] = {0};
    int whole[20] = {[0] = 1, [2] = (int)(job->max_substeps < 2000000000 ? job->max_substeps
                     : 2000000000), [3] = (int)job->options[METHOD]};
    double rho = concentrations(&a->mech, state, c);
    for (int i = 0; i < SPECIES; i++) {
        if (place[i] < 0)
            continue;
        C[place[i]] = c[i];
        atol[place[i]] = job->atol * rho / a->mech.species[i].weight;
        rtol[place[i]] = job->rtol;
    }
    int error = Rosenbrock(VAR, 0, job->dt, atol, rtol, rhs, jacobian, real, whole);
    y[0] = state[0];
    for (int i = 0; i < SPECIES; i++)
        y[1 + i] = place[i] < 0 ? state[2 + i]
                                : C[place[i]] * a->mech.species[i].weight / rho;
    *work = (kb_plugin_work){.attempted = whole[12], .accepted = whole[13],
                             .rejected = whole[12] - whole[13], .rhs = whole[10],
                             .jac = whole[11], .lu = whole[15], .solve = whole[16]};
    return status_of(error);
}

static int integrate(void *self, const kb_plugin_job *job, double *y, kb_plugin_work *work,
                     int32_t *status, char *why, int size)
{
    kpp *a = self;
    (void)why, (void)size;
    for (long i = 0; i < job->n && !*job->stop; i++) {
        memcpy(RCONST, a->k + i * NREACT, NREACT * sizeof *a->k);
        status[i] = integrate_one(a, job, job->states + i * (SPECIES + 2), y + i * (SPECIES + 1),
                                  &work[i]);
    }
    return 0;
}

const kb_plugin_list *kb_plugin_get(void)
{
    static const kb_plugin_solver solver = {
        .name = "kpp", .summary = "Rosenbrock of KPP on the kinetics alone, T and volume constant",
        .source = "Sandu, Sander, Atmos. Chem. Phys. 6 (2006) 187", .rtol = 1e-4, .atol = 1e-10,
        .options = options, .start = start, .finish = finish, .integrate_batch = integrate};
    static const kb_plugin_list list = {KB_PLUGIN_VERSION, 1, &solver};
    return &list;
}
