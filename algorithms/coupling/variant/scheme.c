/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/scheme.h>

#include <macrostep/options.h>

bool ms_scheme_knows(const ms_scheme *scheme, int option)
{
    bool own = false;
    for (const ms_option_id *o = scheme->knows; *o != MS_OPTIONS; o++)
        own = own || (int)*o == option;
    return own || ms_option_table[option].common;
}
