/* SPDX-License-Identifier: MIT */
#include "drivers/flow/settings.h"

#include <argp.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const kb_flow_riemann_names[] = {"hllc", "hllc_lm", "hlle", "rusanov", NULL};
const char *const kb_flow_variables_names[] = {"conserved", "primitive", NULL};
const char *const kb_flow_splitting_names[] = {"strang", "godunov", NULL};
static const char *const on_off[] = {"off", "on", NULL};
static const char *const nets_names[] = {"none", "scale", "blend", "both", NULL};

enum { SCHEME = 256, ENGINE, NX, NY, END, CFL, VARIABLES, RIEMANN, NETS, TURN, NOISE, SEED, THREADS,
       REPEATS, OUT, LIST, BENCH, THERMO, MIXTURE, LENGTH, HEIGHT, CHEMISTRY, SPLITTING, T_REACT,
       CHECKPOINT, FRAMES, FIELDS, REFERENCE, RTOL, BEGIN, DT };

enum { GAS = 3, DETONATION, RUNS }; /* groups: a mechanism's gas, that case alone, all cases */

static const struct argp_option options[] = {
    {"case", 'c', "NAME", 0, "what is computed: --list names all, FILE.json is your own (default "
     "sod)", 1},
    {"list", LIST, 0, 0, "the cases and the schemes", 1},
    {"scheme", SCHEME, "LIST", 0, "reconstruction and steps in time; --list names all (default "
     "mp5)", 2},
    {"engine", ENGINE, "LIST", 0, "cpu-scalar, cpu-simd, gpu (default cpu-simd)", 2},
    {"nx", NX, "LIST", 0, "cells along x, one run each (1 to 100000000, default: half, once and "
     "twice the cells of the case if its exact answer is known)", 2},
    {"ny", NY, "COUNT", 0, "cells along y for the first nx; more in proportion (1 to "
     "100000000, default as the case)", 2},
    {"end", END, "TIME", 0, "when the run ends, in the unit of the case; detonation: [s] (more "
     "than 0, default as the case)", 2},
    {"cfl", CFL, "X", 0, "CFL number (more than 0, default as the case)", 2},
    {"variables", VARIABLES, "WORD", 0, "conserved, primitive: which are reconstructed (default as "
     "the case)", 2},
    {"riemann", RIEMANN, "WORD", 0, "hllc, hllc_lm, hlle, rusanov (default as the case)", 2},
    {"positive", NETS, "WORD", 0, "none, scale, blend, both: what keeps density and pressure "
     "positive (default both)", 2},
    {"turn", TURN, "WORD", 0, "on: x and y exchanged (default off)", 2},
    {"noise", NOISE, "X", 0, "relative noise in the density at the start (from 0; default as the "
     "case)", 2},
    {"seed", SEED, "NUMBER", 0, "seed of the noise (from 0; default 1)", 2},
    {0, 0, 0, 0, "Case detonation and cases of files:", GAS},
    {"mech", 'm', "NAME", 0, "mechanism (default h2co)", GAS},
    {"thermo", THERMO, "FILE", 0, "its separate thermo file", GAS},
    {"chemistry", CHEMISTRY, "LIST", 0, "solvers as bench takes them, SOLVER:option=value@ENGINE, "
     "one run each (default rodas4)", GAS},
    {"splitting", SPLITTING, "WORD", 0, "strang, godunov (default strang)", GAS},
    {"t-react", T_REACT, "K", 0, "colder cells do not react [K] (more than 0, default: all do)",
     GAS},
    {"rtol", RTOL, "LIST", 0, "each solver of --chemistry at each of these relative tolerances; "
     "the absolute ones are 1e-6 of them", GAS},
    {"reference", REFERENCE, "SOLVER", 0, "also runs with this chemistry (cvode:rtol=1e-9) on the "
     "same grid and on twice the cells each way, and says how far T, OH and heat of the others are "
     "from it, beside the flow's own error", GAS},
    {"fields", FIELDS, "LIST", 0, "species whose mass fractions are written (default as the file, "
     "of the detonation OH)", GAS},
    {0, 0, 0, 0, "Case detonation:", DETONATION},
    {"mixture", MIXTURE, "LIST", 0, "mole fractions (default H2:2,O2:1,AR:7)", DETONATION},
    {"pressure", 'p', "PA", 0, "unburnt gas [Pa] (1 to 1e9, default 6670)", DETONATION},
    {"temperature", 'T', "K", 0, "unburnt gas [K] (200 to 2000, default 298)", DETONATION},
    {"length", LENGTH, "M", 0, "length of the domain [m] (1e-9 to 1000, default 130 induction "
     "lengths)", DETONATION},
    {"height", HEIGHT, "M", 0, "height of the domain [m]: a wavy front in two dimensions "
     "(1e-9 to 1000, default one dimension)", DETONATION},
    {0, 0, 0, 0, "Runs:", RUNS},
    {"bench", BENCH, 0, 0, "measure the time of a cell's step: each engine in turn, --repeats "
     "times; writes no fields", RUNS},
    {"begin", BEGIN, "S", 0, "of --bench: up to this time the flow runs by --reference, or the "
     "first of --chemistry, and each measurement begins there [s] (more than 0, default: at the "
     "start, each goes on where the last ended)", RUNS},
    {"dt", DT, "S", 0, "of --bench with chemistry: time from one reaction to the next, of one or "
     "more steps of the flow [s] (more than 0, default: a step)", RUNS},
    {"repeats", REPEATS, "COUNT", 0, "measurements of --bench (1 to 1000, default 5)", RUNS},
    {"threads", THREADS, "COUNT", 0, "CPU threads; 0: all (0 to 4096, default 0; --bench: 1)",
     RUNS},
    {"checkpoint", CHECKPOINT, "MINUTES", 0, "time between checkpoints [min], from which the same "
     "command goes on after Ctrl-C or a crash; 0: none (from 0; default 5)", RUNS},
    {"frames", FRAMES, "COUNT", 0, "frames of the fields, evenly in time, into SCHEME.vtkhdf "
     "and .xdmf (0 to 100000, default 0)", RUNS},
    {"out", OUT, "FOLDER", 0, "tables and fields (default plots/out/flow-CASE)", RUNS},
    {"quiet", 'q', 0, 0, "no progress", RUNS},
    {0, 0, 0, 0, 0, 0}};

/* what the command line says: numbers are 0 and words -1 where it is silent */
typedef struct {
    kb_flow_settings *to;
    const char *problem, *scheme, *engine, *nx, *chemistry, *rtol;
    const char *only[RUNS]; /* an option of the group, if one is given */
    double end, cfl, noise;
    int ny, variables, riemann, nets, threads;
    bool list, noise_given;
} given;

static error_t parse_solver(int key, char *arg, struct argp_state *state)
{
    given *g = state->input;
    kb_flow_settings *s = g->to;
    switch (key) {
    case 'm': s->mech = kb_option_text(state, key, arg); break;
    case THERMO: s->thermo = kb_option_text(state, key, arg); break;
    case MIXTURE: s->mixture = kb_option_text(state, key, arg); break;
    case 'p': s->p = kb_option_number(state, key, arg, 1, 1e9); break;
    case 'T': s->T = kb_option_number(state, key, arg, 200, 2000); break;
    case LENGTH: s->length = kb_option_number(state, key, arg, 1e-9, 1000); break;
    case HEIGHT: s->height = kb_option_number(state, key, arg, 1e-9, 1000); break;
    case CHEMISTRY: g->chemistry = kb_option_text(state, key, arg); break;
    case SPLITTING:
        s->splitting = kb_option_choice(state, key, arg, kb_flow_splitting_names);
        break;
    case RTOL: g->rtol = kb_option_text(state, key, arg); break;
    case REFERENCE: s->reference = kb_option_text(state, key, arg); break;
    case FIELDS: kb_words_split(&s->fields, kb_option_text(state, key, arg)); break;
    case T_REACT: s->T_react = kb_option_positive(state, key, arg); break;
    case BENCH: s->bench = true; break;
    case BEGIN: s->begin = kb_option_positive(state, key, arg); break;
    case DT: s->dt = kb_option_positive(state, key, arg); break;
    case REPEATS: s->repeats = (int)kb_option_whole(state, key, arg, 1, 1000); break;
    case CHECKPOINT: s->checkpoint = kb_option_number(state, key, arg, 0, INFINITY); break;
    case FRAMES: s->frames = (int)kb_option_whole(state, key, arg, 0, 100000); break;
    case OUT: s->out = kb_option_text(state, key, arg); break;
    case 'q': s->quiet = true; break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static error_t parse_flow(int key, char *arg, struct argp_state *state)
{
    given *g = state->input;
    for (const struct argp_option *o = options; o->name || o->doc; o++)
        if (o->key == key && o->name && o->group < RUNS)
            g->only[o->group] = o->name;
    switch (key) {
    case 'c': g->problem = kb_option_text(state, key, arg); break;
    case LIST: g->list = true; break;
    case SCHEME: g->scheme = kb_option_text(state, key, arg); break;
    case ENGINE: g->engine = kb_option_text(state, key, arg); break;
    case NX: g->nx = kb_option_text(state, key, arg); break;
    case NY: g->ny = (int)kb_option_whole(state, key, arg, 1, KB_FLOW_SPACE); break;
    case END: g->end = kb_option_positive(state, key, arg); break;
    case CFL: g->cfl = kb_option_positive(state, key, arg); break;
    case VARIABLES:
        g->variables = kb_option_choice(state, key, arg, kb_flow_variables_names);
        break;
    case RIEMANN: g->riemann = kb_option_choice(state, key, arg, kb_flow_riemann_names); break;
    case NETS: g->nets = kb_option_choice(state, key, arg, nets_names); break;
    case TURN: g->to->options.turn = kb_option_choice(state, key, arg, on_off); break;
    case NOISE:
        g->noise_given = true;
        g->noise = kb_option_number(state, key, arg, 0, INFINITY);
        break;
    case SEED:
        g->to->options.seed = (unsigned long long)kb_option_whole(state, key, arg, 0, LONG_MAX);
        break;
    case THREADS: g->threads = (int)kb_option_whole(state, key, arg, 0, KB_MAX_THREADS); break;
    case ARGP_KEY_ARG: argp_error(state, "'%s' is not an option", arg); break;
    default: return parse_solver(key, arg, state);
    }
    return 0;
}

static const struct argp argp = {options, parse_flow, 0,
    "Solves the Euler equations by finite volumes, prints the errors if an answer is known, and "
    "writes what plots/flow draws.\vWith --recipe FILE it is a generator of states instead "
    "(flow --recipe x --help). docs/flow.md explains cases and schemes.\n\n"
    "Example: build/flow --case sod --scheme mp5 --nx 100,200 --out sod", 0, 0, 0};

static void print_list(void)
{
    printf("cases:\n");
    for (const kb_flow_case *c = kb_flow_cases; c->name; c++)
        printf("  %-22s %s\n", c->name, c->summary);
    printf("  %-22s %s\n", "detonation", "planar detonation of a mechanism's gas, from its ZND "
           "profile");
    printf("schemes:\n");
#define SCHEME(name, header, stages, summary) printf("  %-22s %s\n", #name, summary);
#define ONE_GAS SCHEME
#include "flow/scheme/schemes.def"
#undef SCHEME
#undef ONE_GAS
    exit(KB_OK);
}

/* ---- what it means for the case ---- */

/* NULL: the detonation */
static const kb_flow_case *case_of(const kb_flow_settings *s)
{
    return s->file ? &s->file->problem : s->problem;
}

/* cells along a side, when a wall lies at a share of it: between two of them, or they move it */
static int check_wall(const char *side, double n, double share, kb_error *err)
{
    int least = 1;
    while (fabs(share * least - round(share * least)) > 1e-9)
        least++;
    return share > 0 && fmod(n, least) > 0
               ? kb_fail(err, KB_INVALID, "%s = %.0f: a wall would lie inside a cell, which would "
                         "move it (%d cells or a multiple put it between two)", side, n, least)
               : KB_OK;
}

static int check_walls(const kb_flow_settings *s, kb_error *err)
{
    const kb_flow_case *c = case_of(s);
    int code = KB_OK;
    for (int k = 0; c && c->corner[0] > 0 && k < s->grids && !code; k++) {
        code = check_wall("nx", s->nx[k], (c->corner[0] - c->x0) / (c->x1 - c->x0), err);
        code = code ? code : check_wall("ny", round(s->nx[k] * s->ratio),
                                        (c->corner[1] - c->y0) / (c->y1 - c->y0), err);
    }
    return code;
}

static int read_grids(kb_flow_settings *s, const given *g, kb_error *err)
{
    const kb_flow_case *c = case_of(s);
    bool flat = !c || c->y1 <= c->y0;
    char *usual = !c ? kb_strdup("1000")
                : c->exact && flat && !g->to->bench
                    ? kb_format("%d,%d,%d", c->nx / 2, c->nx, 2 * c->nx) : kb_format("%d", c->nx);
    int code = kb_list_numbers("nx", g->nx ? g->nx : usual, 1, &s->nx, &s->grids, err);
    free(usual);
    for (int k = 0; !code && k < s->grids; k++)
        if (s->nx[k] > (double)KB_FLOW_SPACE)
            code = kb_fail(err, KB_INVALID, "--nx %.0f: more than %ld cells", s->nx[k],
                           KB_FLOW_SPACE);
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
    double *rtol = NULL;
    int n = 0, code = g->rtol ? kb_list_numbers("rtol", g->rtol, 0, &rtol, &n, err) : KB_OK;
    kb_words_split(&solvers, g->chemistry ? g->chemistry : "rodas4");
    for (int i = 0; i < solvers.count && !code; i++) {
        const char *word = solvers.word[i], *engine = word + strcspn(word, "@");
        for (int k = 0; k < n; k++) {
            char *one = kb_format("%.*s:rtol=%g:atol=%g%s", (int)(engine - word), word, rtol[k],
                                  1e-6 * rtol[k], engine);
            kb_words_add(&s->chemistry, one);
            free(one);
        }
        if (n == 0)
            kb_words_add(&s->chemistry, word);
    }
    kb_words_free(&solvers);
    free(rtol);
    return code;
}

static int read_engines(kb_flow_settings *s, const given *g, kb_error *err)
{
    kb_words_split(&s->schemes, g->scheme ? g->scheme : "mp5");
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

static void read_options(kb_flow_settings *s, const given *g)
{
    kb_flow_options *o = &s->options, usual = {.end = 0, .cfl = 0.4, .riemann = KB_FLOW_HLLC,
                                               .variables = KB_FLOW_PRIMITIVE, .nets = 3};
    if (case_of(s))
        kb_flow_defaults(case_of(s), &usual);
    usual.turn = o->turn;
    usual.seed = o->seed;
    *o = usual;
    if (g->end > 0)
        o->end = g->end;
    if (g->cfl > 0)
        o->cfl = g->cfl;
    if (g->noise_given)
        o->noise = g->noise;
    if (g->variables >= 0)
        o->variables = (kb_flow_variables)g->variables;
    if (g->riemann >= 0)
        o->riemann = (kb_flow_riemann)g->riemann;
    if (g->nets >= 0)
        o->nets = g->nets;
}

static int read_case(kb_flow_settings *s, const given *g, kb_error *err)
{
    bool detonation = !strcmp(g->problem, "detonation");
    if (kb_ends_in(g->problem, ".json")) {
        s->file = kb_alloc(1, sizeof *s->file);
        int code = kb_flow_case_file_read(s->file, g->problem, err);
        if (code)
            return code;
    } else if (!detonation && !(s->problem = kb_flow_find_case(g->problem, err))) {
        return KB_INVALID;
    }
    if (!detonation && g->only[DETONATION])
        return kb_fail(err, KB_INVALID, "--%s: for --case detonation alone, not for %s",
                       g->only[DETONATION], g->problem);
    if (s->problem && g->only[GAS])
        return kb_fail(err, KB_INVALID, "--%s: for cases in a mechanism's gas, not for %s",
                       g->only[GAS], g->problem);
    if (!s->bench && (s->begin > 0 || s->dt > 0))
        return kb_fail(err, KB_INVALID, "--begin and --dt are for --bench");
    if (s->problem && s->dt > 0)
        return kb_fail(err, KB_INVALID, "--dt: for cases with chemistry, not for %s", g->problem);
    if (detonation && s->reference && s->height > 0 && !s->bench)
        return kb_fail(err, KB_INVALID, "--reference: a detonation has one in one dimension "
                       "(without --height)");
    if (detonation && g->ny)
        return kb_fail(err, KB_INVALID, "--ny %d: a detonation has the rows of its --height",
                       g->ny);
    return KB_OK;
}

int kb_flow_settings_read(kb_flow_settings *s, int argc, char **argv, kb_error *err)
{
    given g = {.to = s, .problem = "sod", .variables = -1, .riemann = -1, .nets = -1,
               .threads = -1};
    *s = (kb_flow_settings){.repeats = 5, .checkpoint = 5, .mech = "h2co",
                            .mixture = "H2:2,O2:1,AR:7", .p = 6670,
                            .T = 298, .options = {.seed = 1}};
    argp_err_exit_status = KB_INVALID;
    argp_parse(&argp, argc, argv, 0, 0, &g);
    if (g.list || !strcmp(g.problem, "list"))
        print_list();
    int code = read_case(s, &g, err);
    if (code)
        return code;
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
