#include "command.h"

#include <string.h>

#include "arguments.h"
#include "nearest.h"

volatile sig_atomic_t ms_interrupted;

const ms_command ms_commands[] = {
    {"list", "what there is: models, schemes, solvers, studies, figures", "[WHAT]",
     "WHAT is models, schemes, solvers, studies or figures; without it all of them are listed.\n",
     ms_command_list, MS_TAKES_ANSWER, false},
    {"show", "a model: source, parameters, couplings, feed-through, evaluation order, eigenvalues", "MODEL",
     "The evaluation order lists the subsystems in groups: outputs of a group depend, through feed-through, "
     "on groups\n"
     "before it; a group of several subsystems holds an algebraic loop. Feed-through and eigenvalues (of the "
     "coupled,\n"
     "linearised model) are those at the start.\n",
     ms_command_show, MS_TAKES_MODEL | MS_TAKES_ANSWER, false},
    {"run", "one co-simulation: errors, energy, coupling residual, work", "MODEL", "", ms_command_run,
     MS_TAKES_MODEL | MS_TAKES(TRAJECTORY) | MS_TAKES_ANSWER, true},
    {"compare", "one model with all schemes, ranked by error", "MODEL",
     "Runs every family with every extrapolation order, kind of derivatives, of outputs and of smoothing. An "
     "option that\n"
     "is given, with one value or with a list, replaces the values that would be tried. Pairs that do not "
     "fit are rows\n"
     "with the reason incompatible. The table is sorted by rank; csv and json keep the order of the grid.\n",
     ms_command_compare, MS_TAKES_MODEL | MS_TAKES_ANSWER, true},
    {"converge", "errors over step sizes, and the observed order", "MODEL",
     "--step-size takes a list; from one value, or the case's own, it is halved six times. The order is "
     "fitted over the\n"
     "rows without a note.\n",
     ms_command_converge, MS_TAKES_MODEL | MS_TAKES_ANSWER, true},
    {"figure", "redraws a published figure or table and judges it against the printed values", "ID",
     "IDs look like andersson2016:fig6.4; macrostep list figures shows them.\n", ms_command_figure,
     MS_TAKES(DIRECTORY) | MS_TAKES_ANSWER, false},
    {"figures", "all published figures and tables", "", "", ms_command_figures,
     MS_TAKES(DIRECTORY) | MS_TAKES_ANSWER, false},
    {"report", "everything that was reproduced beside what was published, as HTML and Markdown", "", "",
     ms_command_report, MS_TAKES(DIRECTORY) | MS_TAKES_ANSWER, false},
    {0}};

const ms_command *ms_command_find(const char *name)
{
    for (const ms_command *command = ms_commands; command->name != NULL; command++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

const char *ms_command_nearest(const char *name)
{
    const char *names[MS_COUNT(ms_commands)];
    int n = 0;
    for (; ms_commands[n].name != NULL; n++)
        names[n] = ms_commands[n].name;
    return ms_nearest(name, names, n);
}

int ms_command_fail(int status, const ms_error *error)
{
    fprintf(stderr, "macrostep: %s\n", error->text);
    switch (status) {
    case MS_OK:
        return MS_EXIT_DONE;
    case MS_INVALID:
    case MS_UNSUPPORTED:
    case MS_NO_SOLUTION:
        return MS_EXIT_WRONG;
    case MS_INTERRUPTED:
        return MS_EXIT_INTERRUPTED;
    default:
        return MS_EXIT_BROKEN;
    }
}
