/* SPDX-License-Identifier: MIT
 *
 * Single evaluations of both CPU engines: rates against the plain ones of mech/thermo/rates.h, the
 * exact Jacobian against differences of these, and the sparse LU against the dense Jacobian.
 */
#pragma once

#include "solvers/solver.h"
#include "tests/unit/reference.h"

static const char *const engines[2] = {"cpu-scalar", "cpu-simd"};

typedef struct {
    kb_mech m;
    const kb_solvers *s;
    const char *name;
    int n, ny; /* states; nsp + 1 */
    double *y, *p;
    double *wdot, *size, *qf, *qr, *C; /* scratch of one state */
} sample;

/* Moles of a state: every third has five species only, the others span decades. Those of singular
 * mechanisms (orders that are not whole, species in steady state: no derivative at C = 0) are all
 * at least 0.05. */
static void draw_state(uint64_t *random, int i, int singular, int nsp, double *T, double *p,
                       double *X)
{
    double sum = 0;
    draw(random, nsp, T, p, X);
    for (int k = 0; k < nsp; k++)
        X[k] = singular ? 0.05 + X[k] : i % 3 ? X[k] : 0;
    for (int k = 0; k < 5 && !singular && i % 3 == 0; k++)
        X[(int)(uniform(random) * nsp)] = 0.05 + uniform(random);
    for (int k = 0; k < nsp; k++)
        sum += X[k];
    for (int k = 0; k < nsp; k++)
        X[k] /= sum;
}

/* differences need a smooth neighbourhood */
static double away_from_Tmid(const kb_mech *m, double T)
{
    for (int k = 0; k < m->nspecies; k++)
        if (fabs(T / m->species[k].Tmid - 1) < 1e-3)
            T = m->species[k].Tmid * 1.002;
    return T;
}

/* singular: states as draw_state has them */
static sample make_sample(const char *name, const kb_solvers *s, const char *file,
                          const char *thermo, int n, int singular)
{
    sample a = {.name = name, .s = s, .n = n};
    uint64_t random = 11;
    assert_works(kb_mech_load(&a.m, file, thermo, &err));
    int nsp = a.m.nspecies, nr = a.m.nreactions;
    a.ny = nsp + 1;
    a.y = kb_alloc((size_t)n * a.ny, sizeof *a.y);
    a.p = kb_alloc((size_t)n, sizeof *a.p);
    double **by_species[] = {&a.wdot, &a.size, &a.C}, **by_reaction[] = {&a.qf, &a.qr};
    for (int i = 0; i < 3; i++)
        *by_species[i] = kb_alloc((size_t)nsp, sizeof(double));
    for (int i = 0; i < 2; i++)
        *by_reaction[i] = kb_alloc((size_t)nr, sizeof(double));
    for (int i = 0; i < n; i++) {
        double *y = a.y + (size_t)i * a.ny;
        draw_state(&random, i, singular, nsp, &y[0], &a.p[i], a.C);
        if (i % 8 == 5) /* beyond the data of species; not at 250 or 6000 K, where ranges end */
            y[0] = i % 24 == 5 ? 240 : i % 24 == 13 ? 4500 : 5900;
        y[0] = away_from_Tmid(&a.m, y[0]);
        kb_X_to_Y(&a.m, a.C, y + 1);
    }
    return a;
}

static void free_sample(sample *a)
{
    double *all[] = {a->y, a->p, a->wdot, a->size, a->qf, a->qr, a->C};
    for (int i = 0; i < 7; i++)
        free(all[i]);
    kb_mech_free(&a->m);
}

static double moles(const sample *a, const double *y)
{
    double sigma = 0;
    for (int k = 0; k < a->m.nspecies; k++)
        sigma += y[k + 1] / a->m.species[k].weight;
    return sigma;
}

/* d(T, Y)/dt at y = (T, Y), Y not normalised, and the sums of its absolute contributions [ny] by
 * mech/; rho [kg/m^3] is held at constant volume, p [Pa] at constant pressure */
static void slopes(sample *a, kb_reactor reactor, const double *y, double held, double *dy,
                   double *size)
{
    double sigma = moles(a, y), T = y[0], capacity = 0;
    double rho = reactor ? held : held / (KB_R * T * sigma), p = rho * KB_R * T * sigma;
    for (int k = 0; k < a->m.nspecies; k++)
        a->C[k] = rho * y[k + 1] / a->m.species[k].weight;
    kb_production(&a->m, T, p, a->C, a->wdot);
    kb_mech_rates(&a->m, T, p, a->C, NULL, NULL, a->qf, a->qr);
    contributions(&a->m, a->qf, a->qr, a->size);
    dy[0] = size[0] = 0;
    for (int k = 0; k < a->m.nspecies; k++) {
        const kb_species *s = &a->m.species[k];
        double energy = kb_h_RT(s, T) - (reactor ? 1 : 0);
        capacity += (kb_cp_R(s, T) - (reactor ? 1 : 0)) * a->C[k];
        dy[k + 1] = a->wdot[k] * s->weight / rho;
        size[k + 1] = a->size[k] * s->weight / rho;
        dy[0] -= energy * T * a->wdot[k];
        size[0] += fabs(energy) * T * a->size[k];
    }
    dy[0] /= capacity;
    size[0] /= capacity;
}

static kb_evaluation evaluate(const sample *a, const char *engine, kb_reactor reactor, int want_J,
                              double gamma)
{
    size_t ny = (size_t)a->ny, n = (size_t)a->n;
    kb_evaluation e = {.n = a->n, .y = a->y, .p = a->p, .reactor = reactor, .gamma = gamma,
                       .dy = kb_alloc(n * ny, sizeof(double)),
                       .wdot = kb_alloc(n * (ny - 1), sizeof(double)),
                       .J = want_J ? kb_alloc(n * ny * ny, sizeof(double)) : NULL,
                       .x = gamma ? kb_alloc(n * ny, sizeof(double)) : NULL};
    assert_works(a->s->evaluate(a->s, engine, &e, &err));
    return e;
}

static void release(kb_evaluation *e)
{
    free(e->dy);
    free(e->wdot);
    free(e->J);
    free(e->x);
}

/* with the Jacobian or without: the two come from different code */
static void check_rates(sample *a, int with_J)
{
    double *dy = kb_alloc((size_t)a->ny, sizeof *dy), *size = kb_alloc((size_t)a->ny, sizeof *size);
    for (int reactor = 0; reactor < 2; reactor++) {
        kb_evaluation e[2] = {evaluate(a, engines[0], reactor, with_J, 0),
                              evaluate(a, engines[1], reactor, with_J, 0)};
        double off[2] = {0}, apart = 0;
        for (int i = 0; i < a->n * a->ny; i++) {
            int state = i / a->ny, k = i % a->ny;
            const double *y = a->y + state * a->ny;
            double p = a->p[state], held = reactor ? p / (KB_R * y[0] * moles(a, y)) : p;
            if (k == 0)
                slopes(a, reactor, y, held, dy, size);
            for (int g = 0; g < 2; g++) {
                off[g] = larger(off[g], fabs(e[g].dy[i] - dy[k]) / (size[k] + 1e-200));
                if (k > 0)
                    off[g] = larger(off[g], fabs(e[g].wdot[i - state - 1] - a->wdot[k - 1]) /
                                                (a->size[k - 1] + 1e-200));
            }
            apart = larger(apart, fabs(e[0].dy[i] - e[1].dy[i]) / (size[k] + 1e-200));
        }
        print_message("%s, constant %c, %d states%s: %s %.1e, %s %.1e, between them %.1e\n",
                      a->name, "pv"[reactor], a->n, with_J ? " (with J)" : "", engines[0], off[0],
                      engines[1], off[1], apart);
        assert_true(off[0] <= 1e-11 && off[1] <= 1e-11 && apart <= 1e-12);
        release(&e[0]);
        release(&e[1]);
    }
    free(dy);
    free(size);
}

#define STEP 1e-4

/* Column j of J by central differences of order six, times the natural size of y_j (T; W_j sigma),
 * and the rounding error in it */
static void column(sample *a, kb_reactor reactor, const double *y0, double held, int j, double size,
                   double *J, double *noise)
{
    static const double weight[3] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    int ny = a->ny;
    double *y = kb_alloc(3 * (size_t)ny, sizeof *y), *dy = y + ny, *sum = dy + ny;
    memcpy(y, y0, ny * sizeof *y);
    memset(J, 0, ny * sizeof *J);
    memset(noise, 0, ny * sizeof *J);
    for (int k = -3; k <= 3; k++) {
        if (k == 0)
            continue;
        double w = weight[abs(k) - 1] / STEP * (k < 0 ? -1 : 1);
        y[j] = y0[j] + k * STEP * size;
        slopes(a, reactor, y, held, dy, sum);
        for (int i = 0; i < ny; i++) {
            J[i] += w * dy[i];
            noise[i] += 1e-13 * fabs(w) * sum[i];
        }
    }
    free(y);
}

/* worst error of one state's J relative to the largest entry of its row, all times natural sizes */
static double jacobian_error(sample *a, kb_reactor reactor, int state, const double *J)
{
    int ny = a->ny;
    const double *y = a->y + state * ny;
    double p = a->p[state], sigma = moles(a, y), worst = 0;
    double *D = kb_alloc(2 * (size_t)ny * ny, sizeof *D), *noise = D + ny * ny;
    double *size = kb_alloc((size_t)ny, sizeof *size);
    for (int j = 0; j < ny; j++) {
        size[j] = j ? a->m.species[j - 1].weight * sigma : y[0];
        column(a, reactor, y, reactor ? p / (KB_R * y[0] * sigma) : p, j, size[j], D + j * ny,
               noise + j * ny);
    }
    for (int i = 0; i < ny; i++) {
        double row = 1e-200;
        for (int j = 0; j < ny; j++)
            row = fmax(row, fabs(D[j * ny + i]));
        for (int j = 0; j < ny; j++) {
            double d = fabs(J[i * ny + j] * size[j] - D[j * ny + i]) - noise[j * ny + i];
            worst = larger(worst, d / row);
        }
    }
    free(size);
    free(D);
    return worst;
}

static void check_jacobian(sample *a)
{
    for (int reactor = 0; reactor < 2; reactor++)
        for (int g = 0; g < 2; g++) {
            kb_evaluation e = evaluate(a, engines[g], reactor, 1, 0);
            double worst = 0;
            for (int i = 0; i < a->n; i++)
                worst = larger(worst, jacobian_error(a, reactor, i,
                                                     e.J + (size_t)i * a->ny * a->ny));
            print_message("%s Jacobian, constant %c, %s, %d states: %.1e\n", a->name, "pv"[reactor],
                          engines[g], a->n, worst);
            assert_true(worst <= 1e-7);
            release(&e);
        }
}

/* backward error of x: x - gamma J x - dy relative to the norms of its row, of x and of dy, where
 * y_j counts in its natural size */
static double residual(const sample *a, const kb_evaluation *e, int state)
{
    int ny = a->ny;
    const double *J = e->J + (size_t)state * ny * ny, *x = e->x + (size_t)state * ny;
    const double *dy = e->dy + (size_t)state * ny, *y = a->y + state * ny;
    double sigma = moles(a, y), norm = 0, worst = 0;
    for (int j = 0; j < ny; j++)
        norm = fmax(norm, fabs(x[j]) / (j ? a->m.species[j - 1].weight * sigma : y[0]));
    for (int i = 0; i < ny; i++) {
        double r = x[i] - dy[i], size = fabs(x[i]) + fabs(dy[i]) + 1e-200;
        for (int j = 0; j < ny; j++) {
            r -= e->gamma * J[i * ny + j] * x[j];
            size += e->gamma * fabs(J[i * ny + j]) * norm *
                    (j ? a->m.species[j - 1].weight * sigma : y[0]);
        }
        worst = larger(worst, fabs(r) / size);
    }
    return worst;
}

static void check_lu(sample *a)
{
    for (double gamma = 1e-8; gamma < 2e-4; gamma *= 10)
        for (int reactor = 0; reactor < 2; reactor++)
            for (int g = 0; g < 2; g++) {
                kb_evaluation e = evaluate(a, engines[g], reactor, 1, gamma);
                double worst = 0;
                for (int i = 0; i < a->n; i++)
                    worst = larger(worst, residual(a, &e, i));
                print_message("%s LU, constant %c, gamma %g s, %s: residual %.1e\n", a->name,
                              "pv"[reactor], gamma, engines[g], worst);
                /* no pivoting: it grows with gamma */
                assert_true(worst <= (gamma < 2e-5 ? 1e-10 : 1e-9));
                release(&e);
            }
}

/* n states, of these n_J with J; lu: the sparse LU, too */
static void check_solvers(const char *name, const kb_solvers *s, const char *file,
                          const char *thermo, int n, int n_J, int singular, int lu)
{
    sample a = make_sample(name, s, file, thermo, n, singular);
    check_rates(&a, 0);
    check_rates(&a, 1);
    if (lu)
        check_lu(&a);
    a.n = n_J;
    check_jacobian(&a);
    free_sample(&a);
}
