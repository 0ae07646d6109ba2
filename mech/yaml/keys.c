/* SPDX-License-Identifier: MIT
 *
 * Keys of mappings: one that the reader does not know is misspelt (an error), a thing that
 * changes a rate and is not read (an error), or a note that is worth one warning.
 */
#include "mech/yaml/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool kb_yaml_in(const char *word, const char *list)
{
    size_t n = strlen(word);
    for (const char *s = list; s && *s; s += *s == '|') {
        size_t length = strcspn(s, "|");
        if (length == n && strncmp(s, word, n) == 0)
            return true;
        s += length;
    }
    return false;
}

static int by_text_and_place(const void *a, const void *b)
{
    const yaml_node_t *const *x = a, *const *y = b;
    int order = strcmp(kb_yaml_scalar(*x), kb_yaml_scalar(*y));
    return order ? order : (*x > *y) - (*x < *y);
}

int kb_yaml_check_twins(const kb_yaml *y, const yaml_node_t **nodes, int n, const char *format)
{
    int scalars = 0;
    for (int i = 0; i < n; i++)
        if (kb_yaml_scalar(nodes[i]))
            nodes[scalars++] = nodes[i];
    qsort(nodes, (size_t)scalars, sizeof *nodes, by_text_and_place);
    for (int i = 1; i < scalars; i++) {
        const char *text = kb_yaml_scalar(nodes[i]);
        if (strcmp(text, kb_yaml_scalar(nodes[i - 1])) == 0)
            return kb_yaml_fail(y, nodes[i], text, "delete one of the two", format,
                                (int)nodes[i - 1]->start_mark.line + 1);
    }
    return KB_OK;
}

static int least(int a, int b) { return a < b ? a : b; }

/* Letters to be changed, put in or left out to make b of a, at most MOST + 1; case is ignored */
enum { LONGEST = 40 };
static int distance(const char *a, size_t na, const char *b, size_t nb)
{
    int row[LONGEST + 1];
    if (na > LONGEST || nb > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= nb; j++)
        row[j] = (int)j;
    for (size_t i = 1; i <= na; i++) {
        int corner = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= nb; j++) {
            int change = corner + (strncasecmp(a + i - 1, b + j - 1, 1) != 0);
            corner = row[j];
            row[j] = least(change, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[nb];
}

/* The word of the list that may be meant, with its length; NULL: none is near */
static const char *nearest(const char *word, const char *list, size_t *length)
{
    const char *best = NULL;
    size_t size = strlen(word);
    int most = size < 3 ? 0 : size < 6 ? 1 : 2;
    for (const char *s = list; s && *s; s += *s == '|') {
        size_t n = strcspn(s, "|");
        int d = distance(word, size, s, n);
        if (d <= most) {
            most = d - 1;
            best = s;
            *length = n;
        }
        s += n;
    }
    return best;
}

static int unknown(kb_yaml *y, const yaml_node_t *key, const kb_yaml_keys *keys)
{
    const char *name = kb_yaml_scalar(key);
    char hint[160];
    size_t n = 0;
    if (!name)
        return kb_yaml_fail(y, key, NULL, NULL, "%s: a key is no text", keys->what);
    const char *near = nearest(name, keys->known, &n);
    if (near) {
        snprintf(hint, sizeof hint, "did you mean %.*s?", (int)n, near);
        return kb_yaml_fail(y, key, name, hint, "%s: unknown key", keys->what);
    }
    if (strcmp(name, "<<") == 0)
        return kb_yaml_fail(y, key, name, "write the keys out", "%s: merge keys are not read:",
                            keys->what);
    if (keys->closed) {
        snprintf(hint, sizeof hint, "%s%s", strchr(name, ':') ? "a blank behind the colon; " : "",
                 keys->known);
        return kb_yaml_fail(y, key, name, hint, "%s: unknown key", keys->what);
    }
    kb_add_warning(y->m, "!%s:%d: %s: unknown key '%s' is ignored", y->file,
                   (int)key->start_mark.line + 1, keys->what, name);
    return KB_OK;
}

int kb_yaml_check_key(kb_yaml *y, const yaml_node_t *key, const kb_yaml_keys *keys)
{
    const char *name = kb_yaml_scalar(key);
    if (name && (kb_yaml_in(name, keys->known) || kb_yaml_in(name, keys->noted)))
        return KB_OK;
    if (name && kb_yaml_in(name, keys->refused))
        return kb_yaml_fail(y, key, name, keys->hint, "%s: this key cannot be taken here:",
                            keys->what);
    return unknown(y, key, keys);
}

int kb_yaml_check_keys(kb_yaml *y, const yaml_node_t *mapping, const kb_yaml_keys *keys)
{
    if (!kb_yaml_is(mapping, YAML_MAPPING_NODE))
        return KB_OK;
    for (int i = 0; i < kb_yaml_count(mapping); i++)
        if (kb_yaml_check_key(y, kb_yaml_key(y, mapping, i), keys))
            return KB_INVALID;
    return KB_OK;
}
