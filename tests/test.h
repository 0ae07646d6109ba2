/* SPDX-License-Identifier: MIT
 *
 * A test program of cmocka. TEST(name) { ... } is a test, which main runs in the order of the file;
 * FIXTURE(name) { ... return 0; } prepares or clears; TESTS(setup, teardown) at the end is main.
 */
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
extern "C" {
#endif
#include <cmocka.h>
#ifdef __cplusplus
}
#endif

#include "base/owned.h"
#include "tests/larger.h"

/* cmocka's takes a NaN for any number */
#undef assert_float_equal
#define assert_float_equal(is, expected, within) assert_true(fabs((is) - (expected)) <= (within))

/* a call that succeeds, and one that fails with this code and says this; the &err in it is one of
 * this line, whose text is printed if it is another */
#define assert_works(call)                                                                         \
    do {                                                                                           \
        kb_error err = {0};                                                                        \
        if (call)                                                                                  \
            fail_msg("%s", err.text);                                                              \
    } while (0)
#define assert_fails(call, wanted, says)                                                           \
    do {                                                                                           \
        kb_error err = {0};                                                                        \
        if ((call) != (wanted) || !strstr(err.text, says))                                         \
            fail_msg("expected %d, '%s', got %d, '%s'", wanted, says, err.code, err.text);         \
    } while (0)

__attribute__((unused)) static struct CMUnitTest kb_tests[100]; /* cmocka passes over empty ones */

#define TEST_WITH(function, setup, teardown)                                                       \
    static void function(void **state);                                                            \
    __attribute__((constructor)) static void add_##function(void)                                  \
    {                                                                                              \
        size_t n = 0;                                                                              \
        while (kb_tests[n].name)                                                                   \
            n++;                                                                                   \
        assert_true(n < sizeof kb_tests / sizeof *kb_tests);                                       \
        kb_tests[n] = (struct CMUnitTest){#function, function, setup, teardown, NULL};             \
    }                                                                                              \
    static void function(__attribute__((unused)) void **state)
#define TEST(function) TEST_WITH(function, NULL, NULL)

#define FIXTURE(function) static int function(__attribute__((unused)) void **state)

/* of a folder that mkdtemp made */
__attribute__((unused)) static int delete_tree(const char *folder)
{
    char command[256];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

#define TESTS(setup, teardown)                                                                     \
    int main(void)                                                                                 \
    {                                                                                              \
        return cmocka_run_group_tests(kb_tests, setup, teardown);                                  \
    }
