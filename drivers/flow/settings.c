/* SPDX-License-Identifier: MIT */
#include "drivers/flow/settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/options.h"

const char *const kb_flow_riemann_names[] = {"hllc", "hllc_lm", "hlle", "rusanov", NULL};
const char *const kb_flow_variables_names[] = {"conserved", "primitive", NULL};
const char *const kb_flow_splitting_names[] = {"strang", "godunov", NULL};
enum { GAS = 3, DETONATION, RUNS }; /* groups: a mechanism's gas, that case alone, all cases */

/* what the command line says: numbers are 0, words -1 and the noise NaN where it is silent */
typedef struct {
    kb_flow_settings s;
    const char *problem, *scheme, *engine, *nx, *chemistry, *rtol, *also;
    const char *only[RUNS + 1]; /* an option of the group, if one is given */
    double end, cfl, noise;
    int ny, variables, riemann, nets, threads;
    bool list;
} given;

#define AT(member) offsetof(given, member)
#define AS_CASE ": as the case"

static const kb_program_option options[] = {
    {"case", 'c', "NAME", KB_OPT_TEXT, AT(problem), 0, 0, "sod", 1,
     "what is computed: a file of datasets/cases, which --list names, or FILE.json of your own"},
    {"list", 0, 0, KB_OPT_SWITCH, AT(list), 0, 0, 0, 1, "the cases and the schemes"},
    {"scheme", 0, "LIST", KB_OPT_TEXT, AT(scheme), 0, 0, "mp5", 2,
     "reconstruction and steps in time; --list names all"},
    {"engine", 0, "LIST", KB_OPT_LIST, AT(engine), "cpu-scalar, cpu-simd, gpu", 0,
     ": cpu-simd; --bench: cpu-scalar,cpu-simd", 2, "where it runs"},
    {"nx", 0, "LIST", KB_OPT_COUNTS, AT(nx), "1 to 100000000", 0,
     ": half, once and twice the cells of the case if its exact answer is known", 2,
     "cells along x, one run each"},
    {"ny", 0, "COUNT", KB_OPT_INT, AT(ny), "1 to 100000000", 0, AS_CASE, 2,
     "cells along y for the first nx; more in proportion"},
    {"end", 0, "TIME", KB_OPT_NUMBER, AT(end), "more than 0", 0, AS_CASE, 2,
     "when the run ends, in the unit of the case; detonation: [s]"},
    {"cfl", 0, "X", KB_OPT_NUMBER, AT(cfl), "more than 0", 0, AS_CASE, 2, "CFL number"},
    {"variables", 0, "WORD", KB_OPT_WORD, AT(variables), "conserved, primitive", 0, AS_CASE, 2,
     "which are reconstructed"},
    {"riemann", 0, "WORD", KB_OPT_WORD, AT(riemann), "hllc, hllc_lm, hlle, rusanov", 0, AS_CASE, 2,
     "solver of the Riemann problem at a face"},
    {"positive", 0, "WORD", KB_OPT_WORD, AT(nets), "none, scale, blend, both", 0, ": both", 2,
     "what keeps density and pressure positive"},
    {"turn", 0, "WORD", KB_OPT_WORD, AT(s.options.turn), "off, on", 0, "off", 2,
     "on: x and y exchanged"},
    {"noise", 0, "X", KB_OPT_NUMBER, AT(noise), "from 0", 0, AS_CASE, 2,
     "relative noise in the density at the start"},
    {"seed", 0, "NUMBER", KB_OPT_LONG, AT(s.options.seed), "from 0", 0, "1", 2,
     "seed of the noise"},
    {.group = GAS, .help = "Cases in a mechanism's gas:"},
    {"mech", 'm', "NAME", KB_OPT_TEXT, AT(s.mech), 0, 0, "h2co", GAS, "mechanism"},
    {"thermo", 0, "FILE", KB_OPT_TEXT, AT(s.thermo), 0, 0, 0, GAS, "its separate thermo file"},
    {"chemistry", 0, "LIST", KB_OPT_TEXT, AT(chemistry), 0, 0, "rodas4", GAS,
     "solvers as bench takes them, SOLVER:option=value@ENGINE, one run each"},
    {"splitting", 0, "WORD", KB_OPT_WORD, AT(s.splitting), "strang, godunov", 0, "strang", GAS,
     "order of flow and reaction"},
    {"t-react", 0, "K", KB_OPT_NUMBER, AT(s.T_react), "more than 0", "K", ": all do", GAS,
     "colder cells do not react"},
    {"rtol", 0, "LIST", KB_OPT_NUMBERS, AT(rtol), "more than 0, at most 1", 0, 0, GAS,
     "each solver of --chemistry at each of these relative tolerances; the absolute ones are 1e-6 "
     "of them"},
    {"reference", 0, "SOLVER", KB_OPT_TEXT, AT(s.reference), 0, 0, 0, GAS,
     "also runs with this chemistry (cvode:rtol=1e-9) on the same grid and on twice the cells each "
     "way, and says how far T, OH and heat of the others are from it, beside the flow's own error"},
    {"fields", 0, "LIST", KB_OPT_WORDS, AT(s.fields), 0, 0,
     AS_CASE, GAS, "species whose mass fractions are written"},
    {.group = DETONATION, .help = "Detonations:"},
    {"mixture", 0, "LIST", KB_OPT_TEXT, AT(s.mixture), 0, 0, AS_CASE, DETONATION,
     "mole fractions"},
    {"pressure", 'p', "PA", KB_OPT_NUMBER, AT(s.p), "1 to 1e9", "Pa", AS_CASE, DETONATION,
     "unburnt gas"},
    {"temperature", 'T', "K", KB_OPT_NUMBER, AT(s.T), "200 to 2000", "K", AS_CASE, DETONATION,
     "unburnt gas"},
    {"length", 0, "M", KB_OPT_NUMBER, AT(s.length), "1e-9 to 1000", "m",
     ": 130 induction lengths", DETONATION, "length of the domain"},
    {"height", 0, "M", KB_OPT_NUMBER, AT(s.height), "1e-9 to 1000", "m", ": one dimension",
     DETONATION, "height of the domain: a wavy front in two dimensions"},
    {.group = RUNS, .help = "Runs:"},
    {"bench", 0, 0, KB_OPT_SWITCH, AT(s.bench), 0, 0, 0, RUNS,
     "measure the time of a cell's step: each engine in turn, --repeats times; writes no fields"},
    {"begin", 0, "S", KB_OPT_NUMBER, AT(s.begin), "more than 0", "s",
     ": at the start, each goes on where the last ended", RUNS,
     "of --bench: up to this time the flow runs by --reference, or the first of --chemistry, and "
     "each measurement begins there"},
    {"dt", 0, "S", KB_OPT_NUMBER, AT(s.dt), "more than 0", "s", ": a step", RUNS,
     "of --bench with chemistry: time from one reaction to the next, of one or more steps of the "
     "flow"},
    {"repeats", 0, "COUNT", KB_OPT_INT, AT(s.repeats), "1 to 1000", 0, "5", RUNS,
     "measurements of --bench"},
    {"threads", 0, "COUNT", KB_OPT_INT, AT(threads), "0 to 4096", 0, ": 0; --bench: 1", RUNS,
     "CPU threads; 0: all"},
    {"checkpoint", 0, "MINUTES", KB_OPT_NUMBER, AT(s.checkpoint), "from 0", "min", "5", RUNS,
     "time between checkpoints, from which the same command goes on after Ctrl-C or a crash; 0: "
     "none"},
    {"frames", 0, "COUNT", KB_OPT_INT, AT(s.frames), "0 to 100000", 0, "0", RUNS,
     "frames of the fields, evenly in time, into SCHEME.vtkhdf and .xdmf"},
    {"also", 0, "LIST", KB_OPT_LIST, AT(also), "blended, time", 0, ": neither", RUNS,
     "more fields: how often the faces east and north of a cell were blended so far; the share of "
     "a cell in the time of the last chemistry step, by its substeps"},
    {"out", 0, "FOLDER", KB_OPT_TEXT, AT(s.out), 0, 0, ": plots/out/flow-CASE", RUNS,
     "tables and fields"},
    {"quiet", 'q', 0, KB_OPT_SWITCH, AT(s.quiet), 0, 0, 0, RUNS, "no progress"},
    {0}};

static const kb_program flow = {
    options, NULL,
    "Solves the Euler equations by finite volumes, prints the errors if an answer is known, and "
    "writes what plots/flow draws.\vWith --recipe FILE it is a generator of states instead "
    "(flow --recipe x --help). docs/flow.md explains cases and schemes.\n\n"
    "Example: build/flow --case sod --scheme mp5 --nx 100,200 --out sod", .given = AT(only)};

static void print_list(void)
{
    kb_words names;
    kb_flow_case_names(&names);
    for (int ideal = 1; ideal >= 0; ideal--) {
        printf(ideal ? "cases of an ideal gas:\n" : "cases in a mechanism's gas:\n");
        for (int k = 0; k < names.count; k++) {
            kb_flow_case_file f;
            kb_error err;
            if (kb_flow_case_file_read(&f, names.word[k], &err))
                printf("  %s\n", err.text);
            else if (f.ideal == ideal)
                printf("  %-22s %s\n", names.word[k], f.problem.summary);
            kb_flow_case_file_free(&f);
        }
    }
    kb_words_free(&names);
    printf("schemes:\n");
#define SCHEME(name, header, stages, summary) printf("  %-22s %s\n", #name, summary);
#define ONE_GAS SCHEME
#include "flow/scheme/schemes.def"
#undef SCHEME
#undef ONE_GAS
    exit(KB_OK);
}

/* ---- what it means for the case ---- */

/* Cells along a side from x0 to x1, when a wall lies at x: between two of them, or they move it. A
 * place that no small number of cells hits is the user's, who gets the next cells. */
static int check_wall(const char *side, double n, double x, double x0, double x1, kb_error *err)
{
    double share = (x - x0) / (x1 - x0);
    int least = 1;
    while (least < 1000 && fabs(share * least - round(share * least)) > 1e-9)
        least++;
    return share > 0 && share < 1 && least < 1000 && fmod(n, least) > 0
               ? kb_fail(err, KB_INVALID, "%s = %.0f: a wall would lie inside a cell, which would "
                         "move it (%d cells or a multiple put it between two)", side, n, least)
               : KB_OK;
}

static int check_walls(const kb_flow_settings *s, kb_error *err)
{
    const kb_flow_case *c = &s->file->problem;
    int code = KB_OK;
    for (int k = 0; k < s->grids; k++)
        for (int i = 0; i < s->file->solids; i++) {
            const kb_flow_shape *w = &s->file->solid[i];
            const double at[] = {w->east_of, w->west_of, w->north_of, w->south_of};
            for (int b = 0; b < 4 && !code; b++)
                code = b < 2 ? check_wall("nx", s->nx[k], at[b], c->x0, c->x1, err)
                             : check_wall("ny", round(s->nx[k] * s->ratio), at[b], c->y0, c->y1,
                                          err);
        }
    return code;
}

static int read_grids(kb_flow_settings *s, const given *g, kb_error *err)
{
    const kb_flow_case *c = &s->file->problem;
    bool flat = c->y1 <= c->y0;
    kb_owned char *usual = c->exact && flat && !s->bench
                               ? kb_format("%d,%d,%d", c->nx / 2, c->nx, 2 * c->nx)
                               : kb_format("%d", c->nx);
    int code = kb_list_numbers("nx", g->nx ? g->nx : usual, 1, &s->nx, &s->grids, err);
    if (code)
        return code;
    s->options.nx = (int)s->nx[0];
    s->options.ny = g->ny ? g->ny : flat ? 1 : (int)lround(s->nx[0] * c->ny / c->nx);
    s->ratio = flat ? 0 : (double)s->options.ny / s->options.nx;
    return check_walls(s, err);
}

/* each solver at each tolerance, before its engine: rodas4:rtol=1e-4:atol=1e-10@cpu-simd */
static int read_chemistry(kb_flow_settings *s, const given *g, kb_error *err)
{
    kb_words solvers;
    kb_owned double *rtol = NULL;
    int n = 0, code = g->rtol ? kb_list_numbers("rtol", g->rtol, 0, &rtol, &n, err) : KB_OK;
    kb_words_split(&solvers, g->chemistry);
    for (int i = 0; i < solvers.count && !code; i++) {
        const char *word = solvers.word[i], *engine = word + strcspn(word, "@");
        for (int k = 0; k < n; k++) {
            kb_owned char *one = kb_format("%.*s:rtol=%g:atol=%g%s", (int)(engine - word), word,
                                           rtol[k], 1e-6 * rtol[k], engine);
            kb_words_add(&s->chemistry, one);
        }
        if (n == 0)
            kb_words_add(&s->chemistry, word);
    }
    kb_words_free(&solvers);
    return code;
}

static int read_engines(kb_flow_settings *s, const given *g, kb_error *err)
{
    kb_words_split(&s->schemes, g->scheme);
    const char *usual = s->bench ? "cpu-scalar,cpu-simd" : "cpu-simd";
    kb_words_split(&s->engines, g->engine ? g->engine : usual);
    int code = read_chemistry(s, g, err);
    if (code)
        return code;
    for (int i = 0; s->problem && i < s->schemes.count; i++)
        for (int k = 0; k < s->engines.count; k++)
            if (!kb_flow_find_engine(s->schemes.word[i], s->engines.word[k], s->problem->nsp, err))
                return KB_INVALID;
    return KB_OK;
}

/* does --also ask for this field? */
static bool shows(const given *g, const char *field) { return g->also && strstr(g->also, field); }

static void read_options(kb_flow_settings *s, const given *g)
{
    kb_flow_options *o = &s->options, usual;
    kb_flow_defaults(&s->file->problem, &usual);
    usual.turn = o->turn;
    usual.seed = o->seed;
    *o = usual;
    if (g->end > 0)
        o->end = g->end;
    if (g->cfl > 0)
        o->cfl = g->cfl;
    if (!isnan(g->noise))
        o->noise = g->noise;
    if (g->variables >= 0)
        o->variables = (kb_flow_variables)g->variables;
    if (g->riemann >= 0)
        o->riemann = (kb_flow_riemann)g->riemann;
    if (g->nets >= 0)
        o->nets = g->nets;
    o->blended = shows(g, "blended");
    o->time = shows(g, "time");
}

static int read_case(kb_flow_settings *s, const given *g, kb_error *err)
{
    s->file = kb_alloc(1, sizeof *s->file);
    int code = kb_flow_case_file_read(s->file, g->problem, err);
    if (code)
        return code;
    bool detonation = s->file->detonation;
    s->problem = s->file->ideal ? &s->file->problem : NULL;
    if (!detonation && g->only[DETONATION])
        return kb_fail(err, KB_INVALID, "--%s: for detonations alone, not for %s",
                       g->only[DETONATION], g->problem);
    if (s->problem && g->only[GAS])
        return kb_fail(err, KB_INVALID, "--%s: for cases in a mechanism's gas, not for %s",
                       g->only[GAS], g->problem);
    if (!s->bench && (s->begin > 0 || s->dt > 0))
        return kb_fail(err, KB_INVALID, "--begin and --dt are for --bench");
    if (s->problem && shows(g, "time"))
        return kb_fail(err, KB_INVALID, "--also time: for cases with chemistry, not for %s",
                       g->problem);
    if (s->problem && s->dt > 0)
        return kb_fail(err, KB_INVALID, "--dt: for cases with chemistry, not for %s", g->problem);
    if (detonation && s->reference && s->height > 0 && !s->bench)
        return kb_fail(err, KB_INVALID, "--reference: a detonation has one in one dimension "
                       "(without --height)");
    if (detonation && s->options.turn)
        return kb_fail(err, KB_INVALID, "--turn: a detonation runs along x");
    if (detonation && g->ny)
        return kb_fail(err, KB_INVALID, "--ny %d: a detonation has the rows of its --height",
                       g->ny);
    return KB_OK;
}

/* what the command line leaves to the file of a detonation */
static void read_detonation(kb_flow_settings *s)
{
    const kb_flow_case_file *f = s->file;
    s->mixture = s->mixture ? s->mixture : f->X ? f->X : "";
    s->T = s->T > 0 ? s->T : f->T;
    s->p = s->p > 0 ? s->p : f->p;
    s->length = s->length > 0 ? s->length : f->length;
    s->height = s->height > 0 ? s->height : f->height;
}

int kb_flow_settings_read(kb_flow_settings *s, int argc, char **argv, kb_error *err)
{
    given g = {.variables = -1, .riemann = -1, .nets = -1, .threads = -1, .noise = NAN};
    kb_program_parse(&flow, argc, argv, &g);
    *s = g.s;
    if (g.list || !strcmp(g.problem, "list"))
        print_list();
    int code = read_case(s, &g, err);
    if (code)
        return code;
    read_detonation(s);
    s->threads = g.threads >= 0 ? g.threads : s->bench ? 1 : 0;
    read_options(s, &g);
    code = read_engines(s, &g, err);
    return code ? code : read_grids(s, &g, err);
}

void kb_flow_settings_free(kb_flow_settings *s)
{
    kb_words_free(&s->schemes);
    kb_words_free(&s->engines);
    kb_words_free(&s->chemistry);
    kb_words_free(&s->fields);
    free(s->nx);
    if (s->file)
        kb_flow_case_file_free(s->file);
    free(s->file);
}
