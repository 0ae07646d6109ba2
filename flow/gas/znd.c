/* SPDX-License-Identifier: MIT
 *
 * With w the speed in the frame of the shock, eta = 1 - w^2/c^2 (c frozen) and the thermicity
 * sigma = sum_k (W/W_k - h_k/(cp T)) dY_k/dt: drho/dt = -rho sigma/eta, dp/dt = -rho w^2
 * sigma/eta, dw/dt = w sigma/eta, dx/dt = w, dY_k/dt = W_k wdot_k/rho (Fickett and Davis,
 * Detonation, 5A).
 */
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "flow/gas/detonation.h"
#include "mech/thermo/thermo.h"

enum { RHO, P, W, X, SPECIES }; /* places of the unknowns */
enum { MOST_STEPS = 200000 };
#define SONIC 0.99 /* Mach number in the frame of the shock, beyond which no step is found */

typedef struct {
    const kb_mech *m;
    const kb_solvers *s;
    double *wdot, *state; /* [nspecies], [nspecies + 1] */
    kb_error err;
} reaction_zone;

static double temperature(const kb_mech *m, const double *y)
{
    return y[P] * kb_mean_weight(m, y + SPECIES) / (KB_R * y[RHO]);
}

/* molar production rates at y */
static int rates(reaction_zone *z, const double *y, double T)
{
    kb_evaluation e = {.n = 1, .y = z->state, .p = &y[P], .wdot = z->wdot};
    double *dy = kb_alloc((size_t)z->m->nspecies + 1, sizeof *dy);
    e.dy = dy;
    z->state[0] = T;
    memcpy(z->state + 1, y + SPECIES, (size_t)z->m->nspecies * sizeof *y);
    int code = z->s->evaluate(z->s, "cpu-scalar", &e, &z->err);
    free(dy);
    return code;
}

/* sigma and 1 - M^2, with the rates of y in z->wdot */
static double thermicity(const reaction_zone *z, const double *y, double T, double *eta)
{
    const kb_mech *m = z->m;
    double mean = kb_mean_weight(m, y + SPECIES), cp = kb_mix_cp(m, T, y + SPECIES), sigma = 0;
    double R = KB_R / mean;
    for (int k = 0; k < m->nspecies; k++) {
        double wk = m->species[k].weight, h = kb_h_RT(&m->species[k], T) * KB_R / wk; /* h/T */
        sigma += (mean / wk - h / cp) * z->wdot[k] * wk / y[RHO];
    }
    *eta = 1 - y[W] * y[W] / (cp / (cp - R) * R * T);
    return sigma;
}

static int derivatives(realtype t, N_Vector at, N_Vector dt, void *data)
{
    reaction_zone *z = data;
    const double *y = N_VGetArrayPointer(at);
    double *dy = N_VGetArrayPointer(dt), T = temperature(z->m, y), eta;
    (void)t;
    if (!(T > 50 && T < 10000 && y[RHO] > 0))
        return 1; /* CVODE tries a smaller step */
    if (rates(z, y, T))
        return -1;
    double each = thermicity(z, y, T, &eta) / eta;
    if (!(eta > 0))
        return 1; /* beyond the sonic point */
    dy[RHO] = -y[RHO] * each;
    dy[P] = -y[RHO] * y[W] * y[W] * each;
    dy[W] = y[W] * each;
    dy[X] = y[W];
    for (int k = 0; k < z->m->nspecies; k++)
        dy[SPECIES + k] = z->m->species[k].weight * z->wdot[k] / y[RHO];
    return 0;
}

static int add_point(kb_znd *out, reaction_zone *z, const double *y, double t)
{
    double T = temperature(z->m, y), eta;
    size_t nsp = (size_t)z->m->nspecies, n = (size_t)out->n;
    if ((n & (n - 1)) == 0) { /* full at powers of two */
        size_t room = n ? 2 * n : 1;
        out->at = kb_realloc(out->at, room, sizeof *out->at);
        out->Y = kb_realloc(out->Y, room * nsp, sizeof *out->Y);
    }
    if (rates(z, y, T))
        return KB_INVALID;
    double sigma = thermicity(z, y, T, &eta);
    out->at[n] = (kb_znd_point){y[X], t, T, y[P], y[RHO], y[W], sigma, sqrt(1 - eta)};
    memcpy(out->Y + n * nsp, y + SPECIES, nsp * sizeof *y);
    out->n++;
    return KB_OK;
}

/* the largest sigma, by a parabola through its three points in time */
static void find_peak(kb_znd *z)
{
    long k = 0;
    for (long i = 1; i < z->n; i++)
        if (z->at[i].sigma > z->at[k].sigma)
            k = i;
    z->induction = z->at[k].x;
    z->delay = z->at[k].t;
    z->sigma = z->at[k].sigma;
    if (k == 0 || k == z->n - 1)
        return;
    const kb_znd_point *a = &z->at[k - 1], *b = &z->at[k], *c = &z->at[k + 1];
    double l = (b->sigma - a->sigma) / (b->t - a->t), r = (c->sigma - b->sigma) / (c->t - b->t);
    double bend = (r - l) / (c->t - a->t); /* half the second derivative */
    double shift = -0.5 * (l + bend * (b->t - a->t)) / bend;
    if (bend < 0 && fabs(shift) < c->t - a->t) {
        z->delay += shift;
        z->induction += shift * b->w;
        z->sigma -= bend * shift * shift;
    }
}

static int march(void *cvode, N_Vector y, reaction_zone *z, double length, kb_znd *out,
                 kb_error *err)
{
    const double *at = N_VGetArrayPointer(y);
    double t = 0, far = 1e3 * length / at[W];
    int code = add_point(out, z, at, 0);
    for (int step = 0; !code && at[X] < length; step++) {
        int flag = CVode(cvode, far, y, &t, CV_ONE_STEP);
        if (flag < 0 && out->at[out->n - 1].mach > SONIC) {
            out->sonic = true;
            return KB_OK;
        }
        if (flag < 0 || step == MOST_STEPS)
            return kb_fail(err, KB_INVALID, "reaction zone: CVODE ended with %d at x = %g m, T = "
                           "%g K (a speed too near to Chapman and Jouguet's?)", flag, at[X],
                           temperature(z->m, at));
        code = add_point(out, z, at, t);
    }
    return code;
}

int kb_znd_run(const kb_mech *m, const kb_solvers *s, const kb_gas_state *fresh, const double *Y,
               double D, double length, kb_znd *out, kb_error *err)
{
    kb_gas_state vn;
    int n = SPECIES + m->nspecies, code = kb_frozen_shock(m, fresh, Y, D, &vn, err);
    *out = (kb_znd){0};
    if (code)
        return code;
    SUNContext context;
    if (SUNContext_Create(NULL, &context))
        return kb_fail(err, KB_INVALID, "no memory for CVODE");
    reaction_zone z = {.m = m, .s = s, .wdot = kb_alloc((size_t)m->nspecies, sizeof(double)),
                       .state = kb_alloc((size_t)m->nspecies + 1, sizeof(double))};
    N_Vector y = N_VNew_Serial(n, context), atol = N_VNew_Serial(n, context);
    double *at = N_VGetArrayPointer(y), *small = N_VGetArrayPointer(atol);
    const double start[SPECIES] = {vn.rho, vn.p, D * fresh->rho / vn.rho, 0};
    for (int k = 0; k < n; k++) {
        at[k] = k < SPECIES ? start[k] : Y[k - SPECIES];
        small[k] = k < X ? 1e-12 * start[k] : k == X ? 1e-9 * length : 1e-15;
    }
    void *cvode = CVodeCreate(CV_BDF, context);
    SUNMatrix A = SUNDenseMatrix(n, n, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, A, context);
    if (CVodeInit(cvode, derivatives, 0, y) || CVodeSVtolerances(cvode, 1e-9, atol) ||
        CVodeSetUserData(cvode, &z) || CVodeSetErrFile(cvode, NULL) ||
        CVodeSetLinearSolver(cvode, solver, A))
        code = kb_fail(err, KB_INVALID, "CVODE refuses the reaction zone");
    code = code ? code : march(cvode, y, &z, length, out, err);
    if (code && z.err.code)
        *err = z.err;
    if (!code)
        find_peak(out);
    CVodeFree(&cvode);
    SUNLinSolFree(solver);
    SUNMatDestroy(A);
    N_VDestroy(y);
    N_VDestroy(atol);
    SUNContext_Free(&context);
    free(z.wdot);
    free(z.state);
    return code;
}

int kb_znd_zone(const kb_mech *m, const kb_solvers *s, const kb_gas_state *fresh, const double *Y,
                double D, double lengths, kb_znd *z, kb_error *err)
{
    double length = 0.1 / fresh->p; /* far too short: first it grows until the peak is in it */
    for (;;) {
        int code = kb_znd_run(m, s, fresh, Y, D, length, z, err);
        bool found = z->induction > 0 && z->induction < 0.5 * length && z->sigma > 0;
        if (code || z->sonic || (found && lengths * z->induction <= length * 1.0001))
            return code;
        length = found ? lengths * z->induction : 4 * length;
        kb_znd_free(z);
        if (length > 100)
            return kb_fail(err, KB_INVALID, "no release of heat within %g m of the shock",
                           0.25 * length);
    }
}

void kb_znd_free(kb_znd *z)
{
    free(z->at);
    free(z->Y);
    *z = (kb_znd){0};
}
