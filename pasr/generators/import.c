/* SPDX-License-Identifier: MIT */
#include "pasr/generators/import.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/owned.h"
#include "pasr/database/database.h"
#include "pasr/database/origin.h"
#include "pasr/generators/common/fields.h"

static const char *const formats[] = {"auto", "states", "pyjac", "csv", "openfoam", "amrex",
                                      "hdf5", NULL};
static const char *const fractions[] = {"mass", "mole", NULL};
static const char *const kinds[] = {"recorded", "before", "after", "flow", "path", NULL};

#define KB_RECIPE_TYPE kb_import
static const kb_field fields[] = {
    KB_ROWS_MECHANISM,
    KB_ROW_TEXT("source", "source", source, 0, "the file, or folder of OpenFOAM or AMReX"),
    KB_ROW_CHOICE("format", "format", format, formats,
                  "states: .npy of T, p, species; pyjac: .npy of time, T, p, species in two or "
                  "three dimensions; csv: T, p and species named in the header; openfoam: a time "
                  "folder; amrex: a plotfile of PeleC or PeleLMeX; hdf5: of Cantera, or "
                  "frames of make flow; auto: by ending and columns"),
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

/* otherwise the index of a species */
enum { LEFT_OUT = -5, DENSITY, TIME, TEMPERATURE, PRESSURE };

static int meaning(const kb_import_table *t, const kb_mech *m, int column, int *what, kb_error *err)
{
    const char *name = t->names[column];
    if (!strcmp(name, "T"))
        *what = TEMPERATURE;
    else if (!strcmp(name, "p"))
        *what = PRESSURE;
    else if (!strcmp(name, "time"))
        *what = TIME;
    else if (!strcmp(name, "density"))
        *what = DENSITY;
    else
        *what = kb_find_species(m, name);
    if (*what != -1 || !strcmp(name, "p"))
        return KB_OK;
    if (!*name || t->any_gas)
        return *what = LEFT_OUT, KB_OK;
    return kb_fail(err, KB_INVALID, "%s: column %d: '%s' is neither T [K] nor p [Pa] nor a species "
                   "of %s (names are case sensitive)", t->path, column, name, m->name);
}

static int meanings(const kb_import_table *t, const kb_mech *m, int *what, kb_error *err)
{
    int have_T = 0, have_p = 0, code = KB_OK;
    for (int j = 0; j < t->columns && !code; j++) {
        code = meaning(t, m, j, &what[j], err);
        have_T |= what[j] == TEMPERATURE;
        have_p |= what[j] == PRESSURE || what[j] == DENSITY;
        for (int k = 0; k < j && !code; k++)
            if (what[k] == what[j] && what[j] != LEFT_OUT)
                code = kb_fail(err, KB_INVALID, "%s: columns %d and %d are both '%s'", t->path, k,
                               j, t->names[j]);
    }
    if (!code && !(have_T && have_p))
        code = kb_fail(err, KB_INVALID, "%s: no column '%s' (expected T [K], p [Pa] and names of "
                       "species)", t->path, have_T ? "p" : "T");
    return code;
}

/* ---- one state ---- */

static bool is_mole(const kb_import *r, const kb_import_table *t)
{
    return t->fractions ? !strcmp(t->fractions, "mole") : r->fractions == KB_IMPORT_MOLE;
}

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
    if (what == LEFT_OUT)
        return NULL;
    if (!isfinite(x))
        return "expected a finite number";
    if (what == DENSITY && !(x > 0))
        return "expected density > 0";
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
            kb_owned char *where = place(t, row, csv);
            return kb_fail(err, KB_INVALID, "%s: %s, column %d (%s) is %g: %s", t->path, where, j,
                           t->names[j], x, wrong);
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

/* species of the source that the mechanism lacks, separated by spaces; caller frees */
static char *left_out(const kb_import_table *t, const int *what)
{
    char *all = kb_strdup("");
    for (int j = 0; j < t->columns; j++) {
        if (what[j] != LEFT_OUT || !*t->names[j])
            continue;
        char *longer = kb_format("%s%s%.40s", all, *all ? " " : "", t->names[j]);
        free(all);
        all = longer;
    }
    return all;
}

static int check_sum(const kb_import *r, const kb_import_table *t, const int *what, long row,
                     bool csv, double sum, kb_error *err)
{
    double within = r->normalize > 0 ? r->normalize : KB_SUM_TOLERANCE;
    if (fabs(sum - 1) <= within)
        return KB_OK;
    kb_owned char *where = place(t, row, csv), *without = left_out(t, what);
    kb_fail(err, KB_INVALID, "%s: %s: the %s fractions add up to %.9g, expected 1 within %g%s%s%s",
            t->path, where, fractions[is_mole(r, t)], sum, within,
            *without ? "; the mechanism lacks " : "", without,
            fabs(sum - 1) <= 0.1 ? " (--normalize X scales those within X)" : "");
    return KB_INVALID;
}

/* mole fractions become mass fractions: Y_i = X_i W_i / sum_j X_j W_j */
static void finish(const kb_import *r, bool mole, const kb_mech *m, double *Y, double sum)
{
    double total = r->normalize > 0 ? sum : 1;
    if (mole) {
        total = 0;
        for (int i = 0; i < m->nspecies; i++)
            total += Y[i] *= m->species[i].weight;
    }
    for (int i = 0; i < m->nspecies; i++)
        Y[i] /= total;
}

/* ---- the table ---- */

/* p of an ideal gas for a state that has density in its place */
static int set_pressure(const kb_import_table *t, const int *what, const kb_mech *m, long row,
                        bool csv, double *state, kb_error *err)
{
    double moles = 0;
    for (int i = 0; i < m->nspecies; i++)
        moles += state[2 + i] / m->species[i].weight;
    for (int j = 0; j < t->columns && !(state[1] > 0); j++)
        if (what[j] == DENSITY)
            state[1] = t->data[row * t->columns + j] * KB_R * state[0] * moles;
    const char *wrong = fault(PRESSURE, state[1]);
    if (!wrong)
        return KB_OK;
    kb_owned char *where = place(t, row, csv);
    return kb_fail(err, KB_INVALID, "%s: %s: density gives p = %g Pa: %s", t->path, where, state[1],
                   wrong);
}

static int convert(const kb_import *r, const kb_mech *m, const kb_import_table *t, const int *what,
                   bool csv, kb_output *o, double *worst, kb_error *err)
{
    size_t width = (size_t)m->nspecies + 2;
    o->n = r->n ? r->n : t->rows;
    o->states = kb_alloc((size_t)o->n * width, sizeof *o->states);
    for (long i = 0; i < o->n && i < t->rows; i++) {
        double sum, *state = o->states + (size_t)i * width;
        if (take_row(t, what, i, csv, state, &sum, err) ||
            check_sum(r, t, what, i, csv, sum, err))
            return KB_INVALID;
        finish(r, is_mole(r, t), m, state + 2, sum);
        if (set_pressure(t, what, m, i, csv, state, err))
            return KB_INVALID;
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
    json_t *absent = json_array(), *shape = json_array(), *unknown = json_array();
    for (int i = 0; i < m->nspecies; i++) {
        int found = 0;
        for (int j = 0; j < t->columns; j++)
            found |= what[j] == i;
        if (!found)
            json_array_append_new(absent, json_string(m->species[i].name));
    }
    for (int j = 0; j < t->columns; j++)
        if (what[j] == LEFT_OUT && *t->names[j])
            json_array_append_new(unknown, json_string(t->names[j]));
    if (t->particles)
        json_array_append_new(shape, json_integer(t->rows / t->particles));
    json_array_append_new(shape, json_integer(t->particles ? t->particles : t->rows));
    json_array_append_new(shape, json_integer(t->columns));
    return json_pack("{s:s, s:o, s:o, s:o, s:f}", "source_sha256", sha256, "source_shape", shape,
                     "species_not_in_source", absent, "species_left_out", unknown,
                     "largest_sum_error", worst);
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

/* the format that is given, or meant by the ending; those of .npy stay to be known */
static int format_of(const kb_import *r, bool *folder)
{
    static const struct { const char *ending; int format; } known[] = {
        {".csv", KB_IMPORT_CSV}, {".h5", KB_IMPORT_HDF5}, {".hdf5", KB_IMPORT_HDF5},
        {".vtkhdf", KB_IMPORT_HDF5}};
    kb_owned char *header = kb_format("%s/Header", r->source);
    struct stat s;
    int format = r->format, found = stat(header, &s) ? KB_IMPORT_OPENFOAM : KB_IMPORT_AMREX;
    *folder = !stat(r->source, &s) && S_ISDIR(s.st_mode);
    for (int k = 0; k < 4 && !*folder; k++)
        if (format == KB_IMPORT_AUTO && kb_ends_in(r->source, known[k].ending))
            format = known[k].format;
    return format == KB_IMPORT_AUTO && *folder ? found : format;
}

static int read_source(const kb_import *r, const kb_mech *m, int format, kb_import_table *t,
                       kb_error *err)
{
    bool npy = format < KB_IMPORT_CSV;
    *t = (kb_import_table){0};
    if (!npy && r->species)
        return kb_fail(err, KB_INVALID, "%s: --species is for .npy; %s", r->source,
                       format == KB_IMPORT_CSV ? "a CSV names them in its header"
                                               : "this source names them");
    int code = format == KB_IMPORT_CSV        ? kb_import_csv(t, r->source, err)
               : format == KB_IMPORT_OPENFOAM ? kb_import_openfoam(t, r->source, m, err)
               : format == KB_IMPORT_AMREX    ? kb_import_amrex(t, r->source, m, err)
               : format == KB_IMPORT_HDF5     ? kb_import_hdf5(t, r->source, m, err)
                                              : kb_import_npy(t, r, m, err);
    t->any_gas |= format > KB_IMPORT_CSV;
    if (!code && npy && !r->species)
        code = check_origin(r->source, m, err);
    if (!code && t->rows < 1)
        code = kb_fail(err, KB_INVALID, "%s: no states (0 rows)", r->source);
    return code;
}

static kb_states_kind kind_of(const kb_import *r, const kb_import_table *t)
{
    kb_states_kind kind = {.dt = t->dt};
    if (!r->states && !t->kind)
        return kb_states_kind_read(r->source);
    snprintf(kind.name, sizeof kind.name, "%s", r->states ? kinds[r->states] : t->kind);
    return kind;
}

int kb_import_run(const kb_import *r, const kb_mech *m, kb_output *o, kb_error *err)
{
    char sha256[65];
    double worst = 0;
    bool folder;
    int format = format_of(r, &folder);
    bool csv = format == KB_IMPORT_CSV;
    kb_import_table t;
    int code = read_source(r, m, format, &t, err);
    kb_owned int *what = kb_alloc((size_t)t.columns + 1, sizeof *what);
    code = code ? code : meanings(&t, m, what, err);
    code = code ? code : convert(r, m, &t, what, csv, o, &worst, err);
    if (!code && folder) /* of what was read */
        kb_npy_sha256(t.rows, t.columns, t.data, sha256);
    else
        code = code ? code : kb_sha256_file(r->source, sha256, err);
    if (!code) {
        keep_aux(&t, what, o);
        o->results = results(m, &t, what, sha256, worst);
        o->method = "read from a file";
        o->kind = kind_of(r, &t);
    }
    kb_import_table_free(&t);
    return code;
}
