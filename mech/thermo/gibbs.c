/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>
#include "mech/thermo/gibbs.h"
#include "mech/thermo/thermo.h"

#define MAX_UNKNOWNS (KB_MAX_ELEMENTS + 1)
#define FLOOR (-660.0) /* ln of the least mole number used in the matrix: exp(-660) = 2e-287 */

void kb_gibbs_free(kb_gibbs *x)
{
    free(x->species);
    free(x->nu);
    free(x->start);
    free(x->ln_n);
    free(x->moles);
    free(x->mu);
    free(x->dln);
    free(x->gap);
    free(x->order);
}

static void swap(double *a, double *b)
{
    double t = *a;
    *a = *b;
    *b = t;
}

static double nu(const kb_gibbs *x, int c, int j)
{
    return x->nu[(size_t)c * (size_t)x->n + (size_t)j];
}

static const kb_species *species(const kb_gibbs *x, int j)
{
    return &x->m->species[x->species[j]];
}

/* The same small amount of everything, a tenth of a kmol per kg in all (RP-1311, chapter 3), but
 * not more of a species than the elements allow */
static void first_guess(kb_gibbs *x)
{
    double N = 0;

    for (int j = 0; j < x->n; j++) {
        double most = 0.1 / x->n;

        for (int e = 0; e < x->m->nelements; e++)
            if (species(x, j)->atoms[e] > 0)
                most = fmin(most, x->elements[e] / species(x, j)->atoms[e]);
        x->ln_n[j] = log(most);
        N += most;
    }
    x->ln_N = log(N);
}

/* kmol of each element per kg; the largest is returned */
static double count_elements(kb_gibbs *x, const double *Y)
{
    double most = 0;

    for (int e = 0; e < x->m->nelements; e++) {
        for (int k = 0; k < x->m->nspecies; k++) {
            const kb_species *s = &x->m->species[k];

            x->elements[e] += fmax(Y[k], 0) / s->weight * s->atoms[e];
        }
        most = fmax(most, x->elements[e]);
    }
    return most;
}

/* can it form from the elements present? */
static bool possible(const kb_gibbs *x, const kb_species *s, double least)
{
    for (int e = 0; e < x->m->nelements; e++)
        if (s->atoms[e] != 0 && !(x->elements[e] > least))
            return false;
    return true;
}

void kb_gibbs_make(kb_gibbs *x, const kb_mech *m, const double *Y)
{
    size_t ns = (size_t)m->nspecies;

    *x = (kb_gibbs){.m = m};
    x->species = kb_alloc(ns, sizeof(int));
    x->order = kb_alloc(ns, sizeof(int));
    x->nu = kb_alloc(ns * KB_MAX_ELEMENTS, sizeof(double));
    double **arrays[] = {&x->start, &x->ln_n, &x->moles, &x->mu, &x->dln, &x->gap};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = kb_alloc(ns, sizeof(double));
    double least = 1e-200 * count_elements(x, Y);
    for (int k = 0; k < m->nspecies; k++) {
        if (possible(x, &m->species[k], least)) {
            x->start[x->n] = fmax(Y[k], 0) / m->species[k].weight;
            x->order[x->n] = x->n;
            x->species[x->n++] = k;
        }
    }
    first_guess(x);
}

/* mu_j/RT = g_j/RT + ln(p_j/p_ref), p_j = p n_j/N or n_j R T/V */
static void potentials(kb_gibbs *x)
{
    double per_mole = x->constant_v ? log(KB_R * x->T / x->V) : log(x->p) - x->ln_N;

    for (int j = 0; j < x->n; j++) {
        const kb_species *s = species(x, j);

        x->mu[j] = kb_g_RT(s, x->T) + x->ln_n[j] + per_mole - log(s->p_ref);
    }
}

/* value_j - sum_c nu_cj value_c: what the formation of j from the components adds */
static void against_components(const kb_gibbs *x, const double *value, double *out)
{
    for (int j = 0; j < x->n; j++) {
        out[j] = value[j];
        for (int c = 0; c < x->rank; c++)
            out[j] -= nu(x, c, j) * value[x->component[c]];
    }
    for (int c = 0; c < x->rank; c++)
        out[x->component[c]] = 0;
}

/* Moles of component c in the mixture as given at the start (a difference below rounding counts as
 * zero: a stoichiometric mixture) minus what the present mole numbers hold. *size: of the terms */
static double missing(const kb_gibbs *x, int c, double *size)
{
    double b = 0, present = 0;

    *size = 0;
    for (int j = 0; j < x->n; j++) {
        b += nu(x, c, j) * x->start[j];
        *size += fabs(nu(x, c, j)) * x->start[j];
        present += nu(x, c, j) * x->moles[j];
    }
    return (fabs(b) < 1e-14 * *size ? 0 : b) - present;
}

/* The reduced iteration equations of RP-1311, chapter 2, in component form: A [size x size] and b
 * for the changes of the components' potentials and (p fixed) of ln N, rows and columns scaled. */
static void assemble(const kb_gibbs *x, int size, const double *scale, double *A, double *b)
{
    for (int j = 0; j < x->n; j++) {
        double v[MAX_UNKNOWNS];

        for (int c = 0; c < x->rank; c++)
            v[c] = nu(x, c, j) * scale[c];
        v[x->rank] = scale[x->rank];
        for (int c = 0; c < size; c++) {
            b[c] += v[c] * x->moles[j] * x->gap[j];
            for (int d = 0; d < size; d++)
                A[c * size + d] += v[c] * v[d] * x->moles[j];
        }
    }
    if (!x->constant_v)
        A[size * size - 1] -= exp(x->ln_N) * scale[x->rank] * scale[x->rank];
}

/* A x = b [n] by elimination with partial pivoting, row major; x in b. Databases
 * start from equilibrium states, and the same recipe is to give the same bytes: so this order of
 * operations stays. False: singular */
static bool solve(int n, double *A, double *b)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[p * n + k]))
                p = i;
        if (!(fabs(A[p * n + k]) > 0))
            return false;
        for (int j = k; j < n; j++)
            swap(&A[k * n + j], &A[p * n + j]);
        swap(&b[k], &b[p]);
        for (int i = k + 1; i < n; i++) {
            double l = A[i * n + k] / A[k * n + k];
            for (int j = k + 1; j < n; j++)
                A[i * n + j] -= l * A[k * n + j];
            b[i] -= l * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            b[k] -= A[k * n + j] * b[j];
        b[k] /= A[k * n + k];
    }
    return true;
}

/* Changes of all ln n to x->dln for the gaps given; residual: what components and N lack is to be
 * met as well. Returns the change of ln N, NAN if the matrix is singular. */
static double linear_step(kb_gibbs *x, bool residual)
{
    int nc = x->rank, size = nc + !x->constant_v;
    double A[MAX_UNKNOWNS * MAX_UNKNOWNS] = {0}, b[MAX_UNKNOWNS] = {0}, scale[MAX_UNKNOWNS];
    double unused;

    for (int c = 0; c < nc; c++) {
        scale[c] = 1 / sqrt(x->moles[x->component[c]]);
        b[c] = residual ? missing(x, c, &unused) * scale[c] : 0;
    }
    scale[nc] = exp(-0.5 * x->ln_N);
    b[nc] = residual ? (exp(x->ln_N) - x->total) * scale[nc] : 0;
    assemble(x, size, scale, A, b);
    if (!solve(size, A, b))
        return NAN;
    double dN = x->constant_v ? 0 : b[nc] * scale[nc];
    for (int j = 0; j < x->n; j++) {
        x->dln[j] = dN - x->gap[j];
        for (int c = 0; c < nc; c++)
            x->dln[j] += nu(x, c, j) * b[c] * scale[c];
    }
    return dN;
}

/* The share of a Newton step that is taken (RP-1311, chapter 3): abundant species change by at
 * most a factor exp(2), traces do not grow beyond 1e-4 of the whole at once. */
static double damping(const kb_gibbs *x, double dN)
{
    double largest = 5 * fabs(dN), share = 1;

    for (int j = 0; j < x->n; j++) {
        double fraction = x->ln_n[j] - x->ln_N, change = x->dln[j] - dN;

        if (fraction > -18.420681)
            largest = fmax(largest, fabs(x->dln[j]));
        else if (x->dln[j] > 0 && change > 0)
            share = fmin(share, fabs((-9.2103404 - fraction) / change));
    }
    return fmin(share, largest > 2 ? 2 / largest : 1);
}

static void update_moles(kb_gibbs *x)
{
    x->total = 0;
    for (int j = 0; j < x->n; j++) {
        x->moles[j] = exp(fmax(x->ln_n[j], FLOOR));
        x->total += x->moles[j];
    }
    if (x->constant_v)
        x->ln_N = log(x->total);
}

/* Converged: the components move by less than 1e-10 of themselves; or, late, by less than rounding
 * of the balance (a species that the elements force to zero shrinks by a factor e in each step). */
static bool converged(const kb_gibbs *x, double dN, int iteration)
{
    if (fabs(dN) > 1e-10)
        return false;
    for (int c = 0; c < x->rank; c++) {
        int j = x->component[c];
        double size;

        if (fabs(x->dln[j]) <= 1e-10 || x->ln_n[j] <= FLOOR)
            continue;
        missing(x, c, &size);
        if (iteration <= 250 || !(fabs(x->dln[j]) * x->moles[j] <= 1e-16 * size))
            return false;
    }
    return true;
}

/* Equilibrium at T and p or V; true if found */
static bool solve_at_T(kb_gibbs *x)
{
    for (int i = 0; i < 1000; i++) {
        update_moles(x);
        kb_gibbs_components(x);
        potentials(x);
        against_components(x, x->mu, x->gap);
        double dN = linear_step(x, true);
        if (!isfinite(dN))
            return false;
        double share = damping(x, dN);
        for (int j = 0; j < x->n; j++) {
            x->ln_n[j] += share * x->dln[j];
            if (!isfinite(x->ln_n[j]))
                return false;
        }
        x->ln_N += share * dN;
        if (share == 1 && converged(x, dN, i)) {
            update_moles(x);
            return true;
        }
    }
    return false;
}

bool kb_gibbs_solve(kb_gibbs *x)
{
    if (solve_at_T(x))
        return true;
    first_guess(x);
    return solve_at_T(x);
}

/* h (or u) [J/kg] of the mixture and its slope along equilibrium [J/(kg K)]; with gaps
 * -h_j/RT (against the components), dln/dlnT follows from the matrix (RP-1311, chapter 2) */
double kb_gibbs_energy(kb_gibbs *x, double *slope)
{
    double sum = 0, u = x->constant_v ? 1 : 0;

    for (int j = 0; j < x->n; j++)
        x->mu[j] = u - kb_h_RT(species(x, j), x->T);
    against_components(x, x->mu, x->gap);
    linear_step(x, false);
    *slope = 0;
    for (int j = 0; j < x->n; j++) {
        sum -= x->moles[j] * x->mu[j];
        *slope += x->moles[j] * (kb_cp_R(species(x, j), x->T) - u - x->mu[j] * x->dln[j]);
    }
    *slope *= KB_R;
    return KB_R * x->T * sum;
}

/* Adds what rounding left out of the element balance to the components; then Y = n W */
double kb_gibbs_result(const kb_gibbs *x, double *Y)
{
    double N = 0;

    memset(Y, 0, (size_t)x->m->nspecies * sizeof *Y);
    for (int j = 0; j < x->n; j++)
        Y[x->species[j]] = exp(x->ln_n[j]) * species(x, j)->weight;
    for (int c = 0; c < x->rank; c++) {
        int j = x->component[c];
        double unused, add = missing(x, c, &unused);

        if (fabs(add) <= 1e-6 * x->moles[j])
            Y[x->species[j]] = (x->moles[j] + add) * species(x, j)->weight;
    }
    for (int j = 0; j < x->n; j++)
        N += Y[x->species[j]] / species(x, j)->weight;
    return x->constant_v ? N * KB_R * x->T / x->V : x->p;
}
