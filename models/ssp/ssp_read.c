/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ssp_read.c - the files of a system structure. */
#include "ssp_read.h"

#include <ctype.h>
#include <string.h>

#include "structure.h"

static int hexadecimal(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c != '\0' ? strchr(digits, tolower((unsigned char)c)) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

/* %20 and the like, in place. */
static void decode(char *text)
{
    char *to = text;
    for (const char *c = text; *c != '\0'; c++) {
        const int high = *c == '%' ? hexadecimal(c[1]) : -1, low = high >= 0 ? hexadecimal(c[2]) : -1;
        *to++ = low >= 0 ? (char)(16 * high + low) : *c;
        c += low >= 0 ? 2 : 0;
    }
    *to = '\0';
}

static bool has_parent(const char *path)
{
    for (const char *c = path; c != NULL; c = strchr(c, '/')) {
        c += *c == '/';
        if (strncmp(c, "..", 2) == 0 && (c[2] == '/' || c[2] == '\0'))
            return true;
    }
    return false;
}

const char *ms_ssp_path(ms_ssp_reading *r, const char *source, const char **refused)
{
    const size_t size = strlen(r->folder) + strlen(source) + 2, at = strlen(r->folder) + 1;
    char *path = ms_structure_alloc(&r->ssp->memory, size, 1);
    *refused = NULL;
    if (path == NULL)
        return NULL;
    memcpy(path, r->folder, at - 1);
    path[at - 1] = '/';
    memcpy(path + at, source, strlen(source) + 1);
    decode(path + at);
    const char *colon = strchr(path + at, ':');
    if (path[at] == '/' || (colon != NULL && memchr(path + at, '/', (size_t)(colon - path) - at) == NULL))
        *refused = "is not relative to the .ssd";
    else if (r->ssp->archive != NULL && has_parent(path + at))
        *refused = "leaves the archive";
    return path;
}

int ms_ssp_read_xml(ms_ssp_reading *r, const char *path, ms_xml *xml)
{
    ms_structure *memory = &r->ssp->memory;
    const char *shown = r->ssp->archive == NULL
                            ? path
                            : ms_structure_name(memory, "%s%s", r->ssp->path, path + strlen(r->folder));
    *xml = (ms_xml){.path = path};
    MS_TRY_MEMORY_OR(shown != NULL, ms_xml_no_memory(xml, r->error));
    const int status = ms_xml_read_file(path, shown, xml, r->error);
    ms_structure_adopt(memory, &xml->memory);
    return status == MS_OK ? ms_ssp_check_schema(xml, xml->root, r->error) : status;
}
