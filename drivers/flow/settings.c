/* SPDX-License-Identifier: MIT */
#include "drivers/flow/settings.h"

#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const kb_flow_riemann_names[] = {"hllc", "hllc_lm", "hlle", "rusanov", NULL};
const char *const kb_flow_variables_names[] = {"conserved", "primitive", NULL};
static const char *const on_off[] = {"off", "on", NULL};
static const char *const nets_names[] = {"none", "scale", "blend", "both", NULL};

enum { SCHEME = 256, ENGINE, NX, NY, END, CFL, VARIABLES, RIEMANN, NETS, TURN, NOISE, SEED, THREADS,
       REPEATS, OUT, LIST, BENCH, KEYS };

static const struct argp_option options[] = {
    {"case", 'c', "NAME", 0, "what is computed; --list names all", 1},
    {"list", LIST, 0, 0, "the cases and the schemes", 1},
    {"scheme", SCHEME, "LIST", 0, "(default mp5)", 2},
    {"engine", ENGINE, "LIST", 0, "cpu-scalar, cpu-simd (default cpu-simd)", 2},
    {"nx", NX, "LIST", 0, "cells along x, one run each (default: half, once and twice those of the "
     "case where its exact answer is known)", 2},
    {"ny", NY, "COUNT", 0, "cells along y for the first nx; more in proportion (default as the "
     "case)", 2},
    {"end", END, "TIME", 0, "(default as the case)", 2},
    {"cfl", CFL, "X", 0, "CFL number (default as the case)", 2},
    {"variables", VARIABLES, "WORD", 0, "conserved, primitive: which are reconstructed (default as "
     "the case)", 2},
    {"riemann", RIEMANN, "WORD", 0, "hllc, hllc_lm, hlle, rusanov (default as the case)", 2},
    {"positive", NETS, "WORD", 0, "none, scale, blend, both: what keeps density and pressure "
     "positive (default both)", 2},
    {"turn", TURN, "WORD", 0, "on: x and y exchanged (default off)", 2},
    {"noise", NOISE, "X", 0, "in the density at the start, relative (default as the case)", 2},
    {"seed", SEED, "NUMBER", 0, "of the noise (default 1)", 2},
    {"bench", BENCH, 0, 0, "measure the time of a cell's step: each engine in turn, --repeats times; "
     "writes no fields", 3},
    {"repeats", REPEATS, "COUNT", 0, "of --bench (default 5)", 3},
    {"threads", THREADS, "COUNT", 0, "CPU threads (default all; --bench: 1)", 3},
    {"out", OUT, "FOLDER", 0, "tables and fields (default plots/out/flow-CASE)", 3},
    {"quiet", 'q', 0, 0, "no progress", 3},
    {0, 0, 0, 0, 0, 0}};

/* the texts as given; what they mean is looked at once the case is known */
typedef struct {
    const char *problem, *text[KEYS - SCHEME];
    bool list, bench, quiet;
} given;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    given *g = state->input;
    switch (key) {
    case 'c': g->problem = arg; break;
    case LIST: g->list = true; break;
    case BENCH: g->bench = true; break;
    case 'q': g->quiet = true; break;
    case ARGP_KEY_ARG: argp_error(state, "'%s' is not an option", arg); break;
    default:
        if (key < SCHEME || key >= KEYS)
            return ARGP_ERR_UNKNOWN;
        g->text[key - SCHEME] = arg;
    }
    return 0;
}

static const struct argp argp = {options, parse, 0,
    "Solves the Euler equations by finite volumes, prints the errors where an answer is known, and "
    "writes what plots/flow draws.\vdocs/flow.md explains cases and schemes.", 0, 0, 0};

static void print_list(void)
{
    printf("cases:\n");
    for (const kb_flow_case *c = kb_flow_cases; c->name; c++)
        printf("  %-22s %s\n", c->name, c->summary);
    printf("schemes:\n");
#define SCHEME(name, header, stages, summary) printf("  %-22s %s\n", #name, summary);
#define ONE_GAS SCHEME
#include "flow/schemes.def"
#undef SCHEME
#undef ONE_GAS
    exit(KB_OK);
}

/* ---- values ---- */

static int number(const char *option, const char *text, double *to, kb_error *err)
{
    char *end;
    if (!text)
        return KB_OK;
    *to = strtod(text, &end);
    if (end == text || *end || !isfinite(*to))
        return kb_fail(err, KB_INVALID, "--%s: '%s' is not a number", option, text);
    return KB_OK;
}

static int whole(const char *option, const char *text, long least, long most, int *to, kb_error *err)
{
    char *end;
    if (!text)
        return KB_OK;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < least || value > most)
        return kb_fail(err, KB_INVALID, "--%s: '%s' is not a whole number from %ld to %ld", option,
                       text, least, most);
    *to = (int)value;
    return KB_OK;
}

static int word(const char *option, const char *text, const char *const *words, int *to,
                kb_error *err)
{
    char *known = kb_strdup("");
    int k = -1;
    for (int i = 0; words[i]; i++) {
        char *longer = kb_format("%s %s", known, words[i]);
        free(known);
        known = longer;
        if (text && !strcmp(text, words[i]))
            k = i;
    }
    int code = !text || k >= 0 ? KB_OK : kb_fail(err, KB_INVALID, "--%s: no '%s': there are%s",
                                                 option, text, known);
    if (k >= 0)
        *to = k;
    free(known);
    return code;
}

static int read_grids(kb_flow_settings *s, const given *g, kb_error *err)
{
    const kb_flow_case *c = s->problem;
    bool flat = c->y1 <= c->y0;
    char *usual = c->exact && flat && !g->bench ? kb_format("%d,%d,%d", c->nx / 2, c->nx, 2 * c->nx)
                                                : kb_format("%d", c->nx);
    const char *text = g->text[NX - SCHEME] ? g->text[NX - SCHEME] : usual;
    int code = kb_list_numbers("nx", text, 1, &s->nx, &s->grids, err);
    free(usual);
    for (int k = 0; !code && k < s->grids; k++)
        if (s->nx[k] > (double)KB_FLOW_SPACE)
            code = kb_fail(err, KB_INVALID, "--nx %.0f: more than %ld cells", s->nx[k],
                           KB_FLOW_SPACE);
    if (code)
        return code;
    s->options.nx = (int)s->nx[0];
    s->options.ny = flat ? 1 : (int)lround(s->nx[0] * c->ny / c->nx);
    code = whole("ny", g->text[NY - SCHEME], 1, KB_FLOW_SPACE, &s->options.ny, err);
    s->ratio = flat ? 0 : (double)s->options.ny / s->options.nx;
    return code;
}

static int read_engines(kb_flow_settings *s, const given *g, kb_error *err)
{
    const char *scheme = g->text[SCHEME - SCHEME], *engine = g->text[ENGINE - SCHEME];
    kb_words_split(&s->schemes, scheme ? scheme : "mp5");
    kb_words_split(&s->engines, engine ? engine : g->bench ? "cpu-scalar,cpu-simd" : "cpu-simd");
    for (int i = 0; i < s->schemes.count; i++)
        for (int k = 0; k < s->engines.count; k++)
            if (!kb_flow_find_engine(s->schemes.word[i], s->engines.word[k], s->problem->nsp, err))
                return KB_INVALID;
    return s->schemes.count && s->engines.count ? KB_OK
        : kb_fail(err, KB_INVALID, "--scheme and --engine must name one or more");
}

static int read_choices(kb_flow_settings *s, const given *g, kb_error *err)
{
    int variables = s->options.variables, riemann = s->options.riemann, turn = 0, seed = 1;
    int code = word("variables", g->text[VARIABLES - SCHEME], kb_flow_variables_names, &variables,
                    err);
    code = code ? code : word("riemann", g->text[RIEMANN - SCHEME], kb_flow_riemann_names, &riemann,
                              err);
    code = code ? code : word("positive", g->text[NETS - SCHEME], nets_names, &s->options.nets, err);
    code = code ? code : word("turn", g->text[TURN - SCHEME], on_off, &turn, err);
    code = code ? code : whole("seed", g->text[SEED - SCHEME], 0, 1L << 30, &seed, err);
    s->options.variables = (kb_flow_variables)variables;
    s->options.riemann = (kb_flow_riemann)riemann;
    s->options.turn = turn;
    s->options.seed = (unsigned long long)seed;
    return code;
}

static int read_numbers(kb_flow_settings *s, const given *g, kb_error *err)
{
    s->repeats = 5;
    s->threads = g->bench ? 1 : 0;
    int code = number("end", g->text[END - SCHEME], &s->options.end, err);
    code = code ? code : number("cfl", g->text[CFL - SCHEME], &s->options.cfl, err);
    code = code ? code : number("noise", g->text[NOISE - SCHEME], &s->options.noise, err);
    code = code ? code : whole("threads", g->text[THREADS - SCHEME], 0, 4096, &s->threads, err);
    code = code ? code : whole("repeats", g->text[REPEATS - SCHEME], 1, 1000, &s->repeats, err);
    return code;
}

int kb_flow_settings_read(kb_flow_settings *s, int argc, char **argv, kb_error *err)
{
    given g = {0};
    *s = (kb_flow_settings){0};
    argp_err_exit_status = KB_INVALID;
    argp_parse(&argp, argc, argv, 0, 0, &g);
    if (g.list || (g.problem && !strcmp(g.problem, "list")))
        print_list();
    s->problem = kb_flow_find_case(g.problem ? g.problem : "sod", err);
    if (!s->problem)
        return KB_INVALID;
    s->out = g.text[OUT - SCHEME];
    s->quiet = g.quiet;
    s->bench = g.bench;
    kb_flow_defaults(s->problem, &s->options);
    int code = read_engines(s, &g, err);
    code = code ? code : read_grids(s, &g, err);
    code = code ? code : read_choices(s, &g, err);
    return code ? code : read_numbers(s, &g, err);
}

void kb_flow_settings_free(kb_flow_settings *s)
{
    kb_words_free(&s->schemes);
    kb_words_free(&s->engines);
    free(s->nx);
}
