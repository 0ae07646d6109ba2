/* SPDX-License-Identifier: MIT
 *
 * mechc MECHANISM [-t THERMO] [-n NAME] [-r ORDER] [-T THREADS] -o HEADER: writes the tables of a
 * mechanism as one C header. mechc -R -o HEADER: the same header with tables that are read at run
 * time.
 */
#include <stdio.h>
#include <string.h>
#include "base/file.h"
#include "base/options.h"
#include "mech/check.h"
#include "mech/tables/large_reals.h"
#include "mech/tables/likeness.h"
#include "mech/tables/lines.h"
#include "mech/tables/tables.h"
#include "mech/thermo/thermo.h"

enum { EMPTY = 16 }; /* entries of an empty table */
/* Entries from which a table stands apart. The objects of a mechanism share such tables; of the
 * largest mechanisms that makes solvers.so several times smaller. */
enum { LARGE = 1 << 18, OF_THE_LARGEST = 1 << 10, THE_LARGEST = 8000 /* reactions */ };

/* none: what stands for KB_NO_TARGET */
static void put_ints(FILE *f, kb_large *large, const char *name, int none, const kb_ints *a,
                     const char *comment)
{
    fprintf(f, "/* %s */\n", comment);
    if (a->n >= large->least) {
        kb_large_put(large, f, name, none, a);
        return;
    }
    /* a compiler that unrolls a loop over an empty table sees no end of it that is too near */
    fprintf(f, "KB_TABLE kb_index kb_%s[%d] = {", name, a->n ? a->n : EMPTY);
    for (int k = 0; k < a->n; k++)
        fprintf(f, "%s%d", k == 0 ? "" : k % 16 ? "," : ",\n",
                a->v[k] == KB_NO_TARGET ? none : a->v[k]);
    fprintf(f, "%s};\n", a->n ? "" : "0");
}

static void put_reals(FILE *f, kb_large *large, const char *name, const kb_reals *a,
                      const char *comment)
{
    fprintf(f, "/* %s */\n", comment);
    if (a->n >= large->least) {
        kb_large_put_reals(large, f, name, a);
        return;
    }
    fprintf(f, "KB_TABLE double kb_%s[%d] = {", name, a->n ? a->n : 1);
    kb_write_reals(f, a);
    fprintf(f, "%s};\n", a->n ? "" : "0");
}

static void put_sizes(FILE *f, const kb_tables *t)
{
    fprintf(f, "enum {\n    SORTED = %d,\n", t->sorted);
#define KB_PUT_SIZE(name, value) fprintf(f, "    %s = %d,\n", #name, value);
    KB_SIZE_LIST(KB_PUT_SIZE)
    KB_CONSTANT_LIST(KB_PUT_SIZE)
    fprintf(f, "};\n");
}

/* As a string of C, whatever bytes a name has */
static void put_text(FILE *f, const char *text)
{
    fputc('"', f);
    for (const unsigned char *s = (const unsigned char *)text; *s; s++)
        if (*s < 32 || *s > 126 || strchr("\"\\?", *s))
            fprintf(f, "\\%03o", *s);
        else
            fputc(*s, f);
    fputc('"', f);
}

static void put_species(FILE *f, const kb_tables *t)
{
    int n = t->nsp;
    fprintf(f, "#define KB_SPECIES_NAMES");
    for (int i = 0; i < n; i++) {
        fputc(' ', f);
        put_text(f, t->m->species[i].name);
        fputs(i + 1 < n ? ", \\\n   " : "\n", f);
    }
    fprintf(f, "#define KB_DATA_FROM %.17g /* K: where the data of all species begin ... */\n"
               "#define KB_DATA_TO %.17g   /* ... and the first of them end */\n", t->data_from,
            t->data_to);
}

/* Bytes of an index: every int of a table fits in 16 bits for all but the largest mechanisms. */
static size_t index_width(const kb_tables *t)
{
    int largest = 0;
#define KB_LARGEST(name, comment)                                                                 \
    for (int k = 0; k < t->name.n; k++)                                                           \
        if (t->name.v[k] != KB_NO_TARGET && t->name.v[k] > largest)                               \
            largest = t->name.v[k];
#define KB_NOTHING_TO_DO(name, comment)
    KB_TABLE_LIST(KB_LARGEST, KB_NOTHING_TO_DO)
    return largest < 65535 ? 2 : 4;
}

/* The kinetics as straight-line code on a GPU (solvers/chemistry/straight/gpu): for at most this
 * many species that react, measured on an H200 (results/trials/gpu-threads.md), and rates that it
 * knows. */
enum { STRAIGHT_MOST = 12 };

static int straight_fits(const kb_tables *t)
{
    int reacting = 0;
    for (int i = 0; i < t->nsp; i++) {
        reacting += t->species_start.v[i + 1] > t->species_start.v[i];
        if (t->m->species[i].model != KB_NASA7)
            return 0;
    }
    int unknown = t->plog_rx.n + t->cheb_rx.n + t->general_rx.n + t->blowers_masel_rx.n +
                  t->ntsang + t->burke_rx.n + t->nall - t->nsp;
    return t->sorted && reacting > 0 && reacting <= STRAIGHT_MOST && unknown == 0;
}

static void put_header(FILE *f, kb_large *large, const kb_tables *t)
{
    const kb_mech *m = t->m;
    fprintf(f, "/* Written by mechc; do not edit. Tables: mech/tables/tables.h */\n"
               "#ifndef KB_CONSTANTS_H\n#define KB_CONSTANTS_H\n");
    fprintf(f, "#define KB_MECH_NAME ");
    put_text(f, m->name);
    fprintf(f, "\n#define KB_MECH_SHA256 \"%s\"\n", m->sha256);
    fprintf(f, "#define GAS_CONSTANT %.17g /* J/(kmol K) */\n", KB_R);
    fprintf(f, "#define STRAIGHT_FITS %d /* small enough for straight-line code */\n",
            straight_fits(t));
    fprintf(f, "#define LINES_FIT %d /* there are records in lines.def */\n", kb_lines_fit(t));
    put_sizes(f, t);
    put_species(f, t);
    bool narrow = large->width == 2;
    int none = narrow ? 65535 : KB_NO_TARGET;
    fprintf(f, "typedef %s kb_index;\nenum { NO_TARGET = %d };\n",
            narrow ? "unsigned short" : "int", none);
#define KB_PUT_INTS(name, comment) put_ints(f, large, #name, none, &t->name, comment);
#define KB_PUT_REALS(name, comment) put_reals(f, large, #name, &t->name, comment);
    KB_TABLE_LIST(KB_PUT_INTS, KB_PUT_REALS)
    if (large->cuda)
        fprintf(f, "#ifdef __CUDACC__\n#include \"large.h\"\n#endif\n");
    fprintf(f, "#endif\n");
}

/* for engines without a mechanism: each name is a member of *kb_rt */
static void put_run_time(FILE *f)
{
    fprintf(f, "/* Written by mechc; do not edit. Tables: mech/tables/run_time.h */\n"
               "#ifndef KB_CONSTANTS_H\n#define KB_CONSTANTS_H\n"
               "#include \"mech/tables/run_time.h\"\n"
               "extern __attribute__((visibility(\"hidden\"), tls_model(\"initial-exec\")))\n"
               "_Thread_local const kb_run_time_tables *kb_rt;\n"
               "typedef int kb_index;\n"
               "#define GAS_CONSTANT %.17g\n#define STRAIGHT_FITS 0\n#define LINES_FIT 0\n"
               "#define KB_DATA_FROM (kb_rt->data_from)\n#define KB_DATA_TO (kb_rt->data_to)\n"
               "enum { SORTED = 1, NO_TARGET = KB_NO_TARGET };\n"
               "enum {\n", KB_R);
    KB_CONSTANT_LIST(KB_PUT_SIZE)
    fprintf(f, "};\n");
#define KB_NAME_SIZE(name, value) fprintf(f, "#define %s (kb_rt->%s)\n", #name, #name);
#define KB_NAME_TABLE(name, comment) fprintf(f, "#define kb_%s (kb_rt->%s)\n", #name, #name);
    KB_SIZE_LIST(KB_NAME_SIZE)
    KB_TABLE_LIST(KB_NAME_TABLE, KB_NAME_TABLE)
    fprintf(f, "#endif\n");
}

typedef struct {
    const char *mech, *thermo, *out, *name, *bytes;
    kb_layout layout;
    bool cuda, run_time;
    int large, as_there; /* reactions in the mechanism's order */
} options;

#define AT(member) offsetof(options, member)

/* a file beside the header; takes the text */
static int write_beside(const char *header, const char *name, char *text, kb_error *err)
{
    const char *slash = strrchr(header, '/');
    char *path = kb_format("%.*s%s", slash ? (int)(slash - header) + 1 : 0, header, name);
    int code = kb_file_write(path, text, strlen(text), NULL, 0, err);
    free(text);
    free(path);
    return code;
}

/* lines.def beside the header */
static int write_lines(const kb_tables *t, const char *header, kb_error *err)
{
    char *text;
    size_t size;
    FILE *f = kb_open_text(&text, &size);
    kb_lines_put(f, t);
    kb_close_text(f);
    return write_beside(header, "lines.def", text, err);
}

static int write_run_time(const char *path, kb_error *err)
{
    char *text;
    size_t size;
    FILE *f = kb_open_text(&text, &size);
    put_run_time(f);
    kb_close_text(f);
    int code = kb_file_write(path, text, size, NULL, 0, err);
    free(text);
    return code;
}

static int write_header(const kb_tables *t, const options *o, kb_error *err)
{
    kb_large large;
    char *symbols = kb_format("%s%d", o->layout.sorted ? "sorted" : "unsorted", o->layout.team);
    char *text;
    size_t size;
    FILE *f = kb_open_text(&text, &size);
    kb_large_open(&large, symbols, index_width(t), o->cuda);
    large.least = o->large ? o->large : t->nrx > THE_LARGEST ? OF_THE_LARGEST : LARGE;
    put_header(f, &large, t);
    kb_close_text(f);
    int code = kb_large_write(&large, o->out, err);
    if (!code && o->layout.team == 1)
        code = write_lines(t, o->out, err);
    if (!code && o->layout.team == 1)
        code = write_beside(o->out, "likeness", kb_mech_likeness(t->m), err);
    if (!code)
        code = kb_file_write(o->out, text, size, NULL, 0, err);
    free(text);
    free(symbols);
    return code;
}

static void parse_bytes(const char *text, int bytes[2], struct argp_state *state)
{
    char rest;
    if (sscanf(text, "%d,%d%c", &bytes[0], &bytes[1], &rest) != 2 ||
        (bytes[0] != 8 && bytes[0] != 16) || (bytes[1] != 8 && bytes[1] != 16))
        argp_error(state, "--bytes: '%s' is not 8,8, 16,8 or 16,16", text);
}

static int rest(int key, char *arg, struct argp_state *state, void *settings)
{
    options *o = settings;
    (void)arg;
    if (key != ARGP_KEY_END)
        return ARGP_ERR_UNKNOWN;
    if (!o->mech == !o->run_time || !o->out)
        argp_usage(state);
    parse_bytes(o->bytes, o->layout.bytes, state);
    o->layout.sorted = !o->as_there;
    return 0;
}

int main(int argc, char **argv)
{
    static const kb_program_option list[] = {
        {"thermo", 't', "FILE", KB_OPT_TEXT, AT(thermo), 0, 0, 0, 0,
         "separate CHEMKIN thermo file"},
        {"name", 'n', "NAME", KB_OPT_TEXT, AT(name), 0, 0, ": the file's", 0,
         "name of the mechanism in results"},
        {"reactions", 'r', "ORDER", KB_OPT_WORD, AT(as_there), "type, mechanism", 0, "type", 0,
         "their order: sorted by type, or as in the mechanism"},
        {"cuda", 'c', 0, KB_OPT_SWITCH, AT(cuda), 0, 0, 0, 0,
         "for CUDA, too: large tables as C in large.h beside the header"},
        {"large", 'l', "ENTRIES", KB_OPT_INT, AT(large), "from 1", 0,
         ": 262144, or 1024 of more than 8000 reactions", 0,
         "entries from which a table stands apart"},
        {"team", 'T', "THREADS", KB_OPT_INT, AT(layout.team), "from 1", 0, "1", 0,
         "threads of a team; 1: no team"},
        {"bytes", 'b', "NUMBER,MATRIX", KB_OPT_TEXT, AT(bytes), 0, 0, "16,16", 0,
         "bytes of a number, and of one of the matrix, for which a team's lists are laid out: 8 or "
         "16"},
        {"head", 'H', "HOW", KB_OPT_WORD, AT(layout.head), "cheaper, inverted, factored", 0,
         "cheaper", 0, "what a team does with the head of its matrix"},
        {"run-time", 'R', 0, KB_OPT_SWITCH, AT(run_time), 0, 0, 0, 0,
         "no MECHANISM: sizes and tables are read at run time"},
        {"output", 'o', "HEADER", KB_OPT_TEXT, AT(out), 0, 0, 0, 0, "the header to write"},
        {0}};
    static const kb_program program = {
        list, "[MECHANISM]",
        "Writes the tables of a mechanism as one C header.\v"
        "Example: build/mechc datasets/mechanisms/h2.yaml -o h2.h", "mechanism", AT(mech),
        .rest = rest};
    options o = {0};
    kb_mech m;
    kb_tables t;
    kb_error err = {0};
    kb_program_parse(&program, argc, argv, &o);
    if (o.run_time)
        return write_run_time(o.out, &err) ? kb_report("mechc", &err) : KB_OK;
    if (kb_mech_load(&m, o.mech, o.thermo, &err))
        return kb_report("mechc", &err);
    if (o.name) {
        free(m.name);
        m.name = kb_strdup(o.name);
    }
    int code = kb_check_tables(&m, &err);
    t = (kb_tables){0};
    if (!code && o.layout.team > 1 && m.nspecies < 2)
        code = kb_fail_at(&err, m.species[0].file, m.species[0].line, m.species[0].name,
                          "--team 1 takes it", "a team of threads needs a second species:");
    if (!code)
        code = kb_tables_build(&m, &o.layout, &t, &err);
    if (!code)
        code = write_header(&t, &o, &err);
    kb_tables_free(&t);
    kb_mech_free(&m);
    return code ? kb_report("mechc", &err) : KB_OK;
}
