/* SPDX-License-Identifier: GPL-3.0-or-later */
/* argument_defaults.c - options of a run that the system's file says, below those of the command line. */
#include "arguments.h"

#include <macrostep/scheme_registry.h>
#include <macrostep/solver_registry.h>
#include "file_defaults.h"

/* Do they go together as they are there? The scheme knows its options, and the micro-solver is one. */
static int check(const ms_model *model, const ms_options *said, ms_error *error)
{
    ms_error why;
    const ms_scheme *scheme = ms_scheme_choose(said->scheme, &why);
    if (scheme == NULL)
        return ms_file_defaults_fail(model, MS_OPTION_SCHEME, error, why.text);
    if (said->solver[0] != '\0' && ms_solver_choose(said->solver, &why) == NULL)
        return ms_file_defaults_fail(model, MS_OPTION_SOLVER, error, why.text);
    for (int k = 0; k < MS_OPTIONS; k++) {
        if (!said->given[k] || ms_scheme_knows(scheme, k))
            continue;
        ms_fail(&why, MS_INVALID, "`%s`: scheme %s does not have this option", ms_option_table[k].name,
                scheme->name);
        return ms_file_defaults_fail(model, k, error, why.text);
    }
    return MS_OK;
}

/* Was another scheme chosen, or a list of them? What is no option of all schemes goes with the file's own. */
static bool is_another(const ms_arguments *arguments, const ms_options *said)
{
    const ms_options *o = &arguments->options;
    return (o->given[MS_OPTION_SCHEME] && strcmp(o->scheme, said->scheme) != 0) ||
           ms_arguments_list(arguments, MS_OPTION_SCHEME) != NULL;
}

/* Keeps the defaults of the file that the command and its scheme take. */
static void restrict_to(const ms_arguments *arguments, ms_options *said)
{
    const bool another = is_another(arguments, said);
    for (int k = 0; k < MS_OPTIONS; k++)
        if (!ms_command_takes_option(arguments->command, k) || (another && !ms_option_table[k].common)) {
            said->given[k] = false;
            said->set_by[k] = MS_SET_BY_NO_OTHER;
        }
}

int ms_arguments_apply_defaults(const ms_arguments *arguments, const ms_model *model, ms_options *options,
                                ms_error *error)
{
    ms_options said;
    MS_TRY(ms_file_defaults_read(model, &said, error));
    MS_TRY(check(model, &said, error));
    restrict_to(arguments, &said);
    ms_file_defaults_apply(&said, options);
    return MS_OK;
}
