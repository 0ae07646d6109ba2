/* SPDX-License-Identifier: MIT */
#include "drivers/bench/reference.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "drivers/bench/cells.h"
#include "drivers/bench/chain.h"
#include "solvers/forced_job.h"

#define FIRST_CHUNK 256 /* states; later a quarter of what is done: little is written twice */

/* References are shared by runs in folders of their own: one at a time reads or writes a pair of
 * files. -1: not locked, for the want of locks on that file system */
static int lock_folder(const char *path)
{
    kb_owned char *folder = kb_format("%.*s", (int)(strrchr(path, '/') - path), path);
    int lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock >= 0)
        flock(lock, LOCK_EX);
    return lock;
}

static void unlock_folder(int lock)
{
    if (lock >= 0)
        close(lock);
}

static char *record_of(const char *path)
{
    return kb_format("%.*s.json", (int)strlen(path) - 4, path);
}

/* The first solver of that name, on whatever engine */
static const kb_solver *find_named(const kb_solvers *s, const char *spec, bool forced)
{
    size_t length = strcspn(spec, ":");
    for (int i = 0; i < s->nsolvers; i++) {
        const kb_solver_info *info = &s->solvers[i]->info;
        if (strlen(info->name) == length && !strncmp(info->name, spec, length) &&
            kb_takes_forcing(info->engine) == forced)
            return s->solvers[i];
    }
    return NULL;
}

int kb_reference_maker_find(kb_reference_maker *m, const kb_solvers *s, const char *spec,
                            bool forced, const kb_words *plugins, kb_error *err)
{
    *m = (kb_reference_maker){.choice = {.rtol = KB_REFERENCE_RTOL, .atol = KB_REFERENCE_ATOL}};
    size_t length;
    FILE *to = kb_open_text(&m->identity, &length);
    fputs(spec ? spec : "", to);
    for (int i = 0; spec && i < plugins->count; i++) {
        char hash[65] = "unknown";
        kb_sha256_file(plugins->word[i], hash, NULL);
        fprintf(to, "|%s", hash);
    }
    kb_close_text(to);
    if (!spec) {
        const char *engine = kb_reference_engine(forced);
        m->solver = kb_solver_find(s, "cvode", engine);
        return m->solver ? KB_OK
                         : kb_fail(err, KB_INVALID, "no cvode on %s among the solvers: it makes "
                                   "the reference solutions (%s)", engine,
                                   forced ? "make: VARIANTS=forced" : "is SUNDIALS there?");
    }
    m->solver = find_named(s, spec, forced);
    if (!m->solver)
        return kb_fail(err, KB_INVALID, "--reference: no solver '%.*s'%s (--list names them)",
                       (int)strcspn(spec, ":"), spec, forced ? " that takes forcing" : "");
    kb_error why = {0};
    int code = kb_solver_options(&m->solver->info, spec, &m->choice, &why);
    return code ? kb_fail(err, code, "--reference: %s", why.text) : KB_OK;
}

void kb_reference_maker_free(kb_reference_maker *m)
{
    free(m->choice.options);
    free(m->choice.text);
    free(m->identity);
}

static char *reference_path(const kb_reference_source *s, double dt)
{
    char hash[17], step[32], *text;
    size_t length;
    FILE *to = kb_open_text(&text, &length);
    fprintf(to, "kinbench reference 4|%s|%s|%s|%s|%d|%d|%g|%g", s->solvers->sha256, s->db->sha256,
            s->sample, kb_number(dt, step), s->steps, s->reactor, s->maker->choice.rtol,
            s->maker->choice.atol);
    if (*s->maker->identity)
        fprintf(to, "|%s", s->maker->identity);
    if (s->mix)
        fprintf(to, "|mixing %.17g%s", s->mix->tau, s->mix->pair ? " in pairs" : "");
    kb_close_text(to);
    kb_hash16(text, hash);
    free(text);
    return kb_format("%s/%s.npy", s->folder, hash);
}

/* The numbers against the hashes in the .json, which is written first: the new one, and the one
 * before, which holds if a program was killed between the two files */
static int check_hash(const char *path, char *hash, kb_error *err)
{
    kb_owned char *beside = record_of(path);
    json_t *o = NULL;
    int code = kb_sha256_file(path, hash, err);
    if (!code && !(o = kb_json_read(beside, "delete it and the .npy: they are made again", err)))
        code = KB_INVALID;
    const char *now = json_string_value(json_object_get(o, "sha256"));
    const char *before = json_string_value(json_object_get(o, "sha256_before"));
    if (!code && (!now || strcmp(now, hash)) && (!before || strcmp(before, hash)))
        code = kb_fail(err, KB_INVALID, "%s: damaged, its sha256 is %.12s and not the %.12s of its "
                       ".json (delete both: they are made again)", path, hash, now ? now : "");
    json_decref(o);
    return code;
}

/* Rows stored under path; y is NULL when there are none. A file that cannot be read is an error,
 * not a reason to compute for hours without a word. */
static int read_stored(const char *path, int columns, char *hash, long *rows, double **y,
                       kb_error *err)
{
    int found;
    *rows = 0;
    *y = NULL;
    if (access(path, F_OK))
        return KB_OK;
    if (check_hash(path, hash, err) || kb_npy_read(path, rows, &found, y, err))
        return KB_INVALID;
    if (found == columns)
        return KB_OK;
    free(*y);
    *y = NULL;
    return kb_fail(err, KB_INVALID, "%s: %d columns where the mechanism needs %d (delete the file)",
                   path, found, columns);
}

static int save(const kb_reference_source *s, kb_reference *r, const char *path, long failed,
                kb_error *err)
{
    char *beside = record_of(path), hash[65];
    kb_npy_sha256(r->states, s->solvers->nsp + 1, r->y, hash);
    json_auto_t *o = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:f, s:i, s:s, s:s, s:s, s:f, s:f, s:I, s:I, s:I, s:s, s:s, "
        "s:s}",
        "mech", s->solvers->mech, "mech_sha256", s->solvers->sha256, "database", s->db->path,
        "db_sha256", s->db->sha256, "sample", s->sample, "dt", r->dt, "steps", s->steps, "reactor",
        s->reactor == KB_CONST_V ? "v" : "p", "solver", s->maker->solver->info.name, "engine",
        s->maker->solver->info.engine, "rtol", s->maker->choice.rtol, "atol", s->maker->choice.atol,
        "rows", (json_int_t)r->states, "failed", (json_int_t)failed, "db_rows",
        (json_int_t)s->db->n, "git", s->git, "sha256", hash, "sha256_before", r->hash);
    if (s->mix)
        json_object_set_new(o, "tau_mix_s", json_real(s->mix->tau));
    int lock = lock_folder(path);
    int code = kb_json_write(beside, o, 6, err);
    code = code ? code : kb_npy_write(path, r->states, s->solvers->nsp + 1, r->y, err);
    unlock_folder(lock);
    if (!code)
        memcpy(r->hash, hash, sizeof hash);
    free(beside);
    return code;
}

double *kb_rows_gather(const kb_solvers *s, const kb_database *db, const long *row,
                       const long *place, long n)
{
    size_t columns = (size_t)db->columns;
    double *states = kb_solvers_alloc(s, (size_t)n, columns * sizeof *states);
    for (long i = 0; i < n; i++)
        memcpy(states + (size_t)i * columns,
               db->states + (size_t)row[place ? place[i] : i] * columns, columns * sizeof *states);
    return states;
}

/* Integrates distinct states [r->states, end) into r->y and turns failed ones into NaN */
static int compute(const kb_reference_source *s, kb_reference *r, long end, kb_error *err)
{
    int m = s->solvers->nsp + 1;
    long first = r->states, n = end - first;
    double *states = kb_rows_gather(s->solvers, s->db, s->row, s->distinct->first + first, n);
    kb_job job = {.n = n, .states = states, .dt = r->dt, .reactor = s->reactor,
                  .rtol = s->maker->choice.rtol, .atol = s->maker->choice.atol,
                  .options = s->maker->choice.options, .schedule = KB_REFILL, .stop = &kb_stop};
    kb_result result = {.y = r->y + first * m,
                        .count = kb_alloc((size_t)n, sizeof *result.count)};
    kb_chain_how how = {s->steps, KB_CHAIN_HOST, s->mix, s->forced};
    int code = kb_chain_run(s->solvers, s->maker->solver, &job, &how, &result, err);
    for (long i = 0; i < n && !code; i++)
        for (int j = 0; j < m && result.count[i].status != KB_ODE_OK; j++)
            result.y[i * m + j] = NAN;
    free(result.count);
    s->solvers->memory_free(states);
    if (!code)
        r->states = end;
    return code;
}

static long count_failed(const kb_reference *r, int m)
{
    long failed = 0;
    for (long i = 0; i < r->states; i++)
        failed += isnan(r->y[i * m]);
    return failed;
}

static int extend(const kb_reference_source *s, kb_reference *r, long states, const char *path,
                  kb_error *err)
{
    int m = s->solvers->nsp + 1, code = KB_OK;
    double start = kb_clock();
    long had = r->states;
    char dt[32];
    r->y = kb_realloc(r->y, (size_t)(states * m), sizeof *r->y);
    while (r->states < states && !code) {
        long chunk = r->states / 4 > FIRST_CHUNK ? r->states / 4 : FIRST_CHUNK;
        long end = r->states + chunk < states ? r->states + chunk : states;
        double each = r->states > had ? (kb_clock() - start) / (double)(r->states - had) : -1;
        kb_owned char *what = kb_format("reference solutions of distinct states, dt %s s",
                                        kb_number(r->dt, dt));
        kb_progress_show(s->progress, r->states, states, each * (double)(states - r->states), what);
        code = compute(s, r, end, err);
        code = code ? code : save(s, r, path, count_failed(r, m), err);
        if (!code && kb_interrupted() && r->states < states)
            code = kb_fail(err, KB_INTERRUPTED, "interrupted");
    }
    return code;
}

int kb_reference_get(kb_reference *r, const kb_reference_source *s, double dt, long rows,
                     kb_error *err)
{
    int m = s->solvers->nsp + 1;
    kb_owned char *path = reference_path(s, dt);
    long states = kb_distinct_among(s->distinct, rows);
    *r = (kb_reference){.dt = dt, .number = s->distinct->number};
    int lock = lock_folder(path), code = read_stored(path, m, r->hash, &r->states, &r->y, err);
    unlock_folder(lock);
    if (!code && r->states < states)
        code = extend(s, r, states, path, err);
    if (code) {
        free(r->y);
        *r = (kb_reference){0};
    } else if (count_failed(r, m)) {
        kb_progress_note(s->progress, "warning: %s at rtol %g failed for %ld of %ld distinct "
                         "states (dt %g s): their errors count as infinite",
                         *s->maker->identity ? s->maker->solver->info.name : "CVODE",
                         s->maker->choice.rtol, count_failed(r, m), r->states, dt);
    }
    return code;
}

long kb_reference_missing(const kb_reference_source *s, double dt, long rows)
{
    kb_owned char *path = reference_path(s, dt), *beside = record_of(path);
    json_auto_t *o = access(path, F_OK) || access(beside, F_OK) ? NULL
                                                                : kb_json_read(beside, "", NULL);
    long stored = (long)json_integer_value(json_object_get(o, "rows"));
    long missing = kb_distinct_among(s->distinct, rows) - stored;
    return missing > 0 ? missing : 0;
}
