/* SPDX-License-Identifier: MIT */
#include "mech/find.h"

#include <string.h>
#include <unistd.h>

#include "base/shared_object.h"

char *kb_mechanism_file(const char *mech)
{
    const char *const places[] = {"datasets/mechanisms/%s.yaml", "datasets/mechanisms/%s.inp",
                                  "datasets/mechanisms/%s.dat", "datasets/downloads/%s/mech.inp",
                                  "build/mech/%s/%s.yaml"};
    if (strchr(mech, '/') || access(mech, R_OK) == 0)
        return kb_strdup(mech);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *place = kb_format(places[i], mech, mech), *path = kb_find_in_tree(place);
        free(place);
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return kb_format(places[0], mech);
}

int kb_mechanism_load(kb_mech *m, const char *mech, const char *thermo, kb_error *err)
{
    char *path = kb_mechanism_file(mech);
    size_t folder = strlen(path) - strlen(strrchr(path, '/') ? strrchr(path, '/') : path);
    char *beside = kb_format("%.*s/therm.dat", (int)folder, path);
    const char *downloads = strstr(path, "datasets/downloads/");
    bool fetched = downloads && (downloads == path || *path == '/');
    int code = kb_mech_load(m, path, thermo || !fetched ? thermo : beside, err);
    if (!code && fetched) {
        free(m->name);
        m->name = kb_built_name(path);
    }
    free(beside);
    free(path);
    return code;
}

char *kb_built_name(const char *mech)
{
    static const char *const plain[] = {"mech", "chem", "mechanism"};
    const char *slash = strrchr(mech, '/'), *base = slash ? slash + 1 : mech;
    const char *dot = strrchr(base, '.');
    char *name = kb_format("%.*s", dot ? (int)(dot - base) : (int)strlen(base), base);
    for (int i = 0; slash && i < 3; i++) {
        if (strcmp(name, plain[i]) != 0)
            continue;
        const char *folder = slash;
        while (folder > mech && folder[-1] != '/')
            folder--;
        free(name);
        return kb_format("%.*s", (int)(slash - folder), folder);
    }
    return name;
}
