/* SPDX-License-Identifier: MIT
 *
 * Feeds a fuzz target all files of its folder of seeds (KB_CORPUS), for `make test`.
 */
#include "tests/fuzz/files.h"

#include <dirent.h>

int main(void)
{
    DIR *folder = opendir(KB_CORPUS);
    int count = 0;
    for (struct dirent *e; folder && (e = readdir(folder));) {
        char path[512];
        static uint8_t bytes[1 << 16];
        snprintf(path, sizeof path, "%s/%s", KB_CORPUS, e->d_name);
        FILE *f = e->d_name[0] == '.' ? NULL : fopen(path, "rb");
        if (!f)
            continue;
        LLVMFuzzerTestOneInput(bytes, fread(bytes, 1, sizeof bytes, f));
        fclose(f);
        count++;
    }
    if (folder)
        closedir(folder);
    printf("%s - %d files of %s\n", count ? "ok" : "not ok", count, KB_CORPUS);
    return count ? 0 : 1;
}
