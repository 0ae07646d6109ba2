/* SPDX-License-Identifier: MIT */
#include "drivers/kernels/settings.h"

#include "base/options.h"

#define AT(member) offsetof(kb_kernel_settings, member)

static const kb_program_option options[] = {
    {"mech", 'm', "NAME", KB_OPT_TEXT, AT(mech), 0, 0, "!", 1,
     "mechanism: build/mech/NAME/kernels.so, or a path to a .so"},
    {"db", 'd', "FILE", KB_OPT_TEXT, AT(db), 0, 0, 0, 1,
     "database (.npy) whose states give the Newton matrices; without it only dense systems"},
    {"sizes", 's', "LIST", KB_OPT_COUNTS, AT(m), "1 to 1000", 0,
     "4,9,16,25,36,53,76,100,150,200", 1, "unknowns of the dense systems"},
    {"n", 'n', "LIST", KB_OPT_COUNTS, AT(n), "1 to 100000000", 0, "4096,16384,65536,262144", 1,
     "systems on the GPU"},
    {"segments", 0, "LIST", KB_OPT_COUNTS, AT(segments), "1 to 1000000", 0, "1,2,4,8,16,32,64", 1,
     "launches for one batch, at 100 unknowns"},
    {"kernels", 0, "LIST", KB_OPT_TEXT, AT(kernels), 0, 0, "all", 1,
     "dense, rows, sparse, pivoted, or all"},
    {"gamma", 0, "SECONDS", KB_OPT_NUMBER, AT(gamma), "more than 0", "s", "1e-6", 1,
     "gamma h of the Newton matrices I/(gamma h) - J"},
    {"distinct", 0, "NUMBER", KB_OPT_LONG, AT(distinct), "1 to 1000000", 0, "256", 1,
     "different matrices in a batch"},
    {"block", 0, "NUMBER", KB_OPT_INT, AT(block), "1 to 1024", 0, ": each kernel's own", 1,
     "threads of a GPU block"},
    {"repeats", 0, "NUMBER", KB_OPT_INT, AT(repeats), "1 to 1000000", 0, "7", 2,
     "timed passes of a cell"},
    {"budget", 0, "SECONDS", KB_OPT_NUMBER, AT(budget), "more than 0", "s", "1", 2,
     "a cell predicted to take longer is skipped"},
    {"out", 'o', "FOLDER", KB_OPT_TEXT, AT(out), 0, 0, ": results/<machine>/<run>", 2,
     "its folder; kernels.csv there is replaced"},
    {"run", 0, "NAME", KB_OPT_NAME, AT(run), 0, 0, ": kernels-<mech>", 2, "name of the run"},
    {"quiet", 'q', 0, KB_OPT_SWITCH, AT(quiet), 0, 0, 0, 2, "no progress lines"},
    {0}};

void kb_kernel_settings_parse(kb_kernel_settings *set, int argc, char **argv)
{
    static const kb_program kernels = {
        options, NULL,
        "Times the solution of many independent linear systems by each kernel, with rates, "
        "bandwidth and errors, into kernels.csv (docs/results-format.md).\v"
        "Example: build/kernels --mech h2 --sizes 9,53 --kernels dense,sparse"};
    *set = (kb_kernel_settings){.command = kb_command_line(argc, argv)};
    kb_program_parse(&kernels, argc, argv, set);
}
