/* SPDX-License-Identifier: MIT */
#include "pasr/database/word_list.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

char *kb_word_list(const char *list, kb_error *err)
{
    if (access(list, R_OK))
        return kb_strdup(list);
    FILE *f = kb_file_open(list);
    char *text = NULL;
    size_t size = 0;
    if (!f || getdelim(&text, &size, '\0', f) < 0) {
        kb_fail(err, KB_INVALID, "%s: cannot read: %s", list, f ? "empty" : strerror(errno));
        free(text);
        text = NULL;
    }
    if (f)
        fclose(f);
    return text;
}

size_t kb_word_length(const char *text)
{
    size_t n = 0;
    for (int depth = 0; text[n] && (depth > 0 || !strchr(", \t\r\n", text[n])); n++)
        depth += (text[n] == '(') - (text[n] == ')');
    return n;
}
