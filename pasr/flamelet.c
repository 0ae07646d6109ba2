/* SPDX-License-Identifier: MIT */
#include "flamelet.h"

#include <math.h>
#include <string.h>

#include "../mech/equilibrium.h"
#include "diffusion.h"
#include "react.h"
#include "streams.h"

#define PI 3.14159265358979323846

/* Newton on ln erfc(x) = ln y, y <= 1: ln erfc is concave and falls, and erfc(x) <= exp(-x^2), so
 * that from sqrt(-ln y) the steps come down on x from one side. */
static double erfc_inverse_right(double y)
{
    double x = sqrt(-log(y));
    for (int i = 0; i < 100; i++) {
        double f = erfc(x), slope = -2 / sqrt(PI) * exp(-x * x) / f;
        double step = (log(f) - log(y)) / slope;
        x -= step;
        if (fabs(step) <= 1e-15 * fabs(x))
            break;
    }
    return x;
}

double kb_erfc_inverse(double y)
{
    return y == 1 ? 0 : y < 1 ? erfc_inverse_right(y) : -erfc_inverse_right(2 - y);
}

double kb_scalar_dissipation(double strain, double z)
{
    double x = kb_erfc_inverse(2 * fmin(z, 1 - z)); /* even about z = 1/2 */
    return strain / PI * exp(-2 * x * x);
}

/* one flamelet under way */
typedef struct {
    const kb_flamelet *r;
    const kb_mech *m;
    int columns;              /* nsp + 2 */
    double *fuel, *oxidizer;  /* [columns] */
    double *states;           /* points x columns */
    double *rate, *work;      /* [points]: dt chi/(2 dz^2); scratch */
} flamelet;

static double z_of(const kb_flamelet *r, long i)
{
    return (double)(i + 1) / (double)(r->points + 1);
}

static int make(flamelet *f, const kb_flamelet *r, const kb_mech *m, kb_error *err)
{
    size_t columns = (size_t)m->nspecies + 2, points = (size_t)r->points;
    double dz = 1.0 / (double)(r->points + 1);
    *f = (flamelet){.r = r, .m = m, .columns = (int)columns,
                    .fuel = kb_alloc(columns, sizeof(double)),
                    .oxidizer = kb_alloc(columns, sizeof(double)),
                    .states = kb_alloc(points * columns, sizeof(double)),
                    .rate = kb_alloc(points, sizeof(double)),
                    .work = kb_alloc(points, sizeof(double))};
    for (long i = 0; i < r->points; i++)
        f->rate[i] = r->dt * kb_scalar_dissipation(r->strain, z_of(r, i)) / (2 * dz * dz);
    int code = kb_stream(m, "fuel", r->fuel, r->T_fuel, r->p * KB_ATM, f->fuel, err);
    return code ? code : kb_stream(m, "oxidizer", r->oxidizer, r->T_oxidizer, r->p * KB_ATM,
                                   f->oxidizer, err);
}

static void release(flamelet *f)
{
    free(f->fuel);
    free(f->oxidizer);
    free(f->states);
    free(f->rate);
    free(f->work);
}

static int start(flamelet *f, const volatile int *stop, kb_error *err)
{
    for (long i = 0; i < f->r->points; i++) {
        double z = z_of(f->r, i), *state = f->states + i * f->columns;
        kb_error why;
        int code = kb_mix_streams(f->m, f->fuel, f->oxidizer, z, state, err);
        if (code)
            return code;
        if (stop && *stop)
            return kb_fail(err, KB_INTERRUPTED, "interrupted: nothing was written");
        if (kb_equilibrate(f->m, KB_HOLD_HP, &state[0], &state[1], state + 2, &why))
            return kb_fail(err, KB_INVALID, "start at z = %g: %s", z, why.text);
    }
    return KB_OK;
}

int kb_flamelet_start(const kb_flamelet *r, const kb_mech *m, double *states, kb_error *err)
{
    flamelet f;
    int code = make(&f, r, m, err);
    if (!code)
        code = start(&f, NULL, err);
    if (!code)
        memcpy(states, f.states, (size_t)r->points * (size_t)f.columns * sizeof *states);
    release(&f);
    return code;
}

static void diffuse(flamelet *f)
{
    kb_diffuse(f->r->points, f->rate, f->rate, f->oxidizer, f->fuel, f->states, f->columns,
               f->work);
    for (long i = 0; i < f->r->points; i++)
        f->states[i * f->columns + 1] = f->oxidizer[1]; /* rounding stays out of p */
}

/* the states of this step as the next rows of the database; returns their largest T */
static double keep(const flamelet *f, long step, kb_output *out)
{
    size_t columns = (size_t)f->columns;
    double T_max = 0;
    memcpy(out->states + (size_t)out->n * columns, f->states,
           (size_t)f->r->points * columns * sizeof *out->states);
    for (long i = 0; i < f->r->points; i++) {
        double *aux = out->aux + 3 * (out->n + i);
        aux[0] = (double)step;
        aux[1] = (double)step * f->r->dt;
        aux[2] = z_of(f->r, i);
        T_max = fmax(T_max, f->states[i * f->columns]);
    }
    out->n += f->r->points;
    return T_max;
}

static void make_output(const flamelet *f, kb_output *out)
{
    static const char *const names[] = {"step", "time_s", "z"};
    size_t rows = (size_t)((f->r->steps - 1) / f->r->every + 1) * (size_t)f->r->points;
    *out = (kb_output){.states = kb_alloc(rows * (size_t)f->columns, sizeof(double)), .naux = 3,
                       .aux_names = names, .aux = kb_alloc(rows * 3, sizeof(double)),
                       .method = "splitting: backward Euler diffusion, then " KB_REACT_METHOD};
}

static int advance(flamelet *f, kb_react *react, void (*progress)(long done, long total),
                   kb_output *out, json_t *T_max, kb_error *err)
{
    long steps = (f->r->steps - 1) / f->r->every * f->r->every; /* the last that is kept */
    int code = KB_OK;
    for (long step = 0; step <= steps && !code; step++) {
        diffuse(f);
        if (step % f->r->every == 0)
            json_array_append_new(T_max, json_real(keep(f, step, out)));
        if (step < steps)
            code = kb_react_step(react, f->states, f->r->dt, err);
        if (!code && progress)
            progress(step + 1, steps + 1);
    }
    return code;
}

int kb_flamelet_run(const kb_flamelet *r, const kb_mech *m, const kb_solvers *s, int threads,
                    const volatile int *stop, void (*progress)(long done, long total),
                    kb_output *out, kb_error *err)
{
    flamelet f;
    kb_react react = {0};
    json_t *T_max = json_array();
    int code = make(&f, r, m, err);
    make_output(&f, out);
    if (!code)
        code = start(&f, stop, err);
    if (!code)
        code = kb_react_open(&react, s, r->points, r->rtol, r->atol, threads, stop, err);
    if (!code)
        code = advance(&f, &react, progress, out, T_max, err);
    out->results = json_pack("{s:I, s:I, s:I, s:o}", "odes", (json_int_t)react.odes, "substeps",
                             (json_int_t)react.attempts, "odes_by_cvode", (json_int_t)react.redone,
                             "T_max_K_of_kept_steps", T_max);
    kb_react_close(&react);
    release(&f);
    return code;
}
