/* SPDX-License-Identifier: MIT
 *
 * What the tests of mech/ share: mechanisms, random states as in tests/reference/make_reference.py,
 * and reading of the reference values that it wrote.
 */
#pragma once

#include "mech/thermo/rates.h"
#include "mech/thermo/thermo.h"
#include "tests/test.h"

#define DATASETS "datasets/mechanisms/"
#define REFERENCE "tests/reference/"

static inline kb_mech read_mech(const char *path)
{
    kb_mech m;
    assert_works(kb_yaml_read(&m, path, &err));
    return m;
}

/* splitmix64, in [0, 1) */
static inline double uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* T in 300-3500 K, p in 0.1-100 atm, X [nspecies] with some zeros and some traces */
static inline void draw(uint64_t *random, int nsp, double *T, double *p, double *X)
{
    double sum = 0;

    *T = 300 + 3200 * uniform(random);
    *p = KB_ATM * 0.1 * pow(1000, uniform(random));
    for (int k = 0; k < nsp; k++) {
        double u = uniform(random);

        X[k] = u < 0.1 ? 0 : u * u * u * u;
        sum += X[k];
    }
    for (int k = 0; k < nsp; k++)
        X[k] /= sum;
}

/* C [nspecies] in kmol/m^3 of the next state */
static inline void draw_C(uint64_t *random, int nsp, double *T, double *p, double *C)
{
    draw(random, nsp, T, p, C);
    for (int k = 0; k < nsp; k++)
        C[k] *= *p / (KB_R * *T);
}

/* sum over reactions of nu (qf + qr), by species: the size of what cancels in wdot */
static inline void contributions(const kb_mech *m, const double *qf, const double *qr, double *sum)
{
    memset(sum, 0, (size_t)m->nspecies * sizeof *sum);
    for (int i = 0; i < m->nreactions; i++) {
        const kb_reaction *r = &m->reactions[i];
        double q = fabs(qf[i]) + fabs(qr[i]);

        for (int j = 0; j < r->nreactants; j++)
            if (r->reactants[j].species < m->nspecies) /* others are in steady state */
                sum[r->reactants[j].species] += r->reactants[j].value * q;
        for (int j = 0; j < r->nproducts; j++)
            if (r->products[j].species < m->nspecies)
                sum[r->products[j].species] += r->products[j].value * q;
    }
}

/* A reference file being read line by line: fields [nfields] of the present line */
typedef struct {
    FILE *file;
    char *line, *fields[1024];
    size_t room;
    int nfields;
} table;

static inline table open_table(const char *name)
{
    char *path = kb_format("%s%s", REFERENCE, name);
    table t = {.file = fopen(path, "r")};

    if (!t.file)
        fail_msg("%s cannot be read: run the tests from the repository root", path);
    free(path);
    return t;
}

/* false at the end, where the table is closed */
static inline int next_line(table *t)
{
    do {
        if (getline(&t->line, &t->room, t->file) < 0) {
            fclose(t->file);
            free(t->line);
            return 0;
        }
    } while (t->line[0] == '#');
    t->nfields = 0;
    for (char *rest = t->line; rest && t->nfields < 1024;)
        t->fields[t->nfields++] = strsep(&rest, ",\n");
    if (t->nfields > 0 && !*t->fields[t->nfields - 1])
        t->nfields--;
    return 1;
}

static inline double number(const table *t, int field)
{
    assert_true(field < t->nfields);
    return strtod(t->fields[field], NULL);
}

/* Beyond the data of a species Cantera goes on with the polynomials: so do these */
static inline void without_ends(kb_mech *m)
{
    for (int k = 0; k < m->nspecies; k++) {
        m->species[k].Tlow = 1;
        m->species[k].Thigh = 20000;
    }
}
