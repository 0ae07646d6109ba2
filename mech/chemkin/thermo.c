/* SPDX-License-Identifier: MIT
 *
 * THERMO sections: NASA-7 polynomials on four cards of fixed columns for each species.
 */
#include "mech/chemkin/chemkin.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define CARD 80 /* the columns of a card; the last one holds its number */

typedef struct {
    ck_reader *rd;
    ck_text *t;
    double Tlow, Tmid, Thigh; /* defaults of the section [K] */
} thermo_section;

/* 1 to 4, from column 80; 0: not a card */
static int card_number(const char *line)
{
    bool card = strlen(line) >= CARD && line[CARD - 1] >= '1' && line[CARD - 1] <= '4';
    return card ? line[CARD - 1] - '0' : 0;
}

/* Columns [from, to) of a line, blanks taken out; no field has more than 15 */
static void field(char out[24], const char *line, int from, int to)
{
    int n = 0, length = strlen(line);
    for (int i = from; i < to && i < length; i++)
        if (!isspace((unsigned char)line[i]))
            out[n++] = line[i];
    out[n] = '\0';
}

/* A number in columns [from, to); blank is `empty` */
static int field_number(thermo_section *s, const ck_line *line, int from, int to, double empty,
                        double *x)
{
    char text[24];
    field(text, line->text, from, to);
    *x = empty;
    if (!*text || ck_number(text, x))
        return KB_OK;
    return kb_fail_at(s->rd->err, s->t->file, line->number, text, "fields have fixed columns",
                      "not a number in columns %d-%d of a thermo entry", from + 1, to);
}

static int add_atoms(thermo_section *s, const ck_line *line, kb_species *sp, const char *symbol,
                     const char *count)
{
    double n;
    if (!isalpha((unsigned char)*symbol) || !*count)
        return KB_OK;
    if (!ck_number(count, &n))
        return kb_fail_at(s->rd->err, s->t->file, line->number, count,
                          "fields have fixed columns: symbol 2, count 3",
                          "not a number of atoms of %s", symbol);
    if (n == 0)
        return KB_OK;
    int e = kb_find_element(s->rd->m, symbol);
    if (e < 0)
        return kb_fail_at(s->rd->err, s->t->file, line->number, symbol,
                          "declare it in the ELEMENTS section",
                          "the thermo entry of %s has an undeclared element", sp->name);
    sp->atoms[e] += n;
    return KB_OK;
}

/* symbol in the first two columns of [from, to), count in the rest */
static int atoms_field(thermo_section *s, const ck_line *line, kb_species *sp, int from, int to)
{
    char symbol[24], count[24];
    field(symbol, line->text, from, from + 2);
    field(count, line->text, from + 2, to);
    return add_atoms(s, line, sp, symbol, count);
}

/* Columns 25-44 and 74-78; behind column 80 ten columns each, where they hold declared elements */
static int read_composition(thermo_section *s, const ck_line *line, kb_species *sp)
{
    int code = KB_OK, length = strlen(line->text);
    for (int i = 0; i < 4 && !code; i++)
        code = atoms_field(s, line, sp, 24 + 5 * i, 29 + 5 * i);
    if (!code && isalpha((unsigned char)line->text[73]))
        code = atoms_field(s, line, sp, 73, 78);
    for (int from = CARD; from < length && !code; from += 10) {
        char symbol[24], count[24];
        double n;
        field(symbol, line->text, from, from + 2);
        field(count, line->text, from + 2, from + 10);
        if (*symbol && kb_find_element(s->rd->m, symbol) >= 0 && ck_number(count, &n))
            code = add_atoms(s, line, sp, symbol, count);
    }
    return code;
}

/* "C 5 H 12 &": the composition on the lines after a first card that ends in & */
static int read_continued(thermo_section *s, int *i, kb_species *sp)
{
    int code = KB_OK;
    for (bool more = true; more && !code && *i + 1 < s->t->nlines;) {
        ck_line *line = &s->t->lines[++*i];
        size_t n = strlen(line->text);
        more = n && line->text[n - 1] == '&';
        if (more)
            line->text[n - 1] = '\0';
        char *cursor = line->text, *symbol, *count;
        while (!code && (symbol = ck_word(&cursor))) {
            count = ck_word(&cursor);
            code = add_atoms(s, line, sp, symbol, count ? count : "1");
        }
    }
    return code;
}

/* Tmid may reach column 75 and share the field with a fifth element from column 74 on. */
static int read_temperatures(thermo_section *s, const ck_line *line, kb_species *sp)
{
    int start = 65 + (int)strspn(line->text + 65, " "), end = start, code;
    while (end < 75 && line->text[end] && line->text[end] != ' ' &&
           !isalpha((unsigned char)line->text[end]))
        end++;
    if (start >= 73)
        end = 65;
    code = field_number(s, line, 45, 55, s->Tlow, &sp->Tlow);
    if (!code)
        code = field_number(s, line, 55, 65, s->Thigh, &sp->Thigh);
    if (!code)
        code = field_number(s, line, 65, end, s->Tmid, &sp->Tmid);
    if (sp->Tmid == 0)
        sp->Tmid = s->Tmid;
    if (!code && !(sp->Tlow < sp->Thigh))
        code = kb_fail_at(s->rd->err, s->t->file, line->number, sp->name,
                          "columns 46-55 and 56-65", "no temperature range (%g to %g K) for",
                          sp->Tlow, sp->Thigh);
    return code;
}

/* The card behind line *i with the given number in column 80; blank lines are skipped */
static ck_line *next_card(thermo_section *s, int *i, int number)
{
    while (++*i < s->t->nlines) {
        ck_line *line = &s->t->lines[*i];
        if (line->section != CK_THERMO || !*line->text)
            continue;
        return card_number(line->text) == number ? line : NULL;
    }
    return NULL;
}

/* A tab is no number of blanks, and columns count. */
static int no_tab(thermo_section *s, const ck_line *line, const char *name)
{
    const char *tab = strchr(line->text, '\t');
    return tab && tab - line->text < CARD
               ? kb_fail_at(s->rd->err, s->t->file, line->number, name,
                            "fields have fixed columns: write blanks",
                            "a tab in the thermo entry of") : KB_OK;
}

static int read_coefficients(thermo_section *s, int *i, kb_species *sp)
{
    double a[15];
    for (int card = 0; card < 3; card++) {
        ck_line *line = next_card(s, i, 2 + card);
        if (!line)
            return kb_fail_at(s->rd->err, s->t->file,
                              s->t->lines[*i < s->t->nlines ? *i : s->t->nlines - 1].number,
                              sp->name, "the card's number stands in column 80",
                              "line %d of the thermo entry is missing of", card + 2);
        if (no_tab(s, line, sp->name))
            return KB_INVALID;
        for (int j = 0; j < (card == 2 ? 4 : 5); j++) {
            int code = field_number(s, line, 15 * j, 15 * j + 15, 0, &a[5 * card + j]);
            if (code)
                return code;
        }
    }
    memcpy(sp->hi, a, sizeof sp->hi);
    memcpy(sp->lo, a + 7, sizeof sp->lo);
    return KB_OK;
}

/* Tmid at or outside the ends means that one polynomial serves the whole range. */
static void one_range(kb_species *sp)
{
    if (sp->Tlow < sp->Tmid && sp->Tmid < sp->Thigh)
        return;
    static const double zero[7] = {0};
    bool use_low = sp->Tmid >= sp->Thigh;
    if (use_low && !memcmp(sp->lo, zero, sizeof zero))
        use_low = false;
    else if (!use_low && !memcmp(sp->hi, zero, sizeof zero))
        use_low = true;
    if (use_low)
        memcpy(sp->hi, sp->lo, sizeof sp->hi);
    else
        memcpy(sp->lo, sp->hi, sizeof sp->lo);
    sp->Tmid = (sp->Tlow + sp->Thigh) / 2;
}

static int read_entry(thermo_section *s, int *i, kb_species *sp)
{
    ck_line *line = &s->t->lines[*i];
    if (no_tab(s, line, sp->name))
        return KB_INVALID;
    sp->file = s->t->file;
    sp->line = line->number;
    sp->p_ref = KB_ATM;
    int code = read_temperatures(s, line, sp);
    if (!code && line->text[strlen(line->text) - 1] == '&')
        code = read_continued(s, i, sp);
    else if (!code)
        code = read_composition(s, line, sp);
    if (!code)
        code = read_coefficients(s, i, sp);
    if (code)
        return code;
    one_range(sp);
    for (int e = 0; e < s->rd->m->nelements; e++)
        sp->weight += sp->atoms[e] * s->rd->m->elements[e].weight;
    if (!(sp->weight > 0))
        return kb_fail_at(s->rd->err, s->t->file, sp->line, sp->name,
                          "columns 25-44: symbol 2, count 3", "no atoms in the thermo entry of");
    return KB_OK;
}

/* A first card: reads the entry if its species is declared and has no data yet */
static int first_card(thermo_section *s, int *i)
{
    ck_reader *rd = s->rd;
    ck_line *line = &s->t->lines[*i];
    char name[25], *cursor = name;
    snprintf(name, sizeof name, "%.24s", line->text);
    char *word = ck_word(&cursor);
    int k = word ? ck_index_find(rd, word, strlen(word)) : -1;
    if (k < 0)
        return KB_OK;
    if (rd->has_thermo[k]) {
        if (rd->m->species[k].file == s->t->file)
            kb_add_warning(rd->m, "%s:%d: second thermo entry of '%s' is ignored, line %d counts",
                           s->t->file, line->number, word, rd->m->species[k].line);
        return KB_OK;
    }
    rd->has_thermo[k] = true;
    return read_entry(s, i, &rd->m->species[k]);
}

/* A line that is no card: the default temperatures, or something that a declared species cannot
 * have */
static int other_line(thermo_section *s, const ck_line *line)
{
    char copy[128], *cursor = copy, *first, *word;
    double T[3];
    int n = 0;
    snprintf(copy, sizeof copy, "%s", line->text);
    first = word = ck_word(&cursor);
    for (; word && n < 3 && ck_number(word, &T[n]); n++)
        word = ck_word(&cursor);
    if (n == 3 && 0 < T[0] && T[0] < T[1] && T[1] < T[2]) {
        s->Tlow = T[0], s->Tmid = T[1], s->Thigh = T[2];
        return KB_OK;
    }
    int k = first ? ck_index_find(s->rd, first, strlen(first)) : -1;
    if (k >= 0 && !s->rd->has_thermo[k] && no_tab(s, line, first))
        return KB_INVALID;
    if (k >= 0 && !s->rd->has_thermo[k] && strlen(line->text) > 40)
        return kb_fail_at(s->rd->err, s->t->file, line->number, first,
                          "fields have fixed columns", "no 1 in column 80 of the thermo entry of");
    return KB_OK;
}

int ck_read_thermo(ck_reader *rd, ck_text *t)
{
    thermo_section s = {rd, t, 300, 1000, 5000};
    int code = KB_OK;
    for (int i = 0; i < t->nlines && !code; i++) {
        ck_line *line = &t->lines[i];
        if (line->section != CK_THERMO)
            continue;
        char *cursor = line->text, *word;
        if (line->header) {
            while ((word = ck_word(&cursor)))
                if (ck_is(word, "NASA9"))
                    return kb_fail_at(rd->err, t->file, line->number, word, "NASA-7 only",
                                      "thermo data of this kind cannot be read");
        } else if (card_number(line->text) == 1) {
            code = first_card(&s, &i);
        } else if (!card_number(line->text)) {
            code = other_line(&s, line);
        }
    }
    return code;
}
