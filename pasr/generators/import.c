/* SPDX-License-Identifier: MIT */
#include "pasr/generators/import.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pasr/database/database.h"
#include "pasr/database/origin.h"
#include "pasr/generators/common/fields.h"

static const char *const formats[] = {"auto", "states", "pyjac", "csv", NULL};
static const char *const fractions[] = {"mass", "mole", NULL};
static const char *const kinds[] = {"recorded", "before", "after", "flow", "path", NULL};

#define KB_RECIPE_TYPE kb_import
static const kb_field fields[] = {
    KB_ROWS_MECHANISM,
    KB_ROW_TEXT("source", "source", source, 0, "the file: .npy or .csv"),
    KB_ROW_CHOICE("format", "format", format, formats,
                  "states: .npy of T, p, species; pyjac: .npy of time, T, p, species in two or "
                  "three dimensions; csv: T, p and species named in the header; auto: by ending "
                  "and columns"),
    KB_ROW_TEXT("species", "species", species, 1, "species of an .npy's columns: H2,O2,N2, a "
                "file of names, or mechanism for its species in its order; needed if no .json "
                "beside it says so"),
    KB_ROW_CHOICE("states", "states", states, kinds,
                  "what the states are: recorded (beside an .npy, or not known), before or after "
                  "a reaction, of a flow before its reaction, or a path in time"),
    KB_ROW_CHOICE("fractions", "fractions", fractions, fractions, "mass or mole"),
    KB_ROW_NUMBER("normalize", "normalize", normalize, 1e-15, 0.1, 1, "scale fractions to 1 if "
                  "they add up to 1 within X; without it they must do so within 1e-6"),
    KB_ROW_WHOLE("n", "n", n, 1, 1e9, 1, "states in all: the states of the source again and again, "
                 "or its first (default: as many as it has)"),
    {0}};
const kb_recipe_form kb_import_form = {"import", KB_IMPORT_VERSION, fields};

void kb_import_defaults(kb_import *r)
{
    *r = (kb_import){.mech = kb_strdup("gri30")};
}

/* ---- which column is what ---- */

enum { TIME = -3, TEMPERATURE = -2, PRESSURE = -1 }; /* otherwise the index of a species */

static int meaning(const kb_import_table *t, const kb_mech *m, int column, int *what, kb_error *err)
{
    const char *name = t->names[column];
    if (!strcmp(name, "T"))
        *what = TEMPERATURE;
    else if (!strcmp(name, "p"))
        *what = PRESSURE;
    else if (!strcmp(name, "time"))
        *what = TIME;
    else
        *what = kb_find_species(m, name);
    if (*what != -1 || !strcmp(name, "p"))
        return KB_OK;
    return kb_fail(err, KB_INVALID, "%s: column %d: '%s' is neither T [K] nor p [Pa] nor a species "
                   "of %s (names are case sensitive)", t->path, column, name, m->name);
}

static int meanings(const kb_import_table *t, const kb_mech *m, int *what, kb_error *err)
{
    int have_T = 0, have_p = 0, code = KB_OK;
    for (int j = 0; j < t->columns && !code; j++) {
        code = meaning(t, m, j, &what[j], err);
        have_T |= what[j] == TEMPERATURE;
        have_p |= what[j] == PRESSURE;
        for (int k = 0; k < j && !code; k++)
            if (what[k] == what[j])
                code = kb_fail(err, KB_INVALID, "%s: columns %d and %d are both '%s'", t->path, k,
                               j, t->names[j]);
    }
    if (!code && !(have_T && have_p))
        code = kb_fail(err, KB_INVALID, "%s: no column '%s' (expected T [K], p [Pa] and names of "
                       "species)", t->path, have_T ? "p" : "T");
    return code;
}

/* ---- one state ---- */

/* "line 7" of text, "row 5" or "row 105 (step 1, particle 5)" of an array; caller frees */
static char *place(const kb_import_table *t, long row, bool csv)
{
    if (csv)
        return kb_format("line %ld (row %ld)", row + 2, row);
    if (t->particles)
        return kb_format("row %ld (step %ld, particle %ld)", row, row / t->particles,
                         row % t->particles);
    return kb_format("row %ld", row);
}

static const char *fault(int what, double x)
{
    if (!isfinite(x))
        return "expected a finite number";
    if (what == TEMPERATURE && !(x >= KB_T_MIN && x <= KB_T_MAX))
        return "expected T = 50 to 6000 K";
    if (what == PRESSURE && !(x >= KB_P_MIN && x <= KB_P_MAX))
        return "expected p = 1 to 1e9 Pa";
    return what >= 0 && x < KB_IMPORT_NEGATIVE ? "expected a fraction >= 0" : NULL;
}

/* state [nsp + 2] from a row; the fractions as they are. *sum is theirs. */
static int take_row(const kb_import_table *t, const int *what, long row, bool csv, double *state,
                    double *sum, kb_error *err)
{
    *sum = 0;
    for (int j = 0; j < t->columns; j++) {
        double x = t->data[row * t->columns + j];
        const char *wrong = fault(what[j], x);
        if (wrong) {
            char *where = place(t, row, csv);
            kb_fail(err, KB_INVALID, "%s: %s, column %d (%s) is %g: %s", t->path, where, j,
                    t->names[j], x, wrong);
            free(where);
            return KB_INVALID;
        }
        if (what[j] == TEMPERATURE)
            state[0] = x;
        else if (what[j] == PRESSURE)
            state[1] = x;
        else if (what[j] >= 0) {
            state[2 + what[j]] = x;
            *sum += x;
        }
    }
    return KB_OK;
}

static int check_sum(const kb_import *r, const kb_import_table *t, long row, bool csv, double sum,
                     kb_error *err)
{
    double within = r->normalize > 0 ? r->normalize : KB_SUM_TOLERANCE;
    if (fabs(sum - 1) <= within)
        return KB_OK;
    char *where = place(t, row, csv);
    kb_fail(err, KB_INVALID, "%s: %s: the %s fractions add up to %.9g, expected 1 within %g%s",
            t->path, where, fractions[r->fractions], sum, within,
            fabs(sum - 1) <= 0.1 ? " (--normalize X scales those within X)" : "");
    free(where);
    return KB_INVALID;
}

/* mole fractions become mass fractions: Y_i = X_i W_i / sum_j X_j W_j */
static void finish(const kb_import *r, const kb_mech *m, double *Y, double sum)
{
    double total = r->normalize > 0 ? sum : 1;
    if (r->fractions == KB_IMPORT_MOLE) {
        total = 0;
        for (int i = 0; i < m->nspecies; i++)
            total += Y[i] *= m->species[i].weight;
    }
    for (int i = 0; i < m->nspecies; i++)
        Y[i] /= total;
}

/* ---- the table ---- */

static int convert(const kb_import *r, const kb_mech *m, const kb_import_table *t, const int *what,
                   bool csv, kb_output *o, double *worst, kb_error *err)
{
    size_t width = (size_t)m->nspecies + 2;
    o->n = r->n ? r->n : t->rows;
    o->states = kb_alloc((size_t)o->n * width, sizeof *o->states);
    for (long i = 0; i < o->n && i < t->rows; i++) {
        double sum, *state = o->states + (size_t)i * width;
        if (take_row(t, what, i, csv, state, &sum, err) || check_sum(r, t, i, csv, sum, err))
            return KB_INVALID;
        finish(r, m, state + 2, sum);
        *worst = fmax(*worst, fabs(sum - 1));
    }
    for (long i = t->rows; i < o->n; i++)
        memcpy(o->states + (size_t)i * width, o->states + (size_t)(i - t->rows) * width,
               width * sizeof *o->states);
    return KB_OK;
}

/* time and particle, where the source has them */
static void keep_aux(const kb_import_table *t, const int *what, kb_output *o)
{
    static const char *const names[] = {"time_s", "particle"};
    int time = 0;
    while (time < t->columns && what[time] != TIME)
        time++;
    if (time == t->columns)
        return;
    o->naux = t->particles ? 2 : 1;
    o->aux_names = names;
    o->aux = kb_alloc((size_t)o->n * (size_t)o->naux, sizeof *o->aux);
    for (long i = 0; i < o->n; i++) {
        o->aux[i * o->naux] = t->data[i % t->rows * t->columns + time];
        if (t->particles)
            o->aux[i * o->naux + 1] = (double)(i % t->rows % t->particles);
    }
}

static json_t *results(const kb_mech *m, const kb_import_table *t, const int *what,
                       const char *sha256, double worst)
{
    json_t *absent = json_array(), *shape = json_array();
    for (int i = 0; i < m->nspecies; i++) {
        int found = 0;
        for (int j = 0; j < t->columns; j++)
            found |= what[j] == i;
        if (!found)
            json_array_append_new(absent, json_string(m->species[i].name));
    }
    if (t->particles)
        json_array_append_new(shape, json_integer(t->rows / t->particles));
    json_array_append_new(shape, json_integer(t->particles ? t->particles : t->rows));
    json_array_append_new(shape, json_integer(t->columns));
    return json_pack("{s:s, s:o, s:o, s:f}", "source_sha256", sha256, "source_shape", shape,
                     "species_not_in_source", absent, "largest_sum_error", worst);
}

/* Columns that are not named are those of the mechanism if a record says so */
static int check_origin(const char *source, const kb_mech *m, kb_error *err)
{
    char sha256[65];
    int code = kb_sha256_file(source, sha256, err);
    kb_origin o = {.path = source, .states_sha256 = sha256, .mech = m->name,
                   .mech_sha256 = m->sha256};
    return code ? code : kb_origin_check(&o, err);
}

static int read_source(const kb_import *r, const kb_mech *m, bool csv, kb_import_table *t,
                       kb_error *err)
{
    if (csv && r->species) {
        *t = (kb_import_table){0};
        return kb_fail(err, KB_INVALID, "%s: --species is for .npy; a CSV names them in its header",
                       r->source);
    }
    int code = csv ? kb_import_csv(t, r->source, err) : kb_import_npy(t, r, m, err);
    if (!code && !csv && !r->species)
        code = check_origin(r->source, m, err);
    if (!code && t->rows < 1)
        code = kb_fail(err, KB_INVALID, "%s: no states (0 rows)", r->source);
    return code;
}

static kb_states_kind kind_of(const kb_import *r)
{
    kb_states_kind kind = {.dt = 0};
    if (!r->states)
        return kb_states_kind_read(r->source);
    snprintf(kind.name, sizeof kind.name, "%s", kinds[r->states]);
    return kind;
}

int kb_import_run(const kb_import *r, const kb_mech *m, kb_output *o, kb_error *err)
{
    char sha256[65];
    double worst = 0;
    bool csv = r->format == KB_IMPORT_CSV ||
               (r->format == KB_IMPORT_AUTO && kb_ends_in(r->source, ".csv"));
    kb_import_table t;
    int code = read_source(r, m, csv, &t, err);
    int *what = kb_alloc((size_t)t.columns + 1, sizeof *what);
    code = code ? code : meanings(&t, m, what, err);
    code = code ? code : convert(r, m, &t, what, csv, o, &worst, err);
    code = code ? code : kb_sha256_file(r->source, sha256, err);
    if (!code) {
        keep_aux(&t, what, o);
        o->results = results(m, &t, what, sha256, worst);
        o->method = "read from a file";
        o->kind = kind_of(r);
    }
    free(what);
    kb_import_table_free(&t);
    return code;
}
