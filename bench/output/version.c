/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "version.h"

#include <cblas.h>
#include <gsl/gsl_version.h>
#include <jansson.h>
#include <sundials/sundials_config.h>

/* MS_VERSION, MS_COMMIT, MS_FLAGS and MS_OPENBLAS come from the Makefile, for this file alone. */

const char *ms_version(void)
{
    return MS_VERSION;
}

const char *ms_commit(void)
{
    return MS_COMMIT;
}

const char *ms_compiler(void)
{
#ifdef __clang__
    return __VERSION__;
#else
    return "gcc " __VERSION__;
#endif
}

const char *ms_compiler_flags(void)
{
    return MS_FLAGS;
}

const char *ms_library_versions(void)
{
    return "SUNDIALS " SUNDIALS_VERSION ", GSL " GSL_VERSION ", OpenBLAS " MS_OPENBLAS
           ", Jansson " JANSSON_VERSION;
}

const char *ms_blas_core(void)
{
    return openblas_get_corename();
}
