/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "figure.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool ms_figure_is_own(const ms_figure *figure)
{
    static const char prefix[] = "macrostep:";
    return strncmp(figure->id, prefix, sizeof prefix - 1) == 0;
}

void ms_figure_name(const ms_figure *figure, char *name, size_t size)
{
    snprintf(name, size, "%s", figure->id);
    for (char *c = name; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && *c != '.' && *c != '_')
            *c = '-';
}
