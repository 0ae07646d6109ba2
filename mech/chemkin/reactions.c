/* SPDX-License-Identifier: MIT
 *
 * REACTIONS sections: units and the line of each reaction.
 */
#include "mech/chemkin/chemkin.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool ck_read_units(ck_units *units, const char *word)
{
    static const struct {
        const char *names;
        double cal;
    } energies[] = {
        {"CAL|CAL/MOL|CAL/MOLE", 1},
        {"KCAL|KCAL/MOL|KCAL/MOLE", 1000},
        {"JOUL|JOULES|JOULES/MOL|JOULES/MOLE|J/MOL|J/MOLE", 1 / KB_CAL},
        {"KJOU|KJOULES|KJOULES/MOL|KJOULES/MOLE|KJ/MOL|KJ/MOLE", 1000 / KB_CAL},
        {"KELV|KELVIN|KELVINS", KB_R / 1000 / KB_CAL},
        {"EVOL|EVOLT|EVOLTS", 96485.33212331 / KB_CAL}, /* e N_A, CODATA 2018 */
    };
    for (size_t i = 0; i < sizeof energies / sizeof *energies; i++)
        if (ck_is(word, energies[i].names)) {
            units->cal = energies[i].cal;
            return true;
        }
    units->molecules = ck_is(word, "MOLEC|MOLECULE|MOLECULES");
    return units->molecules || ck_is(word, "MOL|MOLE|MOLES");
}

static int header(ck_reactions *s, ck_line *line)
{
    char *cursor = line->text, *word;
    s->rd->units = (ck_units){.cal = 1};
    while ((word = ck_word(&cursor)))
        if (!ck_read_units(&s->rd->units, word))
            return kb_fail_at(s->rd->err, s->t->file, line->number, word,
                              "CAL/MOLE, KCAL/MOLE, JOULES/MOLE, KJOULES/MOLE, KELVINS or EVOLTS; "
                              "MOLES or MOLECULES", "unknown unit");
    return KB_OK;
}

static int finish(ck_reactions *s)
{
    int code = s->r ? ck_set_rates(s->rd, s->t, s->r, &s->k) : KB_OK;
    free(s->k.plog);
    free(s->k.coef);
    s->k = (ck_rates){0};
    s->r = NULL;
    return code;
}

/* Cuts the last word off a line; NULL: none */
static char *last_word(char *text)
{
    size_t n = strlen(text);
    while (n && isspace((unsigned char)text[n - 1]))
        text[--n] = '\0';
    while (n && !isspace((unsigned char)text[n - 1]))
        n--;
    return text[n] ? text + n : NULL;
}

static void squeeze(char *s)
{
    char *out = s;
    for (; *s; s++)
        if (!isspace((unsigned char)*s))
            *out++ = *s;
    *out = '\0';
}

static int equation(ck_reactions *s, ck_line *line)
{
    kb_mech *m = s->rd->m;
    int code = finish(s);
    m->reactions = ck_grow(m->reactions, m->nreactions, sizeof *m->reactions);
    s->r = &m->reactions[m->nreactions++];
    *s->r = (kb_reaction){.collider = -1, .default_efficiency = 1, .file = s->t->file,
                          .line = line->number};
    s->k.units = s->rd->units;
    for (int i = 2; i >= 0 && !code; i--) {
        char *word = last_word(line->text);
        if (!word || !ck_number(word, &s->k.rate[i]))
            return kb_fail_at(s->rd->err, s->t->file, line->number, word ? word : "",
                              "equation, A, b, E", "not a number behind the reaction:");
        *word = '\0';
    }
    squeeze(line->text);
    return code ? code : ck_read_equation(s->rd, s->t, line->number, line->text, s->r,
                                          &s->k.form);
}

/* A line with = is a reaction, unless it begins with a keyword or a species and a slash. */
static bool is_equation(const ck_reactions *s, const char *text)
{
    const char *slash = strchr(text, '/'), *equals = strchr(text, '=');
    char word[64], *cursor = word;
    if (!equals || !slash || slash - text >= (int)sizeof word)
        return equals;
    snprintf(word, sizeof word, "%.*s", (int)(slash - text), text);
    char *name = ck_word(&cursor);
    return !name || ck_word(&cursor) ||
           (!ck_is_keyword(name) && ck_index_find(s->rd, name, strlen(name)) < 0);
}

/* Joins lines that end in & with the ones behind them; the caller frees. */
static char *continued(ck_reactions *s, int *i)
{
    ck_line *lines = s->t->lines;
    char *text = kb_strdup(lines[*i].text);
    size_t n;
    while ((n = strlen(text)) && text[n - 1] == '&' && *i + 1 < s->t->nlines &&
           lines[*i + 1].section == CK_REACTIONS) {
        text[n - 1] = '\0';
        char *longer = kb_format("%s %s", text, lines[++*i].text);
        free(text);
        text = longer;
    }
    return text;
}

static int body(ck_reactions *s, int *i)
{
    ck_line line = s->t->lines[*i];
    line.text = continued(s, i);
    char *text = line.text;
    int code = is_equation(s, text) ? equation(s, &line) : ck_read_auxiliary(s, &line);
    free(text);
    return code;
}

int ck_read_reactions(ck_reader *rd, ck_text *t)
{
    ck_reactions s = {.rd = rd, .t = t};
    int code = KB_OK;
    for (int i = 0; i < t->nlines && !code; i++)
        if (t->lines[i].section == CK_REACTIONS && t->lines[i].header)
            code = finish(&s) || header(&s, &t->lines[i]) ? KB_INVALID : KB_OK;
        else if (t->lines[i].section == CK_REACTIONS)
            code = body(&s, &i);
    int last = code ? KB_OK : finish(&s);
    s.r = NULL;
    finish(&s);
    return code ? code : last;
}
