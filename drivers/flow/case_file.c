/* SPDX-License-Identifier: MIT */
#include "drivers/flow/case_file.h"

#include <glob.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/shared_object.h"
#include "drivers/flow/settings.h"

#define FOLDER "datasets/cases/"

/* ---- by name ---- */

void kb_flow_case_names(kb_words *names)
{
    glob_t found;
    kb_owned char *folder = kb_find_in_tree(FOLDER), *pattern = kb_format("%s*.json", folder);
    *names = (kb_words){0};
    if (!glob(pattern, 0, NULL, &found))
        for (size_t k = 0; k < found.gl_pathc; k++) {
            const char *name = found.gl_pathv[k] + strlen(folder);
            kb_owned char *plain = kb_format("%.*s", (int)strlen(name) - 5, name);
            kb_words_add(names, plain);
        }
    globfree(&found);
}

char *kb_flow_case_path(const char *name, kb_error *err)
{
    if (kb_ends_in(name, ".json"))
        return kb_strdup(name);
    char *place = kb_format(FOLDER "%s.json", name), *path = kb_find_in_tree(place);
    free(place);
    if (!strchr(name, '/') && access(path, R_OK) == 0)
        return path;
    free(path);
    kb_words known;
    kb_flow_case_names(&known);
    kb_owned char *all = kb_words_join(&known);
    kb_fail(err, KB_INVALID, "no case '%s': there are %s, and files that end in .json", name, all);
    kb_words_free(&known);
    return NULL;
}

/* ---- domain ---- */

static int read_range(const kb_case_part *p, const char *key, bool needed, double *from, double *to)
{
    double range[2] = {0, 0};
    int n, code = kb_case_numbers(p, key, needed ? 2 : 0, 2, -1e6, 1e6, range, &n);
    if (!code && n && (n != 2 || !(range[0] < range[1])))
        code = kb_case_wrong(p, key, NULL, "'%s' is not [from, to]", key);
    *from = range[0];
    *to = range[1];
    return code;
}

static int read_edges(const kb_case_part *p, kb_flow_case *c)
{
    static const char *const sides[] = {"west", "east", "south", "north"},
        *const kinds[] = {"periodic", "outflow", "wall", "fixed", NULL}; /* as kb_flow_edge */
    kb_case_part edges = kb_case_inside(p, "edges", -1);
    int code = edges.object ? kb_case_check_keys(&edges, "west, east, south, north") : KB_OK;
    for (int k = 0; k < 4; k++) {
        int kind = KB_FLOW_OUTFLOW;
        code = code || !edges.object ? code : kb_case_choice(&edges, sides[k], kinds, &kind);
        c->edge[k] = (kb_flow_edge)kind;
    }
    for (int k = 0; k < 4 && !code; k += 2)
        if ((c->edge[k] == KB_FLOW_PERIODIC) != (c->edge[k + 1] == KB_FLOW_PERIODIC))
            code = kb_case_wrong(&edges, NULL, NULL, "%s and %s are periodic together or not at "
                                 "all", sides[k], sides[k + 1]);
    return code;
}

/* what a detonation has, too */
static int read_common(const kb_case_part *p, bool needed, kb_flow_case *c, double *nx)
{
    const char *end = kb_case_key(p, "end_s");
    int n, riemann = -1, code = kb_case_text(p, "summary", &c->summary);
    code = code ? code : kb_case_numbers(p, "nx", 1, 1, 4, 1e8, nx, &n);
    code = code ? code : kb_case_numbers(p, end, needed, 1, 1e-15, 1e6, &c->end, &n);
    code = code ? code : kb_case_number(p, "cfl", 1e-6, 1, &c->cfl);
    code = code ? code : kb_case_number(p, "noise", 0, 0.999, &c->noise);
    code = code ? code : kb_case_choice(p, "riemann", kb_flow_riemann_names, &riemann);
    c->riemann = riemann >= 0 ? (kb_flow_riemann)riemann : KB_FLOW_HLLC;
    return code ? code : read_edges(p, c);
}

static int read_domain(const kb_case_part *p, kb_flow_case *c)
{
    double nx = 0, ny = 0;
    int n, code = read_range(p, kb_case_key(p, "x_m"), true, &c->x0, &c->x1);
    code = code ? code : read_range(p, kb_case_key(p, "y_m"), false, &c->y0, &c->y1);
    code = code ? code : read_common(p, true, c, &nx);
    code = code ? code : kb_case_number(p, "ny", 4, 1e8, &ny);
    code = code ? code : kb_case_numbers(p, kb_case_key(p, "gravity_m_s2"), 0, 2, -1e6, 1e6,
                                         c->gravity, &n);
    if (code)
        return code;
    bool flat = c->y1 <= c->y0;
    if (flat && ny > 0)
        return kb_case_wrong(p, "ny", NULL, "'ny' without '%s'", kb_case_key(p, "y_m"));
    if (nx != floor(nx) || ny != floor(ny))
        return kb_case_wrong(p, "nx", NULL, "'nx', 'ny' are numbers of cells");
    c->nx = (int)nx;
    c->ny = ny > 0 ? (int)ny : flat ? 1 : (int)lround(nx * (c->y1 - c->y0) / (c->x1 - c->x0));
    c->foil = !flat && !p->ideal;
    if (!flat && !json_object_get(p->object, "riemann"))
        c->riemann = KB_FLOW_HLLC_LM;
    return KB_OK;
}

/* ---- what a case may have besides ---- */

static int read_solid(const kb_case_part *p, kb_flow_case_file *f)
{
    const json_t *all;
    int code = kb_case_list(p, "solid", &all, &f->solids);
    f->solid = kb_alloc((size_t)f->solids + 1, sizeof *f->solid);
    for (int k = 0; k < f->solids && !code; k++) {
        kb_case_part one = kb_case_inside(p, "solid", k);
        code = kb_case_check_keys(&one, KB_CASE_SHAPE);
        code = code ? code : kb_flow_read_shape(&one, &f->solid[k]);
    }
    return code;
}

static int read_probes(const kb_case_part *p, kb_flow_case_file *f)
{
    const json_t *all;
    const kb_flow_case *c = &f->problem;
    bool flat = c->y1 <= c->y0;
    int code = kb_case_list(p, "probes_m", &all, &f->probes);
    f->probe = kb_alloc((size_t)f->probes + 1, sizeof *f->probe);
    for (int k = 0; k < f->probes && !code; k++) {
        const json_t *at = json_array_get(all, (size_t)k);
        bool two = json_array_size(at) == 2;
        double x = json_number_value(two ? json_array_get(at, 0) : at);
        double y = two ? json_number_value(json_array_get(at, 1)) : 0;
        if ((!two && !(flat && json_is_number(at))) || x < c->x0 || x > c->x1 ||
            (!flat && (y < c->y0 || y > c->y1)))
            code = kb_case_wrong(p, "probes_m", NULL, "'probes_m'[%d] is not %s inside the domain",
                                 k, flat ? "an x" : "[x, y]");
        f->probe[k][0] = x;
        f->probe[k][1] = y;
    }
    return code;
}

static int read_fields(const kb_case_part *p, kb_flow_case_file *f)
{
    const json_t *all;
    int n, code = kb_case_list(p, "fields", &all, &n);
    for (int k = 0; k < n && !code; k++) {
        const char *name = json_string_value(json_array_get(all, (size_t)k));
        if (name)
            kb_words_add(&f->fields, name);
        else
            code = kb_case_wrong(p, "fields", NULL, "'fields'[%d] is not a string", k);
    }
    return code;
}

static bool case_is_solid(const kb_flow_case *c, double x, double y)
{
    const kb_flow_case_file *f = c->data;
    for (int k = 0; k < f->solids; k++)
        if (kb_flow_is_inside(&f->solid[k], x, y))
            return true;
    return false;
}

/* ---- the gas ---- */

static int read_gases(const kb_case_part *p, kb_flow_case *c)
{
    const json_t *all = json_object_get(p->object, "gas");
    c->nsp = (int)json_array_size(all);
    if (c->nsp < 1 || c->nsp > 2)
        return kb_case_wrong(p, "gas", "\"gas\": [{\"R\": 1, \"cv\": 2.5}]", "'gas' is not a list "
                             "of one or two ideal gases");
    int code = KB_OK;
    for (int k = 0; k < c->nsp && !code; k++) {
        int n;
        kb_case_part one = kb_case_inside(p, "gas", k);
        code = kb_case_check_keys(&one, "R, cv");
        code = code ? code : kb_case_numbers(&one, "R", 1, 1, 1e-6, 1e6, &c->gas.R[k], &n);
        code = code ? code : kb_case_numbers(&one, "cv", 1, 1, 1e-6, 1e6, &c->gas.cv[k], &n);
    }
    if (c->nsp == 1)
        c->variables = KB_FLOW_CONSERVED;
    return code;
}

static int read_detonation(const kb_case_part *p, kb_flow_case_file *f)
{
    double nx = 0;
    int n, code = kb_case_check_keys(p, "summary, detonation, nx, end_s, cfl, riemann, edges, "
                                        "noise, fields");
    kb_case_part d = kb_case_inside(p, "detonation", -1);
    code = code ? code : kb_case_check_keys(&d, "X, T_K, p_Pa, length_m, height_m");
    code = code ? code : kb_case_text(&d, "X", &f->X);
    code = code ? code : kb_case_numbers(&d, "T_K", 1, 1, 200, 2000, &f->T, &n);
    code = code ? code : kb_case_numbers(&d, "p_Pa", 1, 1, 1, 1e9, &f->p, &n);
    code = code ? code : kb_case_number(&d, "length_m", 1e-9, 1e3, &f->length);
    code = code ? code : kb_case_number(&d, "height_m", 1e-9, 1e3, &f->height);
    if (!code && !f->X)
        code = kb_case_wrong(&d, NULL, "\"H2:2,O2:1,AR:7\"", "'X' is missing");
    code = code ? code : read_common(p, false, &f->problem, &nx);
    f->problem.nx = (int)nx;
    f->problem.ny = 1;
    return code ? code : read_fields(p, f);
}

static int read_regions(const kb_case_part *p, kb_flow_case_file *f)
{
    int code = kb_case_check_keys(p, f->ideal ?
        "summary, gas, x, y, nx, ny, end, cfl, riemann, edges, gravity, noise, let, regions, "
        "solid, exact, carried_by" :
        "summary, x_m, y_m, nx, ny, end_s, cfl, riemann, edges, gravity_m_s2, noise, let, regions, "
        "solid, fields, probes_m");
    code = code || !f->ideal ? code : read_gases(p, &f->problem);
    code = code ? code : read_domain(p, &f->problem);
    code = code ? code : read_solid(p, f);
    code = code || f->ideal ? code : read_probes(p, f);
    code = code || f->ideal ? code : read_fields(p, f);
    code = code ? code : kb_flow_read_lets(p, f);
    f->problem.solid = f->solids ? case_is_solid : NULL;
    return code || !f->ideal ? code : kb_flow_read_regions(p, NULL, f);
}

int kb_flow_case_file_read(kb_flow_case_file *f, const char *name, kb_error *err)
{
    *f = (kb_flow_case_file){.path = kb_flow_case_path(name, err)};
    f->root = f->path ? kb_json_read(f->path, "docs/flow.md, \"Your own case\"", err) : NULL;
    if (!f->root)
        return KB_INVALID;
    f->text = json_dumps(f->root, JSON_COMPACT | JSON_SORT_KEYS);
    const char *slash = strrchr(f->path, '/'), *base = slash ? slash + 1 : f->path;
    f->ideal = json_object_get(f->root, "gas");
    f->detonation = json_object_get(f->root, "detonation");
    f->problem = (kb_flow_case){.name = kb_format("%.*s", (int)strlen(base) - 5, base),
                                .summary = "", .cfl = 0.4, .variables = KB_FLOW_PRIMITIVE,
                                .data = f};
    kb_case_part p = {.path = f->path, .object = f->root, .ideal = f->ideal, .err = err};
    return f->detonation ? read_detonation(&p, f) : read_regions(&p, f);
}

int kb_flow_case_file_fill(kb_flow_case_file *f, const kb_mech *m, kb_error *err)
{
    kb_case_part p = {.path = f->path, .object = f->root, .err = err};
    f->nspecies = f->problem.nsp = m->nspecies;
    return f->detonation ? KB_OK : kb_flow_read_regions(&p, m, f);
}

void kb_flow_case_file_free(kb_flow_case_file *f)
{
    for (int k = 0; f->region && k < f->regions; k++)
        free(f->region[k].Y);
    for (int k = 0; k < f->formulas; k++)
        kb_formula_free(f->formula[k]);
    free(f->formula);
    free((char *)f->problem.name);
    free(f->region);
    free(f->solid);
    free(f->probe);
    kb_words_free(&f->fields);
    free(f->text);
    free(f->path);
    json_decref(f->root);
    *f = (kb_flow_case_file){0};
}
