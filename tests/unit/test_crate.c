/* SPDX-License-Identifier: MIT
 *
 * ro-crate-metadata.json: JSON-LD of an RO-Crate whose files exist.
 */
#include <sys/stat.h>

#include "tests/test.h"
#include "base/file.h"
#include "base/json.h"

static const char *text_of(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));
    return text ? text : "";
}

static const json_t *entity(const json_t *graph, const char *id)
{
    size_t i;
    json_t *o;
    json_array_foreach(graph, i, o)
        if (!strcmp(text_of(o, "@id"), id))
            return o;
    return NULL;
}

/* A folder is a Dataset whose name ends with a slash, a file is a File */
static void check_part(const json_t *graph, const char *id)
{
    struct stat s;
    if (!entity(graph, id))
        fail_msg("%s: it is a part without a line of its own", id);
    if (stat(id, &s))
        fail_msg("%s: there is no such file", id);
    assert_int_equal(id[strlen(id) - 1] == '/', S_ISDIR(s.st_mode) != 0);
    assert_int_equal(!strcmp(text_of(entity(graph, id), "@type"), "Dataset"),
                     S_ISDIR(s.st_mode) != 0);
}

TEST(test_crate)
{
    kb_error err;
    size_t length, i;
    json_t *crate = kb_json_read("ro-crate-metadata.json", NULL, &err), *part;
    assert_non_null(crate);
    assert_string_equal(text_of(crate, "@context"), "https://w3id.org/ro/crate/1.1/context");
    const json_t *graph = json_object_get(crate, "@graph"), *root = entity(graph, "./");
    const json_t *self = entity(graph, "ro-crate-metadata.json");
    assert_non_null(root);
    assert_string_equal(text_of(json_object_get(self, "about"), "@id"), "./");
    kb_owned char *version = kb_file_read("VERSION", &length, &err);
    version[strcspn(version, "\n")] = 0;
    assert_string_equal(text_of(root, "version"), version);
    const char *needed[] = {"name", "description", "datePublished"};
    for (i = 0; i < 3; i++)
        assert_true(*text_of(root, needed[i]));
    const json_t *parts = json_object_get(root, "hasPart");
    assert_true(json_array_size(parts) > 10);
    json_array_foreach(parts, i, part)
        check_part(graph, text_of(part, "@id"));
    json_decref(crate);
}

TESTS(NULL, NULL)
