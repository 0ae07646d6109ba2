/* SPDX-License-Identifier: MIT
 *
 * kernels: linear algebra on its own. Many dense systems of each size on one CPU core and on the
 * GPU, and the Newton matrices of a mechanism by those kernels and by the sparse LU (Le and Cambier
 * 2013, Figs. 11-13).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arguments.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/options.h"
#include "base/progress.h"
#include "base/shared_object.h"
#include "base/stats.h"
#include "drivers/bench/lock.h"
#include "drivers/kernels/cells.h"
#include "pasr/database/origin.h"

enum { SEGMENTS_M = 100 };             /* unknowns when a batch is cut, as in Fig. 13 */
#define CPU_BATCH (64.0 * 1024 * 1024)   /* a CPU's systems [bytes] at most, with any n */
#define CPU_MOST 65536

typedef struct {
    const char *mech, *db, *m, *n, *segments, *kernels, *out, *run;
    double gamma, budget;
    long distinct;
    int repeats, block;
    bool quiet;
    char *command; /* the full command line */
} settings;

typedef struct {
    settings set;
    const kb_kernels *kernels;
    kb_kernel_device device;
    bool gpu;
    kb_database db;
    kb_environment env;
    kb_words chosen; /* kernels */
    double *m, *n, *segments;
    int nm, nn, nsegments;
    char *folder, *path;
    json_t *json;
    kb_kernel_cells cells;
    kb_progress progress;
} measurement;

#define AT(member) offsetof(measurement, member)

static const kb_program_option options[] = {
    {"mech", 'm', "NAME", KB_OPT_TEXT, AT(set.mech), 0, 0, "!", 1,
     "mechanism: build/mech/NAME/kernels.so, or a path to a .so"},
    {"db", 'd', "FILE", KB_OPT_TEXT, AT(set.db), 0, 0, 0, 1,
     "database (.npy) whose states give the Newton matrices; without it only dense systems"},
    {"sizes", 's', "LIST", KB_OPT_COUNTS, AT(set.m), "1 to 1000", 0,
     "4,9,16,25,36,53,76,100,150,200", 1, "unknowns of the dense systems"},
    {"n", 'n', "LIST", KB_OPT_COUNTS, AT(set.n), "1 to 100000000", 0, "4096,16384,65536,262144", 1,
     "systems on the GPU"},
    {"segments", 0, "LIST", KB_OPT_COUNTS, AT(set.segments), "1 to 1000000", 0,
     "1,2,4,8,16,32,64", 1, "launches for one batch, at 100 unknowns"},
    {"kernels", 0, "LIST", KB_OPT_TEXT, AT(set.kernels), 0, 0, "all", 1,
     "dense, rows, sparse, pivoted, or all"},
    {"gamma", 0, "SECONDS", KB_OPT_NUMBER, AT(set.gamma), "more than 0", "s", "1e-6", 1,
     "gamma h of the Newton matrices I/(gamma h) - J"},
    {"distinct", 0, "NUMBER", KB_OPT_LONG, AT(set.distinct), "1 to 1000000", 0, "256", 1,
     "different matrices in a batch"},
    {"block", 0, "NUMBER", KB_OPT_INT, AT(set.block), "1 to 1024", 0, ": each kernel's own", 1,
     "threads of a GPU block"},
    {"repeats", 0, "NUMBER", KB_OPT_INT, AT(set.repeats), "1 to 1000000", 0, "7", 2,
     "timed passes of a cell"},
    {"budget", 0, "SECONDS", KB_OPT_NUMBER, AT(set.budget), "more than 0", "s", "1", 2,
     "a cell predicted to take longer is skipped"},
    {"out", 'o', "FOLDER", KB_OPT_TEXT, AT(set.out), 0, 0, ": results/<machine>/<run>", 2,
     "its folder; kernels.csv there is replaced"},
    {"run", 0, "NAME", KB_OPT_NAME, AT(set.run), 0, 0, ": kernels-<mech>", 2, "name of the run"},
    {"quiet", 'q', 0, KB_OPT_SWITCH, AT(set.quiet), 0, 0, 0, 2, "no progress lines"},
    {0}};

static const kb_program program = {
    options, NULL,
    "Times the solution of many independent linear systems by each kernel, with rates, bandwidth "
    "and errors, into kernels.csv (docs/results-format.md).\v"
    "Exit codes: 0 fine, 1 a solution is wrong, 2 invalid use or input, 3 nothing measured, 130 "
    "interrupted.\n\n"
    "Example: build/kernels --mech h2 --sizes 9,53 --kernels dense,sparse"};

/* ---- preparing ---- */

static int open_kernels(measurement *w, kb_error *err)
{
    static const kb_shared_object object = {"kernels", "kernels.so", "kb_kernels_get",
                                            KB_KERNELS_VERSION};
    w->kernels = kb_shared_open(&object, w->set.mech, err);
    return w->kernels ? KB_OK : KB_INVALID;
}

static int choose_kernels(measurement *w, kb_error *err)
{
    kb_words there = {0};
    for (int i = 0; i < w->kernels->nkernels; i++)
        kb_words_add(&there, w->kernels->kernels[i]->name);
    kb_words_split(&w->chosen, strcmp(w->set.kernels, "all") ? w->set.kernels : "");
    int code = KB_OK;
    for (int i = 0; i < w->chosen.count && !code; i++)
        if (kb_words_find(&there, w->chosen.word[i]) < 0) {
            kb_owned char *all = kb_words_join(&there);
            code = kb_fail(err, KB_INVALID, "--kernels: no kernel '%s' (there are %s)",
                           w->chosen.word[i], all);
        }
    kb_words_free(&there);
    return code;
}

/* ascending: the time of a cell is predicted from smaller ones */
static int numbers(const char *option, const char *text, double **values, int *count,
                   kb_error *err)
{
    int code = kb_list_numbers(option, text, 1, values, count, err);
    if (!code)
        kb_sort(*values, *count);
    return code;
}

static void find_device(measurement *w)
{
    kb_error err = {0};
    if (!w->kernels->device) {
        kb_progress_note(&w->progress, "the kernels were built without CUDA: CPU only");
        return;
    }
    w->gpu = w->kernels->device(&w->device, &err) == KB_OK;
    if (!w->gpu)
        kb_progress_note(&w->progress, "%s: CPU only", err.text);
}

static int read_states(measurement *w, kb_error *err)
{
    const kb_kernels *k = w->kernels;
    int code = kb_database_read(&w->db, w->set.db, k->nsp, false, err);
    kb_origin o = {.path = w->set.db, .states_sha256 = w->db.sha256, .mech = k->mech,
                   .mech_sha256 = k->sha256};
    return code ? code : kb_origin_check(&o, err);
}

static int prepare(measurement *w, kb_error *err)
{
    const settings *set = &w->set;
    int code = open_kernels(w, err);
    code = code ? code : choose_kernels(w, err);
    code = code ? code : numbers("sizes", set->m, &w->m, &w->nm, err);
    code = code ? code : numbers("n", set->n, &w->n, &w->nn, err);
    code = code ? code : numbers("segments", set->segments, &w->segments, &w->nsegments, err);
    if (!code && set->db)
        code = read_states(w, err);
    if (code)
        return code;
    kb_environment_read(&w->env);
    kb_owned char *name = set->run ? kb_strdup(set->run)
                                   : kb_format("kernels-%s", w->kernels->mech);
    w->folder = set->out ? kb_strdup(set->out) : kb_format("results/%s/%s", w->env.machine, name);
    w->path = kb_format("%s/kernels.csv", w->folder);
    find_device(w);
    return kb_make_folders(w->path, err);
}

/* ---- environment.json ---- */

static int write_environment(const measurement *w, kb_error *err)
{
    kb_owned char *path = kb_format("%s/environment.json", w->folder);
    return kb_json_write(path, w->json, 6, err);
}

static int begin(measurement *w, kb_error *err)
{
    w->json = kb_environment_json(&w->env, NULL);
    json_auto_t *more = json_pack("{s:i, s:s, s:s, s:s, s:s, s:f, s:I, s:o}", "schema",
                                  KB_KERNELS_SCHEMA, "mech", w->kernels->mech, "mech_sha256",
                                  w->kernels->sha256, "kernels_flags", w->kernels->flags, "command",
                                  w->set.command, "gamma_s", w->set.gamma, "distinct",
                                  (json_int_t)w->set.distinct, "before", kb_environment_now());
    if (w->set.db)
        json_object_set_new(more, "database", json_pack("{s:s, s:s}", "path", w->db.path, "sha256",
                                                        w->db.sha256));
    if (w->gpu)
        json_object_set_new(more, "device", json_pack(
            "{s:s, s:I, s:I, s:i, s:f}", "name", w->device.name, "free_bytes",
            (json_int_t)w->device.memory, "shared_bytes", (json_int_t)w->device.shared,
            "multiprocessors", w->device.multiprocessors, "copy_GBs", 1e-9 * w->device.copy));
    json_object_update(w->json, more);
    return write_environment(w, err);
}

/* ---- measuring ---- */

static bool chosen(const measurement *w, const kb_kernel *k, const kb_system_set *set)
{
    return (w->chosen.count == 0 || kb_words_find(&w->chosen, k->name) >= 0) &&
           (w->gpu || !kb_kernel_on_gpu(k)) && (!k->newton || set->s.packed);
}

static long cpu_systems(const kb_system_set *set)
{
    double m = set->s.m;
    return (long)fmax(8, fmin(CPU_MOST, CPU_BATCH / (8 * (m * m + m))));
}

static void measure(measurement *w, const kb_kernel *k, const kb_system_set *set, long n,
                    int segments)
{
    kb_kernel_limits limits = {w->set.repeats, w->set.budget, w->gpu ? &w->device : NULL};
    if (kb_interrupted())
        return;
    kb_owned char *what = kb_format("%s %s %s %s, %s, m %d, n %ld, segments %d", k->name, k->engine,
                                    k->layout, k->precision, set->matrix, set->s.m, n, segments);
    kb_progress_show(&w->progress, w->cells.count, w->cells.count + 1, -1, what);
    const kb_kernel_cell *c = kb_kernel_measure(&w->cells, k, set, n, segments,
                                                kb_kernel_on_gpu(k) ? w->set.block : 0, &limits);
    if (c->why)
        kb_progress_note(&w->progress, "%s %s: %s", c->status, what, c->why);
}

/* The batch as one, then cut into segments: the paper's first approach alone, at its number of
 * unknowns */
static void measure_segments(measurement *w, const kb_kernel *k, const kb_system_set *set, long n)
{
    bool cut = set->s.m == SEGMENTS_M && !strcmp(k->name, "dense") &&
               !strcmp(k->layout, "interleaved") && !strcmp(k->precision, "double");
    measure(w, k, set, n, 1);
    for (int i = 0; cut && i < w->nsegments; i++)
        if (w->segments[i] > 1 && n % (long)w->segments[i] == 0)
            measure(w, k, set, n, (int)w->segments[i]);
}

static int measure_set(measurement *w, const kb_system_set *set, kb_error *err)
{
    for (int i = 0; i < w->kernels->nkernels; i++) {
        const kb_kernel *k = w->kernels->kernels[i];
        if (!chosen(w, k, set))
            continue;
        if (!kb_kernel_on_gpu(k))
            measure(w, k, set, cpu_systems(set), 1);
        else
            for (int j = 0; j < w->nn; j++)
                measure_segments(w, k, set, (long)w->n[j]);
    }
    return kb_kernel_write(&w->cells, w->path, w->kernels, &w->env, &w->device, err);
}

static int measure_all(measurement *w, kb_error *err)
{
    kb_system_set set;
    int code = KB_OK;
    for (int i = -1; i < w->nm && !code && !kb_interrupted(); i++) {
        if (i < 0 && !w->set.db)
            continue;
        code = i < 0 ? kb_systems_newton(&set, w->kernels, &w->db, w->set.distinct, w->set.gamma,
                                         err)
                     : kb_systems_dominant(&set, (int)w->m[i], w->set.distinct, err);
        code = code ? code : measure_set(w, &set, err);
        kb_systems_free(&set);
    }
    return code;
}

/* ---- */

static int verdict(const measurement *w, kb_error *err)
{
    bool measured = false;
    for (int i = 0; i < w->cells.count; i++) {
        const kb_kernel_cell *c = &w->cells.cells[i];
        measured |= c->nsamples > 0;
        if (!strcmp(c->status, "wrong"))
            return kb_fail(err, KB_DIFFERS, "%s %s %s: %s (more may follow in %s)", c->kernel->name,
                           c->kernel->engine, c->kernel->layout, c->why, w->path);
    }
    return measured ? KB_OK : kb_fail(err, KB_NOTHING, "no cell could be measured (%s has the "
                                      "reasons)", w->path);
}

static int run_kernels(measurement *w, kb_error *err)
{
    int code = prepare(w, err);
    code = code ? code : begin(w, err);
    code = code ? code : kb_machine_lock(&w->progress, err);
    code = code ? code : measure_all(w, err);
    kb_progress_end(&w->progress);
    if (code)
        return code;
    kb_kernel_print(&w->cells, w->gpu ? &w->device : NULL);
    printf("%s\n", w->path);
    json_object_set_new(w->json, "after", kb_environment_now());
    code = write_environment(w, err);
    if (!code && kb_interrupted())
        code = kb_fail(err, KB_INTERRUPTED, "interrupted; what is measured is in %s", w->path);
    return code ? code : verdict(w, err);
}

static void release(measurement *w)
{
    kb_kernel_cells_free(&w->cells);
    kb_environment_free(&w->env);
    kb_database_free(&w->db);
    kb_words_free(&w->chosen);
    json_decref(w->json);
    free(w->m);
    free(w->n);
    free(w->segments);
    free(w->folder);
    free(w->path);
    free(w->set.command);
}

int main(int argc, char **argv)
{
    measurement w = {.set.command = kb_command_line(argc, argv)};
    kb_error err = {0};
    kb_program_parse(&program, argc, argv, &w);
    kb_interrupt_install();
    kb_progress_start(&w.progress, w.set.quiet);
    int code = run_kernels(&w, &err);
    if (code)
        kb_report("kernels", &err);
    release(&w);
    return code;
}
