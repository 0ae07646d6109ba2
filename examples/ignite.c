/* SPDX-License-Identifier: MIT
 *
 * Eight mixtures of hydrogen and air at 1000 to 1350 K and 1 atm react for 20 global steps of
 * 1e-5 s at constant pressure.
 *
 *     cc ignite.c $(pkg-config --cflags --libs kinbench) && ./a.out [mechanism [method [rtol]]]
 */
#include <kinbench.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 8, STEPS = 20 };

static int fail(void)
{
    fprintf(stderr, "ignite: %s\n", kb_last_error());
    return 2;
}

/* 2 H2 + O2 + 3.76 N2; Y [CELLS][species] */
static void set_states(const kb_mechanism *m, double *T, double *p, double *Y)
{
    int species = kb_mechanism_species(m);
    for (int i = 0; i < CELLS; i++) {
        double *y = Y + i * species;
        T[i] = 1000 + 50 * i;
        p[i] = 101325;
        y[kb_mechanism_find_species(m, "H2")] = 0.0285;
        y[kb_mechanism_find_species(m, "O2")] = 0.2264;
        y[kb_mechanism_find_species(m, "N2")] = 0.7451;
    }
}

int main(int argc, char **argv)
{
    kb_mechanism *m;
    kb_integrator *it;
    const char *method = argc > 2 ? argv[2] : "rodas4";
    double rtol = argc > 3 ? atof(argv[3]) : 1e-6, T[CELLS], p[CELLS];
    if (kb_mechanism_open(argc > 1 ? argv[1] : "h2", &m) ||
        kb_integrator_create(m, method, NULL, rtol, 1e-6 * rtol, KB_CONSTANT_PRESSURE, &it))
        return fail();
    int species = kb_mechanism_species(m), status[CELLS];
    double *Y = calloc((size_t)(CELLS * species), sizeof *Y);
    set_states(m, T, p, Y);
    for (int k = 0; k < STEPS; k++)
        if (kb_integrate(it, CELLS, T, p, Y, 1e-5, status, NULL))
            return fail();
    for (int i = 0; i < CELLS; i++)
        printf("%6.0f K becomes %.6f K, Y_H2O = %.8f\n", 1000.0 + 50 * i, T[i],
               Y[i * species + kb_mechanism_find_species(m, "H2O")]);
    free(Y);
    kb_integrator_free(it);
    kb_mechanism_close(m);
    return 0;
}
