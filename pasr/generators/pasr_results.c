/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "mech/thermo/thermo.h"
#include "pasr/database/active.h"
#include "pasr/generators/common/mixture.h"
#include "pasr/generators/pasr_inside.h"

#define BATCHES 10 /* of the second half, for the standard error of its mean */

static const char *const aux_names[] = {"time_s", "condition", "particle", "T_mean_K",
                                        "mixture_fraction", "progress", "pair_row",
                                        "reacted", "partner_row"};
enum { TIME, CONDITION, PARTICLE, T_MEAN, MIXTURE_FRACTION, PROGRESS, PAIR, REACTED, PARTNER };

/* of both kinds each row names the row of its particle before, or after, the same reaction */
static int columns_of(const kb_pasr_work *w)
{
    return w->r->states == KB_ROWS_BOTH ? PARTNER + 1 : PARTNER;
}

/* 2 Z_C/W_C + Z_H/(2 W_H) - Z_O/W_O with element mass fractions Z = W sum_i a_i Y_i/W_i
 * (Bilger, Symp. Combust. 22 (1989) 475) */
static double coupling(const kb_mech *m, const double *Y)
{
    static const struct { const char *name; double weight; } of[] = {
        {"C", 2}, {"H", 0.5}, {"O", -1}};
    double sum = 0;
    for (size_t e = 0; e < sizeof of / sizeof *of; e++) {
        int k = kb_find_element(m, of[e].name);
        for (int i = 0; i < m->nspecies && k >= 0; i++)
            sum += of[e].weight * m->species[i].atoms[k] * Y[i] / m->species[i].weight;
    }
    return sum;
}

/* Y_CO2 + Y_H2O */
static double burnt_part(const kb_mech *m, const double *Y)
{
    int CO2 = kb_find_species(m, "CO2"), H2O = kb_find_species(m, "H2O");
    return (CO2 >= 0 ? Y[CO2] : 0) + (H2O >= 0 ? Y[H2O] : 0);
}

/* coupling function of pure fuel [0] and oxidiser [1] */
static int ends(const kb_pasr_work *w, double *beta, kb_error *err)
{
    double *X = kb_alloc(2 * (size_t)w->m->nspecies, sizeof *X), *Y = X + w->m->nspecies;
    const char *text[] = {w->r->fuel, w->r->oxidizer};
    int code = KB_OK;
    for (int i = 0; i < 2 && !code; i++) {
        memset(X, 0, (size_t)w->m->nspecies * sizeof *X);
        code = kb_mole_fractions(w->m, i ? "oxidizer" : "fuel", text[i], X, err);
        if (!code) {
            kb_X_to_Y(w->m, X, Y);
            beta[i] = coupling(w->m, Y);
        }
    }
    free(X);
    return code;
}

/* aux rows of the particles of condition c at kept time k, whose states are rows first and on of
 * the database; returns their mean T */
static double fill_aux(const kb_pasr_work *w, long c, long k, long first, bool reacted,
                       const double *beta, double *aux)
{
    const double *rows = w->kept_rows + first * w->columns;
    double mean = 0, whole = burnt_part(w->m, w->condition[c].burnt + 2);
    for (long i = 0; i < w->n; i++)
        mean += rows[i * w->columns] / (double)w->n;
    for (long i = 0; i < w->n; i++, aux += columns_of(w)) {
        const double *Y = rows + i * w->columns + 2;
        aux[TIME] = (double)(w->plan.first_at + k * w->plan.every_at) * w->plan.dt;
        aux[CONDITION] = (double)c;
        aux[PARTICLE] = (double)i;
        aux[T_MEAN] = mean;
        aux[MIXTURE_FRACTION] = (coupling(w->m, Y) - beta[1]) / (beta[0] - beta[1]);
        aux[PROGRESS] = whole > 0 ? burnt_part(w->m, Y) / whole : 0;
        aux[PAIR] = w->kept_pairs[first + i];
        aux[REACTED] = reacted;
        if (columns_of(w) > PARTNER)
            aux[PARTNER] = (double)(first + i + (reacted ? -w->n : w->n));
    }
    return mean;
}

/* the same of all kinds of rows; returns the mean T of the last, which is after where it is kept */
static double fill_time(const kb_pasr_work *w, long c, long k, const double *beta, double *aux)
{
    long first = (c * w->plan.kept + k) * w->rows_of_time;
    double mean = NAN;
    for (long i = 0; i < w->rows_of_time; i += w->n)
        mean = fill_aux(w, c, k, first + i, w->r->states == KB_ROWS_AFTER || i > 0, beta,
                        aux + (first + i) * columns_of(w));
    return mean;
}

/* mean of T(t) [n] and the standard error of that mean from BATCHES means of neighbours, which are
 * nearly independent; NAN for too short a series */
static void batch_mean(const double *T, long n, double *mean, double *error)
{
    double sum = 0, squares = 0;
    *mean = n ? 0 : NAN;
    for (long i = 0; i < n; i++)
        *mean += T[i] / (double)n;
    for (int b = 0; b < BATCHES && n >= BATCHES; b++) {
        long from = b * n / BATCHES, to = (b + 1) * n / BATCHES;
        double part = 0;
        for (long i = from; i < to; i++)
            part += T[i] / (double)(to - from);
        sum += part / BATCHES;
        squares += part * part / BATCHES;
    }
    *error = n < 2 * BATCHES ? NAN : sqrt(fmax(0, squares - sum * sum) / (BATCHES - 1));
}

/* series [kept]: mean T at each point in time */
static json_t *condition_object(const kb_pasr_work *w, long c, const double *series)
{
    const kb_pasr_condition *k = &w->condition[c];
    long rows = w->plan.kept * w->rows_of_time, half = w->plan.kept / 2;
    const double *T = w->kept_rows + (size_t)(c * rows) * (size_t)w->columns;
    double low = INFINITY, high = -INFINITY, mean, error, third, third_error;
    for (long i = 0; i < rows; i++) {
        low = fmin(low, T[i * w->columns]);
        high = fmax(high, T[i * w->columns]);
    }
    batch_mean(series + half, w->plan.kept - half, &mean, &error);
    batch_mean(series + half / 2, half - half / 2, &third, &third_error);
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:o, s:o, s:I, s:I}", "T0_K", k->T0, "p_atm",
                     k->p / KB_ATM, "T_equilibrium_K", k->burnt[0], "T_min_K", low, "T_max_K", high,
                     "T_mean_second_half_K", mean, "T_mean_standard_error_K", kb_json_number(error),
                     "T_mean_second_quarter_K", kb_json_number(third), "first_row",
                     (json_int_t)(c * rows), "rows", (json_int_t)rows);
}

static double least_Y(const kb_pasr_work *w, long n)
{
    double least = 1;
    for (long i = 0; i < n; i++)
        for (int j = 2; j < w->columns; j++)
            least = fmin(least, w->kept_rows[i * w->columns + j]);
    return least;
}

static json_t *all_results(const kb_pasr_work *w, const kb_output *o, const double *series,
                           kb_error *err)
{
    json_t *active = kb_active(w->s, o->n, o->states, w->how->threads, w->how->stop, err);
    if (!active)
        return NULL;
    json_t *list = json_array();
    for (long c = 0; c < w->conditions; c++)
        json_array_append_new(list, condition_object(w, c, series + c * w->plan.kept));
    return json_pack("{s:f, s:I, s:I, s:I, s:f, s:o, s:o}", "dt_s", kb_pasr_dt(w->r), "steps",
                     (json_int_t)w->march.steps, "times_kept", (json_int_t)w->plan.kept,
                     "repeated_by_cvode", (json_int_t)w->march.clock->reacted.redone, "Y_min",
                     least_Y(w, o->n), "active", active, "conditions", list);
}

int kb_pasr_results(kb_pasr_work *w, kb_output *o, kb_error *err)
{
    double beta[2], *series = kb_alloc((size_t)(w->conditions * w->plan.kept), sizeof *series);
    int code = ends(w, beta, err);
    o->n = w->plan.kept * w->conditions * w->rows_of_time;
    o->states = w->kept_rows;
    o->naux = columns_of(w);
    o->aux_names = aux_names;
    o->aux = kb_alloc((size_t)(o->n * o->naux), sizeof *o->aux);
    o->kind = (kb_states_kind){.dt = kb_pasr_dt(w->r)};
    snprintf(o->kind.name, sizeof o->kind.name, "%s", kb_pasr_states[w->r->states]);
    o->method = "pairwise mixing, reaction in one batch of all particles and conditions";
    for (long c = 0; c < w->conditions && !code; c++)
        for (long k = 0; k < w->plan.kept; k++)
            series[c * w->plan.kept + k] = fill_time(w, c, k, beta, o->aux);
    o->results = code ? NULL : all_results(w, o, series, err);
    w->kept_rows = NULL;
    free(series);
    return o->results ? KB_OK : code ? code : err->code;
}
