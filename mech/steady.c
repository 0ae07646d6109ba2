/* SPDX-License-Identifier: MIT */
#include "mech/steady.h"

#include <string.h>

#include "base/file.h"
#include "mech/thermo/rates.h"

/* ---- the species behind the others ---- */

static void renumber_terms(kb_term *t, int n, const int *to)
{
    for (int i = 0; i < n; i++)
        t[i].species = to[t[i].species];
}

static void renumber(kb_reaction *r, const int *to)
{
    renumber_terms(r->reactants, r->nreactants, to);
    renumber_terms(r->products, r->nproducts, to);
    renumber_terms(r->forward_orders, r->nforward_orders, to);
    renumber_terms(r->reverse_orders, r->nreverse_orders, to);
    renumber_terms(r->efficiencies, r->nefficiencies, to);
    if (r->collider >= 0)
        r->collider = to[r->collider];
    for (int i = 0; i < r->ncolliders; i++)
        if (r->colliders[i].species >= 0)
            r->colliders[i].species = to[r->colliders[i].species];
}

/* steady [nspecies]; the order is otherwise kept */
static void put_behind(kb_mech *m, const bool *steady)
{
    int n = m->nspecies, next = 0;
    int *to = kb_alloc((size_t)n, sizeof *to);
    kb_species *species = kb_alloc((size_t)n, sizeof *species);
    for (int last = 0; last < 2; last++) {
        for (int k = 0; k < n; k++)
            if (steady[k] == last) {
                species[next] = m->species[k];
                to[k] = next++;
            }
        if (!last)
            m->nspecies = next;
    }
    m->nsteady = n - m->nspecies;
    for (int i = 0; i < m->nreactions; i++)
        renumber(&m->reactions[i], to);
    free(m->species);
    m->species = species;
    free(to);
}

/* ---- reactions ---- */

/* Their concentration is no part of [M]. */
static int check_colliders(kb_mech *m, kb_reaction *r, int *zeros, kb_error *err)
{
    int kept = 0, named = r->collider;
    for (int i = 1; i < r->ncolliders; i++)
        if (r->colliders[i].species >= m->nspecies)
            named = r->colliders[i].species;
    if (named >= m->nspecies)
        return kb_fail_at(err, r->file, r->line, m->species[named].name,
                          "take it out of the list, or the reaction out of the mechanism",
                          "a species in steady state is the collider:");
    for (int i = 0; i < r->nefficiencies; i++) {
        if (r->efficiencies[i].species < m->nspecies)
            r->efficiencies[kept++] = r->efficiencies[i];
        else if (r->efficiencies[i].value == 0)
            ++*zeros;
        else if (r->efficiencies[i].value != r->default_efficiency)
            kb_add_warning(m, "%s:%d: the efficiency of '%s' is left out: it is in steady state",
                           r->file, r->line, m->species[r->efficiencies[i].species].name);
    }
    r->nefficiencies = kept;
    return KB_OK;
}

/* The first two factors in steady state, or one whose power is not 1 twice, as "A and B" */
static char *nonlinear(const kb_mech *m, const kb_reaction *r, bool reverse)
{
    int n, first = -1;
    const kb_term *t = kb_powers(r, reverse, &n);
    for (int i = 0; i < n; i++) {
        if (t[i].species < m->nspecies || t[i].value == 0)
            continue;
        int other = t[i].value != 1 ? t[i].species : first;
        if (other >= 0)
            return kb_format("%s and %s", m->species[other].name, m->species[t[i].species].name);
        first = t[i].species;
    }
    return NULL;
}

static int check_linear(kb_mech *m, kb_reaction *r, bool reverse, bool drop, kb_error *err)
{
    char *pair = nonlinear(m, r, reverse);
    int code = KB_OK;
    if (!pair)
        return KB_OK;
    char *equation = kb_equation(m, r);
    const char *way = reverse ? "reverse" : "forward";
    if (drop && reverse)
        r->no_reverse = true;
    else if (drop)
        r->no_forward = true;
    if (drop)
        kb_add_warning(m, "!%s:%d: the %s direction of '%s' is left out: %s are in steady state",
                       r->file, r->line, way, equation, pair);
    else
        code = kb_fail_at(err, r->file, r->line, equation, "leave one of them out of the list, or "
                          "add the word drop-nonlinear, which leaves that direction out",
                          "%s are in steady state and couple nonlinearly in the %s direction of",
                          pair, way);
    free(equation);
    free(pair);
    return code;
}

/* Each of them must be used by some direction. */
static int check_used(const kb_mech *m, const char *file, int line, kb_error *err)
{
    bool *used = kb_alloc((size_t)m->nsteady + 1, sizeof *used);
    int code = KB_OK;
    for (int i = 0; i < m->nreactions; i++)
        for (int reverse = 0; reverse < 2; reverse++) {
            int q = kb_steady_power(m, &m->reactions[i], reverse);
            if (q >= 0)
                used[q] = true;
        }
    for (int q = 0; q < m->nsteady && !code; q++)
        if (!used[q])
            code = kb_fail_at(err, file, line, m->species[m->nspecies + q].name,
                              "take it out of the list", "no reaction uses the species in steady "
                              "state");
    free(used);
    return code;
}

static int mark(const kb_mech *m, char *const *names, int n, bool *steady, const char *file,
                int line, kb_error *err)
{
    for (int i = 0; i < n; i++) {
        int k = kb_find_species(m, names[i]);
        if (k < 0)
            return kb_fail_at(err, file, line, names[i], "case matters",
                              "species in steady state: the mechanism has none of the name");
        if (steady[k])
            return kb_fail_at(err, file, line, names[i], NULL,
                              "a species in steady state stands twice:");
        steady[k] = true;
    }
    if (n == m->nspecies)
        return kb_fail_at(err, file, line, NULL, NULL, "all species are in steady state");
    return KB_OK;
}

int kb_steady(kb_mech *m, char *const *names, int n, bool drop, const char *file, int line,
              kb_error *err)
{
    if (m->nsteady)
        return kb_fail_at(err, file, line, NULL, "leave QSS= out",
                          "the mechanism has species in steady state already");
    bool *steady = kb_alloc((size_t)m->nspecies + 1, sizeof *steady);
    int code = mark(m, names, n, steady, file, line, err);
    if (!code) {
        put_behind(m, steady);
        m->drop_nonlinear = drop;
    }
    free(steady);
    int zeros = 0;
    for (int i = 0; i < m->nreactions && !code; i++) {
        kb_reaction *r = &m->reactions[i];
        code = check_colliders(m, r, &zeros, err) || check_linear(m, r, false, drop, err) ||
               check_linear(m, r, true, drop, err) ? KB_INVALID : KB_OK;
    }
    if (zeros && !code)
        kb_add_warning(m, "%s:%d: %d efficiencies of species in steady state are 0, and none "
                       "counts in [M]", file, line, zeros);
    return code ? code : check_used(m, file, line, err);
}

/* The words of a line into names, its memory and room: those before a word that begins with # */
static int take_words(char *line, char ***names, int n, bool *drop)
{
    char *rest, *word = strtok_r(line, " \t\r\n", &rest);
    for (; word && *word != '#'; word = strtok_r(NULL, " \t\r\n", &rest)) {
        if (strcmp(word, "drop-nonlinear") == 0) {
            *drop = true;
            continue;
        }
        *names = kb_realloc(*names, (size_t)n + 1, sizeof **names);
        (*names)[n++] = kb_strdup(word);
    }
    return n;
}

int kb_steady_read(kb_mech *m, const char *path, kb_error *err)
{
    FILE *f = kb_file_open(path);
    char **names = NULL, *line = NULL;
    size_t size = 0;
    int n = 0;
    bool drop = false;
    if (!f)
        return kb_fail_at(err, path, 0, NULL, NULL, "cannot be read (QSS=)");
    while (getline(&line, &size, f) >= 0)
        n = take_words(line, &names, n, &drop);
    fclose(f);
    free(line);
    int code = n ? kb_steady(m, names, n, drop, kb_add_file(m, path), 0, err)
                 : kb_fail_at(err, path, 0, NULL, "names of species between blanks",
                              "no species in steady state in the file");
    for (int i = 0; i < n; i++)
        free(names[i]);
    free(names);
    return code;
}
