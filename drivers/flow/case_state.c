/* SPDX-License-Identifier: MIT
 *
 * The state of a case at a point: its regions at the start, and later if that is known.
 */
#include <math.h>
#include <string.h>

#include "drivers/flow/case_file.h"
#include "flow/gas/detonation.h"
#include "flow/gas/exact.h"
#include "mech/thermo/thermo.h"
#include "pasr/generators/common/mixture.h"

/* ---- shapes ---- */

int kb_flow_read_shape(const kb_case_part *p, kb_flow_shape *s)
{
    double disc[3];
    int n, code;
    *s = (kb_flow_shape){-INFINITY, INFINITY, -INFINITY, INFINITY, 0, 0, INFINITY};
    code = kb_case_number(p, "east_of", -1e6, 1e6, &s->east_of);
    code = code ? code : kb_case_number(p, "west_of", -1e6, 1e6, &s->west_of);
    code = code ? code : kb_case_number(p, "north_of", -1e6, 1e6, &s->north_of);
    code = code ? code : kb_case_number(p, "south_of", -1e6, 1e6, &s->south_of);
    code = code ? code : kb_case_numbers(p, "disc", 0, 3, -1e6, 1e6, disc, &n);
    if (!code && n) {
        *s = (kb_flow_shape){s->east_of, s->west_of, s->north_of, s->south_of,
                             disc[0], disc[1], disc[2]};
        if (n != 3 || !(disc[2] > 0))
            code = kb_case_wrong(p, "disc", NULL, "'disc' is not [x, y, radius]");
    }
    return code;
}

bool kb_flow_is_inside(const kb_flow_shape *s, double x, double y)
{
    return x > s->east_of && x < s->west_of && y > s->north_of && y < s->south_of &&
           !(hypot(x - s->x, y - s->y) > s->r);
}

/* ---- the state at the start ---- */

static double gamma_of(const kb_flow_case *c) { return 1 + c->gas.R[0] / c->gas.cv[0]; }

/* T at (x, y), to whose number a gradient adds its share */
static double gradient(const kb_flow_region *r, double x, double y, double T)
{
    const kb_flow_shape *s = &r->where;
    if (r->T[0] == r->T[1])
        return T;
    double share = isfinite(s->r) ? hypot(x - s->x, y - s->y) / s->r
                                  : (x - s->east_of) / (s->west_of - s->east_of);
    return r->T[0] + share * (r->T[1] - r->T[0]);
}

static void state_in(const kb_flow_case_file *f, const kb_flow_region *r, double x, double y,
                     kb_flow_point *p)
{
    double all[sizeof f->names / sizeof *f->names] = {x, y}, *own = all + f->nnames;
    const kb_flow_gas *gas = &f->problem.gas;
    if (f->ideal)
        all[2] = gamma_of(&f->problem);
    for (int k = 0; k < f->lets; k++)
        all[f->nnames - f->lets + k] = kb_formula_at(f->let[k], all);
    for (int k = 0; k < KB_CASE_VALUES; k++) {
        own[k] = r->value[k] ? kb_formula_at(r->value[k], all) : k < KB_CASE_U ? NAN : 0;
        if (k == KB_CASE_T)
            own[k] = gradient(r, x, y, own[k]);
        if (k == KB_CASE_P && !r->value[KB_CASE_RHO])
            own[KB_CASE_RHO] = f->ideal ? own[k] / (gas->R[r->gas] * own[KB_CASE_T])
                                        : own[k] * r->W / (KB_R * own[KB_CASE_T]);
    }
    for (int s = 0; s < f->problem.nsp; s++)
        p->rho[s] = !f->ideal ? own[KB_CASE_RHO] * r->Y[s] : s == r->gas ? own[KB_CASE_RHO] : 0;
    p->u = own[KB_CASE_U];
    p->v = own[KB_CASE_V];
    p->p = own[KB_CASE_P];
}

static void state_at_start(const kb_flow_case_file *f, double x, double y, kb_flow_point *p)
{
    const kb_flow_region *r = &f->region[f->regions - 1];
    while (r > f->region && !kb_flow_is_inside(&r->where, x, y))
        r--;
    state_in(f, r, x, y, p);
}

/* ---- later ---- */

/* back into a domain that is periodic in this direction */
static double wrap(const kb_flow_case *c, int edge, double x, double from, double to)
{
    return c->edge[edge] == KB_FLOW_PERIODIC && to > from
               ? x - (to - from) * floor((x - from) / (to - from)) : x;
}

/* u + c at the start */
static double wave_speed(const kb_flow_case_file *f, double x)
{
    kb_flow_point p;
    state_at_start(f, x, 0, &p);
    return p.u + sqrt(gamma_of(&f->problem) * p.p / p.rho[0]);
}

/* where the part of a simple wave that is at x at t began, by Newton: x = z + (u + c)(z) t */
static double foot(const kb_flow_case_file *f, double x, double t)
{
    double z = x - wave_speed(f, x) * t, h = 1e-6 * (f->problem.x1 - f->problem.x0);
    for (int i = 0; i < 50; i++) {
        double slope = 1 + t * (wave_speed(f, z + h) - wave_speed(f, z - h)) / (2 * h);
        double change = (z + wave_speed(f, z) * t - x) / slope;
        z -= change;
        if (fabs(change) < 1e-15)
            break;
    }
    return z;
}

static void riemann(const kb_flow_case_file *f, double x, double t, kb_flow_point *p)
{
    kb_flow_point at[2]; /* east, west */
    for (int k = 0; k < 2; k++)
        state_in(f, &f->region[k], x, 0, &at[k]);
    kb_riemann_state a = kb_riemann_sample(
        (kb_riemann_state){at[1].rho[0], at[1].u, at[1].p},
        (kb_riemann_state){at[0].rho[0], at[0].u, at[0].p}, gamma_of(&f->problem),
        (x - f->region[1].where.west_of) / t);
    p->rho[0] = a.rho;
    p->u = a.u;
    p->v = 0;
    p->p = a.p;
}

static void case_state(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    const kb_flow_case_file *f = c->data;
    const kb_flow_case *own = &f->problem; /* as in the file, also if c is turned */
    if (f->exact == KB_CASE_RIEMANN && t > 0) {
        riemann(f, x, t, p);
        return;
    }
    if (f->exact == KB_CASE_CARRIED) {
        x = wrap(own, KB_FLOW_WEST, x - f->carried_by[0] * t, own->x0, own->x1);
        y = wrap(own, KB_FLOW_SOUTH, y - f->carried_by[1] * t, own->y0, own->y1);
    }
    if (f->exact == KB_CASE_SIMPLE_WAVE && t > 0)
        x = foot(f, x, t);
    state_at_start(f, x, y, p);
}

/* ---- reading ---- */

static const kb_formula *keep(kb_flow_case_file *f, kb_formula *one)
{
    f->formula = kb_realloc(f->formula, (size_t)f->formulas + 1, sizeof *f->formula);
    return f->formula[f->formulas++] = one;
}

/* a number from low to high or a formula of the first n names; *to stays if the key is missing */
static int read_value(const kb_case_part *p, kb_flow_case_file *f, const char *key, double low,
                      double high, int n, const kb_formula **to)
{
    const json_t *value = json_object_get(p->object, key);
    if (!json_is_string(value)) {
        double number = 0;
        int count, code = kb_case_numbers(p, key, 0, 1, low, high, &number, &count);
        if (!code && count)
            *to = keep(f, kb_formula_of(number));
        return code;
    }
    kb_error why = {0};
    kb_owned char *what = kb_format("'%s'", key);
    kb_formula *one = kb_formula_read(what, json_string_value(value), f->names, n, &why);
    if (!one)
        return kb_case_wrong(p, key, NULL, "%s", why.text);
    *to = keep(f, one);
    return KB_OK;
}

static const char *const values[KB_CASE_VALUES] = {"T_K", "rho", "p_Pa", "u_m_s", "v_m_s"},
    *const plain[KB_CASE_VALUES] = {"T", "rho", "p", "u", "v"}; /* in formulas */

int kb_flow_read_lets(const kb_case_part *p, kb_flow_case_file *f)
{
    static const char *const fixed[] = {"x", "y", "gamma"};
    const char *key;
    json_t *value;
    kb_case_part let = kb_case_inside(p, "let", -1);
    int code = KB_OK;
    f->nnames = f->ideal ? 3 : 2;
    memcpy(f->names, fixed, sizeof fixed);
    if (json_object_size(let.object) > KB_CASE_LETS || (let.object && !json_is_object(let.object)))
        return kb_case_wrong(&let, NULL, NULL, "expected an object of at most %d formulas",
                             KB_CASE_LETS);
    json_object_foreach((json_t *)let.object, key, value) {
        code = code ? code : read_value(&let, f, key, -1e300, 1e300, f->nnames, &f->let[f->lets]);
        f->names[f->nnames++] = key;
        f->lets++;
    }
    memcpy(f->names + f->nnames, plain, sizeof plain);
    return code;
}

/* the state behind a shock that runs east at this Mach number into the first region */
static int set_behind_shock(const kb_case_part *p, const kb_mech *m, kb_flow_case_file *f,
                            double mach, kb_flow_region *r)
{
    const kb_flow_region *first = f->region;
    const kb_flow_case *c = &f->problem;
    double rho = NAN, T = NAN, pressure, u;
    for (int k = 0; k < KB_CASE_VALUES; k++)
        if (first->value[k] && !kb_formula_is_number(first->value[k]))
            return kb_case_wrong(p, "shock_mach", NULL, "'shock_mach' needs a first region of "
                                 "numbers, without formulas");
    kb_flow_point ahead;
    state_in(f, first, c->x0, c->y0, &ahead);
    if (m) {
        kb_gas_state fresh = kb_gas_state_of(m, first->T[0], ahead.p, first->Y), behind;
        int code = kb_frozen_shock(m, &fresh, first->Y, mach * fresh.c, &behind, p->err);
        if (code)
            return code;
        T = behind.T;
        pressure = behind.p;
        u = ahead.u + mach * fresh.c * (1 - fresh.rho / behind.rho);
    } else {
        double gamma = gamma_of(c), square = mach * mach;
        rho = ahead.rho[0] * (gamma + 1) * mach * mach / ((gamma - 1) * mach * mach + 2);
        pressure = ahead.p * (1 + 2 * gamma / (gamma + 1) * (square - 1));
        u = ahead.u + 2 / (gamma + 1) * (mach - 1 / mach) * sqrt(gamma * ahead.p / ahead.rho[0]);
    }
    r->T[0] = r->T[1] = T;
    r->value[KB_CASE_T] = m ? keep(f, kb_formula_of(T)) : NULL;
    r->value[KB_CASE_RHO] = m ? NULL : keep(f, kb_formula_of(rho));
    r->value[KB_CASE_P] = keep(f, kb_formula_of(pressure));
    r->value[KB_CASE_U] = keep(f, kb_formula_of(u));
    return KB_OK;
}

/* one number or formula, or in a mechanism's gas two numbers of a gradient */
static int read_temperature(const kb_case_part *p, kb_flow_case_file *f, kb_flow_region *r)
{
    const char *key = kb_case_key(p, values[KB_CASE_T]);
    int n;
    if (!json_is_array(json_object_get(p->object, key)) || f->ideal) {
        const kb_formula *before = r->value[KB_CASE_T];
        int code = read_value(p, f, key, f->ideal ? 1e-300 : 100, f->ideal ? 1e300 : 6000,
                              f->nnames + KB_CASE_T, &r->value[KB_CASE_T]);
        if (r->value[KB_CASE_T] != before) {
            r->T[0] = r->T[1] = 0;
            if (kb_formula_is_number(r->value[KB_CASE_T]))
                r->T[0] = r->T[1] = kb_formula_at(r->value[KB_CASE_T], NULL);
            if (f->ideal)
                r->value[KB_CASE_RHO] = NULL;
        }
        return code;
    }
    int code = kb_case_numbers(p, key, 1, 2, 100, 6000, r->T, &n);
    if (!code && n == 1)
        r->T[1] = r->T[0];
    if (!code && n == 2 && !isfinite(r->where.r) &&
        !isfinite(r->where.west_of - r->where.east_of))
        code = kb_case_wrong(p, key, NULL, "two of 'T_K' need a 'disc', or 'east_of' and "
                             "'west_of'");
    r->value[KB_CASE_T] = code ? NULL : keep(f, kb_formula_of(r->T[0]));
    return code;
}

static int read_values(const kb_case_part *p, kb_flow_case_file *f, bool first, kb_flow_region *r)
{
    const double most = f->ideal ? 1e300 : 1e9, speed = f->ideal ? 1e300 : 1e5;
    const double low[] = {0, 1e-300, f->ideal ? 1e-300 : 1, -speed, -speed};
    if (f->ideal && json_object_get(p->object, "rho") && json_object_get(p->object, "T"))
        return kb_case_wrong(p, "T", NULL, "'rho' and 'T': one of the two");
    int code = read_temperature(p, f, r);
    for (int k = KB_CASE_RHO; k < KB_CASE_VALUES && !code; k++) {
        const kb_formula *before = r->value[k];
        code = read_value(p, f, kb_case_key(p, values[k]), low[k], k < KB_CASE_U ? most : speed,
                          f->nnames + k, &r->value[k]);
        if (k == KB_CASE_RHO && r->value[k] != before)
            r->value[KB_CASE_T] = NULL;
    }
    if (code || !first)
        return code;
    if (!r->value[KB_CASE_T] && !r->value[KB_CASE_RHO])
        return kb_case_wrong(p, NULL, NULL, "'%s' is missing", f->ideal ? "rho" : "T_K");
    if (!r->value[KB_CASE_P])
        return kb_case_wrong(p, NULL, NULL, "'%s' is missing", kb_case_key(p, "p_Pa"));
    return KB_OK;
}

static int read_mixture(const kb_case_part *p, const kb_mech *m, bool first, kb_flow_region *r)
{
    const char *X = NULL;
    int code = kb_case_text(p, "X", &X);
    if (code || (!X && !first))
        return code;
    if (!X)
        return kb_case_wrong(p, NULL, "\"H2:2,O2:1,AR:7\"", "'X' is missing");
    kb_error why = {0};
    kb_owned double *moles = kb_alloc((size_t)m->nspecies, sizeof *moles);
    code = kb_mole_fractions(m, "'X'", X, moles, &why);
    if (!code)
        kb_X_to_Y(m, moles, r->Y);
    return code ? kb_case_wrong(p, "X", NULL, "%s", why.text) : KB_OK;
}

static int read_which(const kb_case_part *p, int gases, kb_flow_region *r)
{
    double which = r->gas;
    int code = kb_case_number(p, "gas", 0, gases - 1, &which);
    if (!code && which != floor(which))
        code = kb_case_wrong(p, "gas", NULL, "'gas' is 0 or 1: the first or second of them");
    r->gas = (int)which;
    return code;
}

/* what the file does not say is as in the first region */
static int read_region(const kb_case_part *p, const kb_mech *m, kb_flow_case_file *f, bool first,
                       kb_flow_region *r)
{
    kb_owned char *known = kb_format("%s%s, u%s, v%s, %s",
                                     first ? "" : KB_CASE_SHAPE ", shock_mach, ",
                                     m ? "T_K, p_Pa" : "rho, T, p", m ? "_m_s" : "",
                                     m ? "_m_s" : "", m ? "X" : "gas");
    double mach = 0;
    int code = kb_case_check_keys(p, known);
    code = code ? code : kb_flow_read_shape(p, &r->where);
    if (!first) {
        double *Y = r->Y;
        kb_flow_shape where = r->where;
        *r = *f->region;
        r->where = where;
        r->Y = m ? memcpy(Y, f->region->Y, (size_t)m->nspecies * sizeof *Y) : NULL;
    }
    code = code ? code : kb_case_number(p, "shock_mach", 1.0001, 100, &mach);
    if (!code && mach > 0)
        code = set_behind_shock(p, m, f, mach, r);
    code = code ? code : read_values(p, f, first, r);
    if (code)
        return code;
    return m ? read_mixture(p, m, first, r) : read_which(p, f->problem.nsp, r);
}

static int read_exact(const kb_case_part *p, kb_flow_case_file *f)
{
    static const char *const kinds[] = {"none", "carried", "simple_wave", "riemann", NULL};
    kb_flow_case *c = &f->problem;
    int n, kind = KB_CASE_OPEN, code = kb_case_choice(p, "exact", kinds, &kind);
    code = code ? code : kb_case_numbers(p, "carried_by", 0, 2, -1e6, 1e6, f->carried_by, &n);
    if (code)
        return code;
    f->exact = (kb_case_exact)kind;
    c->exact = kind != KB_CASE_OPEN;
    c->smooth = c->exact && f->regions == 1;
    if (kind == KB_CASE_CARRIED && n == 0)
        return kb_case_wrong(p, "exact", "\"carried_by\": [1, 0]", "'carried_by' is missing");
    bool one = c->nsp == 1 && c->y1 <= c->y0;
    if (kind == KB_CASE_SIMPLE_WAVE && !one)
        return kb_case_wrong(p, "exact", NULL, "a simple wave is of one gas in one dimension");
    bool two = one && f->regions == 2 && isfinite(f->region[1].where.west_of);
    if (kind == KB_CASE_RIEMANN && !two)
        return kb_case_wrong(p, "exact", NULL, "a Riemann problem is of one gas in one dimension, "
                             "with two regions, the second 'west_of' some x");
    return KB_OK;
}

int kb_flow_read_regions(const kb_case_part *p, const kb_mech *m, kb_flow_case_file *f)
{
    const json_t *all;
    int code = kb_case_list(p, "regions", &all, &f->regions);
    if (!code && f->regions == 0)
        code = kb_case_wrong(p, NULL, NULL, "'regions' is missing; the first has the gas "
                             "everywhere");
    f->problem.state = case_state;
    f->region = kb_alloc((size_t)f->regions + 1, sizeof *f->region);
    for (int k = 0; k < f->regions && !code; k++) {
        kb_flow_region *r = &f->region[k];
        kb_case_part one = kb_case_inside(p, "regions", k);
        r->Y = m ? kb_alloc((size_t)m->nspecies, sizeof *r->Y) : NULL;
        code = read_region(&one, m, f, k == 0, r);
        if (m)
            r->W = kb_mean_weight(m, r->Y);
    }
    return code || m ? code : read_exact(p, f);
}
