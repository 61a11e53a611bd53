#include "scheme.h"

#include <string.h>

#include "solver.h"

#define MS_SCHEME(scheme) extern const ms_scheme scheme;
#include "scheme_list.h"
#undef MS_SCHEME

#define MS_SCHEME(scheme) &scheme,
const ms_scheme *const ms_schemes[] = {
#include "scheme_list.h"
    NULL};
#undef MS_SCHEME

const ms_scheme *ms_scheme_find(const char *name)
{
    for (const ms_scheme *const *scheme = ms_schemes; *scheme != NULL; scheme++)
        if (strcmp((*scheme)->name, name) == 0)
            return *scheme;
    return NULL;
}

int ms_scheme_order(const ms_options *options)
{
    const ms_scheme *scheme = ms_scheme_find(options->scheme);
    const ms_solver *solver = ms_solver_find(options->solver);
    if (scheme == NULL || scheme->claims == NULL ||
        ms_modelled_check(scheme->claims, options, "the claimed order", NULL) != MS_OK)
        return 0;
    const int order = scheme->order(options), of_solver = solver != NULL ? solver->order : 0;
    return of_solver > 0 && of_solver < order ? of_solver : order;
}

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
