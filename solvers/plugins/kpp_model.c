/* SPDX-License-Identifier: MIT
 *
 * Writes a mechanism as KPP reads it: species S1, S2, ... and a one-way reaction for each direction
 * that takes place, in the order of the mechanism, forward before reverse. Their rate constants are
 * named SUN, a variable of KPP, since KPP folds numbers into its code; solvers/plugins/kpp.c sets
 * them for each state. make peers builds it (drivers/peers/peers.mk).
 * Usage: kpp_model MECH THERMO FOLDER writes FOLDER/model.kpp, model.def and places.h; THERMO may
 * be empty.
 */
#include <stdlib.h>

#include "mech/mech.h"
#include "mech/thermo/rates.h"

static FILE *open_in(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (!f) {
        fprintf(stderr, "kpp_model: cannot write %s\n", path);
        exit(2);
    }
    return f;
}

static void refuse(const kb_reaction *r, const char *why)
{
    fprintf(stderr, "kpp_model: %s:%d: %s\n", r->file, r->line, why);
    exit(2);
}

static void side(FILE *f, const kb_term *t, int n)
{
    for (int i = 0; i < n; i++)
        fprintf(f, "%s%.15g S%d", i ? " + " : "", t[i].value, t[i].species + 1);
}

/* KPP's rates are products of whole powers of what stands on the left */
static void direction(FILE *f, const kb_reaction *r, bool reverse)
{
    int n = 0;
    if (!kb_powers(r, reverse, &n))
        return;
    if (r->forward_orders || r->reverse_orders)
        refuse(r, "orders other than the coefficients, which KPP's rates do not have");
    const kb_term *from = reverse ? r->products : r->reactants;
    const kb_term *to = reverse ? r->reactants : r->products;
    int nfrom = reverse ? r->nproducts : r->nreactants;
    int nto = reverse ? r->nreactants : r->nproducts;
    for (int i = 0; i < nfrom; i++)
        if (from[i].value != (int)from[i].value)
            refuse(r, "a reactant with a fraction as its coefficient");
    side(f, from, nfrom);
    fprintf(f, " = ");
    side(f, to, nto);
    fprintf(f, " : SUN;\n");
}

/* 0: in no reaction, 1: in one that leaves it as it is, 2: changed by one */
static int part_of(const kb_mech *m, int species)
{
    int part = 0;
    for (int i = 0; i < m->nreactions; i++) {
        const kb_reaction *r = &m->reactions[i];
        double net = 0;
        bool there = false;
        for (int k = 0; k < r->nreactants + r->nproducts; k++) {
            const kb_term *t = k < r->nreactants ? &r->reactants[k]
                                                 : &r->products[k - r->nreactants];
            there |= t->species == species;
            net += t->species != species ? 0 : k < r->nreactants ? -t->value : t->value;
        }
        part = net != 0 ? 2 : there && !part ? 1 : part;
    }
    return part;
}

static void species(FILE *def, FILE *places, const kb_mech *m)
{
    for (int kind = 2; kind > 0; kind--)
        for (int i = 0; i < m->nspecies; i++)
            if (part_of(m, i) == kind)
                fprintf(def, "%s S%d = IGNORE;\n", kind == 2 ? "#DEFVAR" : "#DEFFIX", i + 1);
    for (int i = 0; i < m->nspecies; i++)
        fprintf(places, part_of(m, i) ? "ind_S%d,\n" : "-1, /* S%d */\n", i + 1);
}

int main(int argc, char **argv)
{
    kb_mech m;
    kb_error err;
    if (argc != 4) {
        fprintf(stderr, "Usage: kpp_model MECH THERMO FOLDER\n");
        return 2;
    }
    if (kb_mech_load(&m, argv[1], *argv[2] ? argv[2] : NULL, &err)) {
        fprintf(stderr, "kpp_model: %s\n", err.text);
        return 2;
    }
    if (m.nsteady) {
        fprintf(stderr, "kpp_model: %s: species in steady state, which KPP does not have\n",
                argv[1]);
        return 2;
    }
    FILE *kpp = open_in(argv[3], "model.kpp"), *def = open_in(argv[3], "model.def");
    FILE *places = open_in(argv[3], "places.h");
    fprintf(kpp, "#MODEL model\n#LANGUAGE C\n#DOUBLE ON\n#INTEGRATOR rosenbrock\n#DRIVER none\n"
                 "#JACOBIAN SPARSE_LU_ROW\n#HESSIAN OFF\n#STOICMAT OFF\n#MEX OFF\n");
    species(def, places, &m);
    fprintf(def, "#EQUATIONS\n");
    for (int i = 0; i < m.nreactions; i++) {
        direction(def, &m.reactions[i], false);
        direction(def, &m.reactions[i], true);
    }
    int bad = fclose(kpp) | fclose(def) | fclose(places);
    kb_mech_free(&m);
    return bad ? 2 : 0;
}
