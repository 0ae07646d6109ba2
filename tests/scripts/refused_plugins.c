/* SPDX-License-Identifier: MIT
 *
 * Prints why a list of solvers with plug-ins is refused, and ends with 2. Built with a sanitizer
 * that counts what is not freed:
 *
 *     refused SOLVERS.so LIST
 */
#include <stdio.h>

#include "solvers/plugins.h"

int main(int argc, char **argv)
{
    kb_error err = {0};
    kb_words files = {0};
    const kb_solvers *s = argc == 3 ? kb_solvers_open(argv[1], &err) : NULL;
    const char *list = argv[argc - 1];
    if (!s || kb_plugins_add(s, &list, &files, 1, &err))
        return 1;
    kb_words_free(&files);
    puts(err.text);
    return KB_INVALID;
}
