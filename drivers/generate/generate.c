/* SPDX-License-Identifier: MIT */
#include "drivers/generate/generate.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/options.h"
#include "base/progress.h"
#include "mech/find.h"
#include "pasr/database/database.h"

enum { RECIPE = 256, FIELD };

typedef struct {
    const kb_generator *g;
    void *recipe;
    const char *solvers, *out;
    char *usual_out;
    const char *from; /* the recipe's file, or NULL */
    bool mech_given;  /* by an option beside it */
    bool only_recipe; /* first pass over the command line: it comes before every other option */
    bool quiet;
    int threads;
    kb_error err;
} settings;

/* the default of a field as text, NULL if it has none; caller frees */
static char *default_of(const kb_field *f, const void *recipe)
{
    const void *at = (const char *)recipe + f->offset;
    switch (f->type) {
    case KB_FIELD_TEXT: return *(char *const *)at ? kb_strdup(*(char *const *)at) : NULL;
    case KB_FIELD_NUMBER:
        return f->optional && *(const double *)at == 0 ? NULL
                                                       : kb_format("%g", *(const double *)at);
    case KB_FIELD_WHOLE: return kb_format("%ld", *(const long *)at);
    case KB_FIELD_CHOICE: return kb_strdup(f->choices[*(const int *)at]);
    case KB_FIELD_AXIS: break;
    }
    char *all;
    size_t length;
    FILE *to = kb_open_text(&all, &length);
    for (int i = 0; i < ((const kb_axis *)at)->n; i++)
        fprintf(to, "%s%g", i ? "," : "", ((const kb_axis *)at)->v[i]);
    kb_close_text(to);
    return all;
}

/* "1 to 1000" or NULL; caller frees */
static char *range_of(const kb_field *f)
{
    switch (f->type) {
    case KB_FIELD_WHOLE: return kb_format("%.0f to %.0f", f->low, f->high);
    case KB_FIELD_NUMBER:
    case KB_FIELD_AXIS: return kb_format("%g to %g", f->low, f->high);
    default: return NULL;
    }
}

static kb_program_option option_of(const kb_field *f, int k, const void *recipe)
{
    static const char *const words[] = {"TEXT", "X", "COUNT", "LIST", "WORD"};
    return (kb_program_option){f->option, FIELD + k, words[f->type], KB_OPT_OTHER, 0, range_of(f),
                               0, default_of(f, recipe), 2, f->help};
}

#define AT(member) offsetof(settings, member)

static const kb_program_option shared[] = {
    {"recipe", RECIPE, "FILE", KB_OPT_OTHER, 0, 0, 0, 0, 1,
     "take everything from this recipe (.json; the one beside a database makes it again); other "
     "options change single values of it"},
    {"solvers", 0, "FILE", KB_OPT_TEXT, AT(solvers), 0, 0, ": build/mech/NAME/solvers.so", 3,
     "solvers of the mechanism"},
    {"threads", 't', "COUNT", KB_OPT_INT, AT(threads), "0 to 4096", 0, "0", 3,
     "CPU threads, 0: all; the result does not depend on them"},
    {"out", 'o', "FILE", KB_OPT_TEXT, AT(out), 0, 0,
     ": datasets/databases/MECH-GENERATOR.npy", 3,
     "the database; its recipe gets .json for .npy"},
    {"quiet", 'q', 0, KB_OPT_SWITCH, AT(quiet), 0, 0, 0, 3, "no progress"},
    {.group = 2, .help = "Values of the recipe; LIST is 1000,1200,1600 or first:last:count:"}};
#define NSHARED (sizeof shared / sizeof *shared)

/* the fields' options after the shared ones; ends with zeros */
static kb_program_option *make_options(const kb_generator *g, const void *recipe)
{
    size_t n = 0, k = NSHARED;
    while (g->form->fields[n].key)
        n++;
    kb_program_option *o = kb_alloc(n + NSHARED + 1, sizeof *o);
    memcpy(o, shared, sizeof shared);
    for (size_t i = 0; i < n; i++)
        if (g->form->fields[i].option)
            o[k++] = option_of(&g->form->fields[i], (int)i, recipe);
    return o;
}

static void free_options(kb_program_option *o)
{
    for (size_t k = NSHARED; o[k].name; k++) {
        free((char *)o[k].range);
        free((char *)o[k].usual);
    }
    free(o);
}

static int parse_field(settings *s, const kb_field *f, const char *arg)
{
    kb_owned char *what = kb_format("--%s", f->option);
    s->mech_given |= !strcmp(f->key, "mech") || !strcmp(f->key, "thermo");
    return kb_recipe_set(f, s->recipe, what, arg, &s->err);
}

/* the recipe, and options that are values of it */
static int rest(int key, char *arg, struct argp_state *state, void *set)
{
    settings *s = set;
    (void)state;
    if (key != RECIPE && (key < FIELD || key >= 0x1000))
        return ARGP_ERR_UNKNOWN;
    if (s->err.code || s->only_recipe != (key == RECIPE))
        return 0;
    if (key != RECIPE)
        return parse_field(s, &s->g->form->fields[key - FIELD], arg), 0;
    s->from = arg;
    kb_recipe_read(s->g->form, s->recipe, arg, &s->err);
    return 0;
}

/* Ctrl-C waits until the files are whole: the signals are held back while they are written. */
static int save(const settings *s, const kb_generation *run, const kb_output *o, kb_error *err)
{
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigprocmask(SIG_BLOCK, &held, NULL);
    int code = kb_recipe_save(s->g->form, s->recipe, run->s, o, s->out, err);
    sigprocmask(SIG_UNBLOCK, &held, NULL);
    if (!code)
        printf("%s: %ld states, %d columns; recipe and statistics in the .json beside it\n",
               s->out, o->n, run->s->nsp + 2);
    long beyond = code ? 0 : kb_states_beyond(run->s, o->states, o->n);
    if (beyond)
        printf("note: %ld of them lie beyond the thermo data of a species (%g to %g K): its cp "
               "goes on as a straight line\n", beyond, run->s->data_from, run->s->data_to);
    return code;
}

#define CHECKPOINT 25 /* steps */

typedef struct {
    kb_progress line;
    double start;
    long first, steps; /* first: done before this run; -1: not known yet */
} view;

static void show(void *data, long step, long steps)
{
    view *v = data;
    if (v->first < 0)
        v->first = step - 1;
    v->steps = steps;
    double each = (kb_clock() - v->start) / (double)(step - v->first);
    kb_progress_show(&v->line, step, steps, each * (double)(steps - step), "steps");
}

/* with progress, and checkpoints to continue from */
static int march(const kb_generator *gen, const void *recipe, const kb_generation *g, kb_output *o,
                 kb_error *err)
{
    view v = {.start = kb_clock(), .first = -1};
    kb_march_how how = {.threads = g->threads, .stop = g->stop, .path = g->out,
                        .checkpoint = CHECKPOINT, .progress = show, .data = &v};
    kb_progress_start(&v.line, g->quiet);
    int code = gen->march(recipe, g, &how, o, err);
    kb_progress_end(&v.line);
    char text[32];
    if (!code && !g->quiet && v.first >= 0)
        printf("%ld steps%s: %s\n", v.steps - v.first, v.first ? ", the rest of them" : "",
               kb_duration(kb_clock() - v.start, text));
    return code;
}

static int make(settings *s, kb_generation *run, kb_error *err)
{
    kb_output o = {0};
    if (!s->out)
        s->out = s->usual_out = kb_format("datasets/databases/%s-%s.npy", run->m->name,
                                          s->g->form->generator);
    run->out = s->out;
    const char *lost = s->from && kb_same_file(s->from, s->out) ? "recipe"
                       : kb_is_of_mechanism(run->m, s->out)     ? "mechanism"
                                                                : NULL;
    if (lost)
        return kb_fail(err, KB_INVALID, "%s: the database would take the place of its %s "
                       "(--out names another file)", s->out, lost);
    int code = kb_same_mechanism(run->m, run->s, err);
    if (!code)
        code = kb_recipe_check(s->g->form, s->recipe, err);
    if (!code)
        code = kb_make_folders(s->out, err);
    if (!code)
        code = s->g->march ? march(s->g, s->recipe, run, &o, err)
                           : s->g->make(s->recipe, run, &o, err);
    if (!code)
        code = save(s, run, &o, err);
    if (!code && s->g->march)
        kb_checkpoint_drop(s->out);
    kb_output_free(&o);
    return code;
}

static int generate(settings *s, kb_error *err)
{
    kb_mech m;
    const char *name = kb_recipe_text(s->g->form, s->recipe, "mech");
    const char *thermo = kb_recipe_text(s->g->form, s->recipe, "thermo");
    kb_generation run = {.m = &m, .quiet = s->quiet, .threads = s->threads, .stop = &kb_stop};
    run.s = kb_solvers_of(name, thermo, s->solvers, err);
    if (!run.s)
        return err->code;
    int code = kb_mechanism_load(&m, name, thermo, err);
    if (code)
        return code;
    kb_warnings_tell(&m);
    if (s->from && !s->mech_given)
        code = kb_recipe_same_mech(s->from, &m, err);
    code = code ? code : make(s, &run, err);
    kb_mech_free(&m);
    return code;
}

static void leave(int signal)
{
    (void)signal;
    _exit(KB_INTERRUPTED);
}

static void install_signals(const kb_generator *g)
{
    kb_interrupt_install();
    if (g->at_once) {
        signal(SIGINT, leave);
        signal(SIGTERM, leave);
    }
}

int kb_generate(int argc, char **argv, const kb_generator *g, void *recipe)
{
    settings s = {.g = g, .recipe = recipe, .only_recipe = true};
    kb_program_option *options = make_options(g, recipe);
    const char *goes_on = g->march ? " An interrupted run continues where it stopped when the same "
                                     "command is given again." : "";
    kb_owned char *doc = kb_format("%s%s\n\nExample: %s", g->summary, goes_on, g->example);
    kb_program program = {options, NULL, doc, .rest = rest};
    install_signals(g);
    kb_program_parse(&program, argc, argv, &s);
    s.only_recipe = false;
    kb_program_parse(&program, argc, argv, &s);
    int code = s.err.code ? s.err.code : generate(&s, &s.err);
    if (code)
        kb_report(g->program, &s.err);
    kb_recipe_free(g->form, recipe);
    free_options(options);
    free(s.usual_out);
    return code;
}
