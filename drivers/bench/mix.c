/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* qsort_r */
#include "drivers/bench/mix.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/owned.h"
#include "base/random.h"
#include "mech/find.h"
#include "mech/thermo/thermo.h"
#include "pasr/database/recipe.h"

static double pressure(const kb_database *db, long row)
{
    return db->states[row * db->columns + 1];
}

static int by_pressure(const void *a, const void *b, void *data)
{
    long i = *(const long *)a, k = *(const long *)b;
    double p = pressure(data, i), q = pressure(data, k);
    return p == q ? (i > k) - (i < k) : p < q ? -1 : 1;
}

/* FNV-1a, 64 bits */
static uint64_t hash(const double *state, int columns)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < (size_t)columns * sizeof *state; i++)
        h = (h ^ ((const unsigned char *)state)[i]) * 0x100000001b3u;
    return h;
}

static int by_hash(const void *a, const void *b)
{
    const kb_mix_state *x = a, *y = b;
    return x->hash == y->hash ? 0 : x->hash < y->hash ? -1 : 1;
}

static int set_pairs(kb_mix *x, const double *aux, int columns, kb_error *err)
{
    long n = x->db->n;
    x->pair = kb_alloc((size_t)n, sizeof *x->pair);
    x->state = kb_alloc((size_t)n, sizeof *x->state);
    for (long i = 0; i < n; i++) {
        double pair = aux[i * columns];
        if (!(pair >= 0 && pair < (double)n)) {
            kb_owned char *path = kb_beside(x->db->path, ".aux.npy");
            return kb_fail(err, KB_INVALID, "%s: row %ld: pair_row %g is no row (delete the "
                           "database to have it made again)", path, i, pair);
        }
        x->pair[i] = (long)pair;
        x->state[i] = (kb_mix_state){hash(x->db->states + i * x->db->columns, x->db->columns), i};
    }
    qsort(x->state, (size_t)n, sizeof *x->state, by_hash);
    return KB_OK;
}

static int read_pairs(kb_mix *x, const json_t *record, kb_error *err)
{
    const json_t *names = json_object_get(record, "aux");
    int columns, at = -1, count = (int)json_array_size(names);
    for (int k = 0; k < count; k++) {
        const char *name = json_string_value(json_array_get(names, (size_t)k));
        at = name && !strcmp(name, "pair_row") ? k : at;
    }
    if (at < 0)
        return KB_OK;
    double *aux = NULL;
    int code = kb_aux_read(x->db->path, x->db->n, names, &columns, &aux, err);
    code = code ? code : set_pairs(x, aux + at, columns, err);
    free(aux);
    return code;
}

static int load(kb_mix *x, const kb_solvers *s, kb_error *err)
{
    kb_owned char *beside = kb_beside(x->db->path, ".json");
    json_auto_t *o = kb_json_read(beside, "it names the mechanism, whose enthalpies mixing needs",
                                  err);
    json_t *parameters = json_object_get(o, "parameters");
    const char *mech = json_string_value(json_object_get(parameters, "mech"));
    const char *thermo = json_string_value(json_object_get(parameters, "thermo"));
    int code = o ? kb_mechanism_load(&x->m, mech ? mech : s->mech, thermo, err) : KB_INVALID;
    code = code ? code : kb_same_mechanism(&x->m, s, err);
    return code ? code : read_pairs(x, o, err);
}

int kb_mix_open(kb_mix *x, const kb_database *db, const kb_solvers *s, double tau, kb_error *err)
{
    *x = (kb_mix){.tau = tau, .db = db};
    int code = load(x, s, err);
    if (code)
        return code;
    x->row = kb_alloc((size_t)db->n, sizeof *x->row);
    for (long i = 0; i < db->n; i++)
        x->row[i] = i;
    qsort_r(x->row, (size_t)db->n, sizeof *x->row, by_pressure, (void *)db);
    return KB_OK;
}

void kb_mix_close(kb_mix *x)
{
    kb_mech_free(&x->m);
    free(x->row);
    free(x->pair);
    free(x->state);
    *x = (kb_mix){0};
}

/* the first of x->row whose pressure is not below p, or above it */
static long bound(const kb_mix *x, double p, bool above)
{
    long low = 0, high = x->db->n;
    while (low < high) {
        long middle = low + (high - low) / 2;
        double q = pressure(x->db, x->row[middle]);
        if (q < p || (above && q == p))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* NULL: there is none */
static const double *partner(const kb_mix *x, const double *first, int step)
{
    kb_mix_state own = {hash(first, x->db->columns), 0};
    const kb_mix_state *found =
        x->pair ? bsearch(&own, x->state, (size_t)x->db->n, sizeof own, by_hash) : NULL;
    if (found)
        return x->db->states + x->pair[found->row] * x->db->columns;
    long from = bound(x, first[1], false), to = bound(x, first[1], true);
    if (from == to)
        return NULL;
    kb_random random = kb_random_stream(own.hash, (uint64_t)step);
    long k = from + (long)kb_random_below(&random, (uint64_t)(to - from));
    return x->db->states + x->row[k] * x->db->columns;
}

static void mix(const kb_mech *m, const double *other, double decay, double *state, double *Y)
{
    double own = 0.5 * (1 + decay), of_other = 0.5 * (1 - decay), sum = 0;
    double h = own * kb_mix_h(m, state[0], state + 2) + of_other * kb_mix_h(m, other[0], other + 2);
    for (int i = 0; i < m->nspecies; i++)
        sum += Y[i] = own * state[2 + i] + of_other * other[2 + i];
    for (int i = 0; i < m->nspecies; i++)
        Y[i] /= sum;
    double T = kb_T_from_h(m, h, Y, own * state[0] + of_other * other[0]);
    if (!isfinite(T))
        return;
    state[0] = T;
    memcpy(state + 2, Y, (size_t)m->nspecies * sizeof *Y);
}

void kb_mix_step(const kb_mix *x, const double *first, int step, double dt, long n, double *states)
{
    double decay = exp(-2 * dt / x->tau), *Y = kb_alloc((size_t)x->m.nspecies, sizeof *Y);
    int columns = x->db->columns;
    for (long i = 0; i < n; i++) {
        const double *other = partner(x, first + i * columns, step);
        if (other)
            mix(&x->m, other, decay, states + i * columns, Y);
    }
    free(Y);
}
