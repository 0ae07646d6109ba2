/* SPDX-License-Identifier: MIT
 *
 * Reaction equations. Names may hold digits, parentheses, commas, = and +, so a term is the longest
 * declared name that is followed by the end of a term.
 */
#include "mech/chemkin/chemkin.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct {
    kb_term *terms;
    int n, colliders;
    bool third_body, falloff, photon;
    int collider; /* of a falloff; -1: M */
} side;

typedef struct {
    ck_reader *rd;
    const ck_text *t;
    int line;
    const char *equation;
} context;

/* Length of the arrow at s, or 0 */
static int arrow(const char *s, bool *reversible)
{
    static const char *const arrows[] = {"<=>", "=>", "="};
    for (int i = 0; i < 3; i++) {
        int n = strlen(arrows[i]);
        if (!strncmp(s, arrows[i], n)) {
            *reversible = i != 1;
            return n;
        }
    }
    return 0;
}

static bool ends_term(const char *s)
{
    bool reversible;
    return !*s || *s == '+' || !strncmp(s, "(+", 2) || arrow(s, &reversible);
}

static bool ends_collider(const char *s) { return *s == ')' && ends_term(s + 1); }

/* The longest declared name at s that is followed by an end; -1: none */
static int longest_name(const ck_reader *rd, const char *s, bool (*ends)(const char *), int *length)
{
    size_t n = strnlen(s, rd->names.longest);
    for (; n > 0; n--) {
        int k = ends(s + n) ? ck_index_find(rd, s, n) : -1;
        if (k >= 0) {
            *length = n;
            return k;
        }
    }
    return -1;
}

static void add_term(side *x, int species, double value)
{
    for (int i = 0; i < x->n; i++)
        if (x->terms[i].species == species) {
            x->terms[i].value += value;
            return;
        }
    x->terms = ck_grow(x->terms, x->n, sizeof *x->terms);
    x->terms[x->n++] = (kb_term){species, value};
}

/* "(+M)" or "(+H2O)" at s: its length, or 0 */
static int read_collider(context *c, side *x, const char *s)
{
    int length, k;
    if (strncmp(s, "(+", 2))
        return 0;
    k = longest_name(c->rd, s + 2, ends_collider, &length);
    if (k < 0 && strncasecmp(s, "(+M)", 4))
        return 0;
    x->falloff = true;
    x->colliders++;
    x->collider = k;
    return k < 0 ? 4 : length + 3;
}

/* Whether the n characters at s are a coefficient: a number above zero, as 2, 0.5 or 1.5E-2 */
static bool is_coefficient(const char *s, int n, double *value)
{
    char text[32];
    if (n == 0 || n >= (int)sizeof text)
        return false;
    snprintf(text, sizeof text, "%.*s", n, s);
    return ck_number(text, value) && *value > 0;
}

/* The longest number that may stand at s, with its exponent */
static int coefficient_length(const char *s)
{
    int n = strspn(s, "0123456789."), m = n + 1;
    if (n == 0 || !s[n] || !strchr("eEdD", s[n]))
        return n;
    m += s[m] == '+' || s[m] == '-';
    int digits = strspn(s + m, "0123456789");
    return digits ? m + digits : n;
}

/* The term at s: its length, or 0. The shortest coefficient leaves the longest name. */
static int read_term(context *c, side *x, const char *s)
{
    int digits = coefficient_length(s), length;
    for (int n = 0; n <= digits; n++) {
        double value = 1;
        if (n && !is_coefficient(s, n, &value))
            continue;
        int k = longest_name(c->rd, s + n, ends_term, &length);
        if (k >= 0) {
            add_term(x, k, value);
            return n + length;
        }
    }
    if ((*s == 'M' || *s == 'm') && ends_term(s + 1)) {
        x->third_body = true;
        x->colliders++;
        return 1;
    }
    if (!strncasecmp(s, "hv", 2) && ends_term(s + 2)) {
        x->photon = true;
        return 2;
    }
    return 0;
}

static int bad_term(context *c, const char *s)
{
    char word[64];
    size_t n = 0;
    bool collider = !strncmp(s, "(+", 2);
    s += collider ? 2 : strspn(s, "0123456789.");
    while (!ends_term(s + n) && !(collider && s[n] == ')'))
        n++;
    snprintf(word, sizeof word, "%.*s", (int)(n < 63 ? n : 63), s);
    if (!*word)
        return kb_fail_at(c->rd->err, c->t->file, c->line, c->equation, NULL,
                          "a species is missing in reaction");
    return ck_unknown_species(c->rd, c->t, c->line, word);
}

/* Terms up to an arrow or the end; *cursor moves there */
static int read_side(context *c, side *x, const char **cursor)
{
    const char *s = *cursor;
    for (;;) {
        int n = read_collider(c, x, s);
        if (!n)
            n = read_term(c, x, s);
        if (!n)
            return bad_term(c, s);
        s += n;
        if (*s == '+')
            s++;
        else if (strncmp(s, "(+", 2))
            break;
    }
    *cursor = s;
    return KB_OK;
}

static int complain(context *c, const char *hint, const char *what)
{
    return kb_fail_at(c->rd->err, c->t->file, c->line, c->equation, hint, "%s", what);
}

static int check_sides(context *c, const side *l, const side *r, bool reversible)
{
    if (l->third_body != r->third_body || l->falloff != r->falloff || l->collider != r->collider)
        return complain(c, NULL, "the third bodies of both sides differ in reaction");
    if (l->colliders > 1 || r->colliders > 1)
        return complain(c, NULL, "more than one third body in reaction");
    if (!l->n || !r->n)
        return complain(c, NULL, "one side has no species in reaction");
    if (l->photon || (r->photon && reversible))
        return complain(c, "only a product of an irreversible reaction may be hv",
                        "photochemistry cannot be read, reaction");
    return KB_OK;
}

static int read_sides(context *c, side *l, side *r, bool *reversible)
{
    const char *s = c->equation;
    int code = read_side(c, l, &s), n = 0;
    if (!code && !(n = arrow(s, reversible)))
        return complain(c, "write =, <=> or =>", "no arrow in reaction");
    s += n;
    if (!code)
        code = read_side(c, r, &s);
    if (!code && *s)
        return complain(c, NULL, "more than one arrow in reaction");
    return code ? code : check_sides(c, l, r, *reversible);
}

int ck_read_equation(ck_reader *rd, const ck_text *t, int line, const char *equation,
                     kb_reaction *r, ck_form *form)
{
    context c = {rd, t, line, equation};
    side left = {.collider = -1}, right = {.collider = -1};
    int code = read_sides(&c, &left, &right, &r->reversible);
    r->reactants = left.terms;
    r->nreactants = left.n;
    r->products = right.terms;
    r->nproducts = right.n;
    r->collider = left.collider;
    *form = (ck_form){left.third_body, left.falloff};
    return code;
}
