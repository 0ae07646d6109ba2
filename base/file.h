/* SPDX-License-Identifier: MIT
 *
 * Files that are read whole, and written whole or not at all.
 */
#pragma once

#include <stdio.h>

#include "base/error.h"

/* Opens a file or a pipe for reading. NULL, with errno, also for folders and for devices: these may
 * never end. */
FILE *kb_file_open(const char *path);
/* The bytes of such a file, which the caller frees, with a 0 behind them; NULL with a message. */
char *kb_file_read(const char *path, size_t *length, kb_error *err);

/* Writes head and then body (NULL: none) under a temporary name beside path, flushes them to the
 * disk and renames the file: either all of it is there or nothing has changed. Temporary files that
 * killed programs have left there are removed. */
int kb_file_write(const char *path, const void *head, size_t nhead, const void *body, size_t nbody,
                  kb_error *err);
int kb_file_write_text(const char *path, const char *text, kb_error *err);
/* Appends to the file that is there and flushes it to the disk; on failure the file keeps its
 * former length. */
int kb_file_append(const char *path, const char *text, size_t length, kb_error *err);

/* Makes the folders that path names before its last slash, where they are missing. */
int kb_make_folders(const char *path, kb_error *err);
