/* SPDX-License-Identifier: MIT
 *
 * Thermo data of one species: NASA7, NASA9, Shomate, constant-cp.
 */
#include "mech/yaml/node.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* One range is stored as two with the same coefficients, as a CHEMKIN file has it. */
static double one_range_Tmid(double Tlow, double Thigh)
{
    return Tlow < 1000 && 1000 < Thigh ? 1000 : (Tlow + Thigh) / 2;
}

static int read_row(kb_yaml *y, const yaml_node_t *row, int n, const char *model, double *a)
{
    if (!kb_yaml_is(row, YAML_SEQUENCE_NODE) || kb_yaml_count(row) != n)
        return kb_yaml_fail(y, row, NULL, NULL, "%s: a row of data has %d numbers, not %d", model,
                            kb_yaml_count(row), n);
    for (int i = 0; i < n; i++)
        if (kb_yaml_number(y, kb_yaml_item(y, row, i), "a coefficient", &a[i]))
            return KB_INVALID;
    return KB_OK;
}

/* Real files have Tmid = Thigh, and so a range without extent: nothing takes its coefficients. */
static void drop_empty(kb_species *s)
{
    for (int i = s->nranges - 1; i >= 0 && s->nranges > 1; i--) {
        if (s->T_ends[i] < s->T_ends[i + 1])
            continue;
        size_t behind = (size_t)(--s->nranges - i);
        memmove(s->T_ends + i, s->T_ends + i + 1, (behind + 1) * sizeof *s->T_ends);
        memmove(s->coef + 9 * i, s->coef + 9 * (i + 1), 9 * behind * sizeof *s->coef);
    }
}

/* temperature-ranges of 1 to `most` ranges, and that the data have as many rows of n numbers */
static int read_ranges(kb_yaml *y, const yaml_node_t *thermo, const char *model, int most, int n,
                       kb_species *s)
{
    const yaml_node_t *ends = kb_yaml_get(y, thermo, "temperature-ranges");
    const yaml_node_t *data = kb_yaml_get(y, thermo, "data");
    s->nranges = kb_yaml_count(ends) - 1;
    if (!kb_yaml_is(ends, YAML_SEQUENCE_NODE) || s->nranges < 1 || s->nranges > most)
        return kb_yaml_fail(y, ends ? ends : thermo, s->name, "[Tlow, Tmid, Thigh]",
                            "%s: temperature-ranges must hold 2 to %d temperatures for species",
                            model, most + 1);
    if (!kb_yaml_is(data, YAML_SEQUENCE_NODE) || kb_yaml_count(data) != s->nranges)
        return kb_yaml_fail(y, data ? data : thermo, s->name, NULL,
                            "%s: %d rows of data are needed for species", model, s->nranges);
    s->T_ends = kb_alloc((size_t)s->nranges + 1, sizeof *s->T_ends);
    s->coef = kb_alloc(9 * (size_t)s->nranges, sizeof *s->coef);
    for (int i = 0; i <= s->nranges; i++) {
        if (kb_yaml_kelvin(y, kb_yaml_item(y, ends, i), &s->T_ends[i]))
            return KB_INVALID;
        if (i && !(s->T_ends[i] >= s->T_ends[i - 1]))
            return kb_yaml_fail(y, ends, s->name, NULL, "temperature-ranges must ascend for");
    }
    for (int i = 0; i < s->nranges; i++)
        if (read_row(y, kb_yaml_item(y, data, i), n, model, s->coef + 9 * i))
            return KB_INVALID;
    drop_empty(s);
    if (!(s->T_ends[0] < s->T_ends[s->nranges]))
        return kb_yaml_fail(y, ends, s->name, NULL, "temperature-ranges must ascend for");
    s->Tlow = s->T_ends[0];
    s->Thigh = s->T_ends[s->nranges];
    s->Tmid = s->nranges > 1 ? s->T_ends[1] : one_range_Tmid(s->Tlow, s->Thigh);
    return KB_OK;
}

/* What another model left is of no use to NASA-7. */
static void drop_ranges(kb_species *s)
{
    free(s->T_ends);
    free(s->coef);
    s->T_ends = s->coef = NULL;
    s->nranges = 0;
}

static int read_nasa7(kb_yaml *y, const yaml_node_t *thermo, const kb_units *u, kb_species *s)
{
    (void)u;
    if (read_ranges(y, thermo, "NASA7", 2, 7, s))
        return KB_INVALID;
    memcpy(s->lo, s->coef, sizeof s->lo);
    memcpy(s->hi, s->coef + 9 * (s->nranges - 1), sizeof s->hi);
    drop_ranges(s);
    return KB_OK;
}

static int read_nasa9(kb_yaml *y, const yaml_node_t *thermo, const kb_units *u, kb_species *s)
{
    (void)u;
    s->model = KB_NASA9;
    return read_ranges(y, thermo, "NASA9", 64, 9, s);
}

static int read_shomate(kb_yaml *y, const yaml_node_t *thermo, const kb_units *u, kb_species *s)
{
    (void)u;
    s->model = KB_SHOMATE;
    return read_ranges(y, thermo, "Shomate", 2, 7, s);
}

/* cp/R = a1, h/RT = a1 + a6/T, s/R = a1 ln T + a7. Without T-min and T-max the data hold
 * everywhere, for which 1 and 20000 K stand. */
static int read_constant(kb_yaml *y, const yaml_node_t *thermo, const kb_units *u, kb_species *s)
{
    static const char *const keys[] = {"h0", "s0", "cp0"};
    double T0 = 298.15, x[3] = {0};
    const struct {
        const char *key;
        double *out;
    } T[] = {{"T0", &T0}, {"T-min", &s->Tlow}, {"T-max", &s->Thigh}};
    s->Tlow = 1;
    s->Thigh = 20000;
    for (int i = 0; i < 3; i++) {
        const yaml_node_t *node = kb_yaml_get(y, thermo, T[i].key);
        if (node && kb_yaml_kelvin(y, node, T[i].out))
            return KB_INVALID;
        node = kb_yaml_get(y, thermo, keys[i]);
        if (node && kb_yaml_molar(y, node, u, i > 0, &x[i]))
            return KB_INVALID;
    }
    if (!(T0 > 0 && s->Tlow < s->Thigh))
        return kb_yaml_fail(y, thermo, s->name, NULL, "constant-cp: temperatures of species");
    s->Tmid = one_range_Tmid(s->Tlow, s->Thigh);
    s->lo[0] = x[2] / KB_R;
    s->lo[5] = (x[0] - x[2] * T0) / KB_R;
    s->lo[6] = (x[1] - x[2] * log(T0)) / KB_R;
    memcpy(s->hi, s->lo, sizeof s->hi);
    return KB_OK;
}

static const struct {
    const char *name, *keys;
    int (*read)(kb_yaml *, const yaml_node_t *, const kb_units *, kb_species *);
} models[] = {
    {"NASA7", "model|reference-pressure|units|temperature-ranges|data", read_nasa7},
    {"NASA9", "model|reference-pressure|units|temperature-ranges|data", read_nasa9},
    {"Shomate", "model|reference-pressure|units|temperature-ranges|data", read_shomate},
    {"constant-cp", "model|reference-pressure|units|T0|h0|s0|cp0|T-min|T-max", read_constant},
};

static int read_pressure(kb_yaml *y, const yaml_node_t *thermo, const kb_units *u, kb_species *s)
{
    const yaml_node_t *p = kb_yaml_get(y, thermo, "reference-pressure");
    s->p_ref = KB_ATM;
    if (p && kb_yaml_pressure(y, p, u, &s->p_ref))
        return KB_INVALID;
    if (!(s->p_ref > 0))
        return kb_yaml_fail(y, p, s->name, NULL, "reference-pressure must be above 0 for species");
    return KB_OK;
}

int kb_yaml_thermo(kb_yaml *y, const yaml_node_t *node, const kb_units *u, kb_species *s)
{
    const yaml_node_t *thermo = kb_yaml_get(y, node, "thermo");
    const char *model = kb_yaml_scalar(kb_yaml_get(y, thermo, "model"));
    kb_units own = *u;
    if (!model)
        return kb_yaml_fail(y, node, s->name, "thermo: {model: NASA7, ...}",
                            "no thermo model for species");
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        if (strcmp(model, models[i].name) != 0)
            continue;
        kb_yaml_keys keys = {.what = model, .known = models[i].keys,
                             .noted = "note|reference|source|comment|date|id"};
        return kb_yaml_check_keys(y, thermo, &keys) || kb_yaml_units(y, thermo, &own) ||
               read_pressure(y, thermo, &own, s) || models[i].read(y, thermo, &own, s);
    }
    return kb_yaml_fail(y, thermo, model, "NASA7, NASA9, Shomate and constant-cp are read",
                        "species %s has another thermo model:", s->name);
}
