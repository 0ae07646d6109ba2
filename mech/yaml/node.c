/* SPDX-License-Identifier: MIT */
#include "mech/yaml/node.h"
#include "mech/yaml/write.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int kb_yaml_fail(const kb_yaml *y, const yaml_node_t *node, const char *word, const char *hint,
                 const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return kb_fail_at(y->err, y->file, node ? (int)node->start_mark.line + 1 : 0, word, hint, "%s",
                      text);
}

bool kb_yaml_is(const yaml_node_t *node, yaml_node_type_t type)
{
    return node && node->type == type;
}

int kb_yaml_count(const yaml_node_t *node)
{
    if (kb_yaml_is(node, YAML_SEQUENCE_NODE))
        return (int)(node->data.sequence.items.top - node->data.sequence.items.start);
    if (kb_yaml_is(node, YAML_MAPPING_NODE))
        return (int)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
    return 0;
}

yaml_node_t *kb_yaml_item(kb_yaml *y, const yaml_node_t *sequence, int i)
{
    return yaml_document_get_node(&y->doc, sequence->data.sequence.items.start[i]);
}

yaml_node_t *kb_yaml_key(kb_yaml *y, const yaml_node_t *mapping, int i)
{
    return yaml_document_get_node(&y->doc, mapping->data.mapping.pairs.start[i].key);
}

yaml_node_t *kb_yaml_value(kb_yaml *y, const yaml_node_t *mapping, int i)
{
    return yaml_document_get_node(&y->doc, mapping->data.mapping.pairs.start[i].value);
}

yaml_node_t *kb_yaml_get(kb_yaml *y, const yaml_node_t *mapping, const char *key)
{
    if (!kb_yaml_is(mapping, YAML_MAPPING_NODE))
        return NULL;
    for (int i = 0; i < kb_yaml_count(mapping); i++) {
        const char *name = kb_yaml_scalar(kb_yaml_key(y, mapping, i));
        if (name && strcmp(name, key) == 0)
            return kb_yaml_value(y, mapping, i);
    }
    return NULL;
}

const char *kb_yaml_scalar(const yaml_node_t *node)
{
    return kb_yaml_is(node, YAML_SCALAR_NODE) ? (const char *)node->data.scalar.value : NULL;
}

const char *kb_yaml_name(const yaml_node_t *node)
{
    const char *name = kb_yaml_scalar(node);
    if (!name || !*name)
        return NULL;
    for (const char *s = name; *s; s += kb_printable(s)) {
        if (*s == ' ' || !kb_printable(s))
            return NULL;
    }
    return name;
}

int kb_yaml_number(kb_yaml *y, const yaml_node_t *node, const char *what, double *out)
{
    const char *text = kb_yaml_scalar(node);
    if (!text)
        return kb_yaml_fail(y, node, what, NULL, "a number is expected for");
    if (node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
        return kb_yaml_fail(y, node, text, "leave the quotes out", "%s is text, not a number:",
                            what);
    char *end;
    *out = strtod(text, &end);
    if (end == text || *end || !isfinite(*out) || strpbrk(text, "xX"))
        return kb_yaml_fail(y, node, text, NULL, "%s is not a finite number:", what);
    return KB_OK;
}

int kb_yaml_flag(kb_yaml *y, const yaml_node_t *mapping, const char *key, bool *out)
{
    const yaml_node_t *node = kb_yaml_get(y, mapping, key);
    if (!node)
        return KB_OK;
    const char *text = kb_yaml_scalar(node);
    static const char *const yes[] = {"true", "True", "TRUE"}, *const no[] = {"false", "False",
                                                                              "FALSE"};
    bool plain = text && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    for (int i = 0; plain && i < 3; i++) {
        if (strcmp(text, yes[i]) == 0 || strcmp(text, no[i]) == 0) {
            *out = text[0] == 't' || text[0] == 'T';
            return KB_OK;
        }
    }
    return kb_yaml_fail(y, node, text, "true or false", "%s is neither true nor false:", key);
}
