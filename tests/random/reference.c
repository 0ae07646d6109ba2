/* SPDX-License-Identifier: MIT
 *
 * reference MECH.yaml STATES [jacobian]: T [K], p [Pa] and C [kmol/m^3] of one state a line ->
 * production rates of mech/ on stdout, calculated in long double; or the Jacobian by (T, Y) at
 * constant p, column by column, by differences of these (order six, exact to about 1e-13).
 */
#include "mech/thermo/rates.h"
#include "mech/thermo/thermo.h"

/* d(T, Y)/dt [nsp + 1] at y = (T, Y), Y not normalised */
static void slopes(const kb_mech *m, double p, const double *y, double *dy)
{
    int n = m->nspecies;
    double *C = kb_alloc(2 * (size_t)n, sizeof *C), *wdot = C + n;
    double sigma = 0, capacity = 0, T = y[0];
    for (int k = 0; k < n; k++)
        sigma += y[k + 1] / m->species[k].weight;
    double rho = p / (KB_R * T * sigma);
    for (int k = 0; k < n; k++)
        C[k] = rho * y[k + 1] / m->species[k].weight;
    kb_production(m, T, p, C, wdot);
    dy[0] = 0;
    for (int k = 0; k < n; k++) {
        capacity += kb_cp_R(&m->species[k], T) * C[k];
        dy[0] -= kb_h_RT(&m->species[k], T) * T * wdot[k];
        dy[k + 1] = wdot[k] * m->species[k].weight / rho;
    }
    dy[0] /= capacity;
    free(C);
}

static void print_column(const kb_mech *m, double p, double *y, int j, double size)
{
    static const double weight[3] = {3.0L / 4, -3.0L / 20, 1.0L / 60};
    int ny = m->nspecies + 1;
    double *J = kb_alloc(2 * (size_t)ny, sizeof *J), *dy = J + ny, y0 = y[j], step = 1e-4L * size;
    for (int i = 0; i < ny; i++)
        J[i] = 0;
    for (int k = -3; k <= 3; k++) {
        if (k == 0)
            continue;
        y[j] = y0 + k * step;
        slopes(m, p, y, dy);
        for (int i = 0; i < ny; i++)
            J[i] += weight[abs(k) - 1] / step * (k < 0 ? -1 : 1) * dy[i];
    }
    y[j] = y0;
    for (int i = 0; i < ny; i++)
        printf("%.20Lg\n", J[i]);
    free(J);
}

static void print_jacobian(const kb_mech *m, double T, double p, const double *C)
{
    int n = m->nspecies;
    double *y = kb_alloc((size_t)n + 1, sizeof *y), rho = 0, moles = 0;
    for (int k = 0; k < n; k++) {
        rho += C[k] * m->species[k].weight;
        moles += C[k];
    }
    y[0] = T;
    for (int k = 0; k < n; k++)
        y[k + 1] = C[k] * m->species[k].weight / rho;
    for (int j = 0; j <= n; j++)
        print_column(m, p, y, j, j ? m->species[j - 1].weight * moles / rho : T);
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
    double *C = kb_alloc(2 * (size_t)m.nspecies, sizeof *C), *wdot = C + m.nspecies;
    while (fscanf(f, "%Lf %Lf", &T, &p) == 2) {
        for (int k = 0; k < m.nspecies; k++)
            if (fscanf(f, "%Lf", &C[k]) != 1)
                return KB_INVALID;
        if (argc == 4) {
            print_jacobian(&m, T, p, C);
            continue;
        }
        kb_production(&m, T, p, C, wdot);
        for (int k = 0; k < m.nspecies; k++)
            printf("%.20Lg\n", wdot[k]);
    }
    fclose(f);
    return KB_OK;
}
