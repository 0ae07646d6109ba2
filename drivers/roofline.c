/* SPDX-License-Identifier: MIT
 *
 * roofline: the time of each part of an attempt beside what the hardware allows: its floating-point
 * operations, its words in shared memory and its instructions, counted, against rates that loops of
 * one kind of instruction reach (solvers/parts).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/options.h"
#include "base/shared_object.h"
#include "base/stats.h"
#include "base/table.h"
#include "drivers/bench/lock.h"
#include "drivers/env/environment.h"
#include "pasr/database/database.h"
#include "solvers/parts/roofline.h"

enum { LEAST_STATES = 16, MOST_STATES = 2048, COUNTED_STATES = 16, CPU_ENGINES = 2 };
/* [s] of a sample of each engine, about, where they have more than LEAST_STATES */
static const double SAMPLES = 1.5;
/* an attempt of rodas4: rates with the Jacobian, five more, one LU, six solves */
static const double attempt[KB_PARTS] = {5, 1, 1, 6};
static const char *const part_name[KB_PARTS] = KB_PART_NAMES;
static const char *const cpu_engine[CPU_ENGINES] = {"cpu-scalar", "cpu-simd"};

/* times of the parts of one ODE [s] */
typedef struct {
    int repeats;
    double *sample[KB_PARTS]; /* [repeats] */
} part_samples;

typedef struct {
    const char *mech, *solvers, *db, *run, *out;
    long n;
    int repeats; /* of a core */
    const kb_roofline *r;
    const kb_solvers *s;
    kb_database states;
    kb_environment env;
    kb_part_work work[KB_PARTS], straight[KB_PARTS]; /* from tables; as straight-line code */
    kb_limits device;
    bool gpu;
    double core; /* flops of a core */
    int unsound; /* engines that took less than their least times */
    kb_csv csv;
    char *folder;
} roofline;

#define AT(member) offsetof(roofline, member)

static const kb_program_option options[] = {
    {"mech", 0, "FILE", KB_OPT_TEXT, AT(mech), 0, 0, "!", 0, "roofline.so of the mechanism"},
    {"solvers", 0, "FILE", KB_OPT_TEXT, AT(solvers), 0, 0, 0, 0,
     "its solvers.so, for a core's times; without it only the GPU"},
    {"db", 0, "FILE", KB_OPT_TEXT, AT(db), 0, 0, "!", 0, "database of states (.npy)"},
    {"n", 0, "NUMBER", KB_OPT_LONG, AT(n), "1 to 16777216", 0, "65536", 0,
     "states, repeated if the database has fewer"},
    {"repeats", 0, "NUMBER", KB_OPT_INT, AT(repeats), "2 to 1000", 0, "15", 0,
     "samples of a core's times"},
    {"run", 0, "NAME", KB_OPT_NAME, AT(run), 0, 0, ": roofline-<mechanism>", 0, "name of the run"},
    {"out", 0, "FOLDER", KB_OPT_TEXT, AT(out), 0, 0, ": results/<machine>/<run>", 0,
     "folder of the tables"},
    {0}};

static const kb_program program = {options, NULL,
    "Times the parts of an attempt on the GPU engines and on one core (processor time), beside the "
    "least times that the hardware allows. Writes roofline.csv and environment.json.\v"
    "Exit codes: 0 fine; 2 invalid use or input; 3 nothing was measured.\n\n"
    "Example: build/roofline --mech roofline.so --db h2co.npy"};

/* ---- what is measured ---- */

static int open_all(roofline *w, kb_error *err)
{
    static const kb_shared_object object = {"roofline", "roofline.so", "kb_roofline_get",
                                     KB_ROOFLINE_VERSION};
    w->r = kb_shared_open(&object, w->mech, err);
    if (!w->r || (w->solvers && !(w->s = kb_solvers_open(w->solvers, err))))
        return KB_INVALID;
    if (w->s && strcmp(w->s->sha256, w->r->sha256))
        return kb_fail(err, KB_INVALID, "%s and %s are of different mechanisms", w->mech,
                       w->solvers);
    kb_environment_read(&w->env);
    return kb_database_read(&w->states, w->db, w->r->nsp, false, err);
}

/* the mean over states spread over the database */
static void count_work(const roofline *w, void (*count)(const double *, kb_part_work *),
                       kb_part_work *work)
{
    for (int s = 0; s < COUNTED_STATES; s++) {
        kb_part_work one[KB_PARTS];
        long row = s * (w->states.n / COUNTED_STATES);
        count(w->states.states + row * w->states.columns, one);
        for (int k = 0; k < KB_PARTS; k++) {
            work[k].flops += one[k].flops / COUNTED_STATES;
            work[k].words += one[k].words / COUNTED_STATES;
        }
    }
}

static double *spread_states(const roofline *w, long n)
{
    size_t columns = (size_t)w->states.columns;
    double *x = kb_alloc((size_t)n * columns, sizeof *x);
    for (long i = 0; i < n; i++) {
        long row = n <= w->states.n ? i * (w->states.n / n) : i % w->states.n;
        memcpy(x + (size_t)i * columns, w->states.states + (size_t)row * columns,
               columns * sizeof *x);
    }
    return x;
}

/* ---- rows ---- */

static const char header[] =
    "schema,run,machine,git,mech,mech_sha256,nsp,engine,part,repeats,ns_per_ode,ns_lo,ns_hi,flops,"
    "words,flop_limit_ns,shared_limit_ns,issue_limit_ns,limit,share";

/* least times [ns] for one ODE; 0: does not apply */
typedef struct {
    double flop, shared, issue;
} least;

static double longest(least t) { return fmax(t.flop, fmax(t.shared, t.issue)); }

/* A load from the tables serves both ODEs of a pair. Their dense tail is factored on tensor cores,
 * where an instruction does 16 operations a thread. */
static least of_device(const kb_limits *d, const kb_part_engine *e, int part,
                       const kb_part_work *work)
{
    bool tensor = e->lanes > 1 && part == KB_PART_LU;
    double flops = tensor ? fmax(d->flops, d->tensor) : d->flops, words = work->words / e->lanes;
    if (e->floats && part != KB_PART_RATES)
        flops = fmax(flops, d->floats);
    return (least){.flop = 1e9 * work->flops / flops,
                   .shared = e->team > 1 ? 1e9 * 8 * words / d->shared : 0,
                   .issue = 1e9 * (work->flops / (tensor ? 16 : 2) + words) / 32 / d->issue};
}

/* a single sample has no interval */
static double put_times(kb_csv *c, long row, const double *sample, int repeats)
{
    double ns = 1e9 * kb_median(sample, repeats), lo, hi;
    kb_csv_number(c, row, "repeats", repeats, 0);
    kb_csv_number(c, row, "ns_per_ode", ns, 6);
    if (repeats > 1) {
        kb_bootstrap(sample, repeats, &lo, &hi);
        kb_csv_number(c, row, "ns_lo", 1e9 * lo, 6);
        kb_csv_number(c, row, "ns_hi", 1e9 * hi, 6);
    }
    return ns;
}

static void add_row(roofline *w, const char *engine, const char *part, const double *sample,
                    int repeats, const kb_part_work *work, least t)
{
    double most = longest(t);
    kb_csv *c = &w->csv;
    long row = kb_csv_add(c);
    kb_csv_number(c, row, "schema", 2, 0);
    kb_csv_set(c, row, "run", strrchr(w->folder, '/') ? strrchr(w->folder, '/') + 1 : w->folder);
    kb_csv_set(c, row, "machine", w->env.machine);
    kb_csv_set(c, row, "git", w->env.git);
    kb_csv_set(c, row, "mech", w->r->mech);
    kb_csv_set(c, row, "mech_sha256", w->r->sha256);
    kb_csv_number(c, row, "nsp", w->r->nsp, 0);
    kb_csv_set(c, row, "engine", engine);
    kb_csv_set(c, row, "part", part);
    double ns = put_times(c, row, sample, repeats);
    kb_csv_number(c, row, "flops", work->flops, 6);
    kb_csv_number(c, row, "words", work->words, 6);
    kb_csv_number(c, row, "flop_limit_ns", t.flop, 4);
    kb_csv_number(c, row, "shared_limit_ns", t.shared, 4);
    kb_csv_number(c, row, "issue_limit_ns", t.issue, 4);
    kb_csv_set(c, row, "limit",
               most == t.flop     ? "flops"
               : most == t.shared ? "shared memory"
                                  : "instructions");
    kb_csv_number(c, row, "share", most / ns, 4);
}

/* A part that takes less than its least time was not done, or counted wrongly. Not of a core: its
 * straight-line code does less than what is counted, that from tables. */
static bool sound(const char *engine, const double *seconds, const least *t)
{
    for (int k = 0; k < KB_PARTS; k++)
        if (!(1e9 * seconds[k] >= longest(t[k]))) {
            fprintf(stderr,
                    "roofline: %s: %s takes %.4g ns for one ODE, less than the %.4g ns that the "
                    "hardware needs\n",
                    engine, part_name[k], 1e9 * seconds[k], longest(t[k]));
            return false;
        }
    return true;
}

static void add_rows(roofline *w, const char *engine, const part_samples *s,
                     const kb_part_work *work, const least *t)
{
    kb_part_work all = {0, 0};
    least sum = {0, 0, 0};
    kb_owned double *whole = kb_alloc((size_t)s->repeats, sizeof *whole);
    for (int k = 0; k < KB_PARTS; k++) {
        add_row(w, engine, part_name[k], s->sample[k], s->repeats, &work[k], t[k]);
        all.flops += attempt[k] * work[k].flops;
        all.words += attempt[k] * work[k].words;
        sum.flop += attempt[k] * t[k].flop;
        sum.shared += attempt[k] * t[k].shared;
        sum.issue += attempt[k] * t[k].issue;
        for (int i = 0; i < s->repeats; i++)
            whole[i] += attempt[k] * s->sample[k][i];
    }
    add_row(w, engine, "attempt of rodas4", whole, s->repeats, &all, sum);
}

static void open_samples(part_samples *s, int repeats)
{
    s->repeats = repeats;
    for (int k = 0; k < KB_PARTS; k++)
        s->sample[k] = kb_alloc((size_t)repeats, sizeof **s->sample);
}

static void close_samples(part_samples *s)
{
    for (int k = 0; k < KB_PARTS; k++)
        free(s->sample[k]);
}

/* a sample of every part of an engine; false: it does not answer for all */
static bool sample_core(const roofline *w, int engine, const double *states, long count,
                        double *seconds)
{
    kb_micro parts[8];
    int n = w->s->micro(w->s, cpu_engine[engine], states, count, parts), found = 0;
    for (int k = 0; k < KB_PARTS; k++)
        for (int i = 0; i < n; i++)
            if (!strcmp(parts[i].part, part_name[k])) {
                seconds[k] = parts[i].seconds;
                found++;
            }
    return found == KB_PARTS;
}

/* processor times: the engines in turns, after a sample of few states that does not count and tells
 * how many states a sample has: of thousands of species few, or a run would take an hour */
static void time_core(roofline *w)
{
    double *states = spread_states(w, LEAST_STATES), seconds[KB_PARTS], begin = kb_clock(), vectors;
    part_samples s[CPU_ENGINES];
    bool whole[CPU_ENGINES];
    least t[KB_PARTS];
    for (int e = 0; e < CPU_ENGINES; e++) {
        open_samples(&s[e], w->repeats);
        whole[e] = sample_core(w, e, states, LEAST_STATES, seconds);
    }
    free(states);
    vectors = fmin(SAMPLES / (kb_clock() - begin), MOST_STATES / LEAST_STATES);
    long n = LEAST_STATES * (long)fmax(1, vectors);
    states = spread_states(w, n);
    for (int i = 0; i < w->repeats; i++)
        for (int e = 0; e < CPU_ENGINES; e++) {
            whole[e] = whole[e] && sample_core(w, e, states, n, seconds);
            for (int k = 0; k < KB_PARTS && whole[e]; k++)
                s[e].sample[k][i] = seconds[k];
        }
    free(states);
    w->core = w->r->core();
    for (int k = 0; k < KB_PARTS; k++)
        t[k] = (least){.flop = 1e9 * w->work[k].flops / w->core};
    for (int e = 0; e < CPU_ENGINES; e++) {
        if (whole[e])
            add_rows(w, cpu_engine[e], &s[e], w->work, t);
        close_samples(&s[e]);
    }
}

static void time_engine(roofline *w, const kb_part_engine *e, const double *states)
{
    const kb_part_work *work = e->straight ? w->straight : w->work;
    least t[KB_PARTS];
    double seconds[KB_PARTS];
    part_samples once = {.repeats = 1};
    kb_error err = {0};
    if (e->time(states, w->n, seconds, &err)) {
        fprintf(stderr, "roofline: %s\n", err.text);
        return;
    }
    for (int k = 0; k < KB_PARTS; k++) {
        once.sample[k] = &seconds[k];
        t[k] = of_device(&w->device, e, k, &work[k]);
    }
    if (sound(e->engine, seconds, t))
        add_rows(w, e->engine, &once, work, t);
    else
        w->unsound++;
}

static void time_device(roofline *w)
{
    kb_error err = {0};
    w->gpu = w->r->device && w->r->device(&w->device, &err) == KB_OK;
    if (!w->gpu) {
        fprintf(stderr, "roofline: %s: one core alone\n",
                w->r->device ? err.text : "built without CUDA");
        return;
    }
    kb_owned double *states = spread_states(w, w->n);
    for (int i = 0; i < w->r->nengines; i++)
        time_engine(w, w->r->engines[i], states);
}

/* ---- files ---- */

static json_t *device_json(const kb_limits *d)
{
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:f, s:f, s:f, "
                     "s:f}",
                     "name", d->name, "major", d->major, "minor", d->minor, "multiprocessors",
                     d->multiprocessors, "clock_MHz", d->clock_MHz, "memory_clock_MHz",
                     d->memory_clock_MHz, "bus_bits", d->bus_bits, "registers", d->registers,
                     "shared_bytes", d->shared_bytes, "L2_bytes", d->L2_bytes, "memory_GBs",
                     1e-9 * d->memory, "measured_Gflops", 1e-9 * d->flops,
                     "measured_tensor_Gflops", 1e-9 * d->tensor, "measured_float_Gflops",
                     1e-9 * d->floats, "measured_shared_GBs", 1e-9 * d->shared,
                     "measured_Ginstructions", 1e-9 * d->issue);
}

static int write_environment(const roofline *w, kb_error *err)
{
    json_auto_t *o = kb_environment_json(&w->env, w->s);
    json_object_set_new(o, "mech", json_string(w->r->mech));
    json_object_set_new(o, "mech_sha256", json_string(w->r->sha256));
    json_object_set_new(
        o, "database", json_pack("{s:s, s:s}", "path", w->states.path, "sha256", w->states.sha256));
    if (w->core > 0)
        json_object_set_new(o, "core_Gflops", json_real(1e-9 * w->core));
    if (w->gpu)
        json_object_set_new(o, "device", device_json(&w->device));
    kb_owned char *path = kb_format("%s/environment.json", w->folder);
    return kb_json_write(path, o, 6, err);
}

static void print(const roofline *w)
{
    static const char *const heads[] = {
        "engine",     "part",         "ns",          "95% interval", "flops",
        "flop limit", "shared limit", "issue limit", "reached"};
    static const char *const columns[] = {"flops", "flop_limit_ns", "shared_limit_ns",
                                          "issue_limit_ns"};
    kb_table out = {.ncolumns = 9, .heads = heads, .left = 2};
    for (long i = 0; i < w->csv.nrows; i++) {
        char *f[9] = {kb_strdup(kb_csv_get(&w->csv, i, "engine")),
                      kb_strdup(kb_csv_get(&w->csv, i, "part")),
                      kb_format("%.4g", kb_csv_value(&w->csv, i, "ns_per_ode"))};
        f[3] = *kb_csv_get(&w->csv, i, "ns_lo")
                   ? kb_format("%.4g-%.4g", kb_csv_value(&w->csv, i, "ns_lo"),
                               kb_csv_value(&w->csv, i, "ns_hi"))
                   : kb_strdup("-");
        for (int k = 0; k < 4; k++)
            f[4 + k] = kb_format("%.4g", kb_csv_value(&w->csv, i, columns[k]));
        f[8] = kb_format("%.0f %%", 100 * kb_csv_value(&w->csv, i, "share"));
        kb_table_add(&out, f);
    }
    kb_table_print(&out);
    kb_table_free(&out);
}

static int finish(roofline *w, kb_error *err)
{
    kb_owned char *path = kb_format("%s/roofline.csv", w->folder);
    int code = w->csv.nrows ? KB_OK : kb_fail(err, KB_NOTHING, "nothing was measured: no GPU, no "
                                              "solvers");
    code = code ? code : kb_csv_write(&w->csv, path, err);
    code = code ? code : write_environment(w, err);
    if (!code) {
        print(w);
        printf("\n%s\n", path);
    }
    return code;
}

static int run_roofline(roofline *w, kb_error *err)
{
    int code = open_all(w, err);
    if (code)
        return code;
    kb_owned char *name = w->run ? kb_strdup(w->run) : kb_format("roofline-%s", w->r->mech);
    w->folder = w->out ? kb_strdup(w->out) : kb_format("results/%s/%s", w->env.machine, name);
    kb_owned char *inside = kb_format("%s/", w->folder);
    if (kb_make_folders(inside, err))
        return KB_INVALID;
    kb_csv_start(&w->csv, header);
    count_work(w, w->r->count, w->work);
    if (w->r->count_straight)
        count_work(w, w->r->count_straight, w->straight);
    kb_progress progress = {0};
    code = kb_machine_lock(&progress, err);
    if (code)
        return code;
    time_device(w);
    if (w->s)
        time_core(w);
    code = finish(w, err);
    if (!code && w->unsound)
        code = kb_fail(err, KB_INVALID, "%d engines have no rows, as said above: a part was not "
                       "done, or what it does is counted wrongly", w->unsound);
    return code;
}

int main(int argc, char **argv)
{
    roofline w = {0};
    kb_error err = {0};
    kb_program_parse(&program, argc, argv, &w);
    int code = run_roofline(&w, &err);
    if (code)
        kb_report("roofline", &err);
    kb_csv_free(&w.csv);
    kb_database_free(&w.states);
    kb_environment_free(&w.env);
    free(w.folder);
    return code;
}
