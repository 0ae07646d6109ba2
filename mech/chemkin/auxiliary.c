/* SPDX-License-Identifier: MIT
 *
 * The lines below a reaction: groups KEYWORD / numbers / and collision efficiencies.
 */
#include "mech/chemkin/chemkin.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MAX_NUMBERS 256 /* in one pair of slashes */

typedef struct {
    ck_reactions *s;
    int line;
    const char *word;    /* the keyword as written */
    char *text;          /* between the slashes */
    int n;               /* numbers found there, -1: not only numbers */
    double x[MAX_NUMBERS];
} group;

static int wrong(group *g, const char *hint)
{
    return kb_fail_at(g->s->rd->err, g->s->t->file, g->line, g->word, hint,
                      "wrong numbers between the slashes of");
}

static void parse_numbers(group *g)
{
    char *copy = kb_strdup(g->text), *cursor = copy, *word;
    for (char *c = copy; *c; c++)
        if (*c == ',')
            *c = ' ';
    while (g->n >= 0 && (word = ck_word(&cursor)))
        g->n = g->n < MAX_NUMBERS && ck_number(word, &g->x[g->n]) ? g->n + 1 : -1;
    free(copy);
}

static int three(group *g, double *out, bool *has, const char *hint)
{
    if (*has)
        return kb_fail_at(g->s->rd->err, g->s->t->file, g->line, g->word, NULL,
                          "given twice for one reaction:");
    if (g->n != 3)
        return wrong(g, hint);
    memcpy(out, g->x, 3 * sizeof *out);
    *has = true;
    return KB_OK;
}

static int low(group *g) { return three(g, g->s->k.low, &g->s->k.has_low, "LOW / A b E /"); }

static int high(group *g)
{
    return three(g, g->s->k.high, &g->s->k.has_high, "HIGH / A b E /");
}

static int reverse(group *g)
{
    return three(g, g->s->k.reverse, &g->s->k.has_reverse, "REV / A b E /");
}

static int blend(group *g, kb_blending kind, int most, const char *hint)
{
    ck_rates *k = &g->s->k;
    if (g->n != 3 && g->n != most)
        return wrong(g, hint);
    if (k->nblend)
        return kb_fail_at(g->s->rd->err, g->s->t->file, g->line, g->word, NULL,
                          "second broadening of one reaction:");
    if (kind == KB_SRI && g->x[2] < 0)
        return wrong(g, "SRI / a b c [d e] /, c of 0 or more");
    memcpy(k->blend, g->x, g->n * sizeof *k->blend);
    k->nblend = g->n;
    k->blending = kind;
    return KB_OK;
}

static int troe(group *g) { return blend(g, KB_TROE, 4, "TROE / alpha T*** T* [T**] /"); }

static int sri(group *g) { return blend(g, KB_SRI, 5, "SRI / a b c [d e] /"); }

static int plog(group *g)
{
    ck_rates *k = &g->s->k;
    if (g->n != 4 || !(g->x[0] > 0))
        return wrong(g, "PLOG / p[atm] A b E /, p > 0");
    k->plog = ck_grow(k->plog, k->nplog, sizeof *k->plog);
    memcpy(k->plog[k->nplog++], g->x, sizeof *k->plog);
    return KB_OK;
}

static int range(group *g, double *out, bool *has, const char *hint)
{
    if (g->n != 2 || !(0 < g->x[0] && g->x[0] < g->x[1]))
        return wrong(g, hint);
    memcpy(out, g->x, 2 * sizeof *out);
    *has = true;
    return KB_OK;
}

static int tcheb(group *g)
{
    return range(g, g->s->k.T_range, &g->s->k.has_T, "TCHEB / Tmin Tmax /");
}

static int pcheb(group *g)
{
    return range(g, g->s->k.p_range, &g->s->k.has_p, "PCHEB / pmin pmax / in atm");
}

/* The first CHEB begins with the numbers of rows (T) and columns (p). */
static int cheb(group *g)
{
    ck_rates *k = &g->s->k;
    int i = 0;
    if (!k->nT) {
        if (g->n < 2 || !(g->x[0] >= 1 && g->x[0] <= 100 && g->x[1] >= 1 && g->x[1] <= 100))
            return wrong(g, "CHEB / nT np coefficients ... /, both 1 to 100");
        k->nT = g->x[0];
        k->np = g->x[1];
        k->coef = kb_alloc((size_t)k->nT * k->np, sizeof *k->coef);
        i = 2;
    }
    if (g->n < i || k->ncoef + g->n - i > k->nT * k->np)
        return wrong(g, "nT x np coefficients in all CHEB of the reaction");
    for (; i < g->n; i++)
        k->coef[k->ncoef++] = g->x[i];
    return KB_OK;
}

/* FORD / species order /: the full list of orders begins as the stoichiometric coefficients. */
static int order(group *g, kb_term **list, int *n, const kb_term *from, int nfrom)
{
    double value;
    char *cursor = g->text, *name = ck_word(&cursor), *number = ck_word(&cursor);
    if (!name || !number || !ck_number(number, &value) || ck_word(&cursor))
        return wrong(g, "species and order between the slashes");
    int k = ck_index_find(g->s->rd, name, strlen(name));
    if (k < 0)
        return ck_unknown_species(g->s->rd, g->s->t, g->line, name);
    for (; *n < nfrom; ++*n) {
        *list = ck_grow(*list, *n, sizeof **list);
        (*list)[*n] = from[*n];
    }
    for (int i = 0; i < *n; i++)
        if ((*list)[i].species == k) {
            (*list)[i].value = value;
            return KB_OK;
        }
    *list = ck_grow(*list, *n, sizeof **list);
    (*list)[(*n)++] = (kb_term){k, value};
    return KB_OK;
}

static int ford(group *g)
{
    kb_reaction *r = g->s->r;
    return order(g, &r->forward_orders, &r->nforward_orders, r->reactants, r->nreactants);
}

static int rord(group *g)
{
    kb_reaction *r = g->s->r;
    return order(g, &r->reverse_orders, &r->nreverse_orders, r->products, r->nproducts);
}

static int units(group *g)
{
    char *cursor = g->text, *word;
    while ((word = ck_word(&cursor)))
        if (!ck_read_units(&g->s->k.units, word))
            return kb_fail_at(g->s->rd->err, g->s->t->file, g->line, word, "as on REACTIONS",
                              "unknown unit");
    return KB_OK;
}

static int duplicate(group *g)
{
    g->s->r->duplicate = true;
    return KB_OK;
}

static int refuse(group *g, const char *hint)
{
    return kb_fail_at(g->s->rd->err, g->s->t->file, g->line, g->word, hint,
                      "reactions of this kind cannot be read:");
}

static int unsupported(group *g) { return refuse(g, NULL); }

static int of_colliders(group *g)
{
    return refuse(g, "Chemkin-Pro's rates by colliders; is there a variant for Cantera?");
}

static int efficiency(group *g)
{
    kb_reaction *r = g->s->r;
    int k = ck_index_find(g->s->rd, g->word, strlen(g->word));
    if (k < 0)
        return ck_unknown_species(g->s->rd, g->s->t, g->line, g->word);
    if (g->n != 1)
        return wrong(g, "one collision efficiency");
    g->s->k.has_efficiencies = true;
    for (int i = 0; i < r->nefficiencies; i++)
        if (r->efficiencies[i].species == k) {
            kb_add_warning(g->s->rd->m, "!%s:%d: second efficiency of '%s' counts", g->s->t->file,
                           g->line, g->word);
            r->efficiencies[i].value = g->x[0];
            return KB_OK;
        }
    r->efficiencies = ck_grow(r->efficiencies, r->nefficiencies, sizeof *r->efficiencies);
    r->efficiencies[r->nefficiencies++] = (kb_term){k, g->x[0]};
    return KB_OK;
}

static const struct {
    const char *names;
    int (*read)(group *);
} keywords[] = {
    {"LOW", low}, {"HIGH", high}, {"REV", reverse}, {"TROE", troe}, {"SRI", sri}, {"PLOG", plog},
    {"CHEB", cheb}, {"TCHEB", tcheb}, {"PCHEB", pcheb}, {"FORD", ford}, {"RORD", rord},
    {"UNITS", units}, {"DUP|DUPL|DUPLICATE", duplicate},
    {"LT|RLT|HV|JAN|FIT1|EXCI|EIM|MOME|TDEP|XSMI|USRPROG|STICK|COV|MWON|MWOFF|COLLEFF|DCOL",
     unsupported},
    {"LOWMX|LOWSP|HIGHMX|HIGHSP|TROEMX|TROESP|SRIMX|SRISP|PLOGMX|PLOGSP", of_colliders},
};

static int (*find_keyword(const char *word))(group *)
{
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (ck_is(word, keywords[i].names))
            return keywords[i].read;
    return NULL;
}

/* words before a slash: all but the last stand alone (DUPLICATE, MOME) */
static int lone_word(group *g)
{
    int (*read)(group *) = find_keyword(g->word);
    if (read == duplicate || read == unsupported || read == of_colliders)
        return read(g);
    return kb_fail_at(g->s->rd->err, g->s->t->file, g->line, g->word,
                      "a reaction needs =; numbers of a keyword stand between slashes",
                      "not an equation and not an auxiliary keyword");
}

/* The text between two slashes from *next on; units hold a slash of their own (CAL/MOLE). */
static char *between(char **next, bool unit)
{
    char *text = *next;
    if (text)
        strsep(next, "/");
    if (!unit || !*next || strncasecmp(*next, "MOL", 3))
        return text;
    (*next)[-1] = '/';
    strsep(next, "/");
    return text;
}

/* "LOW / 1 2 3 / H2/2/ DUP": group by group */
int ck_read_auxiliary(ck_reactions *s, ck_line *line)
{
    char *next = line->text;
    int code = KB_OK;
    while (!code && next) {
        char *names = strsep(&next, "/"), *word = ck_word(&names);
        char *text = between(&next, word && ck_is(word, "UNITS"));
        group g = {.s = s, .line = line->number, .word = word, .text = text};
        if (!word && !text)
            break;
        if (!word)
            return kb_fail_at(s->rd->err, s->t->file, line->number, text, NULL,
                              "a keyword or species is missing before the slash of");
        if (!s->r)
            return kb_fail_at(s->rd->err, s->t->file, line->number, word, NULL,
                              "auxiliary line before the first reaction");
        for (char *after; !code && (after = ck_word(&names)); g.word = after)
            code = lone_word(&g);
        if (code || !text) {
            code = code ? code : lone_word(&g);
            continue;
        }
        parse_numbers(&g);
        int (*read)(group *) = find_keyword(g.word);
        code = read && ck_index_find(s->rd, g.word, strlen(g.word)) < 0 ? read(&g)
                                                                        : efficiency(&g);
    }
    return code;
}

bool ck_is_keyword(const char *word) { return find_keyword(word) != NULL; }
