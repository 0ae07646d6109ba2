/* SPDX-License-Identifier: MIT */
#include "drivers/bench/settings.h"

#include <argp.h>
#include <limits.h>
#include <string.h>

#include "base/arguments.h"

enum { SCHEDULES = 256, ORDERS, SEED, RTOL, ATOL, THREADS, REPEATS, BUDGET, PLAN, LIST,
       REACTOR, REFERENCE, REFERENCES, SAMPLE, STEPS, TAU_MIX, CHAIN, PRICE, RUN, MAX_SUBSTEPS,
       WRITE_COST, BLOCK, LABEL, BRIEF, COLUMNS, TABLE, ALSO, SPECIES, REPAIR, PRECISION, JSON,
       DISTRIBUTION, ENERGY, MECH_FILE };

static const struct argp_option options[] = {
    {0, 0, 0, 0, "What is measured (lists are comma-separated; each combination is a cell):", 1},
    {"mech", 'm', "NAME", 0, "mechanism: build/mech/NAME/solvers.so, a path to a .so, or a file "
     "(mech.yaml, or mech.inp,therm.dat) for the engines of any mechanism alone", 1},
    {"mech-file", MECH_FILE, "FILE", 0, "its file, to measure the engines of any mechanism beside "
     "those that were compiled for it", 1},
    {"db", 'd', "FILE", 0, "database of states (.npy)", 1},
    {"species", SPECIES, "NAMES", 0, "species of the database's columns, if no .json beside "
     "it says so: H2,O2,... in their order, a file of names, or mechanism if they are the "
     "species of the mechanism in its order; kept in a .json beside it", 1},
    {"repair", REPAIR, 0, 0, "mass fractions of the database that are off by noise (at least "
     "-1e-3, sums within 1e-2 of 1) are mended instead of refused", 1},
    {"n", 'n', "LIST", 0, "numbers of ODEs, 1 to the states of the database (default 1024)", 1},
    {"sample", SAMPLE, "NAME", 0, "even (default) or first: which states they are; even spreads "
     "them over the whole database, so that every n is the same population, first takes its first "
     "n", 1},
    {"dt", 't', "LIST", 0, "global steps [s], more than 0 (default 1e-6,1e-4)", 1},
    {"steps", STEPS, "NUMBER", 0, "global steps one after another, each from the result of the one "
     "before and started cold; times are the mean of a step, counts the sum (1 to 1000000, default "
     "1)", 1},
    {"tau-mix", TAU_MIX, "X", 0, "transport between them: each state mixes with another one of the "
     "database at its pressure, its mixing time [s] (more than 0, default: none)", 1},
    {"chain", CHAIN, "NAME", 0, "host (default) or device: where a GPU engine's states are between "
     "them; host copies them both ways in each step, device in before the first and out after the "
     "last. A CPU engine copies nothing: its cells are host", 1},
    {"solvers", 's', "LIST", 0, "solvers as name[:option=value]..., or all (default); --list "
     "shows the options, and rtol and atol are options of each. A file that ends in .so is a "
     "plug-in with your own solvers (docs/adding.md)", 1},
    {"engines", 'e', "LIST", 0, "cpu-scalar, cpu-simd, gpu-thread..., or all (default)", 1},
    {"schedules", SCHEDULES, "LIST", 0, "static, refill (default both; a cell of one lane and one "
     "thread has only one schedule)", 1},
    {"orders", ORDERS, "LIST", 0, "generated (default), similar, shuffled, sorted-T, sorted-f, "
     "sorted-cost, sorted-own or all: orders of the states, kept beside the database. sorted-own: "
     "by the substeps that the solver itself took before in this run", 1},
    {"seed", SEED, "NUMBER", 0, "seed of shuffled and of sample even, from 0 (default 1)", 1},
    {"rtol", RTOL, "LIST", 0, "relative tolerances, more than 0 (default: each solver's own)", 1},
    {"atol", ATOL, "LIST", 0, "absolute tolerances; one for all, or as many as --rtol (default: "
     "each solver's own)", 1},
    {"threads", THREADS, "LIST", 0, "CPU threads: numbers, 1 to 4096, or all (default 1,all)", 1},
    {"block", BLOCK, "LIST", 0, "threads of a block on gpu-thread, multiples of 32 to 1024, or "
     "paper: 64, and n/32768 from 4,194,304 ODEs on, as Niemeyer and Sung 2014 (default: the "
     "engine's choice)", 1},
    {"reactor", REACTOR, "p|v", 0, "constant pressure (default) or constant volume", 1},
    {"max-substeps", MAX_SUBSTEPS, "NUMBER", 0, "attempted substeps of one ODE before it fails "
     "(from 1; default 1000000)", 1},
    {"also", ALSO, "LISTS", 0, "more cells, with other lists than those above, for example "
     "--also 'solvers=cvode engines=all rtol=1e-4,1e-6'; may be given several times", 1},
    {0, 0, 0, 0, "How:", 2},
    {"distribution", DISTRIBUTION, "NAME", 0, "static (default), cyclic, cost or dynamic: how a "
     "batch goes to the ranks of an MPI launcher (docs/engines.md)", 2},
    {"repeats", REPEATS, "NUMBER", 0, "timed repeats of each cell (1 to 1000000, default 5)", 2},
    {"budget", BUDGET, "SECONDS", 0, "a cell predicted to take longer [s] is skipped (more than 0, "
     "default 60)", 2},
    {"precision", PRECISION, "PERCENT", 0, "repeat a cell until the 95 % interval of its median is "
     "within this of it [%], as far as its budget goes; --repeats is then the least (more than 0, "
     "default: --repeats is the number)", 2},
    {"energy", ENERGY, "SECONDS", 0, "after the warm-up run each cell again and again for that "
     "long [s], and read the counters of energy of the GPU or of the processors (more than 0; 2 is "
     "long enough; default: not measured)", 2},
    {"run", RUN, "NAME", 0, "name of the run, in place of <mech>-<database>-<hash>", 2},
    {"label", LABEL, "TEXT", 0, "put before the default name of the run", 2},
    {"out", 'o', "FOLDER", 0, "default results/<machine>/<mech>-<database>-<hash>; a second run "
     "continues where the first stopped", 2},
    {"reference", REFERENCE, "SOLVER", 0, "one of --solvers that makes the reference solutions, as "
     "name:rtol=1e-11:atol=1e-17 (default: CVODE at 1e-12 and 1e-22)", 2},
    {"references", REFERENCES, "FOLDER", 0, "stored reference solutions (default: "
     "references beside the output folder)", 2},
    {"write-cost", WRITE_COST, 0, 0, "keep the substeps of each ODE beside the database, for order "
     "sorted-cost: as counted by the last cell that runs all its states", 2},
    {"price", PRICE, "CPU,GPU", 0, "two prices, more than 0, for ODEs a second and price in "
     "cells.csv", 2},
    {"table", TABLE, 0, 0, "print table.txt too: every cell, beside the summary", 2},
    {"brief", BRIEF, 0, 0, "no summary at the end", 2},
    {"quiet", 'q', 0, 0, "no progress lines", 2},
    {0, 0, 0, 0, "Instead of measuring cells:", 3},
    {"plan", PLAN, 0, 0, "print the cells, which are cached, and how long the others will take", 3},
    {"list", LIST, 0, 0, "print the solvers of the mechanism with their options", 3},
    {"json", JSON, 0, 0, "with --plan or --list: as JSON", 3},
    {"columns", COLUMNS, 0, 0, "print the columns of the tables that bench writes, in markdown", 3},
    {0}};

/* the options that stay text; NULL for the others */
static const char **text_option(kb_settings *set, int key)
{
    switch (key) {
    case 'm': return &set->mech;
    case 'd': return &set->db;
    case MECH_FILE: return &set->mech_file;
    case 'n': return &set->n;
    case 't': return &set->dt;
    case 's': return &set->solvers;
    case 'e': return &set->engines;
    case 'o': return &set->out;
    case SCHEDULES: return &set->schedules;
    case ORDERS: return &set->orders;
    case RTOL: return &set->rtol;
    case ATOL: return &set->atol;
    case THREADS: return &set->threads;
    case BLOCK: return &set->blocks;
    case SAMPLE: return &set->sample;
    case PRICE: return &set->price;
    case REFERENCE: return &set->reference;
    case REFERENCES: return &set->references;
    case SPECIES: return &set->species;
    default: return NULL;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    static const char *const reactors[] = {[KB_CONST_P] = "p", [KB_CONST_V] = "v", NULL};
    kb_settings *set = state->input;
    const char **text = text_option(set, key);
    if (text) {
        *text = kb_option_text(state, key, arg);
        return 0;
    }
    switch (key) {
    case RUN: set->run = kb_option_name(state, key, arg); break;
    case LABEL: set->label = kb_option_name(state, key, arg); break;
    case SEED:
        set->seed = (unsigned long long)kb_option_whole(state, key, arg, 0, LONG_MAX);
        break;
    case STEPS: set->steps = (int)kb_option_whole(state, key, arg, 1, 1000000); break;
    case TAU_MIX: set->tau_mix = kb_option_positive(state, key, arg); break;
    case CHAIN:
        set->chain = (kb_chain)kb_option_choice(state, key, arg, kb_chain_names);
        break;
    case REPEATS: set->repeats = (int)kb_option_whole(state, key, arg, 1, 1000000); break;
    case MAX_SUBSTEPS: set->max_substeps = kb_option_whole(state, key, arg, 1, INT_MAX); break;
    case BUDGET: set->budget = kb_option_positive(state, key, arg); break;
    case PRECISION: set->precision = kb_option_positive(state, key, arg) / 100; break;
    case ENERGY: set->energy = kb_option_positive(state, key, arg); break;
    case REACTOR: set->reactor = (kb_reactor)kb_option_choice(state, key, arg, reactors); break;
    case DISTRIBUTION:
        set->deal = (kb_deal)kb_option_choice(state, key, arg, kb_deal_names);
        break;
    case PLAN: set->plan = true; break;
    case JSON: set->json = true; break;
    case LIST: set->list = true; break;
    case COLUMNS: set->columns = true; break;
    case BRIEF: set->brief = true; break;
    case TABLE: set->table = true; break;
    case ALSO:
        if (set->nalso == KB_MOST_ALSO)
            argp_error(state, "--also: at most %d times", KB_MOST_ALSO);
        set->also[set->nalso++] = kb_option_text(state, key, arg);
        break;
    case WRITE_COST: set->write_cost = true; break;
    case REPAIR: set->repair = true; break;
    case 'q': set->quiet = true; break;
    case ARGP_KEY_ARG: argp_error(state, "unexpected word '%s'", arg); break;
    case ARGP_KEY_END:
        if (set->json && !set->plan && !set->list)
            argp_error(state, "--json goes with --plan or --list");
        if (set->chain == KB_CHAIN_DEVICE && set->steps < 2)
            argp_error(state, "--chain device: one global step has no states to keep (give "
                       "--steps, 2 or more)");
        if (set->tau_mix > 0 && (set->steps < 2 || set->chain == KB_CHAIN_DEVICE ||
                                 set->reactor == KB_CONST_V))
            argp_error(state, "--tau-mix: transport is between global steps (--steps, 2 or more) "
                       "at constant pressure, on the host");
        if (!set->columns && (!set->mech || (!set->db && !set->list)))
            argp_error(state, "%s is missing", set->mech ? "--db FILE" : "--mech NAME");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* the text of the list with that name, NULL if there is none */
static const char **list_of(kb_settings *set, const char *name)
{
    for (const struct argp_option *o = options; o->name || o->doc; o++)
        if (o->name && o->arg && !strcmp(o->arg, "LIST") && !strcmp(o->name, name))
            return text_option(set, o->key);
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
        const char **list = list_of(part, word);
        if (!list || !named || !value[1])
            return kb_fail(err, KB_INVALID, "--also '%s': '%s' is none of its lists (n, dt, "
                           "solvers, engines, schedules, orders, rtol, atol, threads, block, each "
                           "as name=list)", set->also[i], word);
        *list = value + 1;
    }
    return KB_OK;
}

void kb_settings_parse(kb_settings *set, int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .doc = "Measures time, error and counts of chemical-kinetics integrators.\v"
               "Writes cells.csv, samples.csv and environment.json; docs/results-format.md "
               "explains them. Exit codes: 0 fine, 2 invalid use or input, 3 nothing measured, 130 "
               "interrupted (the same command continues).\n\n"
               "Example: build/bench -m h2 -d h2.npy -n 256 -t 1e-6 -s rodas4 -e cpu-simd"};
    *set = (kb_settings){
        .n = "1024", .dt = "1e-6,1e-4", .solvers = "all", .engines = "all",
        .schedules = "static,refill", .orders = "generated", .rtol = "", .atol = "",
        .threads = "1,all", .blocks = "", .sample = "even", .price = "", .seed = 1,
        .steps = 1, .repeats = 5, .budget = 60, .ranks = 1};
    argp_err_exit_status = KB_INVALID;
    argp_parse(&argp, argc, argv, 0, NULL, set);
    set->command = kb_command_line(argc, argv);
}
