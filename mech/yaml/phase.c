/* SPDX-License-Identifier: MIT
 *
 * Cantera's YAML: one ideal-gas phase of a file becomes a mechanism.
 */
#include "mech/steady.h"
#include "mech/yaml/node.h"

#include <stdio.h>
#include <string.h>

static const char *model_of(kb_yaml *y, const yaml_node_t *phase)
{
    const char *model = kb_yaml_scalar(kb_yaml_get(y, phase, "thermo"));
    return model ? model : "none";
}

static bool is_ideal(kb_yaml *y, const yaml_node_t *phase)
{
    return strcmp(model_of(y, phase), "ideal-gas") == 0;
}

static const char *name_of(kb_yaml *y, const yaml_node_t *phase)
{
    const char *name = kb_yaml_scalar(kb_yaml_get(y, phase, "name"));
    return name ? name : "?";
}

/* "gas (ideal-gas), liquid (pure-fluid)" */
static char *phase_list(kb_yaml *y, const yaml_node_t *list)
{
    char *text = kb_strdup("");
    for (int i = 0; i < kb_yaml_count(list) && strlen(text) < 300; i++) {
        const yaml_node_t *phase = kb_yaml_item(y, list, i);
        char *longer = kb_format("%s%s%.60s (%.40s)", text, i ? ", " : "", name_of(y, phase),
                                 model_of(y, phase));
        free(text);
        text = longer;
    }
    return text;
}

static const yaml_node_t *named_phase(kb_yaml *y, const yaml_node_t *list, const char *wanted)
{
    for (int i = 0; i < kb_yaml_count(list); i++) {
        const yaml_node_t *phase = kb_yaml_item(y, list, i);
        if (strcmp(name_of(y, phase), wanted) == 0)
            return phase;
    }
    char *text = phase_list(y, list), *hint = kb_format("there are %s", text);
    kb_yaml_fail(y, list, wanted, hint, "PHASE: there is no phase");
    free(hint);
    free(text);
    return NULL;
}

/* The first ideal gas, or else the first phase */
static const yaml_node_t *default_phase(kb_yaml *y, const yaml_node_t *list)
{
    const yaml_node_t *first = NULL;
    int ideal = 0, at = 0;
    for (int i = 0; i < kb_yaml_count(list); i++) {
        const yaml_node_t *phase = kb_yaml_item(y, list, i);
        if (!is_ideal(y, phase) || ideal++)
            continue;
        first = phase;
        at = i;
    }
    if (ideal > 1 || at > 0) {
        char *text = phase_list(y, list);
        kb_add_warning(y->m, "!%s:%d: phase '%s' is taken, PHASE= takes another of: %s", y->file,
                       (int)first->start_mark.line + 1, name_of(y, first), text);
        free(text);
    }
    return first ? first : kb_yaml_item(y, list, 0);
}

static const yaml_node_t *choose_phase(kb_yaml *y)
{
    const yaml_node_t *list = kb_yaml_get(y, y->root, "phases");
    const char *wanted = getenv("KB_PHASE"), *ideal = getenv("KB_IDEAL");
    if (!kb_yaml_is(list, YAML_SEQUENCE_NODE) || kb_yaml_count(list) == 0) {
        kb_yaml_fail(y, y->root, "phases", "is this a Cantera input file?",
                     "the file has no list of");
        return NULL;
    }
    const yaml_node_t *phase = wanted && *wanted ? named_phase(y, list, wanted)
                                                 : default_phase(y, list);
    if (!phase || is_ideal(y, phase))
        return phase;
    const char *name = name_of(y, phase), *model = model_of(y, phase);
    if (!kb_yaml_is(phase, YAML_MAPPING_NODE)) {
        kb_yaml_fail(y, phase, "phases", "- name: gas", "not a mapping: an entry of");
        return NULL;
    }
    if (!ideal || strcmp(ideal, "1") != 0) {
        kb_yaml_fail(y, phase, model, "IDEAL=1 reads its species and reactions as an ideal gas",
                     "phase %s is no ideal gas but", name);
        return NULL;
    }
    kb_add_warning(y->m, "!%s:%d: phase '%s' is %s, and is read as an ideal gas (IDEAL=1)", y->file,
                   (int)phase->start_mark.line + 1, name, model);
    return phase;
}

static int check_phase(kb_yaml *y, const yaml_node_t *phase)
{
    static const kb_yaml_keys keys = {
        .what = "phase",
        .known = "name|thermo|elements|species|kinetics|reactions|skip-undeclared-elements|"
                 "skip-undeclared-third-bodies|explicit-third-body-duplicates|"
                 "steady-state-species|drop-nonlinear",
        .noted = "note|state|transport|standard-concentration-basis|initial-state|comment",
        .refused = "rate-multipliers", .hint = "change the rate constants themselves"};
    return kb_yaml_check_keys(y, phase, &keys) ||
           kb_yaml_flag(y, phase, "skip-undeclared-elements", &y->skip_elements) ||
           kb_yaml_flag(y, phase, "skip-undeclared-third-bodies", &y->skip_colliders);
}

/* The project's own keys: species in steady state, and whether they make directions be left out */
static int read_steady(kb_yaml *y, const yaml_node_t *phase)
{
    const yaml_node_t *list = kb_yaml_get(y, phase, "steady-state-species");
    int n = kb_yaml_count(list), code = KB_OK;
    bool drop = false;
    if (kb_yaml_flag(y, phase, "drop-nonlinear", &drop))
        return KB_INVALID;
    if (!list)
        return KB_OK;
    if (!kb_yaml_is(list, YAML_SEQUENCE_NODE) || n == 0)
        return kb_yaml_fail(y, list, "steady-state-species", "[A, B]", "not a list of names:");
    char **names = kb_alloc((size_t)n, sizeof *names);
    for (int i = 0; i < n && !code; i++) {
        const char *name = kb_yaml_name(kb_yaml_item(y, list, i));
        if (name)
            names[i] = kb_strdup(name);
        else
            code = kb_yaml_fail(y, list, "steady-state-species", NULL, "an entry is no name:");
    }
    if (!code)
        code = kb_steady(y->m, names, n, drop, y->file, (int)list->start_mark.line + 1, y->err);
    for (int i = 0; i < n; i++)
        free(names[i]);
    free(names);
    return code;
}

static char *trimmed(const char *text)
{
    text = text ? text : "";
    size_t n = strlen(text);
    while (n && strchr(" \t\n", text[n - 1]))
        n--;
    return kb_format("%.*s", (int)n, text);
}

static char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    return kb_format("%.*s", (int)strcspn(base, "."), base);
}

static int read_document(kb_yaml *y, const char *path)
{
    const yaml_node_t *phase = choose_phase(y);
    if (!phase)
        return KB_INVALID;
    const char *name = kb_yaml_name(kb_yaml_get(y, phase, "name"));
    y->m->name = name ? kb_strdup(name) : base_name(path);
    y->m->description = trimmed(kb_yaml_scalar(kb_yaml_get(y, y->root, "description")));
    if (check_phase(y, phase) || kb_yaml_elements(y, phase) || kb_yaml_species(y, phase) ||
        kb_yaml_reactions(y, phase))
        return KB_INVALID;
    if (y->m->nspecies == 0)
        return kb_yaml_fail(y, phase, y->m->name, NULL, "no species in phase");
    return read_steady(y, phase);
}

int kb_yaml_read(kb_mech *m, const char *path, kb_error *err)
{
    memset(m, 0, sizeof *m);
    kb_names names = {0};
    kb_yaml y = {.m = m, .err = err, .file = kb_add_file(m, path), .names = &names};
    int rc = kb_yaml_open(&y, path);
    if (!rc) {
        rc = read_document(&y, path);
        kb_yaml_close(&y);
    }
    free(names.slots);
    if (rc)
        kb_mech_free(m);
    return rc;
}
