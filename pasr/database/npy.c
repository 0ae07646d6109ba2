/* SPDX-License-Identifier: MIT
 *
 * NumPy's .npy format, versions 1.0 and 2.0 (numpy.lib.format): magic, version, length of the
 * header, a Python dictionary as text padded with blanks to a multiple of 64 bytes, then the array.
 */
#include "pasr/database/database.h"

#include <errno.h>
#include <sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the .npy reader and writer assume a little-endian machine"
#endif

#define MAX_HEADER (1 << 20)
static const char magic[6] = "\x93NUMPY";

enum { HEAD = 384 };

/* What stands before the numbers: its length in bytes; *count is that of the numbers */
static size_t make_head(const char *type, const kb_npy *a, char head[HEAD], size_t *count)
{
    char text[256], shape[128] = "";
    *count = 1;
    for (int i = 0; i < a->ndim; i++) {
        size_t at = strlen(shape);
        snprintf(shape + at, sizeof shape - at, "%s%ld", i ? ", " : "", a->shape[i]);
        *count *= (size_t)a->shape[i];
    }
    int n = snprintf(text, sizeof text,
                     "{'descr': '%s', 'fortran_order': False, 'shape': (%s%s), }", type, shape,
                     a->ndim == 1 ? "," : "");
    int length = (10 + n + 1 + 63) / 64 * 64 - 10;
    memcpy(head, magic, 6);
    head[6] = 1;
    head[7] = 0;
    head[8] = (char)(length & 255);
    head[9] = (char)(length >> 8);
    snprintf(head + 10, HEAD - 10, "%-*s\n", length - 1, text);
    return 10 + (size_t)length;
}

int kb_npy_save(const char *path, const char *type, const kb_npy *a, kb_error *err)
{
    char head[HEAD];
    size_t count, length = make_head(type, a, head, &count);
    return kb_file_write(path, head, length, a->data, count * 8, err);
}

void kb_npy_sha256(long rows, int columns, const double *data, char *out)
{
    kb_npy a = {2, {rows, columns}, (void *)data};
    char head[HEAD];
    size_t count, length = make_head("<f8", &a, head, &count);
    SHA2_CTX c;
    SHA256Init(&c);
    SHA256Update(&c, (const uint8_t *)head, length);
    SHA256Update(&c, a.data, count * 8);
    SHA256End(&c, out);
}

int kb_npy_write(const char *path, long rows, int columns, const double *data, kb_error *err)
{
    kb_npy a = {2, {rows, columns}, (void *)data};
    return kb_npy_save(path, "<f8", &a, err);
}

/* the text after "'key':" in the header's dictionary, or NULL */
static const char *value_of(const char *header, const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s':", key);
    const char *at = strstr(header, quoted);
    if (!at)
        return NULL;
    at += strlen(quoted);
    return at + strspn(at, " ");
}

static int check_type(const char *path, const char *header, const char *type, kb_error *err)
{
    const char *descr = value_of(header, "descr"), *order = value_of(header, "fortran_order");
    if (!descr || !order || !value_of(header, "shape"))
        return kb_fail(err, KB_INVALID, "%s: damaged .npy header '%.*s' (expected descr, "
                       "fortran_order and shape)", path, (int)strcspn(header, "\n"), header);
    if (*descr != '\'' || strncmp(descr + 1, type, 3) || descr[4] != '\'')
        return kb_fail(err, KB_INVALID, "%s: the array's type is %.*s, expected '%s' (%s; "
                       "convert with numpy's astype)", path, (int)strcspn(descr, ",}\n"), descr,
                       type, type[1] == 'f' ? "float64" : "int64");
    if (strncmp(order, "False", 5))
        return kb_fail(err, KB_INVALID, "%s: the array is in Fortran order, expected C order "
                       "(convert with numpy.ascontiguousarray)", path);
    return KB_OK;
}

/* "(2, 4)", "(2, 3, 4)", "(8,)"; ndim < 0: not of whole numbers >= 0 */
static void parse_shape(const char *text, kb_npy *a)
{
    a->ndim = 0;
    for (const char *at = text + (*text == '('); *at && *at != ')';) {
        char *end;
        long size = strtol(at, &end, 10);
        if (end == at || size < 0 || a->ndim == KB_NPY_DIMS) {
            a->ndim = -1;
            return;
        }
        a->shape[a->ndim++] = size;
        at = end + strspn(end, ", ");
    }
}

static int parse_header(const char *path, const char *header, const char *type, int least, int most,
                        kb_npy *a, kb_error *err)
{
    static const char *const words[] = {"", "one", "two", "three"};
    if (check_type(path, header, type, err))
        return KB_INVALID;
    const char *shape = value_of(header, "shape");
    int length = (int)strcspn(shape, ")}\n");
    length += shape[length] == ')';
    parse_shape(shape, a);
    if (a->ndim < least || a->ndim > most)
        return kb_fail(err, KB_INVALID, "%s: the array's shape is %.*s, expected %s%s%s "
                       "dimension%s", path, length, shape, words[least],
                       most > least ? " or " : "", most > least ? words[most] : "",
                       most > 1 ? "s" : "");
    for (long count = 1, i = 0; i < a->ndim; count *= a->shape[i++])
        if (a->shape[i] > INT64_MAX / 8 / (count > 0 ? count : 1))
            return kb_fail(err, KB_INVALID, "%s: shape %.*s is too large", path,
                           length, shape);
    return KB_OK;
}

/* Reads magic, version and header text; the file then stands at the first number. */
static char *read_header(FILE *f, const char *path, kb_error *err)
{
    unsigned char start[12];
    if (fread(start, 1, 10, f) != 10 || memcmp(start, magic, 6)) {
        kb_fail(err, KB_INVALID, "%s: not a .npy file (its first bytes are not \\x93NUMPY)", path);
        return NULL;
    }
    size_t length = start[8] | (size_t)start[9] << 8;
    if (start[6] < 1 || start[6] > 2) {
        kb_fail(err, KB_INVALID, "%s: .npy version %d.%d, expected 1.0 or 2.0", path, start[6],
                start[7]);
        return NULL;
    }
    int whole = 1;
    if (start[6] == 2) {
        whole = fread(start + 10, 1, 2, f) == 2;
        length |= (size_t)start[10] << 16 | (size_t)start[11] << 24;
    }
    if (length > MAX_HEADER) {
        kb_fail(err, KB_INVALID, "%s: damaged .npy file: a header of %zu bytes", path, length);
        return NULL;
    }
    char *text = kb_alloc(length + 1, 1);
    if (whole && fread(text, 1, length, f) == length)
        return text;
    kb_fail(err, KB_INVALID, "%s: truncated inside the .npy header", path);
    free(text);
    return NULL;
}

static int read_data(FILE *f, const char *path, kb_npy *a, kb_error *err)
{
    size_t count = 1;
    struct stat info;
    for (int i = 0; i < a->ndim; i++)
        count *= (size_t)a->shape[i];
    long long found = fstat(fileno(f), &info) ? -1 : (long long)info.st_size - ftell(f);
    if (found != (long long)(count * 8))
        return kb_fail(err, KB_INVALID, "%s: %s: its shape needs %zu bytes of numbers, found %lld",
                       path, found < (long long)(count * 8) ? "truncated" : "too long", count * 8,
                       found);
    a->data = kb_alloc(count, 8);
    if (fread(a->data, 8, count, f) == count)
        return KB_OK;
    free(a->data);
    a->data = NULL;
    return kb_fail(err, KB_INVALID, "%s: cannot read: %s", path, strerror(errno));
}

int kb_npy_load(const char *path, const char *type, int least, int most, kb_npy *a, kb_error *err)
{
    *a = (kb_npy){0};
    FILE *f = kb_file_open(path);
    if (!f)
        return kb_fail(err, KB_INVALID, "%s: cannot open: %s", path, strerror(errno));
    char *header = read_header(f, path, err);
    int code = header ? parse_header(path, header, type, least, most, a, err) : KB_INVALID;
    if (!code)
        code = read_data(f, path, a, err);
    free(header);
    fclose(f);
    return code;
}

int kb_npy_read(const char *path, long *rows, int *columns, double **data, kb_error *err)
{
    kb_npy a;
    *data = NULL;
    int code = kb_npy_load(path, "<f8", 2, 2, &a, err);
    if (!code && a.shape[1] > INT32_MAX) {
        free(a.data);
        code = kb_fail(err, KB_INVALID, "%s: %ld columns are too many", path, a.shape[1]);
    }
    if (code)
        return code;
    *rows = a.shape[0];
    *columns = (int)a.shape[1];
    *data = a.data;
    return KB_OK;
}
