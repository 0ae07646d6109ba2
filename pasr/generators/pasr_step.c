/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "mech/thermo/thermo.h"
#include "pasr/generators/pasr_inside.h"

static void swap(int64_t *a, int64_t *b)
{
    int64_t c = *a;
    *a = *b;
    *b = c;
}

/* whole pairs out of what is owed */
static long due(double *owed, double more)
{
    *owed += more;
    long n = (long)floor(*owed);
    *owed -= (double)n;
    return n;
}

/* The particle becomes one of the stream that is furthest behind its share. Drawn by the shares, a
 * stream of 5 % would have 5 +- 2 of 100 particles, and the mixture would wander with it. */
static void replace(kb_pasr_work *w, int c, long particle)
{
    const kb_pasr_condition *k = &w->condition[c];
    double *behind = w->dice[c].behind;
    int i = 0;
    for (int j = 0; j < k->nstreams; j++) {
        behind[j] += k->stream[j].share;
        i = behind[j] > behind[i] ? j : i;
    }
    behind[i] -= 1;
    long at = c * w->n + particle;
    w->h[at] = k->stream[i].h;
    memcpy(w->rows + at * w->columns, k->stream[i].row, (size_t)w->columns * sizeof *w->rows);
}

/* the first k of w->pairs become k different pairs (Durstenfeld's shuffle, stopped after k) */
static void choose_pairs(kb_pasr_work *w, kb_random *random, long k)
{
    long half = w->n / 2;
    for (long j = 0; j < half; j++)
        w->pairs[j] = j;
    for (long j = 0; j < k; j++)
        swap(&w->pairs[j], &w->pairs[j + (long)kb_random_below(random, (uint64_t)(half - j))]);
}

/* the particles of the first k chosen pairs change places among themselves */
static void change_partners(kb_pasr_work *w, int c, long k)
{
    int64_t *place = w->place + c * w->n;
    for (long j = 2 * k - 1; j > 0; j--) {
        long other = (long)kb_random_below(&w->dice[c].random, (uint64_t)j + 1);
        swap(&place[2 * w->pairs[j / 2] + j % 2],
             &place[2 * w->pairs[other / 2] + other % 2]);
    }
}

void kb_pasr_flow(kb_pasr_work *w, int c)
{
    kb_pasr_dice *d = &w->dice[c];
    double dt = w->dt;
    long half = w->n / 2, leaving = due(&d->leaving, (double)half * dt / w->r->tau_res);
    long changing = due(&d->changing, (double)half * dt / w->r->tau_pair), chosen;
    leaving = leaving < half ? leaving : half;
    chosen = leaving + changing < half ? leaving + changing : half;
    choose_pairs(w, &d->random, chosen);
    for (long j = 0; j < 2 * leaving; j++)
        replace(w, c, w->place[c * w->n + 2 * w->pairs[j / 2] + j % 2]);
    change_partners(w, c, chosen);
}

int kb_pasr_settle(kb_pasr_work *w, long i, kb_error *err)
{
    double sum = 0, *row = w->rows + i * w->columns;
    for (int j = 2; j < w->columns; j++)
        sum += row[j];
    for (int j = 2; j < w->columns; j++)
        row[j] /= sum;
    double T = kb_T_from_h(w->m, w->h[i], row + 2, row[0]);
    if (!isfinite(T))
        return kb_fail(err, KB_INVALID, "step %ld, condition %ld, particle %ld: no temperature has "
                       "the enthalpy %g J/kg (it was %g K)", (long)w->march.clock->step, i / w->n,
                       i % w->n, w->h[i], row[0]);
    row[0] = T;
    return KB_OK;
}

/* The difference of a pair decays by exp(-2 dt/tau_mix); its mean stays. */
static int mix_pair(kb_pasr_work *w, long p, long q, double decay, kb_error *err)
{
    double *a = w->rows + p * w->columns, *b = w->rows + q * w->columns;
    double mean = 0.5 * (w->h[p] + w->h[q]), half = 0.5 * (w->h[p] - w->h[q]) * decay;
    double T = 0.5 * (a[0] + b[0]), half_T = 0.5 * (a[0] - b[0]) * decay; /* first guess */
    w->h[p] = mean + half;
    w->h[q] = mean - half;
    a[0] = T + half_T;
    b[0] = T - half_T;
    for (int j = 2; j < w->columns; j++) {
        mean = 0.5 * (a[j] + b[j]);
        half = 0.5 * (a[j] - b[j]) * decay;
        a[j] = mean + half;
        b[j] = mean - half;
    }
    int code = kb_pasr_settle(w, p, err);
    return code ? code : kb_pasr_settle(w, q, err);
}

int kb_pasr_mix(kb_pasr_work *w, int c, kb_error *err)
{
    double decay = exp(-2 * w->dt / w->r->tau_mix);
    const int64_t *place = w->place + c * w->n;
    int code = KB_OK;
    for (long j = 0; j < w->n && !code; j += 2)
        code = mix_pair(w, c * w->n + place[j], c * w->n + place[j + 1], decay, err);
    return code;
}

static int react(kb_pasr_work *w, kb_error *err)
{
    int code = kb_react_step(&w->react, w->rows, w->dt, &w->march.clock->reacted, err);
    for (long i = 0; i < w->total && !code; i++)
        code = kb_pasr_settle(w, i, err);
    return code;
}

int kb_pasr_step(void *work, kb_error *err)
{
    kb_pasr_work *w = work;
    int code = KB_OK;
    w->dt = kb_pasr_step_dt(&w->plan, (long)w->march.clock->step);
    for (int c = 0; c < w->conditions && !code; c++) {
        kb_pasr_flow(w, c);
        code = kb_pasr_mix(w, c, err);
    }
    if (w->mixed)
        memcpy(w->mixed, w->rows, (size_t)(w->total * w->columns) * sizeof *w->mixed);
    return code ? code : react(w, err);
}
