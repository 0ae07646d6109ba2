/* SPDX-License-Identifier: MIT
 *
 * Checks of a mechanism that was read: thermo data, element balance, duplicates, finite rates.
 */
#include "mech/check.h"
#include "mech/check_duplicates.h"

#include <math.h>
#include <string.h>

#include "mech/thermo/rates.h"
#include "mech/thermo/thermo.h"

/* ---- thermo ---- */

static bool all_finite(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

/* Steps between two ranges, in units of R and RT; smaller ones are common in published fits and
 * harmless. The two neighbours of T lie in different ranges whichever has T itself. */
static void check_jump(kb_mech *m, const kb_species *s, double T)
{
    double below = nextafter(T, 0), above = nextafter(T, 2 * T);
    double cp = kb_cp_R(s, above) - kb_cp_R(s, below);
    double h = kb_h_RT(s, above) - kb_h_RT(s, below), e = kb_s_R(s, above) - kb_s_R(s, below);
    if (fabs(cp) > 0.05 || fabs(h) > 0.01 || fabs(e) > 0.01)
        kb_add_warning(m, "%s:%d: thermo data of '%s' jump at %g K by %.2g in cp/R, %.2g in h/RT, "
                       "%.2g in s/R", s->file, s->line, s->name, T, cp, h, e);
}

static int check_ranges(kb_mech *m, const kb_species *s, kb_error *err)
{
    double T[3] = {s->Tlow, s->Tmid, s->Thigh};
    if (!all_finite(T, 3) || !(T[0] < T[1] && T[1] < T[2]))
        return kb_fail_at(err, s->file, s->line, s->name, "Tlow < Tmid < Thigh is needed",
                          "a gap in the temperatures %g, %g, %g K of", T[0], T[1], T[2]);
    if (!all_finite(s->lo, 7) || !all_finite(s->hi, 7) || !all_finite(s->coef, 9 * s->nranges))
        return kb_fail_at(err, s->file, s->line, s->name, NULL, "a coefficient is not finite of");
    if (s->model == KB_NASA7)
        check_jump(m, s, s->Tmid);
    for (int i = 1; i < s->nranges; i++)
        check_jump(m, s, s->T_ends[i]);
    return KB_OK;
}

static int check_thermo(kb_mech *m, kb_error *err)
{
    int code = KB_OK;
    for (int k = 0; k < m->nspecies + m->nsteady && !code; k++) {
        const kb_species *s = &m->species[k];
        if (!(s->weight > 0))
            return kb_fail_at(err, s->file, s->line, s->name, NULL, "no thermo data for species");
        code = check_ranges(m, s, err);
    }
    return code;
}

/* ---- element balance ---- */

/* The same test as Cantera's: 1e-4 of all atoms of the element on both sides */
static int check_balance(const kb_mech *m, const kb_reaction *r, kb_error *err)
{
    for (int e = 0; e < m->nelements; e++) {
        double left = 0, right = 0, size = 0;
        for (int i = 0; i < r->nreactants; i++) {
            double n = r->reactants[i].value * m->species[r->reactants[i].species].atoms[e];
            left += n;
            size += fabs(n);
        }
        for (int i = 0; i < r->nproducts; i++) {
            double n = r->products[i].value * m->species[r->products[i].species].atoms[e];
            right += n;
            size += fabs(n);
        }
        if (fabs(left - right) <= 1e-4 * size)
            continue;
        char *text = kb_equation(m, r);
        int code = kb_fail_at(err, r->file, r->line, text, "correct the species or its coefficient",
                              "element %s: %g atoms become %g in reaction", m->elements[e].name,
                              left, right);
        free(text);
        return code;
    }
    return KB_OK;
}

/* ---- rates ---- */

static const double temperatures[] = {300, 500, 1000, 1500, 2500, 3500}; /* [K] */

typedef struct {
    double *C, *kf, *kr;
    bool *warned;
} work;

/* Sum of the forward constants of reaction i and of its duplicates in the same direction */
static double same_sum(const kb_mech *m, const double *kf, int i)
{
    const kb_reaction *r = &m->reactions[i];
    double s = 0;
    for (int j = 0; j < m->nreactions; j++)
        if (j == i || (r->duplicate && m->reactions[j].duplicate &&
                       m->reactions[j].type == r->type && kb_same_reaction(r, &m->reactions[j])))
            s += kf[j];
    return s;
}

static int check_rate(kb_mech *m, int i, double T, work *w, kb_error *err)
{
    const kb_reaction *r = &m->reactions[i];
    char *text = NULL;
    int code = KB_OK;
    if (!isfinite(w->kf[i])) {
        text = kb_equation(m, r);
        code = kb_fail_at(err, r->file, r->line, text, "check A, b and E and their units",
                          "the rate constant is %g at %g K in reaction", w->kf[i], T);
    } else if (!w->warned[i] && !isfinite(w->kr[i])) {
        text = kb_equation(m, r);
        kb_add_warning(m, "!%s:%d: the reverse rate constant is %g at %g K in '%s'", r->file,
                       r->line, w->kr[i], T, text);
        w->warned[i] = true;
    } else if (!w->warned[i] && w->kf[i] < 0 && same_sum(m, w->kf, i) < 0) {
        text = kb_equation(m, r);
        kb_add_warning(m, "!%s:%d: the rate constant (with its duplicates) is negative at %g K "
                       "in '%s'", r->file, r->line, T, text);
        w->warned[i] = true;
    }
    free(text);
    return code;
}

/* The sum of the entries at one pressure: its logarithm is interpolated */
static int check_plog_sum(const kb_reaction *r, const kb_reaction *plog, int from, int to,
                          const kb_mech *m, kb_error *err)
{
    static const double T[] = {300, 500, 1000, 2000, 5000, 10000};
    for (size_t t = 0; t < sizeof T / sizeof *T; t++) {
        double k = 0;
        for (int i = from; i < to; i++)
            k += kb_arrhenius_k(&plog->plog[i].k, T[t]);
        if (k > 0)
            continue;
        char *text = kb_equation(m, r);
        int code = kb_fail_at(err, r->file, r->line, text, "its logarithm is interpolated",
                              "PLOG: the rates at %g Pa sum up to %g at %g K in",
                              plog->plog[from].p, k, T[t]);
        free(text);
        return code;
    }
    return KB_OK;
}

static int check_plog(const kb_mech *m, const kb_reaction *r, const kb_reaction *plog,
                      kb_error *err)
{
    int code = KB_OK;
    for (int i = 0, end; i < plog->nplog && !code; i = end) {
        for (end = i + 1; end < plog->nplog && plog->plog[end].p == plog->plog[i].p; end++)
            ;
        code = check_plog_sum(r, plog, i, end, m, err);
    }
    for (int i = 0; i < plog->ncolliders && !code; i++)
        code = check_plog(m, r, &plog->colliders[i].rate, err);
    return code;
}

static int check_rates(kb_mech *m, kb_error *err)
{
    work w = {kb_alloc(m->nspecies, sizeof(double)), kb_alloc(m->nreactions, sizeof(double)),
              kb_alloc(m->nreactions, sizeof(double)), kb_alloc(m->nreactions, sizeof(bool))};
    int code = KB_OK;
    for (size_t t = 0; t < sizeof temperatures / sizeof *temperatures && !code; t++) {
        double T = temperatures[t];
        for (int k = 0; k < m->nspecies; k++)
            w.C[k] = KB_ATM / (KB_R * T) / m->nspecies;
        kb_mech_rates(m, T, KB_ATM, w.C, w.kf, w.kr, NULL, NULL);
        for (int i = 0; i < m->nreactions && !code; i++)
            code = check_rate(m, i, T, &w, err);
    }
    free(w.C);
    free(w.kf);
    free(w.kr);
    free(w.warned);
    return code;
}

int kb_mech_check(kb_mech *m, kb_error *err)
{
    int code = check_thermo(m, err);
    for (int i = 0; i < m->nreactions && !code; i++)
        code = check_balance(m, &m->reactions[i], err) ||
               check_plog(m, &m->reactions[i], &m->reactions[i], err) ? KB_INVALID : KB_OK;
    if (!code)
        code = kb_check_duplicates(m, err);
    return code ? code : check_rates(m, err);
}

int kb_check_tables(const kb_mech *m, kb_error *err)
{
    static const char hint[] = "mechinfo and --write take it";
    for (int k = 0; k < m->nspecies + m->nsteady; k++) {
        const kb_species *s = &m->species[k];
        if (s->nranges > 2 && s->T_ends[2] < 6000)
            return kb_fail_at(err, s->file, s->line, s->name, hint, "a third range of NASA9 below "
                              "6000 K is not supported by the integrators yet:");
    }
    return KB_OK;
}
