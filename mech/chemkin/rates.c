/* SPDX-License-Identifier: MIT
 *
 * From the numbers of one CHEMKIN reaction to its rate type and rates in kmol, m, s.
 */
#include "mech/chemkin/chemkin.h"

#include <math.h>
#include <string.h>

#define AVOGADRO 6.02214076e23 /* [1/mol] */

/* Everything passes through cm, mol, cal: there a decimal exists that reads back to the same
 * double. */
static kb_arrhenius arrhenius(const ck_units *units, const double *k, double order)
{
    double A = units->molecules ? k[0] * pow(AVOGADRO, order - 1) : k[0];
    return (kb_arrhenius){kb_A_to_SI(A, order), k[1], kb_theta_from_cal(k[2] * units->cal)};
}

/* Ascending pressures; entries at one pressure keep their order */
static void set_plog(kb_reaction *r, const ck_rates *k, double order)
{
    r->type = KB_PLOG;
    r->nplog = k->nplog;
    r->plog = kb_alloc(k->nplog, sizeof *r->plog);
    for (int i = 0; i < k->nplog; i++) {
        kb_plog_point point = {k->plog[i][0] * KB_ATM,
                               arrhenius(&k->units, k->plog[i] + 1, order)};
        int j = i;
        for (; j > 0 && r->plog[j - 1].p > point.p; j--)
            r->plog[j] = r->plog[j - 1];
        r->plog[j] = point;
    }
    r->kf = r->plog[0].k;
}

/* log10 of k: the units are an addend to the first coefficient */
static void set_chebyshev(kb_reaction *r, ck_rates *k, double order)
{
    r->type = KB_CHEBYSHEV;
    r->cheb = (kb_chebyshev){k->T_range[0], k->T_range[1], k->p_range[0] * KB_ATM,
                             k->p_range[1] * KB_ATM, k->nT, k->np, k->coef};
    k->coef = NULL;
    if (k->units.molecules)
        r->cheb.coef[0] += (order - 1) * log10(AVOGADRO);
    r->cheb.coef[0] -= 3 * (order - 1);
}

/* The low limit of a falloff has one concentration more than the high one. A chemically activated
 * reaction is written with its low limit, which has the reaction's own order; HIGH has one less. */
static void set_falloff(kb_reaction *r, const ck_rates *k, double order)
{
    bool activated = k->has_high;
    r->type = activated ? KB_ACTIVATED : KB_FALLOFF;
    r->kf = arrhenius(&k->units, activated ? k->high : k->rate, order - activated);
    r->low = arrhenius(&k->units, activated ? k->rate : k->low, order + 1 - activated);
    r->blending = k->nblend ? k->blending : KB_LINDEMANN;
    r->nblend = k->nblend;
    memcpy(r->blend, k->blend, sizeof r->blend);
}

static int complain(ck_reader *rd, const ck_text *t, const kb_reaction *r, const char *word,
                    const char *hint, const char *what)
{
    return kb_fail_at(rd->err, t->file, r->line, word, hint, "%s", what);
}

static int check(ck_reader *rd, const ck_text *t, const kb_reaction *r, ck_rates *k)
{
    int kinds = k->has_low + k->has_high + (k->nplog > 0) + (k->nT > 0);
    if (kinds > 1)
        return complain(rd, t, r, NULL, "one of LOW, HIGH, PLOG and CHEB",
                        "the reaction has rates of more than one kind");
    if (k->form.falloff && !kinds)
        return complain(rd, t, r, "LOW", "(+M) needs LOW, HIGH, PLOG or CHEB",
                        "the reaction lacks its auxiliary line");
    if ((k->has_low || k->has_high) && !k->form.falloff)
        return complain(rd, t, r, k->has_low ? "LOW" : "HIGH", "write (+M) on both sides",
                        "an equation without (+M) has the auxiliary line");
    if (k->nblend && !k->has_low && !k->has_high)
        return complain(rd, t, r, k->blending == KB_TROE ? "TROE" : "SRI", "LOW or HIGH is missing",
                        "the reaction has no falloff for");
    if ((k->has_T || k->has_p) && !k->nT)
        return complain(rd, t, r, "CHEB", NULL, "TCHEB or PCHEB without coefficients, missing is");
    if (k->nT && k->ncoef != k->nT * k->np)
        return kb_fail_at(rd->err, t->file, r->line, "CHEB", NULL,
                          "%d x %d coefficients are needed, %d found of", k->nT, k->np, k->ncoef);
    if (k->nT && !(k->has_T && k->has_p))
        return complain(rd, t, r, k->has_T ? "PCHEB" : "TCHEB", NULL,
                        "the Chebyshev reaction lacks the range");
    return KB_OK;
}

static int set_reverse(ck_reader *rd, const ck_text *t, kb_reaction *r, const ck_rates *k)
{
    if (r->type != KB_ELEMENTARY && r->type != KB_THREE_BODY)
        return complain(rd, t, r, "REV", "split it into two one-way reactions",
                        "a pressure-dependent reaction cannot have");
    if (!r->reversible)
        kb_add_warning(rd->m, "!%s:%d: REV makes the one-way reaction reversible", t->file,
                       r->line);
    double order = kb_reverse_order(r);
    r->reversible = r->has_reverse = true;
    r->kr = arrhenius(&k->units, k->reverse, order + (r->type == KB_THREE_BODY));
    return KB_OK;
}

/* Efficiencies mean nothing without M. */
static void check_efficiencies(ck_reader *rd, const ck_text *t, kb_reaction *r)
{
    bool mixture = r->collider < 0 && (r->type == KB_THREE_BODY || r->type == KB_FALLOFF ||
                                       r->type == KB_ACTIVATED);
    if (mixture || !r->nefficiencies)
        return;
    kb_add_warning(rd->m, "!%s:%d: efficiencies of a reaction without M are ignored", t->file,
                   r->line);
    free(r->efficiencies);
    r->efficiencies = NULL;
    r->nefficiencies = 0;
}

int ck_set_rates(ck_reader *rd, const ck_text *t, kb_reaction *r, ck_rates *k)
{
    int code = check(rd, t, r, k);
    if (code)
        return code;
    double order = kb_forward_order(r);
    if (k->nplog)
        set_plog(r, k, order);
    else if (k->nT)
        set_chebyshev(r, k, order);
    else if (k->form.falloff)
        set_falloff(r, k, order);
    else {
        r->type = k->form.third_body ? KB_THREE_BODY : KB_ELEMENTARY;
        r->kf = arrhenius(&k->units, k->rate, order + k->form.third_body);
    }
    if (r->type == KB_PLOG || r->type == KB_CHEBYSHEV)
        r->collider = -1;
    check_efficiencies(rd, t, r);
    return k->has_reverse ? set_reverse(rd, t, r, k) : KB_OK;
}
