/* SPDX-License-Identifier: MIT */
#include "drivers/kernels/settings.h"

#include <argp.h>

#include "base/arguments.h"

enum { SEGMENTS = 256, KERNELS, GAMMA, DISTINCT, REPEATS, BUDGET, BLOCK, RUN };

static const struct argp_option options[] = {
    {"mech", 'm', "NAME", 0, "mechanism: build/mech/NAME/kernels.so, or a path to a .so", 1},
    {"db", 'd', "FILE", 0, "database (.npy) whose states give the Newton matrices; without "
     "it only dense systems", 1},
    {"sizes", 's', "LIST", 0, "unknowns of the dense systems (1 to 1000, default "
     "4,9,16,25,36,53,76,100,150,200)", 1},
    {"n", 'n', "LIST", 0, "systems on the GPU (1 to 100000000, default "
     "4096,16384,65536,262144)", 1},
    {"segments", SEGMENTS, "LIST", 0, "launches for one batch, at 100 unknowns (1 to "
     "1000000, default 1,2,4,8,16,32,64)", 1},
    {"kernels", KERNELS, "LIST", 0, "dense, rows, sparse, pivoted, or all (default)", 1},
    {"gamma", GAMMA, "SECONDS", 0, "gamma h of the Newton matrices I/(gamma h) - J [s] (more "
     "than 0, default 1e-6)", 1},
    {"distinct", DISTINCT, "NUMBER", 0, "different matrices in a batch (1 to 1000000, default "
     "256)", 1},
    {"block", BLOCK, "NUMBER", 0, "threads of a GPU block (1 to 1024, default: each "
     "kernel's own)", 1},
    {"repeats", REPEATS, "NUMBER", 0, "timed passes of a cell (1 to 1000000, default 7)", 2},
    {"budget", BUDGET, "SECONDS", 0, "a cell predicted to take longer [s] is skipped (more "
     "than 0, default 1)", 2},
    {"out", 'o', "FOLDER", 0, "default results/<machine>/<run>; kernels.csv there is replaced", 2},
    {"run", RUN, "NAME", 0, "default kernels-<mech>", 2},
    {"quiet", 'q', 0, 0, "no progress lines", 2},
    {0}};

static const char **text_option(kb_kernel_settings *set, int key)
{
    switch (key) {
    case 'm': return &set->mech;
    case 'd': return &set->db;
    case 's': return &set->m;
    case 'n': return &set->n;
    case 'o': return &set->out;
    case SEGMENTS: return &set->segments;
    case KERNELS: return &set->kernels;
    default: return NULL;
    }
}

static error_t parse_kernels(int key, char *arg, struct argp_state *state)
{
    kb_kernel_settings *set = state->input;
    const char **text = text_option(set, key);
    if (text) {
        *text = kb_option_text(state, key, arg);
        return 0;
    }
    switch (key) {
    case RUN: set->run = kb_option_name(state, key, arg); break;
    case GAMMA: set->gamma = kb_option_positive(state, key, arg); break;
    case BUDGET: set->budget = kb_option_positive(state, key, arg); break;
    case DISTINCT: set->distinct = kb_option_whole(state, key, arg, 1, 1000000); break;
    case REPEATS: set->repeats = (int)kb_option_whole(state, key, arg, 1, 1000000); break;
    case BLOCK: set->block = (int)kb_option_whole(state, key, arg, 1, 1024); break;
    case 'q': set->quiet = true; break;
    case ARGP_KEY_ARG: argp_error(state, "unexpected word '%s'", arg); break;
    case ARGP_KEY_END:
        if (!set->mech)
            argp_error(state, "--mech NAME is missing");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {options, parse_kernels, 0,
    "Times the solution of many independent linear systems by each kernel, with rates, bandwidth "
    "and errors, into kernels.csv (docs/results-format.md).\v"
    "Example: build/kernels --mech h2 --sizes 9,53 --kernels dense,sparse", 0, 0, 0};

void kb_kernel_settings_parse(kb_kernel_settings *set, int argc, char **argv)
{
    *set = (kb_kernel_settings){.m = "4,9,16,25,36,53,76,100,150,200",
                                .n = "4096,16384,65536,262144", .segments = "1,2,4,8,16,32,64",
                                .kernels = "all", .gamma = 1e-6, .budget = 1, .distinct = 256,
                                .repeats = 7, .command = kb_command_line(argc, argv)};
    argp_err_exit_status = KB_INVALID;
    argp_parse(&argp, argc, argv, 0, 0, set);
}
