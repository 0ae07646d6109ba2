/* SPDX-License-Identifier: MIT
 *
 * CHEMKIN reader: sections, elements, species; the rest is in the files beside this one.
 */
#include "mech/chemkin/chemkin.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The section that a line's first word opens, else CK_OUTSIDE; *rest: what follows the word */
static ck_section keyword(char *text, char **rest)
{
    static const struct {
        const char *names;
        ck_section section;
    } keywords[] = {
        {"ELEM|ELEMENT|ELEMENTS", CK_ELEMENTS},
        {"SPEC|SPECIE|SPECIES", CK_SPECIES},
        {"THER|THERM|THERMO", CK_THERMO},
        {"REAC|REACTION|REACTIONS", CK_REACTIONS},
        {"TRAN|TRANS|TRANSPORT", CK_TRANSPORT},
        {"SITE|SURFACE|BULK|MATERIAL", CK_UNSUPPORTED},
    };
    char *start = text + strspn(text, " \t"), word[16];
    size_t n = strcspn(start, " \t/");
    if (n >= sizeof word)
        return CK_OUTSIDE;
    memcpy(word, start, n);
    word[n] = '\0';
    *rest = start + n;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (ck_is(word, keywords[i].names))
            return keywords[i].section;
    return CK_OUTSIDE;
}

/* After the END of REACTIONS there may be prose: a keyword counts only with nothing but its options
 * behind it. */
static bool only_options(ck_section section, const char *rest)
{
    char *copy = kb_strdup(rest), *cursor = copy, *word;
    bool fine = section == CK_THERMO || section == CK_TRANSPORT || section == CK_REACTIONS;
    ck_units units = {0};
    while (fine && (word = ck_word(&cursor)))
        fine = section == CK_REACTIONS ? ck_read_units(&units, word) : ck_is(word, "ALL");
    free(copy);
    return fine;
}

static bool is_thermo_card(const char *text)
{
    return strlen(text) >= 80 && text[79] >= '1' && text[79] <= '4';
}

/* Whether a line inside section `now` may open section `next` */
static bool may_open(ck_section now, ck_section next, bool reactions_done, const char *text,
                     const char *rest)
{
    if (next == CK_OUTSIDE)
        return false;
    if (now == CK_THERMO)
        return !is_thermo_card(text) && next != CK_UNSUPPORTED;
    if (now == CK_REACTIONS)
        return (next == CK_THERMO || next == CK_TRANSPORT) && only_options(next, rest);
    if (now == CK_TRANSPORT)
        return only_options(next, rest);
    return now != CK_OUTSIDE || !reactions_done || only_options(next, rest);
}

/* Looks for END; cuts it and what follows off the line. In lists it may stand anywhere. */
static bool ends_section(ck_section now, char *text)
{
    bool list = now == CK_ELEMENTS || now == CK_SPECIES;
    for (char *s = text + strspn(text, " \t"); *s; s += strspn(s, " \t")) {
        size_t n = strcspn(s, " \t");
        bool end = (n == 3 && !strncasecmp(s, "END", 3)) ||
                   (!list && n >= 9 && !strncasecmp(s, "ENDOFDATA", 9));
        if (end) {
            *s = '\0';
            return true;
        }
        if (!list)
            return false;
        s += n;
    }
    return false;
}

static int mark_line(ck_reader *rd, ck_text *t, ck_line *line, ck_section *now, bool *done)
{
    char *rest = line->text;
    ck_section next = keyword(line->text, &rest);
    if (may_open(*now, next, *done, line->text, rest)) {
        *now = next;
        line->header = true;
        line->text = rest;
    }
    if (*now == CK_UNSUPPORTED)
        return kb_fail_at(rd->err, t->file, line->number, NULL, "gas-phase mechanisms only",
                          "surface chemistry cannot be read");
    line->section = *now;
    if (*now != CK_OUTSIDE && ends_section(*now, line->text)) {
        *done = *done || *now == CK_REACTIONS;
        *now = CK_OUTSIDE;
    } else if (*now == CK_OUTSIDE && !*done && *line->text) {
        char *cursor = line->text;
        return kb_fail_at(rd->err, t->file, line->number, ck_word(&cursor),
                          "ELEMENTS, SPECIES, THERMO or REACTIONS open one; comments begin with !",
                          "text outside of any section");
    }
    return KB_OK;
}

static int mark_sections(ck_reader *rd, ck_text *t)
{
    ck_section now = CK_OUTSIDE;
    bool done = false;
    int code = KB_OK, ignored = 0;
    for (int i = 0; i < t->nlines && !code; i++) {
        code = mark_line(rd, t, &t->lines[i], &now, &done);
        if (!code && done && now == CK_OUTSIDE && !ignored && *t->lines[i].text &&
            t->lines[i].section == CK_OUTSIDE) {
            ignored = t->lines[i].number;
            kb_add_warning(rd->m, "!%s:%d: text after the END of REACTIONS is ignored", t->file,
                           ignored);
        }
    }
    return code;
}

static int add_element(ck_reader *rd, const ck_text *t, int line, const char *word, double weight)
{
    kb_mech *m = rd->m;
    kb_element e = {.weight = weight > 0 ? weight : kb_element_weight(word)};
    if (kb_find_element(m, word) >= 0)
        return KB_OK;
    if (m->nelements == KB_MAX_ELEMENTS)
        return kb_fail_at(rd->err, t->file, line, word, NULL, "more than %d elements",
                          KB_MAX_ELEMENTS);
    if (strlen(word) >= sizeof e.name || !isalpha((unsigned char)*word))
        return kb_fail_at(rd->err, t->file, line, word, NULL, "not an element's symbol");
    if (!(e.weight > 0))
        return kb_fail_at(rd->err, t->file, line, word, "give it as X /12.3/",
                          "the atomic weight is not known of element");
    for (size_t i = 0; word[i]; i++)
        e.name[i] = i ? tolower((unsigned char)word[i]) : toupper((unsigned char)word[i]);
    m->elements[m->nelements++] = e;
    return KB_OK;
}

/* "H O AR /39.9/ D/2.0/": a symbol with an optional weight between slashes */
static int read_elements(ck_reader *rd, ck_text *t, ck_line *line)
{
    for (char *s = line->text; *(s += strspn(s, " \t"));) {
        char symbol[32], number[64];
        size_t n = strcspn(s, " \t/");
        snprintf(symbol, sizeof symbol, "%.*s", (int)(n < 31 ? n : 31), s);
        s += n;
        double weight = 0;
        char *slash = s + strspn(s, " \t");
        if (*slash == '/') {
            char *cursor = number;
            size_t length = strcspn(slash + 1, "/");
            snprintf(number, sizeof number, "%.*s", (int)(length < 63 ? length : 63), slash + 1);
            char *word = ck_word(&cursor);
            if (!word || !ck_number(word, &weight) || !(weight > 0))
                return kb_fail_at(rd->err, t->file, line->number, symbol,
                                  "write it as X /12.3/", "no atomic weight behind element");
            s = slash + 1 + length;
            s += *s == '/';
        }
        int code = add_element(rd, t, line->number, symbol, weight);
        if (code)
            return code;
    }
    return KB_OK;
}

static int add_species(ck_reader *rd, const ck_text *t, int line, const char *name)
{
    kb_mech *m = rd->m;
    int known = ck_index_find(rd, name, strlen(name));
    if (known >= 0) {
        kb_add_warning(m, "%s:%d: species '%s' was declared before, on line %d", t->file, line,
                       name, rd->declared[known]);
        return KB_OK;
    }
    double number;
    if (ck_number(name, &number) || strchr(name, '/'))
        return kb_fail_at(rd->err, t->file, line, name, NULL, "not a species name");
    m->species = ck_grow(m->species, m->nspecies, sizeof *m->species);
    rd->declared = ck_grow(rd->declared, m->nspecies, sizeof *rd->declared);
    rd->has_thermo = ck_grow(rd->has_thermo, m->nspecies, sizeof *rd->has_thermo);
    rd->declared[m->nspecies] = line;
    rd->has_thermo[m->nspecies] = false;
    m->species[m->nspecies++] = (kb_species){.name = kb_strdup(name)};
    ck_index_add(rd, m->nspecies - 1);
    return KB_OK;
}

static int read_species(ck_reader *rd, ck_text *t, ck_line *line)
{
    char *cursor = line->text, *word;
    int code = KB_OK;
    while (!code && (word = ck_word(&cursor)))
        code = add_species(rd, t, line->number, word);
    return code;
}

static int read_section(ck_reader *rd, ck_text *t, ck_section section,
                        int (*read)(ck_reader *, ck_text *, ck_line *))
{
    int code = KB_OK;
    for (int i = 0; i < t->nlines && !code; i++)
        if (t->lines[i].section == section)
            code = read(rd, t, &t->lines[i]);
    return code;
}

/* A separate thermo file may lack its THERMO line; what stands before that line is no data. */
static void mark_thermo(ck_text *t)
{
    int first = -1, last = t->nlines;
    for (int i = 0; i < t->nlines && first < 0; i++) {
        char *rest;
        if (keyword(t->lines[i].text, &rest) == CK_THERMO && !is_thermo_card(t->lines[i].text)) {
            first = i;
            t->lines[i].header = true;
            t->lines[i].text = rest;
        }
    }
    first = first < 0 ? 0 : first;
    for (int i = first; i < last; i++) {
        t->lines[i].section = CK_THERMO;
        if (ends_section(CK_THERMO, t->lines[i].text))
            last = i;
    }
}

static int check_thermo(ck_reader *rd, const ck_text *mech)
{
    for (int k = 0; k < rd->m->nspecies; k++)
        if (!rd->has_thermo[k])
            return kb_fail_at(rd->err, mech->file, rd->declared[k], rd->m->species[k].name,
                              "add an entry to THERMO, or name the thermo file",
                              "no thermo data for species");
    return KB_OK;
}

static int read_all(ck_reader *rd, ck_text *mech, ck_text *thermo)
{
    int code = mark_sections(rd, mech);
    if (!code)
        code = read_section(rd, mech, CK_ELEMENTS, read_elements);
    if (!code)
        code = read_section(rd, mech, CK_SPECIES, read_species);
    if (!code && (!rd->m->nelements || !rd->m->nspecies))
        code = kb_fail_at(rd->err, mech->file, 0, rd->m->nelements ? "SPECIES" : "ELEMENTS",
                          "is this a CHEMKIN mechanism?", "there is nothing in section");
    if (!code)
        code = ck_read_thermo(rd, mech);
    if (!code && thermo->lines) {
        mark_thermo(thermo);
        code = ck_read_thermo(rd, thermo);
    }
    if (!code)
        code = check_thermo(rd, mech);
    return code ? code : ck_read_reactions(rd, mech);
}

/* "/a/b/gri30.inp" -> "gri30" */
static char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = kb_strdup(slash ? slash + 1 : path), *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = '\0';
    return name;
}

static int read_and_free(kb_mech *m, ck_text *mech, ck_text *thermo, int code, kb_error *err)
{
    ck_reader rd = {.m = m, .err = err, .units = {.cal = 1}};
    if (!code)
        code = read_all(&rd, mech, thermo);
    ck_text_free(mech);
    ck_text_free(thermo);
    free(rd.names.slots);
    free(rd.declared);
    free(rd.has_thermo);
    if (code)
        kb_mech_free(m);
    return code;
}

int kb_chemkin_read(kb_mech *m, const char *path, const char *thermo, kb_error *err)
{
    *m = (kb_mech){.name = base_name(path), .description = kb_strdup("")};
    ck_text mech, extra = {0};
    int code = ck_text_file(&mech, m, path, err);
    if (!code && thermo)
        code = ck_text_file(&extra, m, thermo, err);
    return read_and_free(m, &mech, &extra, code, err);
}

int ck_read_bytes(kb_mech *m, const char *mech, size_t nmech, const char *thermo, size_t nthermo,
                  kb_error *err)
{
    *m = (kb_mech){.name = kb_strdup("text"), .description = kb_strdup("")};
    ck_text main, extra = {0};
    int code = ck_text_bytes(&main, m, "mechanism", mech, nmech, err);
    if (!code && thermo)
        code = ck_text_bytes(&extra, m, "thermo", thermo, nthermo, err);
    return read_and_free(m, &main, &extra, code, err);
}
