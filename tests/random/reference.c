/* SPDX-License-Identifier: MIT
 *
 * reference MECH.yaml STATES: T [K], p [Pa] and C [kmol/m^3] of one state a line -> production
 * rates of mech/ on stdout, calculated in long double.
 */
#include "mech/thermo/rates.h"

int main(int argc, char **argv)
{
    kb_mech m;
    kb_error err = {0};
    FILE *f = argc == 3 ? fopen(argv[2], "r") : NULL;
    double T, p;
    if (!f || kb_yaml_read(&m, argv[1], &err)) {
        fprintf(stderr, "reference: %s\n", f ? err.text : "MECH.yaml STATES");
        return KB_INVALID;
    }
    double *C = kb_alloc(2 * (size_t)m.nspecies, sizeof *C), *wdot = C + m.nspecies;
    while (fscanf(f, "%Lf %Lf", &T, &p) == 2) {
        for (int k = 0; k < m.nspecies; k++)
            if (fscanf(f, "%Lf", &C[k]) != 1)
                return KB_INVALID;
        kb_production(&m, T, p, C, wdot);
        for (int k = 0; k < m.nspecies; k++)
            printf("%.20Lg\n", wdot[k]);
    }
    fclose(f);
    return KB_OK;
}
