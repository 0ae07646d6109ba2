/* SPDX-License-Identifier: MIT */
#include "pasr/generators/flamelet.h"

#include <math.h>
#include <string.h>

#include "mech/thermo/equilibrium.h"
#include "pasr/generators/common/diffusion.h"
#include "pasr/generators/common/streams.h"

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

/* one flamelet under way; the states are march's state */
typedef struct {
    const kb_flamelet *r;
    const kb_mech *m;
    int columns;              /* nsp + 2 */
    double *fuel, *oxidizer;  /* [columns] */
    double *states;           /* points x columns */
    double *rate, *work;      /* [points]: dt chi/(2 dz^2); scratch */
    kb_march march;
    kb_react react;
    kb_output *out;
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
    free(f->rate);
    free(f->work);
    kb_march_free(&f->march);
    kb_react_close(&f->react);
}

static int start(flamelet *f, kb_error *err)
{
    for (long i = 0; i < f->r->points; i++) {
        double z = z_of(f->r, i), *state = f->states + i * f->columns;
        kb_error why;
        int code = kb_mix_streams(f->m, f->fuel, f->oxidizer, z, state, err);
        if (code)
            return code;
        if (f->march.how->stop && *f->march.how->stop)
            return kb_fail(err, KB_INTERRUPTED, "interrupted at the start: nothing was written");
        if (kb_equilibrate(f->m, KB_FIXED_HP, &state[0], &state[1], state + 2, &why))
            return kb_fail(err, KB_INVALID, "start at z = %g: %s", z, why.text);
    }
    return KB_OK;
}

/* Steps of the march are counted from 1. The reaction of the step before comes first, so that the
 * state between two of them is that of the database. */
static int step(void *work, kb_error *err)
{
    flamelet *f = work;
    int code = f->march.clock->step == 1 ? KB_OK
                                         : kb_react_step(&f->react, f->states, f->r->dt,
                                                         &f->march.clock->reacted, err);
    if (code)
        return code;
    kb_diffuse(f->r->points, f->rate, f->rate, f->oxidizer, f->fuel, f->states, f->columns,
               f->work);
    for (long i = 0; i < f->r->points; i++)
        f->states[i * f->columns + 1] = f->oxidizer[1]; /* rounding stays out of p */
    return KB_OK;
}

/* the states now as the rows of kept time k */
static void keep(void *work, long k)
{
    const flamelet *f = work;
    long points = f->r->points, every = f->r->every;
    memcpy(f->out->states + k * points * f->columns, f->states,
           (size_t)(points * f->columns) * sizeof *f->states);
    for (long i = 0; i < points; i++) {
        double *aux = f->out->aux + 3 * (k * points + i);
        aux[0] = (double)(k * every);
        aux[1] = (double)(k * every) * f->r->dt;
        aux[2] = z_of(f->r, i);
    }
}

static void set_output(const flamelet *f, long times)
{
    static const char *const names[] = {"step", "time_s", "z"};
    size_t rows = (size_t)(times * f->r->points);
    *f->out = (kb_output){.n = (long)rows, .naux = 3, .aux_names = names,
                          .states = kb_alloc(rows * (size_t)f->columns, sizeof(double)),
                          .aux = kb_alloc(rows * 3, sizeof(double)),
                          .kind = {"before", f->r->dt},
                          .method = "splitting: backward Euler diffusion, then " KB_REACT_METHOD};
}

static void set_march(flamelet *f, const kb_march_how *how, kb_output *out)
{
    long times = (f->r->steps - 1) / f->r->every + 1;
    f->out = out;
    set_output(f, times);
    f->march = (kb_march){.how = how, .work = f, .step = step, .keep = keep, .first = 1,
                          .every = f->r->every, .steps = (times - 1) * f->r->every + 1,
                          .groups = 1, .times = times, .rows = f->r->points,
                          .kept = {{out->states, f->columns}, {out->aux, 3}}};
    f->states = (double *)kb_march_state(&f->march, (size_t)(f->r->points * f->columns) *
                                                        sizeof *f->states);
}

static json_t *results(const flamelet *f)
{
    const kb_reacted *sum = &f->march.clock->reacted;
    json_t *list = json_array();
    for (long k = 0; k < f->march.times; k++) {
        double T_max = 0;
        for (long i = k * f->r->points; i < (k + 1) * f->r->points; i++)
            T_max = fmax(T_max, f->out->states[i * f->columns]);
        json_array_append_new(list, json_real(T_max));
    }
    return json_pack("{s:I, s:I, s:I, s:o}", "odes", (json_int_t)sum->odes, "substeps",
                     (json_int_t)sum->attempts, "odes_by_cvode", (json_int_t)sum->redone,
                     "T_max_K_of_kept_steps", list);
}

int kb_flamelet_run(const kb_flamelet *r, const kb_mech *m, const kb_solvers *s,
                    const kb_march_how *how, kb_output *out, kb_error *err)
{
    flamelet f;
    int code = make(&f, r, m, err);
    set_march(&f, how, out);
    if (!code)
        code = kb_march_resume(&f.march, &kb_flamelet_form, r, s, err);
    if (!code && !f.march.resumed)
        code = start(&f, err);
    if (!code)
        code = kb_react_open(&f.react, s, r->points, r->rtol, r->atol, how->threads, how->stop,
                             err);
    if (!code)
        code = kb_march_run(&f.march, err);
    if (!code)
        out->results = results(&f);
    release(&f);
    return code;
}
