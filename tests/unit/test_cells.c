/* SPDX-License-Identifier: MIT
 *
 * The cells that bench makes of its lists, for the command lines of tests/data/bench-lists, of
 * made-up solvers: all that says which cell, its key, its options, or the message. Held against
 * tests/data/bench-cells.kept; KEEP=1 writes that anew.
 */
#include "base/file.h"
#include "drivers/bench/cells.h"
#include "tests/test.h"
#include "tests/unit/kept.h"

static const kb_option both[] = {{"h0", "", 0.5, 1e-3, 1, KB_REAL}, {0}};
static const kb_option on_gpu[] = {{"h0", "", 0.5, 1e-3, 1, KB_REAL},
                                   {"slice", "", 0, 0, 1e9, KB_WHOLE}, {0}};

#define MADE(id, solver, where, r, a, width, own)                                                  \
    static const kb_solver id = {.info = {.name = solver, .engine = where, .rtol = r, .atol = a,   \
                                          .lanes = width, .options = own}}
MADE(rodas_scalar, "rodas4", "cpu-scalar", 1e-3, 1e-9, 1, both);
MADE(rodas_simd, "rodas4", "cpu-simd", 1e-3, 1e-9, 8, both);
MADE(rodas_thread, "rodas4", "gpu-thread", 2e-3, 1e-9, 32, on_gpu);
MADE(rodas_warp, "rodas4", "gpu-warp", 2e-3, 1e-9, 1, on_gpu);
MADE(ros_simd, "ros3", "cpu-simd", 1e-4, 1e-10, 8, both);
MADE(ros_short, "ros3", "gpu-thread-short", 1e-4, 1e-10, 32, both);
MADE(cvode, "cvode", "cpu-scalar", 1e-6, 1e-12, 1, both);

static const kb_solvers *made_up(void)
{
    static const kb_solver *const all[] = {&rodas_scalar, &rodas_simd, &rodas_thread, &rodas_warp,
                                           &ros_simd,     &ros_short,  &cvode};
    static const kb_solvers s = {.mech = "toy", .nsp = 9, .nsolvers = sizeof all / sizeof *all,
                                 .solvers = all};
    return &s;
}

static void write_cells(FILE *to, const kb_matrix *m)
{
    fprintf(to, "  %d cells, %ld ODEs\n", m->count, m->max_n);
    for (int i = 0; i < m->count; i++) {
        const kb_cell *c = &m->cells[i];
        kb_owned char *text = kb_cell_text(c);
        fprintf(to, "  %s, atol %g, %s, steps %d, %s, %d %d", text, c->atol, c->sample, c->steps,
                kb_chain_names[c->chain], kb_on_cpu(c), kb_cell_threads(c));
        for (int k = 0; c->solver->info.options[k].name; k++)
            fprintf(to, " %s=%g", c->solver->info.options[k].name, c->options[k]);
        fprintf(to, " %s\n", c->key);
    }
}

static void make_one(FILE *to, char *line)
{
    char *argv[64] = {"bench"}, *rest = line;
    int argc = 1;
    kb_settings set;
    kb_matrix m;
    kb_error err = {0};
    for (char *word; (word = strtok_r(rest, " ", &rest));)
        argv[argc++] = word;
    for (int k = 1; k < argc; k++) /* a blank in a word */
        for (char *c = argv[k]; (c = strchr(c, '+'));)
            *c = ' ';
    kb_settings_parse(&set, argc, argv);
    if (kb_matrix_make(&m, &set, made_up(), "run 7", &err))
        fprintf(to, "  %d %s\n", err.code, err.text);
    else
        write_cells(to, &m);
    kb_matrix_free(&m);
    free(set.command);
    kb_words_free(&set.plugins);
}

TEST(of_lists)
{
    kb_error err = {0};
    size_t length;
    char *now = NULL, *all = kb_file_read("tests/data/bench-lists", &length, &err), *rest = all;
    FILE *to = open_memstream(&now, &length);
    if (!all || !to)
        fail_msg("%s", err.text);
    for (char *line; (line = strtok_r(rest, "\n", &rest));)
        if (*line != '#') {
            fprintf(to, "%s\n", line);
            make_one(to, line);
        }
    fclose(to);
    check_kept("tests/data/bench-cells.kept", now);
    free(now);
    free(all);
}

TESTS(NULL, NULL)
