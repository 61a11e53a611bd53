/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_archive_parts.h"

int ms_archives_open(const char *path, const ms_plugin_archives **library, ms_error *error)
{
    const ms_plugin *plugin = NULL;
    const int status = ms_plugin_open("archives", path, &plugin, error);
    *library = (const ms_plugin_archives *)plugin;
    return status;
}

/* How many bytes the character that begins with that byte has; 0: none begins so. */
static int length_of(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xC2 || first > 0xF4)
        return 0;
    return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

bool ms_archives_is_text(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        const int length = length_of(*c);
        if (length == 0 || *c < ' ' || *c == 127)
            return false;
        for (int k = 1; k < length; k++)
            if ((c[k] & 0xC0) != 0x80)
                return false;
        if ((c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] > 0x9F) || (c[0] == 0xF0 && c[1] < 0x90) ||
            (c[0] == 0xF4 && c[1] > 0x8F))
            return false;
        c += length;
    }
    return true;
}
