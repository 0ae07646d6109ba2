/* SPDX-License-Identifier: MIT
 *
 * reference MECH.yaml STATES [jacobian | both]: T [K], p [Pa] and C [kmol/m^3] of one state a line
 * -> production rates of mech/ on stdout, calculated in long double; or the Jacobian by (T, Y) at
 * constant p, column by column, by differences of these (order six, exact to about 1e-13). both: of
 * each state d(T, Y)/dt [nsp + 1], what is added up in it, of either sign [nsp + 1], the Jacobian
 * and the rounding error in its rows [nsp + 1] (columns times their natural sizes), at constant p
 * and at constant volume.
 */
#include "mech/thermo/rates.h"
#include "mech/thermo/thermo.h"

static double moles(const kb_mech *m, const double *y)
{
    double sigma = 0;
    for (int k = 0; k < m->nspecies; k++)
        sigma += y[k + 1] / m->species[k].weight;
    return sigma;
}

/* a reactor: at constant pressure p [Pa], or at constant density rho [kg/m^3] if p is 0 */
typedef struct {
    double p, rho;
} reactor;

/* d(T, Y)/dt [nsp + 1] at y = (T, Y), Y not normalised */
static void slopes(const kb_mech *m, const reactor *r, const double *y, double *dy)
{
    int n = m->nspecies;
    double *C = kb_alloc(2 * (size_t)n, sizeof *C), *wdot = C + n;
    double sigma = moles(m, y), capacity = 0, T = y[0], volume = r->p == 0;
    double rho = r->p ? r->p / (KB_R * T * sigma) : r->rho;
    for (int k = 0; k < n; k++)
        C[k] = rho * y[k + 1] / m->species[k].weight;
    kb_production(m, T, rho * KB_R * T * sigma, C, wdot);
    dy[0] = 0;
    for (int k = 0; k < n; k++) {
        capacity += (kb_cp_R(&m->species[k], T) - volume) * C[k];
        dy[0] -= (kb_h_RT(&m->species[k], T) - volume) * T * wdot[k];
        dy[k + 1] = wdot[k] * m->species[k].weight / rho;
    }
    dy[0] /= capacity;
    free(C);
}

/* Column j [nsp + 1] by steps of `step`, and the sum of |terms|. Returns how far the derivatives of
 * either side are apart, relative to the largest sum of a row: a formula may change between. */
static double difference(const kb_mech *m, const reactor *r, double *y, int j, double step,
                         double *J, double *sum)
{
    static const double weight[3] = {3.0L / 4, -3.0L / 20, 1.0L / 60};
    static const double one_side[4] = {-11.0L / 6, 3, -1.5L, 1.0L / 3};
    int ny = m->nspecies + 1;
    double *dy = kb_alloc(2 * (size_t)ny, sizeof *dy), *apart = dy + ny, y0 = y[j], worst = 0;
    for (int i = 0; i < ny; i++)
        J[i] = sum[i] = apart[i] = 0;
    for (int k = -3; k <= 3; k++) {
        y[j] = y0 + k * step;
        slopes(m, r, y, dy);
        for (int i = 0; i < ny; i++) {
            double term = k ? weight[abs(k) - 1] / step * (k < 0 ? -1 : 1) * dy[i] : 0;
            J[i] += term;
            sum[i] += fabs(term);
            apart[i] += (k ? 1 : 2) * one_side[abs(k)] / step * dy[i];
        }
    }
    y[j] = y0;
    for (int i = 0; i < ny; i++)
        worst = fmax(worst, sum[i] > 0 ? fabs(apart[i]) / sum[i] : 0);
    free(dy);
    return worst;
}

/* noise [nsp + 1]: becomes the largest rounding error of each row, times size. Where the sides are
 * apart the steps are a hundredth as long, so that both are on one side of a change of formula. */
static void print_column(const kb_mech *m, const reactor *r, double *y, int j, double size,
                         double part, double *noise)
{
    int ny = m->nspecies + 1;
    double *J = kb_alloc(2 * (size_t)ny, sizeof *J), *sum = J + ny;
    if (difference(m, r, y, j, part * size, J, sum) > 1e-12L)
        difference(m, r, y, j, part * size / 100, J, sum);
    for (int i = 0; i < ny; i++) {
        printf("%.20Lg\n", J[i]);
        noise[i] = fmax(noise[i], 1e-17L * sum[i] * size);
    }
    free(J);
}

/* part: the step of the differences, in natural sizes */
static void print_jacobian(const kb_mech *m, const reactor *r, double *y, double part,
                           double *noise)
{
    double sigma = moles(m, y);
    for (int j = 0; j <= m->nspecies; j++)
        print_column(m, r, y, j, j ? m->species[j - 1].weight * sigma : y[0], part, noise);
}

/* the sum of |terms| of d(T, Y)/dt; s: of mech/'s species and the reactions' rates */
static void print_sizes(const kb_mech *m, const reactor *r, const double *y, const double *C)
{
    size_t nrx = (size_t)m->nreactions + 1, n = (size_t)m->nspecies;
    double *q = kb_alloc(2 * nrx + n, sizeof *q), *sum = q + 2 * nrx;
    double sigma = moles(m, y), T = y[0], volume = r->p == 0, heat = 0, capacity = 0;
    double rho = r->p ? r->p / (KB_R * T * sigma) : r->rho;
    kb_mech_rates(m, T, rho * KB_R * T * sigma, C, NULL, NULL, q, q + nrx);
    for (int i = 0; i < m->nreactions; i++)
        for (int side = 0; side < 2; side++) {
            const kb_reaction *x = &m->reactions[i];
            const kb_term *t = side ? x->products : x->reactants;
            for (int k = 0; k < (side ? x->nproducts : x->nreactants); k++)
                if (t[k].species < m->nspecies)
                    sum[t[k].species] += t[k].value * (fabs(q[i]) + fabs(q[nrx + i]));
        }
    for (int k = 0; k < m->nspecies; k++) {
        capacity += (kb_cp_R(&m->species[k], T) - volume) * C[k];
        heat += fabs(kb_h_RT(&m->species[k], T) - volume) * T * sum[k];
    }
    printf("%.20Lg\n", heat / fabs(capacity));
    for (int k = 0; k < m->nspecies; k++)
        printf("%.20Lg\n", sum[k] * m->species[k].weight / rho);
    free(q);
}

static void print_both(const kb_mech *m, double p, double rho, double *y, const double *C)
{
    size_t ny = (size_t)m->nspecies + 1;
    double *dy = kb_alloc(2 * ny, sizeof *dy), *noise = dy + ny;
    for (int volume = 0; volume < 2; volume++) {
        reactor r = {volume ? 0 : p, rho};
        slopes(m, &r, y, dy);
        for (int i = 0; i <= m->nspecies; i++)
            printf("%.20Lg\n", dy[i]);
        print_sizes(m, &r, y, C);
        for (int i = 0; i <= m->nspecies; i++)
            noise[i] = 0;
        print_jacobian(m, &r, y, 1e-5L, noise);
        for (int i = 0; i <= m->nspecies; i++)
            printf("%.20Lg\n", noise[i]);
    }
    free(dy);
}

/* of one state what argv[3] asks for */
static void print_state(const kb_mech *m, const char *what, double T, double p, const double *C)
{
    size_t n = (size_t)m->nspecies;
    double *y = kb_alloc(3 * n + 2, sizeof *y), *wdot = y + n + 1, *noise = wdot + n, rho = 0;
    for (int k = 0; k < m->nspecies; k++)
        rho += C[k] * m->species[k].weight;
    y[0] = T;
    for (int k = 0; k < m->nspecies; k++)
        y[k + 1] = C[k] * m->species[k].weight / rho;
    if (what && strcmp(what, "both") == 0) {
        print_both(m, p, rho, y, C);
    } else if (what) {
        print_jacobian(m, &(reactor){p, rho}, y, 1e-4L, noise);
    } else {
        kb_production(m, T, p, C, wdot);
        for (int k = 0; k < m->nspecies; k++)
            printf("%.20Lg\n", wdot[k]);
    }
    free(y);
}

int main(int argc, char **argv)
{
    kb_mech m;
    kb_error err = {0};
    FILE *f = argc == 3 || argc == 4 ? fopen(argv[2], "r") : NULL;
    double T, p;
    if (!f || kb_yaml_read(&m, argv[1], &err)) {
        fprintf(stderr, "reference: %s\n", f ? err.text : "MECH.yaml STATES [jacobian]");
        return KB_INVALID;
    }
    double *C = kb_alloc((size_t)m.nspecies, sizeof *C);
    while (fscanf(f, "%Lf %Lf", &T, &p) == 2) {
        for (int k = 0; k < m.nspecies; k++)
            if (fscanf(f, "%Lf", &C[k]) != 1)
                return KB_INVALID;
        print_state(&m, argv[3], T, p, C);
    }
    fclose(f);
    return KB_OK;
}
