/* SPDX-License-Identifier: MIT */
#include "drivers/bench/settings.h"

#include <string.h>

#include "base/options.h"

enum { ALSO = 256 };
#define AT(member) offsetof(kb_settings, member)

static const kb_program_option options[] = {
    {.group = 1, .help = "What is measured (lists are comma-separated; each combination is a "
     "cell):"},
    {"mech", 'm', "NAME", KB_OPT_TEXT, AT(mech), 0, 0, 0, 1,
     "mechanism: build/mech/NAME/solvers.so, a path to a .so, or a file (mech.yaml, or "
     "mech.inp,therm.dat) for the engines of any mechanism alone"},
    {"mech-file", 0, "FILE", KB_OPT_TEXT, AT(mech_file), 0, 0, 0, 1,
     "its file, to measure the engines of any mechanism beside those that were compiled for it"},
    {"db", 'd', "FILE", KB_OPT_TEXT, AT(db), 0, 0, 0, 1, "database of states (.npy)"},
    {"species", 0, "NAMES", KB_OPT_TEXT, AT(species), 0, 0, 0, 1,
     "species of the database's columns, if no .json beside it says so: H2,O2,... in their order, "
     "a file of names, or mechanism if they are the species of the mechanism in its order; kept in "
     "a .json beside it"},
    {"repair", 0, 0, KB_OPT_SWITCH, AT(repair), 0, 0, 0, 1,
     "mass fractions of the database that are off by noise (at least -1e-3, sums within 1e-2 of 1) "
     "are mended instead of refused"},
    {"n", 'n', "LIST", KB_OPT_COUNTS, AT(n), "from 1", 0, "1024", 1,
     "numbers of ODEs, at most the states of the database"},
    {"sample", 0, "NAME", KB_OPT_TEXT, AT(sample), "even, first", 0, "even", 1,
     "which states they are: even spreads them over the whole database, so that every n is the "
     "same population, first takes its first n"},
    {"dt", 't', "LIST", KB_OPT_NUMBERS, AT(dt), "more than 0", "s", "1e-6,1e-4", 1, "global steps"},
    {"steps", 0, "NUMBER", KB_OPT_INT, AT(steps), "1 to 1000000", 0, "1", 1,
     "global steps one after another, each from the result of the one before and started cold; "
     "times are the mean of a step, counts the sum"},
    {"tau-mix", 0, "X", KB_OPT_NUMBER, AT(tau_mix), "more than 0", "s", ": none", 1,
     "transport between them: each state mixes with the other one of its pair (states of pasr), or "
     "at each step with any one of the database at its pressure; its mixing time"},
    {"forcing", 0, "FILE", KB_OPT_TEXT, AT(forcing), 0, 0, 0, 1,
     "what transport adds to d(T, Y)/dt, constant over dt, for each state of the database: a .npy "
     "with a row of nsp + 1 numbers [K/s, 1/s] for each. For engines ...-forced (make: "
     "VARIANTS=forced)"},
    {"chain", 0, "NAME", KB_OPT_WORD, AT(chain), "host, device", 0, "host", 1,
     "where a GPU engine's states are between them; host copies them both ways in each step, "
     "device in before the first and out after the last. A CPU engine copies nothing: its cells "
     "are host"},
    {"solvers", 's', "LIST", KB_OPT_TEXT, AT(solvers), 0, 0, "all", 1,
     "solvers as name[:option=value]..., or all; --list shows the options, and rtol and atol are "
     "options of each. A file that ends in .so is a plug-in with your own solvers "
     "(docs/adding.md)"},
    {"engines", 'e', "LIST", KB_OPT_TEXT, AT(engines), 0, 0, "all", 1,
     "cpu-scalar, cpu-simd, gpu-thread..., or all"},
    {"schedules", 0, "LIST", KB_OPT_LIST, AT(schedules), "static, refill, all", 0, "all", 1,
     "how ODEs go to lanes; a cell of one lane and one thread has only one schedule"},
    {"orders", 0, "LIST", KB_OPT_LIST, AT(orders),
     "generated, similar, shuffled, sorted-T, sorted-f, sorted-cost, sorted-own, all", 0,
     "generated", 1,
     "orders of the states, kept beside the database. sorted-own: by the evaluations of the "
     "right-hand side that the solver itself took before in this run"},
    {"seed", 0, "NUMBER", KB_OPT_LONG, AT(seed), "from 0", 0, "1", 1,
     "seed of shuffled and of sample even"},
    {"rtol", 0, "LIST", KB_OPT_NUMBERS, AT(rtol), "more than 0, at most 1", 0,
     ": each solver's own", 1, "relative tolerances"},
    {"atol", 0, "LIST", KB_OPT_NUMBERS, AT(atol), "more than 0, at most 1", 0,
     ": each solver's own", 1, "absolute tolerances; one for all, or as many as --rtol"},
    {"threads", 0, "LIST", KB_OPT_COUNTS, AT(threads), "1 to 4096, or all", 0, "1,all", 1,
     "CPU threads"},
    {"block", 0, "LIST", KB_OPT_COUNTS, AT(blocks), "32 to 1024, or paper", 0,
     ": the engine's choice", 1,
     "threads of a block on gpu-thread, multiples of 32; paper: 64, and n/32768 from 4,194,304 "
     "ODEs on, as Niemeyer and Sung 2014"},
    {"reactor", 0, "p|v", KB_OPT_WORD, AT(reactor), "p, v", 0, "p", 1,
     "constant pressure or constant volume"},
    {"max-substeps", 0, "NUMBER", KB_OPT_LONG, AT(max_substeps), "1 to 2147483647", 0,
     ": 1000000", 1, "attempted substeps of one ODE before it fails"},
    {"also", ALSO, "LISTS", KB_OPT_OTHER, 0, 0, 0, 0, 1,
     "more cells, with other lists than those above, for example --also 'solvers=cvode engines=all "
     "rtol=1e-4,1e-6'; may be given several times"},
    {.group = 2, .help = "How:"},
    {"distribution", 0, "NAME", KB_OPT_WORD, AT(deal), "static, cyclic, cost, dynamic", 0,
     "static", 2, "how a batch goes to the ranks of an MPI launcher (docs/engines.md)"},
    {"repeats", 0, "NUMBER", KB_OPT_INT, AT(repeats), "1 to 1000000", 0, "5", 2,
     "timed repeats of each cell"},
    {"budget", 0, "SECONDS", KB_OPT_NUMBER, AT(budget), "more than 0", "s", "60", 2,
     "a cell predicted to take longer is skipped"},
    {"precision", 0, "PERCENT", KB_OPT_NUMBER, AT(precision), "more than 0", "%",
     ": --repeats is the number", 2,
     "repeat a cell until the 95 % interval of its median is within this of it, as far as its "
     "budget goes; --repeats is then the least"},
    {"energy", 0, "SECONDS", KB_OPT_NUMBER, AT(energy), "more than 0", "s", ": not measured", 2,
     "after the warm-up run each cell again and again for that long, and read the counters of "
     "energy of the GPU or of the processors; 2 is long enough"},
    {"run", 0, "NAME", KB_OPT_NAME, AT(run), 0, 0, ": <mech>-<database>-<hash>", 2,
     "name of the run"},
    {"label", 0, "TEXT", KB_OPT_NAME, AT(label), 0, 0, 0, 2,
     "put before the default name of the run"},
    {"out", 'o', "FOLDER", KB_OPT_TEXT, AT(out), 0, 0,
     ": results/<machine>/<mech>-<database>-<hash>", 2,
     "folder of the tables; a second run continues where the first stopped"},
    {"reference", 0, "SOLVER", KB_OPT_TEXT, AT(reference), 0, 0, ": CVODE at 1e-12 and 1e-22", 2,
     "one of --solvers that makes the reference solutions, as name:rtol=1e-11:atol=1e-17"},
    {"references", 0, "FOLDER", KB_OPT_TEXT, AT(references), 0, 0,
     ": references beside the output folder", 2, "stored reference solutions"},
    {"write-cost", 0, 0, KB_OPT_SWITCH, AT(write_cost), 0, 0, 0, 2,
     "keep the substeps of each ODE beside the database, for order sorted-cost: as counted by the "
     "last cell that runs all its states"},
    {"price", 0, "CPU,GPU", KB_OPT_NUMBERS, AT(price), "more than 0", 0, 0, 2,
     "two prices, for ODEs a second and price in cells.csv"},
    {"table", 0, 0, KB_OPT_SWITCH, AT(table), 0, 0, 0, 2,
     "print table.txt too: every cell, beside the summary"},
    {"brief", 0, 0, KB_OPT_SWITCH, AT(brief), 0, 0, 0, 2, "no summary at the end"},
    {"quiet", 'q', 0, KB_OPT_SWITCH, AT(quiet), 0, 0, 0, 2, "no progress lines"},
    {.group = 3, .help = "Instead of measuring cells:"},
    {"plan", 0, 0, KB_OPT_SWITCH, AT(plan), 0, 0, 0, 3,
     "print the cells, which are cached, and how long the others will take"},
    {"list", 0, 0, KB_OPT_SWITCH, AT(list), 0, 0, 0, 3,
     "print the solvers of the mechanism with their options"},
    {"json", 0, 0, KB_OPT_SWITCH, AT(json), 0, 0, 0, 3, "with --plan or --list: as JSON"},
    {"columns", 0, 0, KB_OPT_SWITCH, AT(columns), 0, 0, 0, 3,
     "print the columns of the tables that bench writes, in markdown"},
    {0}};

static int rest(int key, char *arg, struct argp_state *state, void *settings)
{
    kb_settings *set = settings;
    switch (key) {
    case ALSO:
        if (!*arg)
            argp_error(state, "--also: the value is empty");
        if (set->nalso == KB_MOST_ALSO)
            argp_error(state, "--also: at most %d times", KB_MOST_ALSO);
        set->also[set->nalso++] = arg;
        break;
    case ARGP_KEY_END:
        set->precision /= 100;
        if (set->json && !set->plan && !set->list)
            argp_error(state, "--json goes with --plan or --list");
        if (set->chain == KB_CHAIN_DEVICE && set->steps < 2)
            argp_error(state, "--chain device: one global step has no states to keep (give "
                       "--steps, 2 or more)");
        if (set->tau_mix > 0 && (set->steps < 2 || set->chain == KB_CHAIN_DEVICE ||
                                 set->reactor == KB_CONST_V))
            argp_error(state, "--tau-mix: transport is between global steps (--steps, 2 or more) "
                       "at constant pressure, on the host");
        if (set->forcing && (set->tau_mix > 0 || set->chain == KB_CHAIN_DEVICE))
            argp_error(state, "--forcing: goes neither with --tau-mix nor with --chain device");
        if (!set->columns && (!set->mech || (!set->db && !set->list)))
            argp_error(state, "%s is missing", set->mech ? "--db FILE" : "--mech NAME");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* NULL if no list has that name */
static const kb_program_option *find_list(const char *name)
{
    for (const kb_program_option *o = options; o->help; o++)
        if (o->name && o->arg && !strcmp(o->arg, "LIST") && !strcmp(o->name, name))
            return o;
    return NULL;
}

int kb_settings_also(const kb_settings *set, int i, kb_settings *part, char **words, kb_error *err)
{
    char *at;
    *part = *set;
    *words = kb_strdup(set->also[i]);
    for (char *word = strtok_r(*words, " ", &at); word; word = strtok_r(NULL, " ", &at)) {
        char *value = word + strcspn(word, "=");
        bool named = *value == '=';
        *value = 0;
        const kb_program_option *list = find_list(word);
        if (!list || !named || !value[1])
            return kb_fail(err, KB_INVALID, "--also '%s': '%s' is none of its lists (n, dt, "
                           "solvers, engines, schedules, orders, rtol, atol, threads, block, each "
                           "as name=list)", set->also[i], word);
        if (kb_program_option_set(list, value + 1, part, err))
            return err->code;
    }
    return KB_OK;
}

void kb_settings_parse(kb_settings *set, int argc, char **argv)
{
    static const kb_program bench = {
        options, NULL,
        "Measures time, error and counts of chemical-kinetics integrators.\v"
        "Writes cells.csv, samples.csv and environment.json; docs/results-format.md explains "
        "them. Exit codes: 0 fine, 2 invalid use or input, 3 nothing measured, 130 interrupted "
        "(the same command continues).\n\n"
        "Example: build/bench -m h2 -d h2.npy -n 256 -t 1e-6 -s rodas4 -e cpu-simd", .rest = rest};
    *set = (kb_settings){.rtol = "", .atol = "", .blocks = "", .price = "", .ranks = 1};
    kb_program_parse(&bench, argc, argv, set);
    set->command = kb_command_line(argc, argv);
}
