/* SPDX-License-Identifier: MIT
 *
 * A time folder of OpenFOAM: the cells of the volScalarFields T, p and of the species of the
 * mechanism (OpenFOAM User Guide, "Input and output file format"). Lists may be text or binary,
 * uniform or not. A species without a field has the values of Ydefault, if that is there.
 */
#include <string.h>
#include <unistd.h>

#include "base/owned.h"
#include "pasr/generators/import_scan.h"

typedef struct {
    double *values; /* of the cells; NULL: `same` in all */
    long n;
    double same;
} foam_field;

/* Entry "key ... ;" or "key { ... }" of no interest */
static void skip_entry(kb_scan *w)
{
    int depth = 0;
    for (const char *word = kb_scan_next(w); *word; word = kb_scan_next(w)) {
        depth += *word == '{' || *word == '(';
        depth -= *word == '}' || *word == ')';
        if (depth <= 0 && (*word == ';' || *word == '}'))
            return;
    }
}

/* The FoamFile at the top. bytes: of a number in a binary list; 0: lists are text */
static int read_head(kb_scan *w, int *bytes, kb_error *err)
{
    bool binary = false, single = false;
    *bytes = 0;
    if (strcmp(kb_scan_next(w), "FoamFile"))
        return kb_scan_fail(w, "not a file of OpenFOAM?", "expected FoamFile, found", err);
    kb_scan_next(w);
    while (strcmp(kb_scan_next(w), "}")) {
        char key[sizeof w->word];
        strcpy(key, w->word);
        if (!*key)
            return kb_scan_fail(w, "is the file cut off?", "no end of FoamFile", err);
        kb_scan_next(w);
        if (!strcmp(key, "class") && strcmp(w->word, "volScalarField"))
            return kb_scan_fail(w, "collated files: decomposePar without -fileHandler collated, "
                                 "or reconstructPar", "expected class volScalarField, found", err);
        if (!strcmp(key, "arch") && (strstr(w->word, "MSB") || !strstr(w->word, "scalar=")))
            return kb_scan_fail(w, "foamFormatConvert to ascii", "unknown arch", err);
        binary |= !strcmp(key, "format") && !strcmp(w->word, "binary");
        single |= !strcmp(key, "arch") && strstr(w->word, "scalar=32");
        if (strcmp(w->word, ";"))
            skip_entry(w);
    }
    *bytes = binary ? single ? 4 : 8 : 0;
    return KB_OK;
}

static int check_dimensions(kb_scan *w, const char *expected, kb_error *err)
{
    char found[64] = "";
    kb_scan_next(w);
    while (strcmp(kb_scan_next(w), "]") && *w->word && strlen(found) + strlen(w->word) < 62)
        strcat(strcat(found, *found ? " " : ""), w->word);
    if (!strncmp(found, expected, strlen(expected)))
        return KB_OK;
    strcpy(w->word, found);
    return kb_scan_fail(w, expected, "other dimensions than expected:", err);
}

static int read_binary(kb_scan *w, foam_field *f, int bytes, kb_error *err)
{
    size_t length = (size_t)f->n * (size_t)bytes, left = w->size - w->at;
    if (left <= length || w->text[w->at + length] != ')')
        return kb_fail_at(err, w->path, 0, NULL, left <= length ? "is the file cut off?"
                          : "numbers of another size?", "byte %zu: %ld binary numbers of %d bytes "
                          "and ')' expected, %zu bytes left", w->at, f->n, bytes, left);
    for (long i = 0; i < f->n; i++, w->at += (size_t)bytes) {
        float x;
        if (bytes == 4)
            memcpy(&x, w->text + w->at, 4), f->values[i] = (double)x;
        else
            memcpy(&f->values[i], w->text + w->at, 8);
    }
    return KB_OK;
}

/* "nonuniform List<scalar> 2 (1 2)" or "... 2{1}", from behind the first word */
static int read_list(kb_scan *w, foam_field *f, int bytes, kb_error *err)
{
    if (!strncmp(kb_scan_next(w), "List<", 5) && strcmp(w->word, "List<scalar>"))
        return kb_scan_fail(w, NULL, "expected List<scalar>, found", err);
    if (strcmp(w->word, "List<scalar>"))
        w->at = w->start; /* of processors without cells: nonuniform 0() */
    int code = kb_scan_whole(w, 1, 1L << 40, &f->n, "the number of cells", err);
    if (code)
        return code;
    char open = *kb_scan_next(w);
    if (open != '(' && open != '{')
        return kb_scan_fail(w, NULL, "expected '(', found", err);
    if (open == '{')
        return kb_scan_number(w, &f->same, "a number", err);
    if ((size_t)f->n > w->size)
        return kb_scan_fail(w, "is the file cut off?", "fewer numbers than cells behind", err);
    f->values = kb_alloc((size_t)f->n, sizeof *f->values);
    if (bytes)
        return read_binary(w, f, bytes, err);
    for (long i = 0; i < f->n && !code; i++)
        code = kb_scan_number(w, &f->values[i], "a number for each cell", err);
    if (!code && strcmp(kb_scan_next(w), ")"))
        code = kb_scan_fail(w, NULL, "more numbers than cells:", err);
    return code;
}

static int read_entries(kb_scan *w, const char *dimensions, foam_field *f, kb_error *err)
{
    int bytes, code = read_head(w, &bytes, err);
    while (!code) {
        kb_scan_next(w);
        if (!*w->word)
            return kb_scan_fail(w, "is the file cut off?", "no internalField", err);
        if (!strcmp(w->word, "dimensions")) {
            code = check_dimensions(w, dimensions, err);
        } else if (strcmp(w->word, "internalField")) {
            skip_entry(w);
            continue;
        } else if (!strcmp(kb_scan_next(w), "uniform")) {
            return kb_scan_number(w, &f->same, "a number", err);
        } else if (!strcmp(w->word, "nonuniform")) {
            return read_list(w, f, bytes, err);
        } else {
            return kb_scan_fail(w, NULL, "expected uniform or nonuniform, found", err);
        }
        kb_scan_next(w);
    }
    return code;
}

/* folder/name; *there: is it? A compressed one is refused. */
static int read_field(const char *folder, const char *name, const char *dimensions, bool *there,
                      foam_field *f, kb_error *err)
{
    kb_owned char *path = kb_format("%s/%s", folder, name), *packed = kb_format("%s.gz", path);
    kb_scan w = {0};
    int code = KB_OK;
    *f = (foam_field){0};
    *there = !access(path, F_OK);
    if (!*there && !access(packed, F_OK))
        code = kb_fail_at(err, packed, 0, NULL, "gunzip the fields", "compressed files are not "
                          "read");
    if (*there && !code)
        code = kb_scan_open(&w, path, " \t\r\n", "{}()[];", err);
    if (*there && !code)
        code = read_entries(&w, dimensions, f, err);
    free(w.text);
    return code;
}

/* the step of the flow, from uniform/time; 0: not known */
static double read_step(const char *folder)
{
    kb_owned char *path = kb_format("%s/uniform/time", folder);
    kb_scan w = {0};
    double step = 0;
    if (!access(path, R_OK) && !kb_scan_open(&w, path, " \t\r\n", "{}()[];", NULL))
        while (*kb_scan_next(&w))
            if (!strcmp(w.word, "deltaT") && kb_scan_number(&w, &step, "", NULL))
                step = 0;
    free(w.text);
    return step > 0 ? step : 0;
}

/* field [columns] as the columns of t, which gets the rows */
static int join_fields(kb_import_table *t, const foam_field *field, kb_error *err)
{
    int longest = 0;
    for (int j = 0; j < t->columns; j++)
        longest = field[j].n > field[longest].n ? j : longest;
    t->rows = field[longest].n > 0 ? field[longest].n : 1;
    t->data = kb_alloc((size_t)t->rows * (size_t)t->columns, sizeof *t->data);
    for (int j = 0; j < t->columns; j++) {
        if (field[j].n && field[j].n != t->rows)
            return kb_fail(err, KB_INVALID, "%s: %s has %ld cells, %s %ld", t->path, t->names[j],
                           field[j].n, t->names[longest], t->rows);
        for (long i = 0; i < t->rows; i++)
            t->data[i * t->columns + j] = field[j].values ? field[j].values[i] : field[j].same;
    }
    return KB_OK;
}

int kb_import_openfoam(kb_import_table *t, const char *path, const kb_mech *m, kb_error *err)
{
    static const char *const first[][2] = {{"T", "0 0 0 1 0"}, {"p", "1 -1 -2 0 0"}};
    foam_field *field = kb_alloc((size_t)m->nspecies + 2, sizeof *field), fallback = {0};
    bool there, other;
    int code = KB_OK;
    *t = (kb_import_table){.path = path, .kind = "flow", .dt = read_step(path)};
    for (int k = 0; k < 2 && !code; k++) {
        code = read_field(path, first[k][0], first[k][1], &there, &field[k], err);
        if (!code && !there)
            code = kb_fail_at(err, path, 0, first[k][0], "a time folder of OpenFOAM, such as "
                              "case/0.01, or a plotfile of AMReX", "no field");
        kb_import_column(t, first[k][0], 1);
    }
    if (!code)
        code = read_field(path, "Ydefault", "0 0 0 0 0", &other, &fallback, err);
    for (int i = 0; i < m->nspecies && !code; i++) {
        const char *name = m->species[i].name;
        code = read_field(path, name, "0 0 0 0 0", &there, &field[t->columns], err);
        if (there || other) {
            int j = kb_import_column(t, name, strlen(name));
            field[j] = there ? field[j] : fallback;
        }
    }
    code = code ? code : join_fields(t, field, err);
    for (int j = 0; j < m->nspecies + 2; j++)
        if (field[j].values != fallback.values)
            free(field[j].values);
    free(fallback.values);
    free(field);
    return code;
}
