/* SPDX-License-Identifier: MIT
 *
 * ignite: writes a database of states along homogeneous ignition, and its recipe beside it.
 */
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../pasr/database.h"
#include "../pasr/ignition.h"

typedef struct {
    kb_ignition r;
    char *solvers, *out;
    int only_recipe; /* first pass over the command line: it comes before every other option */
    int quiet;
    kb_error err;
} settings;

enum { FUEL = 256, OXIDIZER, PHI, T0, PRESSURE, CONST_V, T_END, SPACING, SPAN, RTOL, ATOL, THERMO,
       SOLVERS, RECIPE };

static const struct argp_option options[] = {
    {0, 0, 0, 0, "What:", 1},
    {"recipe", RECIPE, "FILE", 0, "take everything from this recipe (.json; the one beside a "
     "database makes it again); other options change single values of it", 0},
    {"mech", 'm', "NAME", 0, "mechanism: a name in datasets/mechanisms or a file (default "
     "gri30)", 0},
    {"thermo", THERMO, "FILE", 0, "separate thermo file of a CHEMKIN mechanism", 0},
    {"solvers", SOLVERS, "FILE", 0, "its solvers (default build/mech/NAME/solvers.so)", 0},
    {"fuel", FUEL, "MIX", 0, "species and moles (default CH4:1)", 0},
    {"oxidizer", OXIDIZER, "MIX", 0, "species and moles (default O2:1,N2:3.76)", 0},
    {"const-v", CONST_V, 0, 0, "constant volume (default: constant pressure)", 0},
    {0, 0, 0, 0, "Grid of reactors; LIST is 1000,1200,1600 or first:last:count:", 2},
    {"T0", T0, "LIST", 0, "initial temperatures in K (default 1600)", 0},
    {"p", PRESSURE, "LIST", 0, "pressures in atm (default 1)", 0},
    {"phi", PHI, "LIST", 0, "equivalence ratios (default 1)", 0},
    {0, 0, 0, 0, "States, evenly spaced in time from t = 0:", 3},
    {"n", 'n', "COUNT", 0, "states in all, shared by the reactors; more states lie closer together "
     "(default 1024)", 0},
    {"span", SPAN, "X", 0, "end of sampling, in ignition delays (default 1.5)", 0},
    {"t-end", T_END, "S", 0, "end of sampling in s, instead of --span", 0},
    {"spacing", SPACING, "S", 0, "time between states in s, instead of end / states", 0},
    {"rtol", RTOL, "X", 0, "relative tolerance of CVODE (default 1e-10)", 0},
    {"atol", ATOL, "X", 0, "absolute tolerance of CVODE (default 1e-20)", 0},
    {0, 0, 0, 0, "Output:", 4},
    {"out", 'o', "FILE", 0, "the database; the recipe gets .json for .npy (default "
     "datasets/databases/NAME-ignition.npy)", 0},
    {"quiet", 'q', 0, 0, "no line for each reactor", 0},
    {0, 0, 0, 0, 0, 0}};

static int number(settings *s, const char *name, const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    if (end == text || *end || !(*out > 0) || !isfinite(*out))
        return kb_fail(&s->err, KB_INVALID, "--%s '%s' is not a number > 0", name, text);
    return KB_OK;
}

static int count(settings *s, const char *text)
{
    char *end;
    errno = 0;
    s->r.n = strtol(text, &end, 10);
    if (end == text || *end || errno || s->r.n < 1)
        return kb_fail(&s->err, KB_INVALID, "--n '%s' is not a whole number >= 1", text);
    return KB_OK;
}

static void replace(char **to, const char *text)
{
    free(*to);
    *to = kb_strdup(text);
}

static int parse_value(settings *s, int key, char *arg)
{
    switch (key) {
    case T0: return kb_axis_parse(&s->r.T0, "--T0", arg, &s->err);
    case PRESSURE: return kb_axis_parse(&s->r.p, "--p", arg, &s->err);
    case PHI: return kb_axis_parse(&s->r.phi, "--phi", arg, &s->err);
    case 'n': return count(s, arg);
    case SPAN:
        s->r.t_end = s->r.spacing = 0;
        return number(s, "span", arg, &s->r.span);
    case T_END:
        s->r.spacing = 0;
        return number(s, "t-end", arg, &s->r.t_end);
    case SPACING:
        s->r.t_end = 0;
        return number(s, "spacing", arg, &s->r.spacing);
    case RTOL: return number(s, "rtol", arg, &s->r.rtol);
    case ATOL: return number(s, "atol", arg, &s->r.atol);
    }
    return KB_OK;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    settings *s = state->input;
    if (key == ARGP_KEY_ARG)
        argp_error(state, "'%s' is not an option", arg);
    if (s->err.code || s->only_recipe != (key == RECIPE))
        return 0;
    switch (key) {
    case RECIPE: kb_ignition_read(&s->r, arg, &s->err); break;
    case 'm': replace(&s->r.mech, arg); break;
    case THERMO: replace(&s->r.thermo, arg); break;
    case SOLVERS: replace(&s->solvers, arg); break;
    case FUEL: replace(&s->r.fuel, arg); break;
    case OXIDIZER: replace(&s->r.oxidizer, arg); break;
    case CONST_V: s->r.reactor = KB_CONST_V; break;
    case 'o': replace(&s->out, arg); break;
    case 'q': s->quiet = 1; break;
    default: parse_value(s, key, arg);
    }
    return 0;
}

static const struct argp argp = {
    options, parse, 0, "Writes a database of states (.npy: T [K], p [Pa], Y) along homogeneous "
    "ignition, and the recipe that makes it again (.json).\v"
    "Each reactor is integrated by CVODE without restarts, and sampled by its dense output. "
    "Without --t-end and --spacing the ignition delay (largest dT/dt) is found first.", 0, 0, 0};

/* the file of a mechanism given by name or path; caller frees */
static char *mechanism_file(const char *mech)
{
    static const char *const endings[] = {"yaml", "inp", "dat"};
    if (strchr(mech, '/') || access(mech, R_OK) == 0)
        return kb_strdup(mech);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char *path = kb_format("datasets/mechanisms/%s.%s", mech, endings[i]);
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return kb_format("datasets/mechanisms/%s.yaml", mech);
}

/* build/mech/<name>/solvers.so belongs to the mechanism's file <name>.yaml */
static const kb_solvers *open_solvers(const settings *s, kb_error *err)
{
    const char *slash = strrchr(s->r.mech, '/');
    char *name = kb_strdup(slash ? slash + 1 : s->r.mech), *dot = strrchr(name, '.');
    if (dot)
        *dot = '\0';
    const kb_solvers *found = kb_solvers_open(s->solvers ? s->solvers : name, err);
    free(name);
    return found;
}

static void print_path(const kb_ignition_path *p, int k)
{
    printf("%4d  T0 %g K, p %g atm, phi %g: ", k, p->T0, p->p, p->phi);
    if (isnan(p->delay))
        printf("no ignition");
    else
        printf("ignition delay %.6g s", p->delay);
    printf(", %ld states every %.4g s, T up to %.1f K\n", p->n, p->spacing, p->T_max);
    fflush(stdout);
}

static int make_folder_of(const char *path, kb_error *err)
{
    char *folder = kb_strdup(path);
    int code = KB_OK;
    for (char *at = strchr(folder + 1, '/'); at && !code; at = strchr(at + 1, '/')) {
        *at = '\0';
        if (mkdir(folder, 0777) && errno != EEXIST)
            code = kb_fail(err, KB_INVALID, "%s: cannot make folder: %s", folder, strerror(errno));
        *at = '/';
    }
    free(folder);
    return code;
}

/* foo.npy -> foo.json; caller frees */
static char *recipe_path(const char *out)
{
    size_t n = strlen(out);
    if (n > 4 && !strcmp(out + n - 4, ".npy"))
        n -= 4;
    return kb_format("%.*s.json", (int)n, out);
}

/* Ctrl-C waits until both files are whole: the signals are held back while they are written. */
static int save(const settings *s, const kb_solvers *solvers, const kb_ignition_path *paths,
                const double *states, kb_error *err)
{
    sigset_t held;
    char hash[65], *json = recipe_path(s->out), *text = NULL;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    int code = make_folder_of(s->out, err);
    sigprocmask(SIG_BLOCK, &held, NULL);
    if (!code)
        code = kb_npy_write(s->out, s->r.n, solvers->nsp + 2, states, err);
    if (!code)
        code = kb_sha256_file(s->out, hash, err);
    if (!code) {
        text = kb_ignition_text(&s->r, solvers, paths, states, hash);
        code = kb_file_write(json, text, strlen(text), NULL, 0, err);
    }
    sigprocmask(SIG_UNBLOCK, &held, NULL);
    if (!code)
        printf("%s: %ld states, %d columns, sha256 %.12s; recipe %s\n", s->out, s->r.n,
               solvers->nsp + 2, hash, json);
    free(json);
    free(text);
    return code;
}

static int make_database(settings *s, const kb_mech *m, const kb_solvers *solvers, kb_error *err)
{
    if (!s->out)
        s->out = kb_format("datasets/databases/%s-ignition.npy", m->name);
    double *states = kb_alloc((size_t)s->r.n * ((size_t)solvers->nsp + 2), sizeof *states);
    kb_ignition_path *paths = kb_alloc((size_t)kb_ignition_reactors(&s->r), sizeof *paths);
    int code = kb_ignition_run(&s->r, m, solvers, states, paths, s->quiet ? NULL : print_path, err);
    if (!code)
        code = save(s, solvers, paths, states, err);
    free(states);
    free(paths);
    return code;
}

static int run(settings *s, kb_error *err)
{
    kb_mech m;
    const kb_solvers *solvers = open_solvers(s, err);
    if (!solvers)
        return err->code;
    char *path = mechanism_file(s->r.mech);
    int code = kb_mech_load(&m, path, s->r.thermo, err);
    free(path);
    if (code)
        return code;
    code = make_database(s, &m, solvers, err);
    kb_mech_free(&m);
    return code;
}

static void interrupted(int signal)
{
    (void)signal;
    _exit(KB_INTERRUPTED);
}

int main(int argc, char **argv)
{
    settings s = {.only_recipe = 1};
    argp_err_exit_status = KB_INVALID;
    signal(SIGINT, interrupted);
    signal(SIGTERM, interrupted);
    kb_ignition_defaults(&s.r);
    argp_parse(&argp, argc, argv, 0, 0, &s);
    s.only_recipe = 0;
    argp_parse(&argp, argc, argv, 0, 0, &s);
    int code = s.err.code ? s.err.code : run(&s, &s.err);
    if (code)
        kb_report("ignite", &s.err);
    kb_ignition_free(&s.r);
    free(s.solvers);
    free(s.out);
    return code;
}
