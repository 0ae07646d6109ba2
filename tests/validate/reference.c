/* SPDX-License-Identifier: MIT
 *
 * reference MECHANISM: mech/'s own evaluation, for phases.py. Reads states from stdin and writes
 * values to stdout, all of them doubles in the machine's order. Input: a state after the other, T
 * [K], p [Pa], mole fractions [nsp]. Output: nsp and nrx first, then the species' weights; for each
 * state cp/R, h/RT, s/R [nsp each], qf, qr [nrx each] and wdot [nsp], kmol, m, s.
 * The names of the species go to stderr, one a line. Exit code 2 and a message: not read.
 */
#include <stdio.h>

#include "mech/mech.h"
#include "mech/thermo/rates.h"
#include "mech/thermo/thermo.h"

static void put(const double *values, int n)
{
    fwrite(values, sizeof *values, (size_t)n, stdout);
}

static void put_state(const kb_mech *m, const double *state, double *out)
{
    int nsp = m->nspecies, nrx = m->nreactions;
    double T = state[0], p = state[1];
    double *C = out, *q = out + nsp;
    for (int kind = 0; kind < 3; kind++) {
        double (*const of[])(const kb_species *, double) = {kb_cp_R, kb_h_RT, kb_s_R};
        for (int k = 0; k < nsp; k++)
            out[k] = of[kind](&m->species[k], T);
        put(out, nsp);
    }
    for (int k = 0; k < nsp; k++)
        C[k] = state[2 + k] * p / (KB_R * T);
    kb_mech_rates(m, T, p, C, NULL, NULL, q, q + nrx);
    put(q, 2 * nrx);
    kb_production(m, T, p, C, q);
    put(q, nsp);
}

int main(int argc, char **argv)
{
    kb_mech m;
    kb_error err = {0};
    if (argc != 2 || kb_mech_load(&m, argv[1], NULL, &err))
        return argc == 2 ? kb_report("reference", &err) : KB_INVALID;
    int nsp = m.nspecies;
    double size[] = {nsp, m.nreactions}, *state = kb_alloc((size_t)nsp + 2, sizeof *state);
    double *out = kb_alloc(2 * ((size_t)nsp + (size_t)m.nreactions), sizeof *out);
    put(size, 2);
    for (int k = 0; k < nsp; k++) {
        put(&m.species[k].weight, 1);
        fprintf(stderr, "%s\n", m.species[k].name);
    }
    while (fread(state, sizeof *state, (size_t)nsp + 2, stdin) == (size_t)nsp + 2)
        put_state(&m, state, out);
    free(out);
    free(state);
    kb_mech_free(&m);
    return KB_OK;
}
