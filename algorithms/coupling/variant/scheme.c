/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scheme.h"

#include <string.h>

#include "options.h"

int ms_scheme_knows(const ms_scheme *scheme, const char *option)
{
    const int k = ms_option_find(option);
    if (k >= 0 && ms_option_table[k].common)
        return 1;
    for (const char *const *name = scheme->options; *name != NULL; name++)
        if (strcmp(*name, option) == 0)
            return 1;
    return 0;
}
