/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: recipes. The first byte says of which generator; what is read lies within the
 * bounds of its table.
 */
#include "tests/fuzz/files.h"

#include "pasr/generators/flamelet.h"
#include "pasr/generators/ignition.h"
#include "pasr/generators/import.h"
#include "pasr/generators/lem.h"
#include "pasr/generators/pasr.h"

typedef union {
    kb_ignition ignition;
    kb_pasr pasr;
    kb_flamelet flamelet;
    kb_lem lem;
    kb_import import;
} recipe;

static const kb_recipe_form *start(int which, recipe *r)
{
    switch (which) {
    case 0: kb_ignition_defaults(&r->ignition); return &kb_ignition_form;
    case 1: kb_pasr_defaults(&r->pasr); return &kb_pasr_form;
    case 2: kb_flamelet_defaults(&r->flamelet); return &kb_flamelet_form;
    case 3: kb_lem_defaults(&r->lem); return &kb_lem_form;
    default: kb_import_defaults(&r->import); return &kb_import_form;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int file;
    char path[128];
    kb_error err = {0};
    recipe r = {0};
    if (size < 1)
        return 0;
    fuzz_file(&file, "a.json", data + 1, size - 1);
    const kb_recipe_form *form = start(data[0] % 5, &r);
    int code = kb_recipe_read(form, &r, fuzz_path("a.json", path), &err);
    fuzz_said(code, &err);
    if (!code && kb_recipe_check(form, &r, &err) && !strstr(err.text, "not given"))
        abort();
    kb_recipe_free(form, &r);
    return 0;
}
