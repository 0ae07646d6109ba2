/* SPDX-License-Identifier: MIT */
#include "drivers/bench/cells.h"

#include <sha2.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arguments.h"
#include "base/csv.h"
#include "base/stats.h"
#include "drivers/env/environment.h"
#include "pasr/database/order.h"
#include "pasr/database/selection.h"
#include "solvers/auto.h"
#include "solvers/engine_names.h"
#include "solvers/options.h"

#define BLOCK_PAPER "paper"

/* The lists of the command line, read; each cell is one choice from each. */
typedef struct {
    const kb_settings *set;
    const kb_solvers *solvers;
    const char *identity;
    kb_words solver, engine, schedule, order, threads, block;
    double *n, *dt, *rtol, *atol;
    int nn, ndt, nrtol, natol;
    int gpu; /* for `auto`: 1 there is one, 0 there is none, -1 not known yet */
} lists;

const char *kb_schedule_name(kb_schedule schedule)
{
    return schedule == KB_REFILL ? "refill" : "static";
}

bool kb_on_cpu(const kb_cell *c) { return !kb_on_gpu(c->solver->info.engine); }

int kb_cell_threads(const kb_cell *c)
{
    return kb_on_cpu(c) || c->threads > 0 ? c->threads : c->outcome.threads;
}

void kb_hash16(const char *text, char *out)
{
    char full[SHA256_DIGEST_STRING_LENGTH];
    SHA256Data((const uint8_t *)text, strlen(text), full);
    memcpy(out, full, 16);
    out[16] = 0;
}

char *kb_cell_text(const kb_cell *c)
{
    char dt[32], rtol[32], threads[32] = "";
    if (kb_on_cpu(c))
        snprintf(threads, sizeof threads, ", %d thread%s", c->threads, c->threads == 1 ? "" : "s");
    else if (c->threads > 0)
        snprintf(threads, sizeof threads, ", block %d", c->threads);
    return kb_format("%s %s %s%s, %s n %ld, dt %s s, rtol %s", c->solver_text,
                     c->solver->info.engine, kb_schedule_name(c->schedule), threads, c->order, c->n,
                     kb_number(c->dt, dt), kb_number(c->rtol, rtol));
}

void kb_cell_add_sample(kb_cell *c, const kb_sample *sample)
{
    c->samples = kb_realloc(c->samples, (size_t)c->nsamples + 1, sizeof *c->samples);
    c->samples[c->nsamples++] = *sample;
}

#define MOST_SAMPLES 1000

bool kb_cell_wants_more(const kb_cell *c, const kb_settings *set)
{
    double spent = 0, lo, hi;
    if (c->nsamples < set->repeats)
        return true;
    if (set->precision <= 0 || c->nsamples >= MOST_SAMPLES)
        return false;
    kb_owned double *x = kb_alloc((size_t)c->nsamples, sizeof *x);
    for (int i = 0; i < c->nsamples; i++) {
        x[i] = c->samples[i].time;
        spent += x[i] * c->samples[i].batch * c->steps;
    }
    double median = kb_median(x, c->nsamples);
    kb_bootstrap(x, c->nsamples, &lo, &hi);
    bool wide = hi - median > set->precision * median || median - lo > set->precision * median;
    return wide && spent * (c->nsamples + 1) / c->nsamples <= set->budget;
}

/* ---- reading the lists ---- */

/* Replaces "all" by what the solvers offer, or checks that each word is offered. */
static int offered(kb_words *asked, const kb_words *there, const char *option, kb_error *err)
{
    if (asked->count == 0 || kb_words_find(asked, "all") >= 0) {
        kb_words_free(asked);
        for (int i = 0; i < there->count; i++)
            kb_words_add(asked, there->word[i]);
        return KB_OK;
    }
    for (int i = 0; i < asked->count; i++) {
        kb_owned char *name = kb_format("%.*s", (int)strcspn(asked->word[i], ":"), asked->word[i]);
        int found = kb_words_find(there, name) >= 0;
        if (!found) {
            kb_owned char *names = kb_words_join(there);
            kb_fail(err, KB_INVALID, "--%s: there is no '%s' (there are %s)", option,
                    asked->word[i], names);
            return KB_INVALID;
        }
    }
    return KB_OK;
}

static int read_names(lists *l, kb_error *err)
{
    kb_words names = {0}, engines = {0}, orders, schedules;
    for (int i = 0; i < l->solvers->nsolvers; i++) {
        kb_words_add(&names, l->solvers->solvers[i]->info.name);
        kb_words_add(&engines, l->solvers->solvers[i]->info.engine);
    }
    kb_words_split(&orders, KB_ORDERS "," KB_ORDER_OWN);
    kb_words_split(&schedules, "static,refill");
    kb_words_split(&l->solver, l->set->solvers);
    if (kb_words_find(&l->solver, "all") < 0) /* all are those that are measured */
        kb_words_add(&names, AUTO_NAME);
    kb_words_split(&l->engine, l->set->engines);
    kb_words_split(&l->order, l->set->orders);
    kb_words_split(&l->schedule, l->set->schedules);
    int code = offered(&l->solver, &names, "solvers", err);
    code = code ? code : offered(&l->engine, &engines, "engines", err);
    code = code ? code : offered(&l->order, &orders, "orders", err);
    code = code ? code : offered(&l->schedule, &schedules, "schedules", err);
    kb_words_free(&names);
    kb_words_free(&engines);
    kb_words_free(&orders);
    kb_words_free(&schedules);
    return code;
}

/* "1,all" becomes "1,16" */
static void read_threads(lists *l)
{
    kb_words asked;
    kb_words_split(&asked, l->set->threads);
    for (int i = 0; i < asked.count; i++) {
        char text[32];
        bool all = !strcmp(asked.word[i], "all");
        snprintf(text, sizeof text, "%ld", all ? (long)kb_processors() : atol(asked.word[i]));
        kb_words_add(&l->threads, text);
    }
    kb_words_free(&asked);
}

/* Threads of a block; an empty list leaves one choice: the engine's */
static int read_blocks(lists *l, kb_error *err)
{
    kb_words_split(&l->block, l->set->blocks);
    for (int i = 0; i < l->block.count; i++)
        if (atol(l->block.word[i]) % 32)
            return kb_fail(err, KB_INVALID, "--block: '%s' is no multiple of 32",
                           l->block.word[i]);
    if (!l->block.count)
        kb_words_add(&l->block, "0");
    return KB_OK;
}

static int read_lists(lists *l, kb_error *err)
{
    int code = kb_list_numbers("n", l->set->n, 1, &l->n, &l->nn, err);
    code = code ? code : kb_list_numbers("dt", l->set->dt, 0, &l->dt, &l->ndt, err);
    code = code ? code : kb_list_numbers("rtol", l->set->rtol, 0, &l->rtol, &l->nrtol, err);
    code = code ? code : kb_list_numbers("atol", l->set->atol, 0, &l->atol, &l->natol, err);
    code = code ? code : read_names(l, err);
    read_threads(l);
    code = code ? code : read_blocks(l, err);
    if (code)
        return code;
    if (!l->nn || !l->ndt)
        return kb_fail(err, KB_INVALID, "--%s: the list is empty", l->nn ? "dt" : "n");
    if (l->nrtol > 1 && l->natol > 1 && l->nrtol != l->natol)
        return kb_fail(err, KB_INVALID, "--rtol has %d values and --atol %d (give one, or as many)",
                       l->nrtol, l->natol);
    return KB_OK;
}

static void free_lists(lists *l)
{
    kb_words_free(&l->solver);
    kb_words_free(&l->engine);
    kb_words_free(&l->schedule);
    kb_words_free(&l->order);
    kb_words_free(&l->threads);
    kb_words_free(&l->block);
    free(l->n);
    free(l->dt);
    free(l->rtol);
    free(l->atol);
}

/* ---- one cell ---- */

static double pick(const double *list, int count, int i, double otherwise)
{
    return count == 0 ? otherwise : list[count == 1 ? 0 : i];
}

static void make_key(kb_cell *c, const char *identity)
{
    char dt[32], rtol[32], atol[32], asked[32], *text;
    size_t length;
    FILE *to = kb_open_text(&text, &length);
    fprintf(to, "%s|%s|%s|%ld|%d|%s|%s|%s|%s|%d|%s|%s", identity, c->sample, c->order, c->n,
            c->steps, kb_number(c->dt, dt), c->solver_text, c->solver->info.engine,
            kb_schedule_name(c->schedule), c->threads, kb_number(c->rtol, rtol),
            kb_number(c->atol, atol));
    if (c->chain != KB_CHAIN_HOST)
        fprintf(to, "|chain %s", kb_chain_names[c->chain]);
    if (c->asked) /* beside the cell of the user's choice */
        fprintf(to, "|auto %s", kb_number(c->asked, asked));
    kb_close_text(to);
    kb_hash16(text, c->key);
    free(text);
}

static bool is_new(const kb_matrix *m, const kb_cell *c)
{
    for (int i = 0; i < m->count; i++)
        if (!strcmp(m->cells[i].key, c->key))
            return false;
    return true;
}

/* Threads of a block: a number, or the rule of Niemeyer and Sung (2014), whose grids have at most
 * 65,535 blocks */
static int block_of(const char *word, long n)
{
    if (strcmp(word, BLOCK_PAPER))
        return atoi(word);
    long block = n < 4194304 ? 64 : n / 32768;
    return block > 1024 ? 1024 : (int)(block / 32 * 32);
}

/* CPU threads, or threads of a block. On gpu-warp, gpu-block and gpu-pair that is one team
 * of fixed size. */
static int threads_of(const lists *l, const kb_cell *c, const int *at)
{
    if (kb_on_cpu(c))
        return atoi(l->threads.word[at[7]]);
    bool thread = !strncmp(c->solver->info.engine, "gpu-thread", strlen("gpu-thread"));
    return thread ? block_of(l->block.word[at[8]], c->n) : 0;
}

static const char *order_name(const char *word)
{
    return strcmp(word, KB_ORDER_OWN) ? kb_order_name(word) : KB_ORDER_OWN;
}

/* which names the option of bench that a wrong one stands in */
static int read_options(const kb_solver_info *info, const char *text, kb_choice *c, kb_error *err)
{
    kb_error why = {0};
    int code = kb_solver_options(info, text, c, &why);
    return code ? kb_fail(err, code, "--solvers: %s", why.text) : KB_OK;
}

static const kb_solver *solver_of(const lists *l, const char *text, const char *engine)
{
    kb_owned char *name = kb_format("%.*s", (int)strcspn(text, ":"), text);
    return kb_solver_find(l->solvers, name, engine);
}

/* Engines have options of their own: does an engine in the list know those of this text? */
static bool known_elsewhere(const lists *l, const char *text)
{
    bool known = false;
    for (int i = 0; i < l->engine.count && !known; i++) {
        const kb_solver *solver = solver_of(l, text, l->engine.word[i]);
        known = solver && kb_options_known(&solver->info, text);
    }
    return known;
}

static bool auto_there(const void *context, const kb_tuned *row)
{
    lists *l = (lists *)context;
    if (kb_words_find(&l->engine, row->engine) < 0 || !solver_of(l, row->solver, row->engine))
        return false;
    if (row->threads)
        return true;
    if (l->gpu < 0)
        l->gpu = kb_gpu_there(l->solvers);
    return l->gpu;
}

/* none of these rows holds the error */
static void say_why(const kb_held_table *held, const kb_request *r, kb_error *err)
{
    double least = kb_auto_least(&kb_tuned_here, held, r);
    if (!isfinite(least))
        kb_fail(err, KB_INVALID, "auto: no solver of its table (make tune) is on these engines");
    else
        kb_fail(err, KB_INVALID,
                "auto: no solver on these engines was measured to hold an error of %g (the least "
                "is %.2g); name a solver, or ask for a larger one (--rtol)",
                r->error, least);
}

/* What `auto` chooses, for the tolerance as the error asked for; without a solver: nothing */
static kb_tuned choose(lists *l, const int *at, double *error, kb_error *err)
{
    const kb_solver_info any = {.name = AUTO_NAME, .engine = "any engine"};
    kb_choice choice = {.rtol = pick(l->rtol, l->nrtol, at[5], AUTO_ERROR), .atol = 1};
    int code = read_options(&any, l->solver.word[at[3]], &choice, err);
    free(choice.options);
    free(choice.text);
    *error = choice.rtol;
    if (code)
        return (kb_tuned){0};
    kb_request r = {.nsp = l->solvers->nsp, .dt = l->dt[at[0]], .n = (long)l->n[at[1]],
                    .error = choice.rtol, .threads = atoi(l->threads.word[at[7]]),
                    .there = auto_there, .context = l};
    kb_owned kb_held *of = kb_alloc((size_t)kb_held_here.count, sizeof *of);
    kb_held_table held = {of, kb_held_for(&kb_held_here, r.nsp, r.dt, of)};
    kb_owned kb_tuned *rows = kb_alloc((size_t)kb_tuned_here.count, sizeof *rows);
    int count = kb_auto_hold(&kb_tuned_here, &held, r.error, rows);
    const kb_tuned *found = kb_auto_choose(&(kb_tuned_table){rows, count}, &r);
    kb_tuned row = found ? *found : (kb_tuned){0};
    if (!found)
        say_why(&held, &r, err);
    return row;
}

static void take(kb_cell *c, const kb_choice *choice)
{
    c->rtol = choice->rtol;
    c->atol = choice->atol;
    c->options = choice->options;
    c->solver_text = choice->text;
}

/* the cell of `auto`: that of its choice, of which the lists have the rest; once for each n, dt,
 * tolerance and number of threads */
static int fill_automatic(kb_cell *c, lists *l, const int *at, kb_error *err)
{
    kb_tuned row = choose(l, at, &c->asked, err);
    if (!row.solver)
        return KB_INVALID;
    c->solver = solver_of(l, row.solver, row.engine);
    c->schedule = row.schedule;
    c->threads = row.threads ? atoi(l->threads.word[at[7]]) : 0;
    kb_choice choice = {.rtol = row.rtol, .atol = row.atol};
    int code = read_options(&c->solver->info, row.solver, &choice, err);
    take(c, &choice);
    return code;
}

static int fill_named(kb_cell *c, const lists *l, const int *at, kb_error *err)
{
    const kb_solver *solver = c->solver;
    c->threads = threads_of(l, c, at);
    int alone = kb_on_cpu(c) && c->threads == 1 && solver->info.lanes <= 1;
    c->schedule = strcmp(l->schedule.word[alone ? 0 : at[6]], "refill") ? KB_STATIC : KB_REFILL;
    kb_choice choice = {.rtol = pick(l->rtol, l->nrtol, at[5], solver->info.rtol),
                        .atol = pick(l->atol, l->natol, at[5], solver->info.atol)};
    int code = read_options(&solver->info, l->solver.word[at[3]], &choice, err);
    take(c, &choice);
    return code;
}

/* at [9]: the choice from each list. A solver that is not on that engine, or has not those options
 * there, makes no cell; neither does a second schedule where one lane of one thread leaves no
 * choice, CPU threads on a GPU, or a block on a CPU. `auto` takes engine, schedule and block by
 * itself. */
static int add_cell(kb_matrix *m, lists *l, const int *at, kb_error *err)
{
    const char *text = l->solver.word[at[3]];
    bool automatic = kb_is_auto(text);
    kb_cell c = {.dt = l->dt[at[0]], .n = (long)l->n[at[1]], .steps = l->set->steps,
                 .solver = automatic ? NULL : solver_of(l, text, l->engine.word[at[4]]),
                 .sample = kb_selection_name(l->set->sample),
                 .order = order_name(l->order.word[at[2]])};
    if (automatic ? at[4] + at[6] + at[8] > 0 : !c.solver)
        return KB_OK;
    int code = automatic ? fill_automatic(&c, l, at, err) : fill_named(&c, l, at, err);
    if (!code) {
        c.chain = kb_on_cpu(&c) ? KB_CHAIN_HOST : l->set->chain;
        make_key(&c, l->identity);
    }
    if (code || !is_new(m, &c)) {
        free(c.options);
        free(c.solver_text);
        bool here = automatic || kb_options_known(&c.solver->info, text);
        return code && !here && known_elsewhere(l, text) ? KB_OK : code;
    }
    m->cells = kb_realloc(m->cells, (size_t)m->count + 1, sizeof *m->cells);
    m->cells[m->count++] = c;
    m->max_n = c.n > m->max_n ? c.n : m->max_n;
    return KB_OK;
}

static int add_cells(kb_matrix *m, lists *l, kb_error *err)
{
    int tolerances = l->nrtol > l->natol ? l->nrtol : l->natol;
    const int length[9] = {l->ndt, l->nn, l->order.count, l->solver.count, l->engine.count,
                           tolerances ? tolerances : 1, l->schedule.count, l->threads.count,
                           l->block.count};
    long total = 1;
    for (int i = 0; i < 9; i++)
        total *= length[i];
    for (long k = 0; k < total; k++) {
        int at[9];
        long rest = k;
        for (int i = 8; i >= 0; i--) {
            at[i] = (int)(rest % length[i]);
            rest /= length[i];
        }
        if (add_cell(m, l, at, err))
            return KB_INVALID;
    }
    return m->count ? KB_OK : kb_fail(err, KB_INVALID, "none of the solvers is on these engines "
                                      "(--solvers %s --engines %s)", l->set->solvers,
                                      l->set->engines);
}

static int add_part(kb_matrix *m, const kb_settings *set, const kb_solvers *s, const char *identity,
                    kb_error *err)
{
    lists l = {.set = set, .solvers = s, .identity = identity, .gpu = -1};
    int code = read_lists(&l, err);
    code = code ? code : add_cells(m, &l, err);
    free_lists(&l);
    return code;
}

int kb_matrix_make(kb_matrix *m, const kb_settings *set, const kb_solvers *s, const char *identity,
                   kb_error *err)
{
    *m = (kb_matrix){0};
    int code = add_part(m, set, s, identity, err);
    for (int i = 0; i < set->nalso && !code; i++) {
        kb_settings part;
        char *words;
        code = kb_settings_also(set, i, &part, &words, err);
        code = code ? code : add_part(m, &part, s, identity, err);
        free(words);
    }
    if (code)
        kb_matrix_free(m);
    return code;
}

void kb_matrix_free(kb_matrix *m)
{
    for (int i = 0; i < m->count; i++) {
        free(m->cells[i].solver_text);
        free(m->cells[i].options);
        free(m->cells[i].samples);
        free(m->cells[i].why);
    }
    free(m->cells);
    *m = (kb_matrix){0};
}
