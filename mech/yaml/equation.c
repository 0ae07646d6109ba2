/* SPDX-License-Identifier: MIT
 *
 * Reaction equations of YAML: words between blanks, "2 OH + CO (+M) <=> CO2 + H (+M)".
 */
#include "mech/yaml/node.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    kb_term *terms;
    int n;
    bool m;         /* a plain M */
    char paren[64]; /* X of (+X), or "" */
    const char *unknown; /* the last name that is no species ... */
    int nunknown;        /* ... and how many there are */
} side;

typedef struct {
    kb_yaml *y;
    const yaml_node_t *node;
    char **word;
    int n;
    bool undeclared; /* a name is no species of the phase, and such reactions are to be left out */
} words;

static int fail(const words *w, const char *word, const char *hint, const char *text)
{
    return kb_yaml_fail(w->y, w->node, word, hint, "equation: %s", text);
}

static bool is_arrow(const char *word)
{
    return !strcmp(word, "<=>") || !strcmp(word, "=>") || !strcmp(word, "=");
}

/* Cuts text (changed) at blanks; "(+" and "M)" are put together to one word. */
static void cut(words *w, char *text)
{
    w->word = kb_alloc(strlen(text) / 2 + 2, sizeof *w->word);
    for (char *save, *t = strtok_r(text, " \t\n", &save); t; t = strtok_r(NULL, " \t\n", &save)) {
        char *last = w->n ? w->word[w->n - 1] : "";
        if (strncmp(last, "(+", 2) == 0 && !strchr(last, ')') && !is_arrow(t))
            memmove(last + strlen(last), t, strlen(t) + 1);
        else
            w->word[w->n++] = t;
    }
}

static void add_term(side *s, int species, double value)
{
    for (int i = 0; i < s->n; i++) {
        if (s->terms[i].species == species) {
            s->terms[i].value += value;
            return;
        }
    }
    s->terms = kb_realloc(s->terms, (size_t)s->n + 1, sizeof *s->terms);
    s->terms[s->n++] = (kb_term){species, value};
}

/* Reads one term at word[i] and returns the number of words used, or 0 after an error. */
static int read_term(words *w, int i, int end, side *s)
{
    char *rest;
    double value = strtod(w->word[i], &rest);
    int used = 1;
    if (rest == w->word[i] || *rest || kb_yaml_find(w->y, w->word[i]) >= 0)
        value = 1;
    else if (!(value > 0) || !isfinite(value))
        return fail(w, w->word[i], NULL, "a coefficient must be above zero"), 0;
    else if (i + 1 >= end || !strcmp(w->word[i + 1], "+"))
        return fail(w, w->word[i], NULL, "a coefficient without a species"), 0;
    else
        used = 2;
    const char *name = w->word[i + used - 1];
    int species = kb_yaml_find(w->y, name);
    if (species < 0 && used == 1 && !strcmp(name, "M")) {
        s->m = true;
    } else if (species >= 0) {
        add_term(s, species, value);
    } else {
        s->unknown = name;
        s->nunknown++;
    }
    return used;
}

/* Reads "(+X)" at word[i]; false when it is none. */
static bool read_paren(words *w, int i, side *s)
{
    const char *word = w->word[i];
    size_t n = strlen(word);
    if (strncmp(word, "(+", 2) != 0 || word[n - 1] != ')' || n < 4 || n - 3 >= sizeof s->paren)
        return false;
    memcpy(s->paren, word + 2, n - 3);
    s->paren[n - 3] = '\0';
    return true;
}

static int read_side(words *w, int begin, int end, side *s)
{
    bool want = true; /* a term, not a plus */
    for (int i = begin; i < end;) {
        if (!want && !s->paren[0] && read_paren(w, i, s)) {
            i++;
        } else if (!want && !strcmp(w->word[i], "+") && i + 1 < end) {
            want = true;
            i++;
        } else if (!want) {
            return fail(w, w->word[i], "species and + stand between blanks", "+ is expected at");
        } else {
            int used = read_term(w, i, end, s);
            if (used == 0)
                return KB_INVALID;
            want = false;
            i += used;
        }
    }
    if (want)
        return fail(w, NULL, NULL, "a side without species");
    return KB_OK;
}

/* Names that are no species: the reaction is left out, if the phase says so for it; of rule `all`
 * a third body alone may be unknown (skip-undeclared-third-bodies). */
static int check_unknown(words *w, const side *left, const side *right)
{
    const char *name = left->unknown ? left->unknown : right->unknown;
    bool collider = w->y->skip_colliders && left->nunknown == 1 && right->nunknown == 1 &&
                    !strcmp(left->unknown, right->unknown);
    if (!name)
        return KB_OK;
    w->undeclared = true;
    if (w->y->skip_reactions || collider)
        return KB_OK;
    char hint[128];
    kb_names_hint(w->y->m, name, "species and + stand between blanks", hint, sizeof hint);
    return fail(w, name, hint, "unknown species");
}

static int set_collider(words *w, const side *left, const side *right, kb_reaction *r,
                        kb_equation_kind *kind)
{
    if (left->m != right->m || strcmp(left->paren, right->paren) != 0)
        return fail(w, left->paren[0] ? left->paren : "M", NULL,
                    "both sides must have the same third body");
    if (left->m && left->paren[0])
        return fail(w, left->paren, NULL, "M and a third body in parentheses exclude each other");
    *kind = left->m ? KB_PLAIN_M : left->paren[0] ? KB_PAREN : KB_NO_COLLIDER;
    r->collider = -1;
    if (left->paren[0] && strcmp(left->paren, "M") != 0) {
        r->collider = kb_yaml_find(w->y, left->paren);
        if (r->collider < 0 && !w->y->skip_reactions && !w->y->skip_colliders)
            return fail(w, left->paren, "skip-undeclared-third-bodies: true in the phase",
                        "unknown species as third body");
        w->undeclared = w->undeclared || r->collider < 0;
    }
    return KB_OK;
}

static int read_words(words *w, kb_reaction *r, kb_equation_kind *kind)
{
    int arrow = -1;
    for (int i = 0; i < w->n; i++) {
        if (!is_arrow(w->word[i]))
            continue;
        if (arrow >= 0)
            return fail(w, w->word[i], NULL, "a second arrow");
        arrow = i;
    }
    if (arrow < 0)
        return fail(w, kb_yaml_scalar(w->node), "A + B <=> C or A + B => C", "no arrow");
    side left = {0}, right = {0};
    int rc = read_side(w, 0, arrow, &left);
    if (!rc)
        rc = read_side(w, arrow + 1, w->n, &right);
    if (!rc)
        rc = check_unknown(w, &left, &right);
    if (!rc)
        rc = set_collider(w, &left, &right, r, kind);
    r->reversible = strcmp(w->word[arrow], "=>") != 0;
    r->reactants = left.terms;
    r->nreactants = left.n;
    r->products = right.terms;
    r->nproducts = right.n;
    if (!rc && !w->undeclared && (left.n == 0 || right.n == 0))
        rc = fail(w, kb_yaml_scalar(w->node), NULL, "a side without species");
    return rc;
}

int kb_yaml_equation(kb_yaml *y, const yaml_node_t *node, kb_reaction *r, kb_equation_kind *kind,
                     bool *undeclared)
{
    const char *text = kb_yaml_scalar(node);
    if (!text)
        return kb_yaml_fail(y, node, "equation", NULL, "text is expected for");
    words w = {.y = y, .node = node};
    char *copy = kb_strdup(text);
    cut(&w, copy);
    int rc = read_words(&w, r, kind);
    *undeclared = w.undeclared;
    free(w.word);
    free(copy);
    return rc;
}
