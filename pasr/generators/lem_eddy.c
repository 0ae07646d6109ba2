/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "pasr/generators/lem.h"

#define N_ETA 10.76   /* smallest eddy over the Kolmogorov estimate L Re^(-3/4) */
#define C_LAMBDA 15.0 /* u' L / D_t */
#define LEAST_CELLS 6.0

/* A triplet map of size l moves a point of it by 4/27 l^2 in the mean square. With f(l) this gives
 * D_t = (5/54) rate L^3 (1 - (eta/L)^(4/3)) / ((L/eta)^(5/3) - 1). */
kb_eddies kb_eddies_of(double u, double L, double nu, double cell)
{
    kb_eddies e = {.L = L, .diffusivity = u * L / C_LAMBDA};
    double Re = u * L / nu;
    e.eta = fmax(N_ETA * L * pow(Re, -0.75), LEAST_CELLS * cell);
    if (!(e.eta < L))
        return (kb_eddies){0};
    e.rate = 54.0 / 5 * e.diffusivity / (L * L * L) * (pow(L / e.eta, 5.0 / 3) - 1) /
             (1 - pow(e.eta / L, 4.0 / 3));
    return e;
}

/* the inverse of the distribution function of f */
double kb_eddy_size(const kb_eddies *e, kb_random *random)
{
    double a = pow(e->eta, -5.0 / 3), b = pow(e->L, -5.0 / 3);
    return pow(a - kb_random_unit(random) * (a - b), -0.6);
}

void kb_triplet_map(double *cells, int columns, long first, long k, double *work)
{
    double *at = cells + first * columns;
    size_t row = (size_t)columns * sizeof *at;
    memcpy(work, at, (size_t)(3 * k) * row);
    for (long i = 0; i < k; i++) {
        memcpy(at + i * columns, work + 3 * i * columns, row);
        memcpy(at + (k + i) * columns, work + (3 * (k - 1 - i) + 1) * columns, row);
        memcpy(at + (2 * k + i) * columns, work + (3 * i + 2) * columns, row);
    }
}
