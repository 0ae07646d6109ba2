/* SPDX-License-Identifier: MIT
 *
 * A text that is kept in a file of tests/data, which KEEP=1 in the environment writes anew.
 */
#pragma once

#include "tests/test.h"

/* file has this text; else the test fails with the first 60 characters that differ */
static void check_kept(const char *file, const char *text)
{
    char was[40000];
    FILE *f = fopen(file, getenv("KEEP") ? "w+" : "r");
    assert_non_null(f);
    if (getenv("KEEP"))
        fputs(text, f);
    rewind(f);
    was[fread(was, 1, sizeof was - 1, f)] = 0;
    fclose(f);
    size_t same = 0;
    while (text[same] && text[same] == was[same])
        same++;
    if (text[same] != was[same])
        fail_msg("%s has '%.60s', now '%.60s'", file, was + same, text + same);
}
