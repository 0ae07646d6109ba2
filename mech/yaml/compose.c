/* SPDX-License-Identifier: MIT
 *
 * A file's events become libyaml's document tree. libyaml's own loader has no bound on nesting and
 * aliases and keeps repeated keys; here each of them ends with a message.
 */
#include "mech/yaml/node.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

enum {
    MAX_DEPTH = 64,
    MAX_ANCHORS = 4096,
    MAX_NODES = 50000000 /* of the tree with every alias written out */
};

typedef struct {
    char *name;
    int node;
    double size; /* nodes below it, itself too */
} anchor;

typedef struct {
    int node, key; /* key: 0, or the key that waits for its value */
    double size;
    int anchor; /* -1: none */
} level;

typedef struct {
    kb_yaml *y;
    yaml_parser_t parser;
    level stack[MAX_DEPTH];
    int depth;
    anchor *anchors;
    int nanchors;
} composer;

static int fail_mark(const composer *c, const yaml_mark_t *mark, const char *word,
                     const char *hint, const char *text)
{
    return kb_fail_at(c->y->err, c->y->file, (int)mark->line + 1, word, hint, "YAML: %s", text);
}

static int fail_parser(const composer *c)
{
    const yaml_parser_t *p = &c->parser;
    char *text = kb_format("%s%s%s", p->problem ? p->problem : "cannot be read",
                           p->context ? " " : "", p->context ? p->context : "");
    int rc = fail_mark(c, &p->problem_mark, NULL, NULL, text);
    free(text);
    return rc;
}

/* No key of a mapping stands there twice. */
static int check_twins(composer *c, const yaml_node_t *mapping)
{
    int n = kb_yaml_count(mapping);
    const yaml_node_t **keys = kb_alloc((size_t)n, sizeof *keys);
    for (int i = 0; i < n; i++)
        keys[i] = kb_yaml_key(c->y, mapping, i);
    int rc = kb_yaml_check_twins(c->y, keys, n, "the key of line %d stands here again:");
    free(keys);
    return rc;
}

static int set_anchor(composer *c, const yaml_char_t *name, int node, const yaml_mark_t *mark)
{
    if (!name)
        return KB_OK;
    if (c->nanchors == MAX_ANCHORS)
        return fail_mark(c, mark, (const char *)name, NULL, "more anchors than this reader takes:");
    c->anchors = kb_realloc(c->anchors, (size_t)c->nanchors + 1, sizeof *c->anchors);
    c->anchors[c->nanchors++] = (anchor){kb_strdup((const char *)name), node, 1};
    return KB_OK;
}

/* Puts a node of the given size under the innermost open one. */
static int place(composer *c, int node, double size, const yaml_mark_t *mark)
{
    if (c->depth == 0)
        return KB_OK;
    level *l = &c->stack[c->depth - 1];
    const yaml_node_t *parent = yaml_document_get_node(&c->y->doc, l->node);
    int good = 1;
    l->size += size;
    if (l->size > MAX_NODES)
        return fail_mark(c, mark, NULL, NULL, "aliases that make a tree too large");
    if (parent->type == YAML_SEQUENCE_NODE) {
        good = yaml_document_append_sequence_item(&c->y->doc, l->node, node);
    } else if (l->key) {
        good = yaml_document_append_mapping_pair(&c->y->doc, l->node, l->key, node);
        l->key = 0;
    } else {
        l->key = node;
    }
    return good ? KB_OK : fail_mark(c, mark, NULL, NULL, "out of memory");
}

/* The last anchor of that name counts; one that is still open holds itself. */
static int alias(composer *c, const yaml_event_t *e)
{
    const char *name = (const char *)e->data.alias.anchor;
    int i = c->nanchors - 1;
    while (i >= 0 && strcmp(c->anchors[i].name, name))
        i--;
    if (i < 0)
        return fail_mark(c, &e->start_mark, name, NULL, "no anchor of the name");
    for (int d = 0; d < c->depth; d++)
        if (c->stack[d].anchor == i)
            return fail_mark(c, &e->start_mark, name, NULL, "an alias inside its own anchor:");
    return place(c, c->anchors[i].node, c->anchors[i].size, &e->start_mark);
}

static int scalar(composer *c, const yaml_event_t *e)
{
    if (memchr(e->data.scalar.value, '\0', e->data.scalar.length))
        return fail_mark(c, &e->start_mark, (const char *)e->data.scalar.value, NULL,
                         "a NUL character in the text that begins with");
    int node = yaml_document_add_scalar(&c->y->doc, NULL, e->data.scalar.value,
                                        (int)e->data.scalar.length, e->data.scalar.style);
    if (!node)
        return fail_mark(c, &e->start_mark, NULL, NULL, "a scalar that cannot be kept");
    yaml_document_get_node(&c->y->doc, node)->start_mark = e->start_mark;
    if (set_anchor(c, e->data.scalar.anchor, node, &e->start_mark))
        return KB_INVALID;
    return place(c, node, 1, &e->start_mark);
}

static int open_level(composer *c, const yaml_event_t *e)
{
    bool list = e->type == YAML_SEQUENCE_START_EVENT;
    const yaml_char_t *name = list ? e->data.sequence_start.anchor : e->data.mapping_start.anchor;
    int node = list ? yaml_document_add_sequence(&c->y->doc, NULL, YAML_ANY_SEQUENCE_STYLE)
                    : yaml_document_add_mapping(&c->y->doc, NULL, YAML_ANY_MAPPING_STYLE);
    if (!node || c->depth == MAX_DEPTH)
        return fail_mark(c, &e->start_mark, NULL, NULL, "lists and mappings nested too deep");
    yaml_document_get_node(&c->y->doc, node)->start_mark = e->start_mark;
    if (set_anchor(c, name, node, &e->start_mark))
        return KB_INVALID;
    c->stack[c->depth++] = (level){node, 0, 1, name ? c->nanchors - 1 : -1};
    return KB_OK;
}

static int close_level(composer *c, const yaml_event_t *e)
{
    level l = c->stack[--c->depth];
    if (l.anchor >= 0)
        c->anchors[l.anchor].size = l.size;
    if (e->type == YAML_MAPPING_END_EVENT &&
        check_twins(c, yaml_document_get_node(&c->y->doc, l.node)))
        return KB_INVALID;
    return place(c, l.node, l.size, &e->start_mark);
}

static int event(composer *c, const yaml_event_t *e)
{
    switch (e->type) {
    case YAML_ALIAS_EVENT: return alias(c, e);
    case YAML_SCALAR_EVENT: return scalar(c, e);
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT: return open_level(c, e);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: return close_level(c, e);
    default: return KB_OK;
    }
}

/* All events: there is one document */
static int compose(composer *c)
{
    int rc = KB_OK, documents = 0;
    for (bool end = false; !end && !rc;) {
        yaml_event_t e;
        if (!yaml_parser_parse(&c->parser, &e))
            return fail_parser(c);
        end = e.type == YAML_STREAM_END_EVENT;
        if (e.type == YAML_DOCUMENT_START_EVENT && documents++)
            rc = fail_mark(c, &e.start_mark, "---", "one document is one mechanism",
                           "a second document begins with");
        else
            rc = event(c, &e);
        yaml_event_delete(&e);
    }
    return rc;
}

static int compose_file(composer *c, FILE *f)
{
    yaml_parser_set_input_file(&c->parser, f);
    int rc = compose(c);
    for (int i = 0; i < c->nanchors; i++)
        free(c->anchors[i].name);
    free(c->anchors);
    if (rc)
        yaml_document_delete(&c->y->doc);
    return rc;
}

static int open_file(kb_yaml *y, const char *path)
{
    composer c = {.y = y};
    FILE *f = kb_file_open(path);
    if (!f)
        return kb_fail(y->err, KB_INVALID, "%s: %s", path, strerror(errno));
    int rc = KB_INVALID;
    if (!yaml_parser_initialize(&c.parser)) {
        kb_fail(y->err, KB_INVALID, "%s: out of memory", path);
    } else {
        if (yaml_document_initialize(&y->doc, NULL, NULL, NULL, 0, 0))
            rc = compose_file(&c, f);
        yaml_parser_delete(&c.parser);
    }
    fclose(f);
    return rc;
}

/* A file may hold sections of any name, but "unit" is no section. */
static int check_root(kb_yaml *y)
{
    static const kb_yaml_keys keys = {
        .what = "file", .known = "phases|elements|species|reactions|units|description",
        .noted = "generator|cantera-version|date|git-commit|input-files|custom|note|reference",
        .refused = "extensions", .hint = "rates of other programs are not read"};
    if (!kb_yaml_is(y->root, YAML_MAPPING_NODE))
        return kb_yaml_fail(y, y->root, NULL, "is this a Cantera input file?",
                            "the file is no YAML mapping");
    for (int i = 0; i < kb_yaml_count(y->root); i++) {
        const yaml_node_t *key = kb_yaml_key(y, y->root, i);
        const char *name = kb_yaml_scalar(key);
        bool section = kb_yaml_is(kb_yaml_value(y, y->root, i), YAML_SEQUENCE_NODE);
        if (name && (!section || kb_yaml_in(name, keys.refused)) &&
            kb_yaml_check_key(y, key, &keys))
            return KB_INVALID;
    }
    return kb_yaml_units(y, y->root, &(kb_units){0});
}

int kb_yaml_open(kb_yaml *y, const char *path)
{
    if (open_file(y, path))
        return KB_INVALID;
    y->root = yaml_document_get_root_node(&y->doc);
    if (check_root(y)) {
        kb_yaml_close(y);
        return KB_INVALID;
    }
    return KB_OK;
}

void kb_yaml_close(kb_yaml *y)
{
    yaml_document_delete(&y->doc);
    y->root = NULL;
}
