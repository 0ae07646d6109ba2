/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "base/stats.h"
#include "drivers/dbinfo/dbinfo.h"
#include "pasr/database/recipe.h"

#define BINS 24
#define BAR 50       /* characters */
#define POINTS 4096  /* of the plot of T */

/* column j, rising; caller frees */
static double *column(const kb_database *db, int j)
{
    double *x = kb_alloc((size_t)db->n, sizeof *x);
    for (long i = 0; i < db->n; i++)
        x[i] = db->states[i * db->columns + j];
    kb_sort(x, db->n);
    return x;
}

/* as key in JSON, without scale */
static void tell_range(const kb_dbinfo *d, const char *key, const char *name, const double *x,
                       double scale, const char *unit)
{
    long n = d->db.n;
    if (d->about)
        json_object_set_new(d->about, key, json_pack("{s:f, s:f, s:f}", "least", x[0], "most",
                                                     x[n - 1], "median", kb_median(x, n)));
    else
        printf("%-12s %.6g to %.6g %s, median %.6g\n", name, x[0] * scale, x[n - 1] * scale, unit,
               kb_median(x, n) * scale);
}

/* mass fraction of element e in a state: sum_i Y_i a_ei W_e / W_i */
static double element(const kb_mech *m, const double *Y, int e)
{
    double z = 0;
    for (int i = 0; i < m->nspecies; i++)
        z += Y[i] * m->species[i].atoms[e] * m->elements[e].weight / m->species[i].weight;
    return z;
}

static void tell_elements(const kb_dbinfo *d)
{
    const kb_database *db = &d->db;
    json_auto_t *all = json_object();
    for (int e = 0; e < d->m.nelements; e++) {
        double low = INFINITY, high = -INFINITY;
        for (long i = 0; i < db->n; i++) {
            double z = element(&d->m, db->states + i * db->columns + 2, e);
            low = fmin(low, z);
            high = fmax(high, z);
        }
        if (high > 0 && d->about)
            json_object_set_new(all, d->m.elements[e].name,
                                json_pack("{s:f, s:f, s:f}", "least", low, "most", high, "spread",
                                          high - low));
        else if (high > 0)
            printf("%-12s %.9g to %.9g of the mass, spread %.2g\n", d->m.elements[e].name, low,
                   high, high - low);
    }
    if (d->about && d->m.nspecies)
        json_object_set(d->about, "elements", all);
}

static void tell_fractions(const kb_dbinfo *d)
{
    const kb_database *db = &d->db;
    double worst = 0, least = INFINITY;
    long row = 0;
    int at = 2;
    for (long i = 0; i < db->n; i++) {
        const double *s = db->states + i * db->columns;
        double sum = 0;
        for (int j = 2; j < db->columns; j++) {
            sum += s[j];
            if (s[j] < least) {
                least = s[j];
                row = i;
                at = j;
            }
        }
        worst = fmax(worst, fabs(sum - 1));
    }
    const char *species = d->m.nspecies ? d->m.species[at - 2].name : NULL;
    if (d->about)
        json_object_set_new(d->about, "fractions",
                            json_pack("{s:f, s:f, s:I, s:s?}", "largest_sum_error", worst, "least",
                                      least, "least_row", (json_int_t)row, "least_species",
                                      species));
    else
        printf("%-12s |sum Y - 1| at most %.2g; lowest Y %.3g (row %ld, %s)\n", "fractions", worst,
               least, row, species ? species : "species not known");
}

static void tell_recipe(const kb_dbinfo *d)
{
    json_t *results = json_object_get(d->recipe, "results");
    json_t *parameters = json_object_get(d->recipe, "parameters");
    const char *sha256 = json_string_value(json_object_get(results, "database_sha256"));
    const char *generator = json_string_value(json_object_get(d->recipe, "generator"));
    if (d->about) {
        json_object_set_new(d->about, "recipe", generator ?
                            json_pack("{s:s, s:O?, s:s?}", "generator", generator, "parameters",
                                      parameters, "database_sha256", sha256) : json_null());
        return;
    }
    kb_owned char *text = json_dumps(parameters, JSON_COMPACT | JSON_REAL_PRECISION(6));
    if (generator)
        printf("%-12s %s %s\n", "recipe", generator, text ? text : "");
    else
        printf("%-12s none beside the database\n", "recipe");
    if (sha256 && strcmp(sha256, d->db.sha256))
        printf("%-12s the database is not the one that its .json describes (sha256 %.12s there)\n",
               "warning", sha256);
}

/* counts [BINS] between low and high */
static void count_bins(const double *x, long n, double low, double high, long *counts)
{
    memset(counts, 0, BINS * sizeof *counts);
    for (long i = 0; i < n; i++) {
        int b = high > low ? (int)((x[i] - low) / (high - low) * BINS) : 0;
        counts[b < BINS ? b : BINS - 1]++;
    }
}

static int histogram(const kb_dbinfo *d, const double *T, kb_error *err)
{
    double low = T[0], high = T[d->db.n - 1];
    double width = (high - low) / BINS;
    long counts[BINS], most = 1;
    json_auto_t *bins = json_array();
    kb_csv csv;
    count_bins(T, d->db.n, low, high, counts);
    kb_csv_start(&csv, "T_low_K,T_high_K,states");
    for (int b = 0; b < BINS; b++)
        most = counts[b] > most ? counts[b] : most;
    if (!d->about)
        printf("\n%17s  %8s\n", "T [K]", "states");
    for (int b = 0; b < BINS; b++) {
        int bar = (int)ceil((double)counts[b] * BAR / (double)most);
        if (!d->about)
            printf("%7.1f - %7.1f  %8ld  %.*s\n", low + b * width, low + (b + 1) * width,
                   counts[b], bar, "##################################################");
        json_array_append_new(bins, json_pack("{s:f, s:f, s:I}", "T_low_K", low + b * width,
                                              "T_high_K", low + (b + 1) * width, "states",
                                              (json_int_t)counts[b]));
        long row = kb_csv_add(&csv);
        kb_csv_number(&csv, row, "T_low_K", low + b * width, 8);
        kb_csv_number(&csv, row, "T_high_K", low + (b + 1) * width, 8);
        kb_csv_number(&csv, row, "states", (double)counts[b], 0);
    }
    if (d->about)
        json_object_set(d->about, "histogram", bins);
    kb_owned char *path = d->set.csv ? kb_format("%s/histogram.csv", d->set.csv) : NULL;
    int code = path ? kb_csv_write(&csv, path, err) : KB_OK;
    kb_csv_free(&csv);
    return code;
}

/* T and the columns for plots, evenly spread over the rows */
static int write_states(const kb_dbinfo *d, kb_error *err)
{
    kb_csv csv;
    kb_owned char *path = kb_format("%s/states.csv", d->set.csv);
    kb_csv_start(&csv, "row,T_K,p_Pa");
    for (int k = 0; k < d->naux; k++)
        kb_csv_add_column(&csv, d->aux_names[k], "");
    long n = d->db.n, points = n < POINTS ? n : POINTS;
    for (long k = 0; k < points; k++) {
        long i = (long)((double)k * (double)n / (double)points), row = kb_csv_add(&csv);
        kb_csv_number(&csv, row, "row", (double)i, 0);
        kb_csv_number(&csv, row, "T_K", d->db.states[i * d->db.columns], 8);
        kb_csv_number(&csv, row, "p_Pa", d->db.states[i * d->db.columns + 1], 8);
        for (int a = 0; a < d->naux; a++)
            kb_csv_number(&csv, row, d->aux_names[a], d->aux[i * d->naux + a], 8);
    }
    int code = kb_csv_write(&csv, path, err);
    kb_csv_free(&csv);
    return code;
}

static void tell_head(const kb_dbinfo *d)
{
    const kb_database *db = &d->db;
    kb_states_kind kind = kb_states_kind_read(db->path);
    if (d->about) {
        json_t *mech = d->m.nspecies ? json_pack("{s:s, s:s}", "name", d->m.name, "sha256",
                                                 d->m.sha256) : json_null();
        json_object_update_new(d->about, json_pack(
            "{s:s, s:s, s:I, s:s, s:i, s:o}", "database", db->path, "sha256", db->sha256,
            "states", (json_int_t)db->n, "kind", kind.name, "species", db->columns - 2,
            "mechanism", mech));
        return;
    }
    printf("%-12s %s\n%-12s %s\n", "database", db->path, "sha256", db->sha256);
    kb_owned char *text = kb_states_kind_text(&kind);
    printf("%-12s %ld x %d (T, p and %d species)%s%s\n", "states", db->n, db->columns,
           db->columns - 2, *text ? ", " : "", text);
    if (d->m.nspecies)
        printf("%-12s %s, sha256 %.12s\n", "mechanism", d->m.name, d->m.sha256);
}

int kb_dbinfo_states(const kb_dbinfo *d, kb_error *err)
{
    kb_owned double *T = column(&d->db, 0), *p = column(&d->db, 1);
    tell_head(d);
    tell_recipe(d);
    tell_range(d, "T_K", "T", T, 1, "K");
    tell_range(d, "p_Pa", "p", p, 1 / KB_ATM, "atm");
    tell_fractions(d);
    tell_elements(d);
    int code = histogram(d, T, err);
    return !code && d->set.csv ? write_states(d, err) : code;
}
