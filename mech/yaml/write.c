/* SPDX-License-Identifier: MIT
 *
 * The canonical form: YAML that Cantera 3 reads, in cm, mol, cal. A number that no decimal in these
 * units gives back (it came from other units or from a fit) carries its SI unit instead.
 */
#include "base/file.h"
#include "base/number.h"
#include "mech/yaml/write.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { WIDTH = 96 };

/* One item of a flow list; breaks the line when it is full. */
static void item(kb_text *o, bool first, const char *indent, const char *text)
{
    int n = (int)strlen(text);
    if (!first)
        o->column += fprintf(o->f, ",");
    if (!first && o->column + n + 2 > WIDTH)
        o->column = fprintf(o->f, "\n%s%s", indent, text) - 1;
    else
        o->column += fprintf(o->f, "%s%s", first ? "" : " ", text);
}

void kb_text_numbers(kb_text *o, const char *head, const char *indent, const double *values, int n)
{
    char text[KB_NUMBER_SIZE];
    o->column = fprintf(o->f, "%s[", head);
    for (int i = 0; i < n; i++) {
        kb_shortest(values[i], text);
        item(o, i == 0, indent, text);
    }
    fprintf(o->f, "]\n");
}

void kb_text_terms(kb_text *o, const char *head, const char *indent, const kb_term *terms, int n)
{
    char value[KB_NUMBER_SIZE];
    o->column = fprintf(o->f, "%s{", head);
    for (int i = 0; i < n; i++) {
        char *name = kb_yaml_quoted(o->m->species[terms[i].species].name);
        kb_shortest(terms[i].value, value);
        char *text = kb_format("%s: %s", name, value);
        item(o, i == 0, indent, text);
        free(text);
        free(name);
    }
    fprintf(o->f, "}\n");
}

/* What YAML 1.1 or 1.2 would not take for plain text. */
static bool is_word_of_yaml(const char *s)
{
    static const char *const words[] = {"y", "n", "yes", "no", "on", "off", "true", "false",
                                        "null", "nan", "inf"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(s, words[i]) == 0)
            return true;
    }
    return false;
}

char *kb_yaml_quoted(const char *s)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "()_-+*./=^~$";
    bool letter = (s[0] >= 'a' && s[0] <= 'z') || (s[0] >= 'A' && s[0] <= 'Z');
    if (letter && s[strspn(s, plain)] == '\0' && !is_word_of_yaml(s))
        return kb_strdup(s);
    char *out = kb_alloc(2 * strlen(s) + 3, 1), *p = out;
    *p++ = '\'';
    for (; *s; s++) {
        if (*s == '\'')
            *p++ = '\'';
        *p++ = *s;
    }
    *p = '\'';
    return out;
}

/* Symbols as Cantera spells them: Ar, not AR. */
static const char *symbol(const kb_element *e)
{
    const char *known = kb_element_symbol(e->name);
    return known ? known : e->name;
}

/* the names of species, and the end of the list */
static void write_names(kb_text *o, const kb_species *species, int n)
{
    for (int i = 0; i < n; i++) {
        char *text = kb_yaml_quoted(species[i].name);
        item(o, i == 0, "    ", text);
        free(text);
    }
    fprintf(o->f, "]\n");
}

static void write_phase(kb_text *o, const char *name)
{
    const kb_mech *m = o->m;
    char *quoted = kb_yaml_quoted(name);
    fprintf(o->f, "phases:\n- name: %s\n  thermo: ideal-gas\n", quoted);
    free(quoted);
    o->column = fprintf(o->f, "  elements: [");
    for (int i = 0; i < m->nelements; i++) {
        char *text = kb_yaml_quoted(symbol(&m->elements[i]));
        item(o, i == 0, "    ", text);
        free(text);
    }
    o->column = fprintf(o->f, "]\n  species: [") - 2;
    write_names(o, m->species, m->nspecies + m->nsteady);
    fprintf(o->f, "  kinetics: gas\n");
    if (m->nsteady) {
        o->column = fprintf(o->f, "  steady-state-species: [") - 1;
        write_names(o, m->species + m->nspecies, m->nsteady);
    }
    if (m->drop_nonlinear)
        fprintf(o->f, "  drop-nonlinear: true\n");
    if (m->overlap)
        fprintf(o->f, "  explicit-third-body-duplicates: %s\n", kb_overlap_names[m->overlap]);
    fprintf(o->f, "  state: {T: 300.0, P: 1 atm}\n");
}

/* Elements whose weight is not the one that every reader knows. */
static void write_elements(kb_text *o)
{
    char weight[KB_NUMBER_SIZE];
    const char *head = "\nelements:\n";
    for (int i = 0; i < o->m->nelements; i++) {
        const kb_element *e = &o->m->elements[i];
        if (e->weight == kb_element_weight(e->name))
            continue;
        kb_shortest(e->weight, weight);
        char *name = kb_yaml_quoted(symbol(e));
        fprintf(o->f, "%s- symbol: %s\n  atomic-weight: %s\n", head, name, weight);
        free(name);
        head = "";
    }
}

static void write_composition(kb_text *o, const kb_species *s)
{
    char value[KB_NUMBER_SIZE];
    const char *comma = "";
    fprintf(o->f, "  composition: {");
    for (int e = 0; e < o->m->nelements; e++) {
        if (s->atoms[e] == 0)
            continue;
        char *name = kb_yaml_quoted(symbol(&o->m->elements[e]));
        if (s->atoms[e] == floor(s->atoms[e]) && fabs(s->atoms[e]) < 1e6)
            snprintf(value, sizeof value, "%.0f", s->atoms[e]);
        else
            kb_shortest(s->atoms[e], value);
        fprintf(o->f, "%s%s: %s", comma, name, value);
        comma = ", ";
        free(name);
    }
    fprintf(o->f, "}\n");
}

static void write_thermo(kb_text *o, const kb_species *s)
{
    static const char *const models[] = {"NASA7", "NASA9", "Shomate"};
    const double T[] = {s->Tlow, s->Tmid, s->Thigh};
    bool nasa7 = s->model == KB_NASA7;
    char value[KB_NUMBER_SIZE];
    fprintf(o->f, "  thermo:\n    model: %s\n", models[s->model]);
    kb_text_numbers(o, "    temperature-ranges: ", "", nasa7 ? T : s->T_ends,
                    nasa7 ? 3 : s->nranges + 1);
    if (s->p_ref != KB_ATM) {
        kb_shortest(s->p_ref, value);
        fprintf(o->f, "    reference-pressure: %s\n", value);
    }
    fprintf(o->f, "    data:\n");
    if (nasa7) {
        kb_text_numbers(o, "    - ", "      ", s->lo, 7);
        kb_text_numbers(o, "    - ", "      ", s->hi, 7);
    }
    for (int i = 0; i < s->nranges; i++)
        kb_text_numbers(o, "    - ", "      ", s->coef + 9 * i, s->model == KB_NASA9 ? 9 : 7);
}

static void write_species(kb_text *o, const kb_species *s)
{
    char *name = kb_yaml_quoted(s->name);
    fprintf(o->f, "- name: %s\n", name);
    free(name);
    write_composition(o, s);
    write_thermo(o, s);
}

/* Control characters of Unicode, its line breaks, the byte-order mark, halves of pairs */
static bool not_printable(unsigned code)
{
    return code < 32 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
           code == 0xfeff || (code >= 0xd800 && code < 0xe000) || (code & 0xfffe) == 0xfffe ||
           code > 0x10ffff;
}

int kb_printable(const char *text)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *s = (const unsigned char *)text;
    int n = s[0] < 0x80 ? 1 : s[0] < 0xc0 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3
            : s[0] < 0xf8                                                    ? 4 : 0;
    unsigned code = n == 1 ? s[0] : n ? s[0] & (0x7fu >> n) : 0;
    for (int i = 1; i < n; i++) {
        if ((s[i] >> 6) != 2)
            return 0;
        code = code << 6 | (s[i] & 0x3fu);
    }
    return not_printable(code) || code < least[n] ? 0 : n;
}

/* A block scalar; blanks at line ends go, and bytes that YAML forbids become '?'. */
static void write_description(kb_text *o, const char *text)
{
    text += strspn(text, " \t\n\r");
    size_t end = strlen(text);
    while (end && strchr(" \t\n\r", text[end - 1]))
        end--;
    if (!end)
        return;
    fprintf(o->f, "description: |-\n");
    for (size_t i = 0; i < end;) {
        size_t n = strcspn(text + i, "\n"), last = i + n > end ? end : i + n;
        size_t next = i + n + 1;
        while (last > i && strchr(" \t\r", text[last - 1]))
            last--;
        if (last > i)
            fprintf(o->f, "  ");
        while (i < last) {
            int size = kb_printable(text + i);
            if (size)
                fwrite(text + i, 1, (size_t)size, o->f);
            else
                fputc(text[i] == '\t' ? ' ' : '?', o->f);
            i += size ? (size_t)size : 1;
        }
        fputc('\n', o->f);
        i = next;
    }
    fputc('\n', o->f);
}

char *kb_yaml_text(const kb_mech *m, bool head)
{
    char *text;
    size_t size;
    kb_text o = {.f = kb_open_text(&text, &size), .m = m, .indent = "  "};
    if (head) {
        write_description(&o, m->description ? m->description : "");
        fprintf(o.f, "generator: kinbench mechinfo\n\n");
    }
    fprintf(o.f, "units: {length: cm, quantity: mol, activation-energy: cal/mol}\n\n");
    write_phase(&o, head && m->name && *m->name ? m->name : "gas");
    write_elements(&o);
    fprintf(o.f, "\nspecies:\n");
    for (int i = 0; i < m->nspecies + m->nsteady; i++)
        write_species(&o, &m->species[i]);
    fprintf(o.f, "\nreactions:%s\n", m->nreactions ? "" : " []");
    kb_text_reactions(&o);
    kb_close_text(o.f);
    return text;
}

/* What CHEMKIN has and YAML has not */
static int check_orders(const kb_mech *m, kb_error *err)
{
    for (int i = 0; i < m->nreactions; i++) {
        const kb_reaction *r = &m->reactions[i];
        bool reversible = r->reversible && !r->has_reverse;
        if (reversible && (r->forward_orders || r->reverse_orders))
            return kb_fail_at(err, r->file, r->line, r->forward_orders ? "FORD" : "RORD",
                              "make it two one-way reactions", "YAML has no reversible reaction "
                              "with");
    }
    return KB_OK;
}

int kb_yaml_write(const kb_mech *m, const char *path, kb_error *err)
{
    if (check_orders(m, err))
        return KB_INVALID;
    char *text = kb_yaml_text(m, true);
    int code = kb_file_write_text(path, text, err);
    free(text);
    return code;
}
