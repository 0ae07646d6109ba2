/* SPDX-License-Identifier: MIT
 *
 * bench: time, error and counts of each solver, engine, schedule and tolerance over a database.
 * First one warm-up run of each cell, which also gives error and counts; then the timed repeats,
 * interleaved over the cells so that a slow spell of the machine does not hit one cell alone.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "drivers/bench/forcing.h"
#include "drivers/bench/lock.h"
#include "drivers/bench/measure.h"
#include "drivers/bench/print.h"
#include "drivers/ranks/ranks.h"
#include "pasr/database/origin.h"
#include "pasr/database/recipe.h"
#include "rows/columns.h"
#include "solvers/plugins.h"

typedef struct {
    kb_settings set;
    const kb_solvers *solvers, *any; /* any: as in kb_record */
    const kb_solvers *compiled, *plugged; /* without plug-ins, with them */
    kb_database db, forced; /* forced: of zeros without --forcing */
    kb_environment env;
    kb_record record;
    kb_matrix matrix;
    long *row; /* [matrix.max_n] of the database: which are run */
    char *sample; /* in words */
    kb_distinct distinct;
    kb_reference_maker maker;
    kb_reference *references;
    int nreferences;
    kb_mix mix; /* between global steps; tau 0: none */
    kb_measure measure;
    kb_progress progress;
    const kb_cell *last; /* that was warmed up; NULL: none, or all were */
    kb_ranks *ranks;     /* NULL without an MPI launcher */
} bench;

static bool is_open(const kb_cell *c)
{
    return c->state == KB_CELL_PENDING || c->state == KB_CELL_OK;
}

/* ---- preparing ---- */

static int check_n(const bench *b, kb_error *err)
{
    if (b->matrix.max_n <= b->db.n)
        return KB_OK;
    return kb_fail(err, KB_INVALID, "--n: %ld ODEs, but %s has %ld states (make a larger "
                   "database with `make databases`, or ask for fewer)", b->matrix.max_n, b->db.path,
                   b->db.n);
}

/* The database, which must be for this mechanism */
static int read_states(bench *b, kb_error *err)
{
    const kb_solvers *s = b->solvers;
    int code = kb_database_read(&b->db, b->set.db, s->nsp, b->set.repair, err);
    if (code)
        return code;
    kb_origin o = {.path = b->db.path, .states_sha256 = b->db.file_sha256, .mech = s->mech,
                   .mech_sha256 = s->sha256, .nspecies = s->nsp, .species = s->species,
                   .said = b->set.species};
    if (b->db.repaired)
        kb_progress_note(&b->progress, "note: %s: %ld of %ld states repaired", b->db.path,
                         b->db.repaired, b->db.n);
    long beyond = kb_states_beyond(s, b->db.states, b->db.n);
    if (beyond)
        kb_progress_note(&b->progress, "note: %s: %ld of %ld states lie beyond the thermo data of "
                         "a species (%g to %g K): its cp goes on as a straight line", b->db.path,
                         beyond, b->db.n, s->data_from, s->data_to);
    return kb_origin_check(&o, err);
}

/* db, or with the forcing of its states */
static const kb_database *rows_of(const bench *b)
{
    return b->set.forcing ? &b->forced : &b->db;
}

static void note_state(bench *b, const kb_cell *c)
{
    kb_owned char *cell = kb_cell_text(c);
    if (c->state == KB_CELL_SKIPPED || c->state == KB_CELL_FAILED)
        kb_progress_note(&b->progress, "%s %s: %s",
                         c->state == KB_CELL_FAILED ? "failed " : "skipped", cell, c->why);
}

/* leaves out the cells whose solver takes none */
static int check_forced(bench *b, kb_error *err)
{
    const kb_solver_info *maker = &b->maker.solver->info;
    if (b->set.ranks > 1)
        return kb_fail(err, KB_INVALID, "--forcing: not over MPI ranks");
    if (!kb_takes_forcing(maker->engine))
        return kb_fail(err, KB_INVALID, "--forcing: %s on %s takes none, so it makes no reference",
                       maker->name, maker->engine);
    for (int i = 0; i < b->matrix.count; i++) {
        kb_cell *c = &b->matrix.cells[i];
        if (c->state != KB_CELL_PENDING || kb_takes_forcing(c->solver->info.engine))
            continue;
        kb_end_cell(c, KB_CELL_SKIPPED, kb_strdup("it takes no forcing: engines ...-forced do "
                                                  "(make: VARIANTS=forced)"));
        note_state(b, c);
    }
    return KB_OK;
}

static int prepare(bench *b, kb_error *err)
{
    int code = read_states(b, err);
    if (!code && b->set.forcing)
        code = kb_forcing_read(&b->forced, &b->db, b->set.forcing, err);
    if (code)
        return code;
    kb_environment_read(&b->env);
    b->record = (kb_record){.set = &b->set, .solvers = b->solvers, .any = b->any, .db = &b->db,
                            .env = &b->env};
    code = kb_price_read(&b->record.price, b->set.price, err);
    code = code ? code : kb_reference_maker_find(&b->maker, b->solvers, b->set.reference,
                                                 b->set.forcing != NULL, &b->set.plugins, err);
    if (!code && b->set.tau_mix > 0)
        code = kb_mix_open(&b->mix, &b->db, b->solvers, b->set.tau_mix, err);
    b->record.mix = b->mix.row ? &b->mix : NULL;
    code = code ? code : kb_record_name(&b->record, err);
    code = code ? code : kb_matrix_make(&b->matrix, &b->set, b->solvers, b->record.identity, err);
    code = code ? code : check_n(b, err);
    code = code ? code : kb_record_read(&b->record, err);
    if (!code)
        kb_record_recall(&b->record, &b->matrix);
    return !code && b->set.forcing ? check_forced(b, err) : code;
}

/* The rows that are run: the first n of them for n ODEs */
static void choose_rows(bench *b)
{
    const char *name = kb_selection_name(b->set.sample);
    b->row = kb_alloc((size_t)b->matrix.max_n, sizeof *b->row);
    kb_selection_make(name, b->set.seed, &b->db, b->matrix.max_n, b->row);
    b->sample = strcmp(name, "first") ? kb_format("%s, seed %llu", name, b->set.seed)
                                      : kb_strdup(name);
}

static long rows_needed(const kb_matrix *m, double dt)
{
    long rows = 0;
    for (int i = 0; i < m->count; i++)
        if (is_open(&m->cells[i]) && m->cells[i].dt == dt && m->cells[i].n > rows)
            rows = m->cells[i].n;
    return rows;
}

static kb_reference_source reference_source(bench *b)
{
    return (kb_reference_source){.solvers = b->solvers, .maker = &b->maker, .db = rows_of(b),
                                 .distinct = &b->distinct, .row = b->row, .sample = b->sample,
                                 .steps = b->set.steps, .mix = b->mix.row ? &b->mix : NULL,
                                 .forced = b->set.forcing != NULL,
                                 .folder = b->record.references, .git = b->env.git,
                                 .reactor = b->set.reactor, .progress = &b->progress};
}

static int get_references(bench *b, kb_error *err)
{
    kb_reference_source source = reference_source(b);
    b->references = kb_alloc((size_t)b->matrix.count, sizeof *b->references);
    for (int i = 0; i < b->matrix.count; i++) {
        double dt = b->matrix.cells[i].dt;
        bool have = false;
        for (int k = 0; k < b->nreferences; k++)
            have |= b->references[k].dt == dt;
        if (have || !is_open(&b->matrix.cells[i]))
            continue;
        if (!b->distinct.number)
            kb_distinct_find(&b->distinct, rows_of(b), b->row, b->matrix.max_n);
        int code = kb_reference_get(&b->references[b->nreferences], &source, dt,
                                    rows_needed(&b->matrix, dt), err);
        if (code)
            return code;
        b->nreferences++;
    }
    return KB_OK;
}

/* ---- measuring ---- */

/* Time of all runs still to do [s]; cells not yet warmed up count as the mean of the others */
static double time_left(const bench *b)
{
    double left = 0, all = 0;
    int seen = 0, unseen = 0;
    for (int i = 0; i < b->matrix.count; i++) {
        const kb_cell *c = &b->matrix.cells[i];
        int todo = b->set.repeats - c->nsamples;
        double each = fmax(c->warm_s, 0.01); /* short runs are repeated for that long */
        if (c->state == KB_CELL_OK) {
            left += each * (todo > 0 ? todo : 0);
            all += each * (1 + b->set.repeats);
            seen++;
        }
        unseen += c->state == KB_CELL_PENDING;
    }
    return unseen && !seen ? -1 : left + (unseen ? unseen * all / seen : 0);
}

/* what the last cell said; caller frees */
static char *last_result(const kb_cell *c)
{
    if (!c || c->state != KB_CELL_OK)
        return kb_strdup("");
    return kb_format("%s %s: %.3g us/ODE, error %.0e; ", c->solver_text, c->solver->info.engine,
                     1e6 * c->warm_s / (double)c->n / c->steps, c->outcome.err_p95);
}

static void show(bench *b, const kb_cell *c, long done, long total, const char *doing)
{
    kb_owned char *cell = kb_cell_text(c), *last = last_result(b->last);
    kb_owned char *what = kb_format("%s%s: %s", last, doing, cell);
    kb_progress_show(&b->progress, done, total, time_left(b), what);
}

static int get_orders(bench *b, kb_error *err)
{
    int code = KB_OK;
    for (int i = 0; i < b->matrix.count && !code; i++)
        if (is_open(&b->matrix.cells[i]))
            code = kb_measure_order_of(&b->measure, &b->matrix.cells[i], err);
    return code;
}

/* Is cell a, with a looser tolerance and no more ODEs, no more work than b of the same solver? */
static bool is_less(const kb_cell *a, const kb_cell *b)
{
    return a->solver == b->solver && !strcmp(a->solver_text, b->solver_text) && a->dt == b->dt &&
           a->threads == b->threads && a->schedule == b->schedule && a->n <= b->n &&
           a->order == b->order && a->rtol >= b->rtol && a->atol >= b->atol;
}

/* Spares the probe of a cell where one that is less work was beyond the budget */
static bool spared(const kb_matrix *m, kb_cell *c)
{
    char rtol[32];
    for (int i = 0; i < m->count; i++)
        if (m->cells[i].beyond && &m->cells[i] != c && is_less(&m->cells[i], c)) {
            kb_skip_beyond(c, kb_format(KB_AS_WITH("%s"), kb_number(m->cells[i].rtol, rtol),
                                        m->cells[i].n));
            return true;
        }
    return false;
}

static int warm_up(bench *b, kb_error *err)
{
    kb_matrix *m = &b->matrix;
    int code = KB_OK;
    for (int i = 0; i < m->count && !code; i++) {
        if (m->cells[i].state != KB_CELL_PENDING || spared(m, &m->cells[i]))
            continue;
        show(b, &m->cells[i], i, m->count, "warm-up");
        code = kb_measure_warm_up(&b->measure, &m->cells[i]);
        b->last = &m->cells[i];
        if (!code)
            note_state(b, &m->cells[i]);
        if (!code && b->set.write_cost && m->cells[i].state == KB_CELL_OK &&
            m->cells[i].n == b->db.n)
            code = kb_measure_keep_cost(&b->measure, &m->cells[i], err);
    }
    b->last = NULL;
    int written = kb_record_cells(&b->record, m, err);
    return written ? written : code;
}

static int sample(bench *b, kb_cell *c, kb_error *err)
{
    kb_sample s;
    int code = kb_measure_sample(&b->measure, c, &s);
    if (code || s.batch == 0) {
        note_state(b, c);
        return code;
    }
    kb_cell_add_sample(c, &s);
    return kb_record_sample(&b->record, c, err);
}

/* One more sample of each cell that wants one; *any: was there one? */
static int repeat_once(bench *b, int k, bool *any, kb_error *err)
{
    kb_matrix *m = &b->matrix;
    bool fixed = k < b->set.repeats;
    kb_owned char *doing = fixed ? kb_format("repeat %d of %d", k + 1, b->set.repeats)
                                 : kb_format("repeat %d, to %g %%", k + 1, 100 * b->set.precision);
    int code = KB_OK;
    *any = false;
    for (int i = 0; i < m->count && !code; i++) {
        kb_cell *c = &m->cells[i];
        if (c->state != KB_CELL_OK || c->nsamples > k || !kb_cell_wants_more(c, &b->set))
            continue;
        show(b, c, fixed ? (long)k * m->count + i : i,
             fixed ? (long)b->set.repeats * m->count : m->count, doing);
        code = sample(b, c, err);
        *any = true;
    }
    int written = *any || k == 0 ? kb_record_cells(&b->record, m, err) : KB_OK;
    return written ? written : code;
}

static int repeat(bench *b, kb_error *err)
{
    bool any = true;
    int code = KB_OK;
    for (int k = 0; (any || k < b->set.repeats) && !code; k++)
        code = repeat_once(b, k, &any, err);
    return code;
}

/* Failed ODEs and interruptions aside, was anything measured? */
static int verdict(const bench *b, kb_error *err)
{
    for (int i = 0; i < b->matrix.count; i++)
        if (b->matrix.cells[i].state == KB_CELL_OK || b->matrix.cells[i].state == KB_CELL_CACHED)
            return KB_OK;
    return kb_fail(err, KB_NOTHING, "no cell could be measured (the reasons are above and in %s)",
                   b->record.cells_path);
}

/* The first line of a run */
static void announce(bench *b)
{
    int open = 0;
    for (int i = 0; i < b->matrix.count; i++)
        open += is_open(&b->matrix.cells[i]);
    kb_progress_note(&b->progress, "%s on %s: %d cells to measure, %ld ODEs at most, into %s",
                     b->solvers->mech, b->env.machine, open, b->matrix.max_n, b->record.folder);
}

static void start_measuring(bench *b)
{
    b->measure = (kb_measure){.set = &b->set, .solvers = b->solvers, .db = &b->db,
                              .rows = rows_of(b), .row = b->row, .nrows = b->matrix.max_n,
                              .mix = b->mix.row ? &b->mix : NULL,
                              .references = b->references, .nreferences = b->nreferences,
                              .divergence = &b->record.divergence,
                              .timeline = &b->record.timeline};
    kb_measure_start(&b->measure);
}

/* [matrix.count] distinct states without a reference at the dt of the cell that first has it */
static long *missing_references(bench *b)
{
    kb_reference_source source = reference_source(b);
    const kb_matrix *m = &b->matrix;
    long *missing = kb_alloc((size_t)m->count, sizeof *missing);
    kb_distinct_find(&b->distinct, rows_of(b), b->row, m->max_n);
    for (int i = 0; i < m->count; i++) {
        int k = 0;
        while (k < i && m->cells[k].dt != m->cells[i].dt)
            k++;
        if (k == i)
            missing[i] = kb_reference_missing(&source, m->cells[i].dt,
                                              rows_needed(m, m->cells[i].dt));
    }
    return missing;
}

static int plan(bench *b, kb_error *err)
{
    kb_forecast f;
    choose_rows(b);
    if (kb_machine_lock(&b->progress, err))
        return KB_INTERRUPTED;
    kb_owned long *missing = missing_references(b);
    start_measuring(b);
    int code = kb_forecast_make(&f, &b->measure, &b->matrix, missing, &b->progress);
    if (code)
        kb_fail(err, code, "interrupted");
    else if (b->set.json)
        code = kb_print_plan_json(&b->record, &b->matrix, &f, err);
    else
        kb_print_plan(&b->record, &b->matrix, &f);
    kb_forecast_free(&f);
    return code;
}

static int measure_all(bench *b, kb_error *err)
{
    choose_rows(b);
    announce(b);
    if (kb_machine_lock(&b->progress, err))
        return KB_INTERRUPTED;
    int code = get_references(b, err);
    start_measuring(b);
    code = code ? code : get_orders(b, err);
    code = code ? code : warm_up(b, err);
    code = code ? code : repeat(b, err);
    kb_progress_end(&b->progress);
    if (code == KB_OK || code == KB_INTERRUPTED) {
        int written = kb_record_end(&b->record, &b->matrix, err);
        code = written ? written : code;
    }
    if (code == KB_INTERRUPTED)
        return kb_fail(err, code, "interrupted; what is measured is in %s (the same command "
                       "continues)", b->record.folder);
    if (code)
        return code;
    code = kb_print_tables(&b->record, &b->matrix, err);
    if (!code && !b->set.brief)
        kb_print_summary(&b->record, &b->matrix);
    return code ? code : verdict(b, err);
}

/* a rank that is not the first; says why it has no solvers if that is not rank 0's reason, too */
static int serve(bench *b, kb_error *err)
{
    int code = b->ranks->serve(b->solvers);
    if (code)
        kb_report("bench", err);
    return code;
}

/* the engines of any mechanism beside those that were compiled for this one */
static int open_any(bench *b, kb_error *err)
{
    const char *file = b->set.mech_file;
    if (!kb_is_mechanism_file(file))
        return kb_fail(err, KB_INVALID, "--mech-file: '%s' is no file of a mechanism (.yaml; "
                       ".inp,.dat)", file);
    b->any = kb_solvers_open(file, err);
    if (!b->any)
        return KB_INVALID;
    if (strcmp(b->any->sha256, b->solvers->sha256))
        return kb_fail(err, KB_INVALID, "--mech-file: %s is not the mechanism that %s was compiled "
                       "for", file, b->set.mech);
    b->solvers = kb_solvers_with(b->solvers, b->any->solvers, b->any->nsolvers);
    return KB_OK;
}

static int open_solvers(bench *b, kb_error *err)
{
    b->solvers = kb_solvers_named(b->set.mech, err);
    if (!b->solvers || (b->set.mech_file && open_any(b, err)))
        return KB_INVALID;
    b->compiled = b->solvers;
    b->plugged = kb_plugins_add(b->compiled, &b->set.solvers, &b->set.plugins, b->set.budget, err);
    b->solvers = b->plugged;
    return b->solvers ? KB_OK : KB_INVALID;
}

static int run(bench *b, kb_error *err)
{
    if (b->set.columns) {
        if (!b->ranks || b->ranks->rank == 0)
            kb_columns_print(stdout);
        return KB_OK;
    }
    int code = open_solvers(b, err);
    if (code)
        b->solvers = NULL;
    if (b->ranks && b->ranks->rank > 0)
        return serve(b, err);
    if (code || (b->ranks && b->ranks->agree(b->solvers, err)))
        return KB_INVALID;
    if (b->ranks) {
        b->solvers = b->ranks->wrap(b->solvers, b->set.deal);
        b->set.ranks = b->ranks->ranks;
    }
    if (b->set.list) {
        if (b->set.json)
            return kb_print_solvers_json(b->solvers, err);
        kb_print_solvers(b->solvers);
        return KB_OK;
    }
    code = prepare(b, err);
    if (code)
        return code;
    if (b->set.plan)
        return plan(b, err);
    code = kb_record_begin(&b->record, err);
    if (code)
        return code;
    return measure_all(b, err);
}

static void release(bench *b)
{
    for (int i = 0; i < b->nreferences; i++)
        free(b->references[i].y);
    free(b->references);
    kb_reference_maker_free(&b->maker);
    kb_distinct_free(&b->distinct);
    kb_measure_free(&b->measure);
    kb_matrix_free(&b->matrix);
    kb_record_free(&b->record);
    kb_environment_free(&b->env);
    kb_mix_close(&b->mix);
    kb_database_free(&b->db);
    kb_database_free(&b->forced);
    free(b->row);
    free(b->sample);
    free(b->set.command);
    kb_words_free(&b->set.plugins);
}

/* after the ranks, which run them */
static void close_solvers(bench *b)
{
    kb_plugins_drop(b->plugged, b->compiled, b->set.solvers);
    if (b->any && b->compiled) {
        free((void *)b->compiled->solvers);
        free((void *)b->compiled);
    }
}

int main(int argc, char **argv)
{
    bench b = {0};
    kb_error err = {0};
    kb_settings_parse(&b.set, argc, argv);
    kb_interrupt_install();
    kb_progress_start(&b.progress, b.set.quiet);
    int code = kb_ranks_open(&b.ranks, &err);
    if (b.ranks && b.ranks->rank > 0)
        b.progress.quiet = true;
    code = code ? code : run(&b, &err);
    if (code && !(b.ranks && b.ranks->rank > 0))
        kb_report("bench", &err);
    release(&b);
    if (b.ranks)
        b.ranks->end();
    close_solvers(&b);
    return code;
}
