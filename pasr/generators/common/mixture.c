/* SPDX-License-Identifier: MIT */
#include "pasr/generators/common/mixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mech/thermo/thermo.h"
#include "pasr/database/word_list.h"

/* one "name:amount" of length n at text in a list; a name may itself hold colons, so the last one
 * counts */
static int add_species(const kb_mech *m, const char *what, const char *list, const char *text,
                       size_t n, double *X, kb_error *err)
{
    char word[128], *rest;
    snprintf(word, sizeof word, "%.*s", (int)n, text);
    char *colon = strrchr(word, ':');
    if (!colon || colon == word)
        return kb_fail(err, KB_INVALID, "%s: '%s' is not 'species:moles' (an example: "
                       "O2:1,N2:3.76)", what, word);
    *colon = '\0';
    double moles = strtod(colon + 1, &rest);
    int species = kb_find_species(m, word);
    if (species < 0)
        return kb_fail(err, KB_INVALID, "%s: mechanism %s has no species '%s' (names are case "
                       "sensitive)", what, m->name, word);
    if (rest == colon + 1 || *rest || !isfinite(moles) || moles < 0)
        return kb_fail(err, KB_INVALID, "%s: the amount '%s' of %s is not a number >= 0", what,
                       colon + 1, word);
    if (X[species] > 0)
        return kb_fail(err, KB_INVALID, "%s: %s stands twice in '%s'", what, word, list);
    X[species] = moles;
    return KB_OK;
}

int kb_mole_fractions(const kb_mech *m, const char *what, const char *text, double *X,
                      kb_error *err)
{
    memset(X, 0, (size_t)m->nspecies * sizeof *X);
    for (const char *at = text; *at;) {
        at += strspn(at, ", \t");
        size_t n = kb_word_length(at);
        if (n && add_species(m, what, text, at, n, X, err))
            return KB_INVALID;
        at += n;
    }
    double sum = 0;
    for (int i = 0; i < m->nspecies; i++)
        sum += X[i];
    if (!(sum > 0))
        return kb_fail(err, KB_INVALID, "%s: '%s' holds nothing (an example: O2:1,N2:3.76)", what,
                       text);
    for (int i = 0; i < m->nspecies; i++)
        X[i] /= sum;
    return KB_OK;
}

/* O atoms that one mole of X lacks for CO2, H2O and SO2; negative: it offers them */
static double oxygen_demand(const kb_mech *m, const double *X)
{
    static const struct {
        const char *symbol;
        double demand;
    } burnt[] = {{"C", 2}, {"H", 0.5}, {"S", 2}, {"O", -1}};
    double sum = 0;
    for (size_t k = 0; k < sizeof burnt / sizeof *burnt; k++) {
        int e = kb_find_element(m, burnt[k].symbol);
        for (int i = 0; i < m->nspecies && e >= 0; i++)
            sum += burnt[k].demand * X[i] * m->species[i].atoms[e];
    }
    return sum;
}

int kb_premixed(const kb_mech *m, const char *fuel, const char *oxidizer, double phi, double *Y,
                kb_error *err)
{
    double *X = kb_alloc(2 * (size_t)m->nspecies, sizeof *X), *Xo = X + m->nspecies;
    int code = kb_mole_fractions(m, "fuel", fuel, X, err);
    if (!code)
        code = kb_mole_fractions(m, "oxidizer", oxidizer, Xo, err);
    double demand = oxygen_demand(m, X), offer = -oxygen_demand(m, Xo);
    if (!code && !(demand > 0 && offer > 0))
        code = kb_fail(err, KB_INVALID, "fuel '%s' and oxidizer '%s': one mole of fuel lacks %g O "
                       "atoms and one of oxidizer offers %g, expected both > 0", fuel, oxidizer,
                       demand, offer);
    if (!code && !(phi >= 0 && isfinite(phi)))
        code = kb_fail(err, KB_INVALID, "equivalence ratio phi = %g, expected >= 0", phi);
    if (!code) {
        for (int i = 0; i < m->nspecies; i++)
            X[i] = phi * (offer / demand) * X[i] + Xo[i];
        kb_X_to_Y(m, X, Y);
    }
    free(X);
    return code;
}
