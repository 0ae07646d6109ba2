/* SPDX-License-Identifier: MIT */
#include "mech/tables/large_reals.h"

#include <stdint.h>
#include <string.h>

#include "base/file.h"

void kb_large_open(kb_large *l, const char *layout, size_t width, bool cuda)
{
    *l = (kb_large){.layout = layout, .width = width};
    l->values = kb_open_text(&l->text[0], &l->size[0]);
    l->source = kb_open_text(&l->text[1], &l->size[1]);
    if (cuda)
        l->cuda = kb_open_text(&l->text[2], &l->size[2]);
    fprintf(l->source, "/* Written by mechc: tables that the header declares. */\n"
                       ".section .note.GNU-stack,\"\",%%progbits\n.section .rodata\n");
}

static void put_value(kb_large *l, int value)
{
    uint16_t narrow = (uint16_t)value;
    int32_t wide = value;
    fwrite(l->width == 2 ? (void *)&narrow : (void *)&wide, l->width, 1, l->values);
}

/* n numbers of so many bytes follow in large.bin */
static void declare(kb_large *l, FILE *f, const char *type, const char *name, int n, size_t width)
{
    fprintf(f, "#ifndef __CUDACC__\n#define kb_%s kb_%s_%s\n", name, l->layout, name);
    fprintf(f, "extern const %s kb_%s[%d] __attribute__((visibility(\"hidden\")));\n#endif\n", type,
            name, n);
    fprintf(l->source, ".global kb_%1$s_%2$s\n.hidden kb_%1$s_%2$s\n.balign 64\nkb_%1$s_%2$s:\n"
            ".incbin \"large.bin\", %3$zu, %4$zu\n", l->layout, name, (size_t)ftell(l->values),
            (size_t)n * width);
    if (l->cuda)
        fprintf(l->cuda, "KB_TABLE %s kb_%s[%d] = {", type, name, n);
}

void kb_large_put(kb_large *l, FILE *f, const char *name, int none, const kb_ints *a)
{
    declare(l, f, "kb_index", name, a->n, l->width);
    for (int k = 0; k < a->n; k++) {
        int value = a->v[k] == KB_NO_TARGET ? none : a->v[k];
        put_value(l, value);
        if (l->cuda)
            fprintf(l->cuda, "%s%d", k == 0 ? "" : k % 16 ? "," : ",\n", value);
    }
    if (l->cuda)
        fprintf(l->cuda, "};\n");
}

void kb_write_reals(FILE *f, const kb_reals *a)
{
    for (int k = 0; k < a->n; k++)
        fprintf(f, "%s%.17g", k == 0 ? "" : k % 4 ? "," : ",\n", a->v[k]);
}

void kb_large_put_reals(kb_large *l, FILE *f, const char *name, const kb_reals *a)
{
    declare(l, f, "double", name, a->n, sizeof *a->v);
    fwrite(a->v, sizeof *a->v, (size_t)a->n, l->values);
    if (l->cuda) {
        kb_write_reals(l->cuda, a);
        fprintf(l->cuda, "};\n");
    }
}

static int write_one(const kb_large *l, int which, const char *name, const char *header,
                     kb_error *err)
{
    const char *slash = strrchr(header, '/');
    int folder = slash ? (int)(slash - header) + 1 : 0;
    char *path = kb_format("%.*s%s", folder, header, name);
    int code = kb_file_write(path, l->text[which], l->size[which], NULL, 0, err);
    free(path);
    return code;
}

int kb_large_write(kb_large *l, const char *header, kb_error *err)
{
    kb_close_text(l->values);
    kb_close_text(l->source);
    if (l->cuda)
        kb_close_text(l->cuda);
    int code = write_one(l, 0, "large.bin", header, err);
    if (!code)
        code = write_one(l, 1, "large.S", header, err);
    if (!code && l->cuda)
        code = write_one(l, 2, "large.h", header, err);
    for (int i = 0; i < 3; i++)
        free(l->text[i]);
    return code;
}
