/* SPDX-License-Identifier: MIT */
#include "mech/mech.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Standard atomic weights [kg/kmol] as in Cantera 3.2 (IUPAC 2018, abridged); D, Tr (tritium) and
 * the electron are the masses of the particles. */
static const kb_element weights[] = {
    {"H", 1.008}, {"He", 4.002602}, {"Li", 6.94}, {"Be", 9.0121831}, {"B", 10.81},
    {"C", 12.011}, {"N", 14.007}, {"O", 15.999}, {"F", 18.998403163}, {"Ne", 20.1797},
    {"Na", 22.98976928}, {"Mg", 24.305}, {"Al", 26.9815384}, {"Si", 28.085}, {"P", 30.973761998},
    {"S", 32.06}, {"Cl", 35.45}, {"Ar", 39.95}, {"K", 39.0983}, {"Ca", 40.078},
    {"Sc", 44.955908}, {"Ti", 47.867}, {"V", 50.9415}, {"Cr", 51.9961}, {"Mn", 54.938043},
    {"Fe", 55.845}, {"Co", 58.933194}, {"Ni", 58.6934}, {"Cu", 63.546}, {"Zn", 65.38},
    {"Ga", 69.723}, {"Ge", 72.63}, {"As", 74.921595}, {"Se", 78.971}, {"Br", 79.904},
    {"Kr", 83.798}, {"Rb", 85.4678}, {"Sr", 87.62}, {"Y", 88.90584}, {"Zr", 91.224},
    {"Nb", 92.90637}, {"Mo", 95.95}, {"Ru", 101.07}, {"Rh", 102.90549}, {"Pd", 106.42},
    {"Ag", 107.8682}, {"Cd", 112.414}, {"In", 114.818}, {"Sn", 118.71}, {"Sb", 121.76},
    {"Te", 127.6}, {"I", 126.90447}, {"Xe", 131.293}, {"Cs", 132.90545196}, {"Ba", 137.327},
    {"La", 138.90547}, {"Ce", 140.116}, {"Pr", 140.90766}, {"Nd", 144.242}, {"Sm", 150.36},
    {"Eu", 151.964}, {"Gd", 157.25}, {"Tb", 158.925354}, {"Dy", 162.5}, {"Ho", 164.930328},
    {"Er", 167.259}, {"Tm", 168.934218}, {"Yb", 173.045}, {"Lu", 174.9668}, {"Hf", 178.49},
    {"Ta", 180.94788}, {"W", 183.84}, {"Re", 186.207}, {"Os", 190.23}, {"Ir", 192.217},
    {"Pt", 195.084}, {"Au", 196.96657}, {"Hg", 200.592}, {"Tl", 204.38}, {"Pb", 207.2},
    {"Bi", 208.9804}, {"Th", 232.0377}, {"Pa", 231.03588}, {"U", 238.02891},
    {"D", 2.0141017781}, {"Tr", 3.016049282}, {"E", 0.0005485799088728283},
};

static const kb_element *known_element(const char *symbol)
{
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
        if (!strcasecmp(weights[i].name, symbol))
            return &weights[i];
    return NULL;
}

double kb_element_weight(const char *symbol)
{
    const kb_element *e = known_element(symbol);
    return e ? e->weight : 0;
}

const char *kb_element_symbol(const char *symbol)
{
    const kb_element *e = known_element(symbol);
    return e ? e->name : NULL;
}

const char *const kb_overlap_names[4] = {"warn", "error", "mark-duplicate", "modify-efficiency"};

int kb_find_species(const kb_mech *m, const char *name)
{
    for (int k = 0; k < m->nspecies; k++)
        if (!strcmp(m->species[k].name, name))
            return k;
    return -1;
}

int kb_find_element(const kb_mech *m, const char *name)
{
    for (int e = 0; e < m->nelements; e++)
        if (!strcasecmp(m->elements[e].name, name))
            return e;
    return -1;
}

const char *kb_add_file(kb_mech *m, const char *path)
{
    for (int i = 0; i < m->nfiles; i++)
        if (!strcmp(m->files[i], path))
            return m->files[i];
    m->files = kb_realloc(m->files, m->nfiles + 1, sizeof *m->files);
    m->files[m->nfiles] = kb_strdup(path);
    return m->files[m->nfiles++];
}

void kb_add_warning(kb_mech *m, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format + (*format == '!'), args);
    va_end(args);
    if (!(m->nwarnings & (m->nwarnings - 1))) {
        size_t room = m->nwarnings ? 2 * (size_t)m->nwarnings : 1;
        m->warnings = kb_realloc(m->warnings, room, sizeof *m->warnings);
        m->kinds = kb_realloc(m->kinds, room, sizeof *m->kinds);
    }
    m->kinds[m->nwarnings] = format;
    m->warnings[m->nwarnings++] = kb_strdup(text);
}

/* One rounding for whole orders: powers of 1000 are exact to 1000^7. */
double kb_A_to_SI(double A_cm_mol, double order)
{
    double n = order - 1;
    return n < 0 ? A_cm_mol * pow(1000, -n) : A_cm_mol / pow(1000, n);
}

double kb_theta_from_cal(double cal_per_mol) { return cal_per_mol * KB_CAL / (KB_R / 1000); }

static double sum(const kb_term *terms, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += terms[i].value;
    return s;
}

double kb_forward_order(const kb_reaction *r)
{
    return r->nforward_orders ? sum(r->forward_orders, r->nforward_orders)
                              : sum(r->reactants, r->nreactants);
}

double kb_reverse_order(const kb_reaction *r)
{
    return r->nreverse_orders ? sum(r->reverse_orders, r->nreverse_orders)
                              : sum(r->products, r->nproducts);
}

const kb_blend_form kb_blend_forms[] = {
    [KB_TROE] = {"Troe", {"A", "T3", "T1", "T2"}, 3, 4},
    [KB_SRI] = {"SRI", {"A", "B", "C", "D", "E"}, 3, 5},
    [KB_TSANG] = {"Tsang", {"A", "B"}, 2, 2},
};

void kb_reaction_free(kb_reaction *r)
{
    for (int i = 0; i < r->ncolliders; i++)
        kb_reaction_free(&r->colliders[i].rate);
    free(r->colliders);
    free(r->reactants);
    free(r->products);
    free(r->forward_orders);
    free(r->reverse_orders);
    free(r->efficiencies);
    free(r->plog);
    free(r->cheb.coef);
}

void kb_species_free(kb_species *s)
{
    free(s->name);
    free(s->T_ends);
    free(s->coef);
}

static void free_strings(char **list, int n)
{
    for (int i = 0; i < n; i++)
        free(list[i]);
    free(list);
}

void kb_mech_free(kb_mech *m)
{
    for (int k = 0; k < m->nspecies + m->nsteady; k++)
        kb_species_free(&m->species[k]);
    for (int i = 0; i < m->nreactions; i++)
        kb_reaction_free(&m->reactions[i]);
    free(m->species);
    free(m->reactions);
    free(m->name);
    free(m->description);
    free_strings(m->warnings, m->nwarnings);
    free(m->kinds);
    free_strings(m->files, m->nfiles);
    *m = (kb_mech){0};
}

/* Copies of what c points to take its place. */
static void *copy(const void *from, int count, size_t size)
{
    if (!from)
        return NULL;
    void *to = kb_alloc((size_t)count, size);
    memcpy(to, from, (size_t)count * size);
    return to;
}

kb_reaction kb_reaction_copy(kb_reaction c)
{
    c.reactants = copy(c.reactants, c.nreactants, sizeof(kb_term));
    c.products = copy(c.products, c.nproducts, sizeof(kb_term));
    c.forward_orders = copy(c.forward_orders, c.nforward_orders, sizeof(kb_term));
    c.reverse_orders = copy(c.reverse_orders, c.nreverse_orders, sizeof(kb_term));
    c.efficiencies = copy(c.efficiencies, c.nefficiencies, sizeof(kb_term));
    c.plog = copy(c.plog, c.nplog, sizeof(kb_plog_point));
    c.cheb.coef = copy(c.cheb.coef, c.cheb.nT * c.cheb.np, sizeof(double));
    c.colliders = copy(c.colliders, c.ncolliders, sizeof(kb_burke));
    for (int i = 0; i < c.ncolliders; i++)
        c.colliders[i].rate = kb_reaction_copy(c.colliders[i].rate);
    return c;
}

kb_species kb_species_copy(kb_species c)
{
    c.name = kb_strdup(c.name);
    c.T_ends = copy(c.T_ends, c.nranges + 1, sizeof(double));
    c.coef = copy(c.coef, 9 * c.nranges, sizeof(double));
    return c;
}

static void print_number(FILE *f, double x)
{
    char text[32];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    fputs(text, f);
}

static void print_side(FILE *f, const kb_mech *m, const kb_reaction *r, const kb_term *terms, int n)
{
    const char *collider = r->collider < 0 ? "M" : m->species[r->collider].name;
    for (int i = 0; i < n; i++) {
        if (i)
            fputs(" + ", f);
        if (terms[i].value != 1) {
            print_number(f, terms[i].value);
            fputc(' ', f);
        }
        fputs(m->species[terms[i].species].name, f);
    }
    if (r->type == KB_THREE_BODY)
        fprintf(f, " + %s", collider);
    if (r->type == KB_FALLOFF || r->type == KB_ACTIVATED)
        fprintf(f, " (+%s)", collider);
}

char *kb_equation(const kb_mech *m, const kb_reaction *r)
{
    char *text;
    size_t size;
    FILE *f = kb_open_text(&text, &size);
    print_side(f, m, r, r->reactants, r->nreactants);
    fputs(r->reversible ? " <=> " : " => ", f);
    print_side(f, m, r, r->products, r->nproducts);
    kb_close_text(f);
    return text;
}
