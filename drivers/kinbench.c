/* SPDX-License-Identifier: MIT
 *
 * kinbench: one name for all programs. Each command is a program in the folder of this one, which
 * takes its place with the words that follow.
 */
#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/owned.h"
#include "base/shared_object.h"

typedef struct {
    const char *name, *program, *summary;
} command;

static const command commands[] = {
    {"bench", "bench", "measure time, error and counts of solvers"},
    {"verify", "verify", "name the fastest solver at each error, from a run of bench"},
    {"which-integrator", "which_integrator", "name the fastest integrator inside flows"},
    {"compare", "compare", "compare two runs of bench, cell by cell"},
    {"history", "history", "name the commit that made a cell slower, over many runs"},
    {"report", "report", "write a run, or many, as one HTML page"},
    {"claims", "claims", "judge what papers claim by measured rows"},
    {"rows", "rows", "print the value of a query, or rows of tables"},
    {"tune", "tune", "write the table by which the solver auto chooses"},
    {"scaling", "scaling", "replay measured costs over many ranks"},
    {"kernels", "kernels", "time solutions of linear systems"},
    {"roofline", "roofline", "time the parts of an attempt beside the hardware's limits"},
    {"mech", "mechinfo", "summarise a mechanism, or convert it"},
    {"mechc", "mechc", "write the tables of a mechanism as a C header"},
    {"evaluate", "evaluate", "evaluate rates, Jacobian and thermodynamics at states"},
    {"db", "dbinfo", "summarise a database of states, its costs and orders"},
    {"import", "dbimport", "make a database from an array, a table or cells"},
    {"ignite", "ignite", "make a database along ignitions"},
    {"pasr", "pasr", "make a database from a partially stirred reactor"},
    {"flamelet", "flamelet", "make a database from flamelets"},
    {"lem", "lem", "make a database from linear-eddy mixing"},
    {"flow", "flow", "solve a case of the flow solver"},
    {"detonation", "detonation", "compute a detonation's speed, states and reaction zone"},
    {"env", "env", "say what the machine is"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

typedef struct {
    const command *what;
    char **words; /* behind the command, up to a NULL */
    bool help;    /* asked for by the word help */
} request;

static const command *find_command(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (!strcmp(commands[i].name, name) || !strcmp(commands[i].program, name))
            return &commands[i];
    return NULL;
}

/* takes the command; what follows belongs to its program */
static error_t take_command(int key, char *arg, struct argp_state *state)
{
    request *r = state->input;
    if (key == ARGP_KEY_NO_ARGS)
        argp_error(state, "a command is missing");
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    if (!r->help && !strcmp(arg, "help")) {
        r->help = true;
        if (state->next == state->argc)
            argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
        return 0;
    }
    if (!(r->what = find_command(arg)))
        argp_error(state, "there is no command '%s'", arg);
    r->words = state->argv + state->next;
    state->next = state->argc;
    return 0;
}

/* the doc of argp with the list of commands; caller frees */
static char *make_doc(void)
{
    char *text;
    size_t length;
    FILE *to = kb_open_text(&text, &length);
    fprintf(to, "Measures and compares integrators of chemical kinetics.\n"
                "kinbench help COMMAND prints the options of a command.\vCommands:\n");
    for (int i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-16s  %s\n", commands[i].name, commands[i].summary);
    fprintf(to, "\nWorks from any folder: mechanisms and what is built for them are looked for in "
                "the current folder, then in the tree of this program. The exit code is the "
                "command's; 2 invalid use.\n\nExample: build/kinbench mech h2");
    kb_close_text(to);
    return text;
}

/* becomes the program; returns if it cannot */
static int become(const request *r)
{
    kb_error err = {0};
    int n = 0;
    while (r->words[n])
        n++;
    char **argv = kb_alloc((size_t)n + 3, sizeof *argv);
    argv[0] = kb_beside_program(r->what->program);
    if (r->help)
        argv[1] = "--help";
    else
        memcpy(argv + 1, r->words, (size_t)n * sizeof *argv);
    execv(argv[0], argv);
    kb_fail(&err, KB_INVALID, "%s: %s (`make tools` builds all programs)", argv[0],
            strerror(errno));
    free(argv[0]);
    free(argv);
    return kb_report("kinbench", &err);
}

int main(int argc, char **argv)
{
    request r = {0};
    kb_owned char *doc = make_doc();
    struct argp argp = {.parser = take_command, .args_doc = "COMMAND [WORD...]", .doc = doc};
    argp_err_exit_status = KB_INVALID;
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &r);
    return become(&r);
}
