/* SPDX-License-Identifier: MIT
 *
 * Units of Cantera's YAML: products of powers such as cm^3/mol/s, with SI prefixes.
 */
#include "mech/yaml/node.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define KB_AVOGADRO 6.02214076e26 /* [1/kmol] */

enum { M, KG, S, K, KMOL, NDIM };

typedef struct {
    double factor, dim[NDIM];
} quantity;

static const struct {
    const char *name;
    quantity q;
} table[] = {
    {"1", {1, {0}}},
    {"m", {1, {1}}},
    {"micron", {1e-6, {1}}},
    {"angstrom", {1e-10, {1}}},
    {"\xc3\x85", {1e-10, {1}}},
    {"m\xc2\xb3", {1, {3}}},
    {"L", {1e-3, {3}}},
    {"l", {1e-3, {3}}},
    {"liter", {1e-3, {3}}},
    {"cc", {1e-6, {3}}},
    {"kg", {1, {0, 1}}},
    {"g", {1e-3, {0, 1}}},
    {"s", {1, {0, 0, 1}}},
    {"min", {60, {0, 0, 1}}},
    {"hr", {3600, {0, 0, 1}}},
    {"K", {1, {0, 0, 0, 1}}},
    {"mol", {1e-3, {0, 0, 0, 0, 1}}},
    {"gmol", {1e-3, {0, 0, 0, 0, 1}}},
    {"mole", {1e-3, {0, 0, 0, 0, 1}}},
    {"kmol", {1, {0, 0, 0, 0, 1}}},
    {"kgmol", {1, {0, 0, 0, 0, 1}}},
    {"molec", {1 / KB_AVOGADRO, {0, 0, 0, 0, 1}}},
    {"N", {1, {1, 1, -2}}},
    {"dyn", {1e-5, {1, 1, -2}}},
    {"J", {1, {2, 1, -2}}},
    {"cal", {KB_CAL, {2, 1, -2}}},
    {"erg", {1e-7, {2, 1, -2}}},
    {"eV", {1.602176634e-19, {2, 1, -2}}},
    {"Pa", {1, {-1, 1, -2}}},
    {"bar", {1e5, {-1, 1, -2}}},
    {"atm", {KB_ATM, {-1, 1, -2}}},
};

static const struct {
    char letter;
    double factor;
} prefixes[] = {{'Y', 1e24},  {'Z', 1e21},  {'E', 1e18},  {'P', 1e15},  {'T', 1e12},
                {'G', 1e9},   {'M', 1e6},   {'k', 1e3},   {'h', 1e2},   {'d', 1e-1},
                {'c', 1e-2},  {'m', 1e-3},  {'u', 1e-6},  {'n', 1e-9},  {'p', 1e-12},
                {'f', 1e-15}, {'a', 1e-18}, {'z', 1e-21}, {'y', 1e-24}};

static bool lookup(const char *name, quantity *q)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(name, table[i].name) == 0) {
            *q = table[i].q;
            return true;
        }
    }
    return false;
}

static bool lookup_prefixed(const char *name, quantity *q)
{
    if (lookup(name, q))
        return true;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (name[0] == prefixes[i].letter && lookup(name + 1, q)) {
            q->factor *= prefixes[i].factor;
            return true;
        }
    }
    return false;
}

/* Multiplies *q by one word such as cm^3 (to the power sign). */
static bool multiply(const char *word, double sign, quantity *q)
{
    char name[32];
    double power = sign;
    const char *hat = strchr(word, '^');
    size_t n = hat ? (size_t)(hat - word) : strlen(word);
    if (n == 0 || n >= sizeof name)
        return false;
    memcpy(name, word, n);
    name[n] = '\0';
    if (hat) {
        char *end;
        power *= strtod(hat + 1, &end);
        if (end == hat + 1 || *end || !isfinite(power))
            return false;
    }
    quantity unit;
    if (!lookup_prefixed(name, &unit))
        return false;
    q->factor *= pow(unit.factor, power);
    for (int d = 0; d < NDIM; d++)
        q->dim[d] += power * unit.dim[d];
    return true;
}

/* Words with * or / between them; blanks may stand around these */
static bool parse_units(const char *text, quantity *q)
{
    *q = (quantity){1, {0}};
    for (double sign = 1;; sign = *text++ == '/' ? -1 : 1) {
        char word[64];
        text += strspn(text, " ");
        size_t n = strcspn(text, " */");
        if (n == 0 || n >= sizeof word)
            return false;
        memcpy(word, text, n);
        word[n] = '\0';
        if (!multiply(word, sign, q))
            return false;
        text += n + strspn(text + n, " ");
        if (!*text)
            return true;
        if (*text != '*' && *text != '/')
            return false;
    }
}

static bool same_dim(const quantity *q, const double *dim)
{
    for (int d = 0; d < NDIM; d++) {
        if (!(fabs(q->dim[d] - dim[d]) < 1e-9))
            return false;
    }
    return true;
}

static const double energy_per_kmol_K[NDIM] = {2, 1, -2, -1, -1};
static const double energy_per_kmol[NDIM] = {2, 1, -2, 0, -1}, energy[NDIM] = {2, 1, -2},
                    temperature[NDIM] = {0, 0, 0, 1}, pressure[NDIM] = {-1, 1, -2};

/* Splits "1.0 cm^3/mol/s" into its number and its unit (NULL when there is none). */
static int split(kb_yaml *y, const yaml_node_t *node, const char *what, double *value,
                 const char **unit)
{
    const char *text = kb_yaml_scalar(node);
    const char *space = text ? strchr(text, ' ') : NULL;
    *unit = NULL;
    if (!space)
        return kb_yaml_number(y, node, what, value);
    char *end;
    *value = strtod(text, &end);
    if (end != space || !isfinite(*value))
        return kb_yaml_fail(y, node, text, NULL, "%s is not a number with a unit:", what);
    *unit = space + strspn(space, " ");
    return KB_OK;
}

static int bad_unit(kb_yaml *y, const yaml_node_t *node, const char *unit, const char *what,
                    const char *hint)
{
    return kb_yaml_fail(y, node, unit, hint, "not a unit of %s:", what);
}

kb_units kb_units_si(void)
{
    return (kb_units){.length = 1, .quantity = 1, .time = 1, .energy = 1, .pressure = 1, .Ea = 1};
}

static int set_unit(kb_yaml *y, const yaml_node_t *key, const yaml_node_t *node, kb_units *u)
{
    const struct {
        const char *name, *hint;
        double *target, dim[NDIM];
    } kinds[] = {{"length", "m, cm, ...", &u->length, {1}},
                 {"quantity", "mol, kmol, molec", &u->quantity, {0, 0, 0, 0, 1}},
                 {"time", "s, ms, min", &u->time, {0, 0, 1}},
                 {"energy", "J, cal, kcal, ...", &u->energy, {2, 1, -2}},
                 {"pressure", "Pa, atm, bar, ...", &u->pressure, {-1, 1, -2}},
                 {"mass", "kg, g", NULL, {0, 1}},
                 {"temperature", "K", NULL, {0, 0, 0, 1}}};
    const char *name = kb_yaml_scalar(key), *text = kb_yaml_scalar(node);
    quantity q;
    if (!name || !text)
        return kb_yaml_fail(y, key, name, NULL, "units: a name and a unit are expected");
    if (!parse_units(text, &q))
        return kb_yaml_fail(y, node, text, NULL, "unknown unit");
    if (strcmp(name, "activation-energy") == 0) {
        if (strcmp(text, "eV") == 0)
            q.factor *= KB_AVOGADRO;
        else if (!same_dim(&q, energy_per_kmol) && strcmp(text, "K") != 0)
            return bad_unit(y, node, text, name, "cal/mol, J/kmol, K, ...");
        u->Ea = strcmp(text, "K") == 0 ? 0 : q.factor;
        u->Ea_given = true;
        return KB_OK;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(name, kinds[i].name) != 0)
            continue;
        if (!same_dim(&q, kinds[i].dim))
            return bad_unit(y, node, text, name, kinds[i].hint);
        if (kinds[i].target)
            *kinds[i].target = q.factor;
        return KB_OK;
    }
    return kb_yaml_fail(y, key, name, "length, quantity, time, mass, energy, pressure, "
                        "temperature, activation-energy", "unknown kind of unit");
}

int kb_yaml_units(kb_yaml *y, const yaml_node_t *mapping, kb_units *u)
{
    const yaml_node_t *units = kb_yaml_get(y, mapping, "units");
    if (!units)
        return KB_OK;
    if (!kb_yaml_is(units, YAML_MAPPING_NODE))
        return kb_yaml_fail(y, units, "units", "units: {length: cm, quantity: mol}",
                            "not a mapping");
    for (int i = 0; i < kb_yaml_count(units); i++) {
        if (set_unit(y, kb_yaml_key(y, units, i), kb_yaml_value(y, units, i), u))
            return KB_INVALID;
    }
    if (!u->Ea_given)
        u->Ea = u->energy / u->quantity;
    return KB_OK;
}

/* a value whose plain number is in `unit`, in units of the same dimensions */
static int read_quantity(kb_yaml *y, const yaml_node_t *node, const char *what, const char *hint,
                         const double *dim, double unit, double *x)
{
    const char *text;
    quantity q;
    if (split(y, node, what, x, &text))
        return KB_INVALID;
    if (text && (!parse_units(text, &q) || !same_dim(&q, dim)))
        return bad_unit(y, node, text, what, hint);
    *x *= text ? q.factor : unit;
    return KB_OK;
}

int kb_yaml_pressure(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double *p)
{
    return read_quantity(y, node, "pressure", "Pa, atm, bar, ...", pressure, u->pressure, p);
}

int kb_yaml_kelvin(kb_yaml *y, const yaml_node_t *node, double *T)
{
    return read_quantity(y, node, "temperature", "K", temperature, 1, T);
}

int kb_yaml_molar(kb_yaml *y, const yaml_node_t *node, const kb_units *u, bool per_kelvin,
                  double *x)
{
    return read_quantity(y, node, per_kelvin ? "molar entropy or heat" : "molar energy",
                         per_kelvin ? "J/mol/K, cal/mol/K, ..." : "J/mol, kcal/mol, ...",
                         per_kelvin ? energy_per_kmol_K : energy_per_kmol, u->energy / u->quantity,
                         x);
}

/* E in units of factor [J/kmol]. cal/mol and whole multiples go the way of every reader, so that
 * the product of prefixes leaves no rounding behind. */
static double energy_to_theta(double E, double factor)
{
    double cal = factor / (1e3 * KB_CAL), whole = rint(cal);
    if (whole >= 1 && fabs(cal - whole) < 1e-13 * whole)
        return kb_theta_from_cal(E * whole);
    return E * (factor / KB_R);
}

int kb_yaml_theta(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double *theta)
{
    const char *unit;
    quantity q = {u->Ea, {0}};
    if (split(y, node, "Ea", theta, &unit))
        return KB_INVALID;
    bool kelvin = !unit && u->Ea == 0;
    if (unit) {
        bool known = parse_units(unit, &q);
        kelvin = known && same_dim(&q, temperature);
        if (known && same_dim(&q, energy) && strcmp(unit, "eV") == 0)
            q.factor *= KB_AVOGADRO;
        else if (!known || (!kelvin && !same_dim(&q, energy_per_kmol)))
            return bad_unit(y, node, unit, "activation energy", "cal/mol, J/kmol, K, eV, ...");
    }
    if (!kelvin)
        *theta = energy_to_theta(*theta, q.factor);
    return KB_OK;
}

/* A in units of factor [(m^3/kmol)^(order-1)/s]; cm, mol, s go the way of every reader. */
static double in_SI(double A, double factor, double order)
{
    if (fabs(factor / kb_A_to_SI(1, order) - 1) < 1e-12)
        return kb_A_to_SI(A, order);
    return A * factor;
}

static double rate_factor(const kb_units *u, double order)
{
    return pow(u->length * u->length * u->length / u->quantity, order - 1) / u->time;
}

double kb_units_log10(const kb_units *u, double order)
{
    return log10(in_SI(1, rate_factor(u, order), order));
}

int kb_yaml_prefactor(kb_yaml *y, const yaml_node_t *node, const kb_units *u, double order,
                      double *A)
{
    const char *unit;
    quantity q;
    if (split(y, node, "A", A, &unit))
        return KB_INVALID;
    if (unit) {
        const double dim[NDIM] = {3 * (order - 1), 0, -1, 0, 1 - order};
        char hint[96];
        snprintf(hint, sizeof hint, "the reaction's order is %g: (cm^3/mol)^%g/s", order,
                 order - 1);
        if (!parse_units(unit, &q) || !same_dim(&q, dim))
            return bad_unit(y, node, unit, "A", hint);
    }
    *A = in_SI(*A, unit ? q.factor : rate_factor(u, order), order);
    return KB_OK;
}
