/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin_expressions.h - what macrostep-expressions.so gives: the expressions of muParser. A parser keeps the
 * addresses of its variables: one thread at a time uses it. */
#ifndef MS_PLUGIN_EXPRESSIONS_H
#define MS_PLUGIN_EXPRESSIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "plugin.h"

typedef struct ms_plugin_expressions {
    ms_plugin plugin;

    /* REQUIRED. A parser of one expression in n variables, which reads their values from value (n) whenever it is
     * evaluated. NULL: there is no memory for it. */
    void *(*create)(const char *expression, int n, const char *const *names, double *value);
    void (*destroy)(void *parser); /* REQUIRED; NULL-safe */

    /* REQUIRED. What is wrong with the expression, to be copied; NULL: nothing. */
    const char *(*fault)(void *parser);

    /* REQUIRED. The value of an expression without fault, NaN where muParser finds none. */
    double (*evaluate)(void *parser);

    /* REQUIRED. Does the expression name the variable whose value stands at `value`? */
    bool (*reads)(void *parser, const double *value);
} ms_plugin_expressions;

#endif
