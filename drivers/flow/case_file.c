/* SPDX-License-Identifier: MIT */
#include "drivers/flow/case_file.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "drivers/flow/settings.h"
#include "flow/gas/detonation.h"
#include "mech/thermo/thermo.h"
#include "pasr/generators/common/mixture.h"

/* an object of the file, and how messages name it: "shock.json: regions[1]" */
typedef struct {
    const json_t *object;
    char *name;
    kb_error *err;
} part;

#define SHAPE "east_of, west_of, north_of, south_of, disc"

/* Errors: no object, a key that is not among these */
static int check_keys(const part *p, const char *known)
{
    const char *key;
    json_t *value;
    if (!json_is_object(p->object))
        return kb_fail(p->err, KB_INVALID, "%s: expected an object", p->name);
    json_object_foreach((json_t *)p->object, key, value) {
        const char *at = strstr(known, key);
        size_t n = strlen(key);
        while (at && (at[n] != ',' && at[n]))
            at = strstr(at + 1, key);
        if (!n || !at || (at > known && at[-1] != ' '))
            return kb_fail(p->err, KB_INVALID, "%s: unknown key '%s' (known: %s)", p->name, key,
                           known);
    }
    return KB_OK;
}

/* A number or a list of numbers, least to most of them, each from low to high, into to; *n of them,
 * 0 where the key is missing and least is 0. */
static int numbers(const part *p, const char *key, int least, int most, double low, double high,
                   double *to, int *n)
{
    const json_t *value = json_object_get(p->object, key);
    *n = json_is_array(value) ? (int)json_array_size(value) : value != NULL;
    if (*n < least && !value)
        return kb_fail(p->err, KB_INVALID, "%s: '%s' is missing", p->name, key);
    if (value && (*n < (least ? least : 1) || *n > most))
        return kb_fail(p->err, KB_INVALID, "%s: '%s' has %d numbers, expected %d to %d", p->name,
                       key, *n, least ? least : 1, most);
    for (int i = 0; i < *n; i++) {
        const json_t *x = json_is_array(value) ? json_array_get(value, (size_t)i) : value;
        to[i] = json_number_value(x);
        if (!json_is_number(x) || !(to[i] >= low && to[i] <= high))
            return kb_fail(p->err, KB_INVALID, "%s: '%s' is not a number from %g to %g", p->name,
                           key, low, high);
    }
    return KB_OK;
}

/* one number, which stays as it is where the key is missing */
static int number(const part *p, const char *key, double low, double high, double *to)
{
    int n;
    return numbers(p, key, 0, 1, low, high, to, &n);
}

static int text(const part *p, const char *key, const char **to)
{
    const json_t *value = json_object_get(p->object, key);
    if (value && !json_is_string(value))
        return kb_fail(p->err, KB_INVALID, "%s: '%s' is not a string", p->name, key);
    if (value)
        *to = json_string_value(value);
    return KB_OK;
}

static int choice(const part *p, const char *key, const char *const *choices, int *to)
{
    const char *word = NULL;
    int code = text(p, key, &word);
    if (code || !word)
        return code;
    char *what = kb_format("%s: '%s'", p->name, key);
    code = kb_read_choice(what, word, choices, to, p->err);
    free(what);
    return code;
}

/* the list of a key; *n 0 where it is missing */
static int list(const part *p, const char *key, const json_t **to, int *n)
{
    *to = json_object_get(p->object, key);
    *n = (int)json_array_size(*to);
    return *to && !json_is_array(*to)
               ? kb_fail(p->err, KB_INVALID, "%s: '%s' is not a list", p->name, key) : KB_OK;
}

/* ---- domain ---- */

static int read_range(const part *p, const char *key, bool needed, double *from, double *to)
{
    double range[2] = {0, 0};
    int n, code = numbers(p, key, needed ? 2 : 0, 2, -1e6, 1e6, range, &n);
    if (!code && n && (n != 2 || !(range[0] < range[1])))
        code = kb_fail(p->err, KB_INVALID, "%s: '%s' is not [from, to]", p->name, key);
    *from = range[0];
    *to = range[1];
    return code;
}

static int read_edges(const part *p, kb_flow_case *c)
{
    static const char *const sides[] = {"west", "east", "south", "north"},
        *const kinds[] = {"periodic", "outflow", "wall", "fixed", NULL}; /* as kb_flow_edge */
    part edges = {json_object_get(p->object, "edges"), kb_format("%s: edges", p->name), p->err};
    int code = edges.object ? check_keys(&edges, "west, east, south, north") : KB_OK;
    for (int k = 0; k < 4; k++) {
        int kind = KB_FLOW_OUTFLOW;
        code = code || !edges.object ? code : choice(&edges, sides[k], kinds, &kind);
        c->edge[k] = (kb_flow_edge)kind;
    }
    for (int k = 0; k < 4 && !code; k += 2)
        if ((c->edge[k] == KB_FLOW_PERIODIC) != (c->edge[k + 1] == KB_FLOW_PERIODIC))
            code = kb_fail(p->err, KB_INVALID, "%s: %s and %s are periodic together or not at all",
                           edges.name, sides[k], sides[k + 1]);
    free(edges.name);
    return code;
}

static int read_domain(const part *p, kb_flow_case *c)
{
    double nx = 0, ny = 0;
    int n, riemann = -1, code = text(p, "summary", &c->summary);
    code = code ? code : read_range(p, "x_m", true, &c->x0, &c->x1);
    code = code ? code : read_range(p, "y_m", false, &c->y0, &c->y1);
    code = code ? code : numbers(p, "nx", 1, 1, 4, 1e8, &nx, &n);
    code = code ? code : number(p, "ny", 4, 1e8, &ny);
    code = code ? code : numbers(p, "end_s", 1, 1, 1e-15, 1e6, &c->end, &n);
    code = code ? code : number(p, "cfl", 1e-6, 1, &c->cfl);
    code = code ? code : choice(p, "riemann", kb_flow_riemann_names, &riemann);
    code = code ? code : read_edges(p, c);
    if (code)
        return code;
    bool flat = c->y1 <= c->y0;
    if (flat && ny > 0)
        return kb_fail(p->err, KB_INVALID, "%s: 'ny' without 'y_m'", p->name);
    if (nx != floor(nx) || ny != floor(ny))
        return kb_fail(p->err, KB_INVALID, "%s: 'nx', 'ny' are numbers of cells", p->name);
    c->nx = (int)nx;
    c->ny = ny > 0 ? (int)ny : flat ? 1 : (int)lround(nx * (c->y1 - c->y0) / (c->x1 - c->x0));
    c->foil = !flat;
    c->riemann = riemann >= 0 ? (kb_flow_riemann)riemann : flat ? KB_FLOW_HLLC : KB_FLOW_HLLC_LM;
    return KB_OK;
}

/* ---- shapes ---- */

static int read_shape(const part *p, kb_flow_shape *s)
{
    double disc[3];
    int n, code;
    *s = (kb_flow_shape){-INFINITY, INFINITY, -INFINITY, INFINITY, 0, 0, INFINITY};
    code = number(p, "east_of", -1e6, 1e6, &s->east_of);
    code = code ? code : number(p, "west_of", -1e6, 1e6, &s->west_of);
    code = code ? code : number(p, "north_of", -1e6, 1e6, &s->north_of);
    code = code ? code : number(p, "south_of", -1e6, 1e6, &s->south_of);
    code = code ? code : numbers(p, "disc", 0, 3, -1e6, 1e6, disc, &n);
    if (!code && n) {
        *s = (kb_flow_shape){s->east_of, s->west_of, s->north_of, s->south_of,
                             disc[0], disc[1], disc[2]};
        if (n != 3 || !(disc[2] > 0))
            code = kb_fail(p->err, KB_INVALID, "%s: 'disc' is not [x, y, radius]", p->name);
    }
    return code;
}

static bool is_inside(const kb_flow_shape *s, double x, double y)
{
    return x > s->east_of && x < s->west_of && y > s->north_of && y < s->south_of &&
           !(hypot(x - s->x, y - s->y) > s->r);
}

static int read_solid(const part *p, kb_flow_case_file *f)
{
    const json_t *all;
    int code = list(p, "solid", &all, &f->solids);
    f->solid = kb_alloc((size_t)f->solids + 1, sizeof *f->solid);
    for (int k = 0; k < f->solids && !code; k++) {
        part one = {json_array_get(all, (size_t)k), kb_format("%s: solid[%d]", p->name, k), p->err};
        code = check_keys(&one, SHAPE);
        code = code ? code : read_shape(&one, &f->solid[k]);
        free(one.name);
    }
    return code;
}

static int read_probes(const part *p, kb_flow_case_file *f)
{
    const json_t *all;
    const kb_flow_case *c = &f->problem;
    bool flat = c->y1 <= c->y0;
    int code = list(p, "probes_m", &all, &f->probes);
    f->probe = kb_alloc((size_t)f->probes + 1, sizeof *f->probe);
    for (int k = 0; k < f->probes && !code; k++) {
        const json_t *at = json_array_get(all, (size_t)k);
        bool two = json_array_size(at) == 2;
        double x = json_number_value(two ? json_array_get(at, 0) : at);
        double y = two ? json_number_value(json_array_get(at, 1)) : 0;
        if ((!two && !(flat && json_is_number(at))) || x < c->x0 || x > c->x1 ||
            (!flat && (y < c->y0 || y > c->y1)))
            code = kb_fail(p->err, KB_INVALID, "%s: 'probes_m'[%d] is not %s inside the domain",
                           p->name, k, flat ? "an x" : "[x, y]");
        f->probe[k][0] = x;
        f->probe[k][1] = y;
    }
    return code;
}

static int read_fields(const part *p, kb_flow_case_file *f)
{
    const json_t *all;
    int n, code = list(p, "fields", &all, &n);
    for (int k = 0; k < n && !code; k++) {
        const char *name = json_string_value(json_array_get(all, (size_t)k));
        if (name)
            kb_words_add(&f->fields, name);
        else
            code = kb_fail(p->err, KB_INVALID, "%s: 'fields'[%d] is not a string", p->name, k);
    }
    return code;
}

static bool case_is_solid(const kb_flow_case *c, double x, double y)
{
    const kb_flow_case_file *f = c->data;
    for (int k = 0; k < f->solids; k++)
        if (is_inside(&f->solid[k], x, y))
            return true;
    return false;
}

int kb_flow_case_file_read(kb_flow_case_file *f, const char *path, kb_error *err)
{
    *f = (kb_flow_case_file){.path = path, .root = kb_json_read(path, NULL, err)};
    if (!f->root)
        return KB_INVALID;
    f->text = json_dumps(f->root, JSON_COMPACT | JSON_SORT_KEYS);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t n = strlen(name);
    f->problem = (kb_flow_case){
        .name = kb_format("%.*s", (int)(n > 5 && kb_ends_in(name, ".json") ? n - 5 : n), name),
        .summary = "", .cfl = 0.4, .variables = KB_FLOW_PRIMITIVE, .data = f};
    part p = {f->root, kb_strdup(path), err};
    int code = check_keys(&p, "summary, x_m, y_m, nx, ny, end_s, cfl, riemann, edges, regions, "
                          "solid, fields, probes_m");
    code = code ? code : read_domain(&p, &f->problem);
    code = code ? code : read_solid(&p, f);
    code = code ? code : read_probes(&p, f);
    code = code ? code : read_fields(&p, f);
    f->problem.solid = f->solids ? case_is_solid : NULL;
    free(p.name);
    return code;
}

/* ---- regions ---- */

static double temperature(const kb_flow_region *r, double x, double y)
{
    const kb_flow_shape *s = &r->where;
    if (r->T[0] == r->T[1])
        return r->T[0];
    double share = isfinite(s->r) ? hypot(x - s->x, y - s->y) / s->r
                                  : (x - s->east_of) / (s->west_of - s->east_of);
    return r->T[0] + share * (r->T[1] - r->T[0]);
}

static void case_state(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    const kb_flow_case_file *f = c->data;
    const kb_flow_region *r = &f->region[f->regions - 1];
    (void)t;
    while (r > f->region && !is_inside(&r->where, x, y))
        r--;
    double rho = r->p * r->W / (KB_R * temperature(r, x, y));
    for (int s = 0; s < f->nspecies; s++)
        p->rho[s] = rho * r->Y[s];
    p->u = r->u;
    p->v = r->v;
    p->p = r->p;
}

/* the state behind a shock that runs east at this Mach number into the first region */
static int set_behind_shock(const part *p, const kb_mech *m, const kb_flow_region *first,
                            double mach, kb_flow_region *r)
{
    kb_gas_state fresh = kb_gas_state_of(m, first->T[0], first->p, first->Y), behind;
    int code = kb_frozen_shock(m, &fresh, first->Y, mach * fresh.c, &behind, p->err);
    r->T[0] = r->T[1] = behind.T;
    r->p = behind.p;
    r->u = first->u + mach * fresh.c * (1 - fresh.rho / behind.rho);
    return code;
}

/* what the file does not say is as in the first region */
static int read_region(const part *p, const kb_mech *m, const kb_flow_region *first,
                       kb_flow_region *r)
{
    const char *X = NULL;
    double mach = 0;
    int n, code = check_keys(p, first ? SHAPE ", T_K, p_Pa, u_m_s, v_m_s, X, shock_mach"
                                      : "T_K, p_Pa, u_m_s, v_m_s, X");
    code = code ? code : read_shape(p, &r->where);
    if (first) {
        double *Y = r->Y;
        kb_flow_shape where = r->where;
        *r = *first;
        r->where = where;
        r->Y = memcpy(Y, first->Y, (size_t)m->nspecies * sizeof *Y);
    }
    code = code ? code : number(p, "shock_mach", 1.0001, 100, &mach);
    if (!code && mach > 0)
        code = set_behind_shock(p, m, first, mach, r);
    code = code ? code : numbers(p, "T_K", !first, 2, 100, 6000, r->T, &n);
    if (!code && n == 1)
        r->T[1] = r->T[0];
    bool between = isfinite(r->where.r) || isfinite(r->where.west_of - r->where.east_of);
    if (!code && n == 2 && !between)
        code = kb_fail(p->err, KB_INVALID, "%s: two of 'T_K' need a 'disc', or 'east_of' and "
                       "'west_of'", p->name);
    code = code ? code : numbers(p, "p_Pa", !first, 1, 1, 1e9, &r->p, &n);
    code = code ? code : number(p, "u_m_s", -1e5, 1e5, &r->u);
    code = code ? code : number(p, "v_m_s", -1e5, 1e5, &r->v);
    code = code ? code : text(p, "X", &X);
    if (code || (!X && first))
        return code;
    if (!X)
        return kb_fail(p->err, KB_INVALID, "%s: 'X' is missing (\"H2:2,O2:1,AR:7\")", p->name);
    double *moles = kb_alloc((size_t)m->nspecies, sizeof *moles);
    char *what = kb_format("%s: 'X'", p->name);
    code = kb_mole_fractions(m, what, X, moles, p->err);
    if (!code)
        kb_X_to_Y(m, moles, r->Y);
    free(what);
    free(moles);
    return code;
}

static int read_regions(const part *p, const kb_mech *m, kb_flow_case_file *f)
{
    const json_t *all;
    int code = list(p, "regions", &all, &f->regions);
    if (!code && f->regions == 0)
        code = kb_fail(p->err, KB_INVALID, "%s: 'regions' is missing; the first has the gas "
                       "everywhere", p->name);
    f->region = kb_alloc((size_t)f->regions + 1, sizeof *f->region);
    for (int k = 0; k < f->regions && !code; k++) {
        kb_flow_region *r = &f->region[k];
        part one = {json_array_get(all, (size_t)k), kb_format("%s: regions[%d]", p->name, k),
                    p->err};
        r->Y = kb_alloc((size_t)m->nspecies, sizeof *r->Y);
        code = read_region(&one, m, k ? f->region : NULL, r);
        r->W = kb_mean_weight(m, r->Y);
        free(one.name);
    }
    return code;
}

int kb_flow_case_file_fill(kb_flow_case_file *f, const kb_mech *m, kb_error *err)
{
    part p = {f->root, kb_strdup(f->path), err};
    f->nspecies = f->problem.nsp = m->nspecies;
    f->problem.state = case_state;
    int code = read_regions(&p, m, f);
    free(p.name);
    return code;
}

void kb_flow_case_file_free(kb_flow_case_file *f)
{
    for (int k = 0; f->region && k < f->regions; k++)
        free(f->region[k].Y);
    free((char *)f->problem.name);
    free(f->region);
    free(f->solid);
    free(f->probe);
    kb_words_free(&f->fields);
    free(f->text);
    json_decref(f->root);
    *f = (kb_flow_case_file){0};
}
