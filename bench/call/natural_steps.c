/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "natural_steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <macrostep/linearisation_jacobian.h>
#include "arguments.h"
#include "matrix.h"
#include "number.h"

enum { STATES_MAX = 2000 }; /* a full matrix */

static const char option[] = "--step-size", omega[] = "/omega";

/* Frequencies --------------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Moduli of the pairs, ascending, of the eigenvalues (n pairs of re and im); returns their number. Imaginary parts up to `off` (n) are round-off of
 * multiple real eigenvalues. */
static int take_pairs(int n, double *eigenvalues, const double *off)
{
    int pairs = 0;
    for (int k = 0; k < n; k++) {
        const double re = eigenvalues[2 * k], im = eigenvalues[2 * k + 1], modulus = hypot(re, im);
        if (im > off[k])
            eigenvalues[pairs++] = modulus;
    }
    qsort(eigenvalues, (size_t)pairs, sizeof *eigenvalues, ascending);
    return pairs;
}

/* Allocates *frequencies (freed by the caller) and counts them. */
static int find_frequencies(const ms_system *system, double **frequencies, int *n, ms_error *error)
{
    const size_t nx = (size_t)system->nx, nu = (size_t)system->nu;
    if (system->nx > STATES_MAX)
        return ms_fail(error, MS_INVALID,
                       "natural frequencies are computed for at most %d states, and %s has %d", STATES_MAX,
                       system->model->name, system->nx);
    MS_TRY(ms_system_needs_equations(system, "natural frequencies", error));
    MS_TRY(ms_linearisation_supported(system, error));
    double *x = calloc(2 * nx + nu + nx * nx + 1, sizeof *x);
    *frequencies = calloc(2 * nx + 1, sizeof **frequencies);
    if (x == NULL || *frequencies == NULL) {
        free(x);
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for natural frequencies");
    }
    double *u = x + nx, *off = u + nu, *A = off + nx;
    int status = ms_linearisation_start(system, x, u, error);
    MS_THEN(status, ms_linearisation_monolithic(system, 0.0, x, A, error));
    if (status == MS_OK) {
        status = ms_matrix_eigenvalues_off(system->nx, A, *frequencies, off);
        if (status != MS_OK)
            ms_fail(error, status,
                    status == MS_NO_MEMORY ? "not enough memory for natural frequencies"
                                           : "the eigenvalues of the coupled model were not found");
    }
    if (status == MS_OK)
        *n = take_pairs(system->nx, *frequencies, off);
    free(x);
    return status;
}

/* Texts --------------------------------------------------------------------------------------------------- */

/* The value of --step-size that contains frequencies, in argv[*at] behind *skip characters; NULL: none is given. */
static const char *find_value(int argc, char **argv, int *at, size_t *skip)
{
    const size_t length = sizeof option - 1;
    const char *value = NULL;
    for (int k = 1; k < argc; k++) {
        const bool whole = strcmp(argv[k], option) == 0 && k + 1 < argc;
        if (!whole && (strncmp(argv[k], option, length) != 0 || argv[k][length] != '='))
            continue;
        *at = whole ? k + 1 : k;
        *skip = whole ? 0 : length + 1;
        value = argv[*at] + *skip;
    }
    return value != NULL && strstr(value, "omega") != NULL ? value : NULL;
}

/* One item of the value, `length` long: NUMBER/omegaK. k: from 1. */
static int read_fraction(const char *item, size_t length, double *factor, long *k, ms_error *error)
{
    char text[64], *end = text;
    snprintf(text, sizeof text, "%.*s", (int)length, item);
    *factor = ms_number_read(text, &end);
    *k = 0;
    if (end > text && strncmp(end, omega, sizeof omega - 1) == 0)
        *k = strtol(end + sizeof omega - 1, &end, 10);
    const bool whole = *k >= 1 && *end == '\0' && length < sizeof text;
    const bool positive = *factor > 0.0 && isfinite(*factor);
    return whole && positive
               ? MS_OK
               : ms_fail(
                     error, MS_INVALID,
                     "%s %.*s: a positive number over the k-th natural frequency is expected, such as 0.1/omega1",
                     option, (int)length, item);
}

static int refuse_place(const ms_model *model, long k, int n, const double *frequencies, ms_error *error)
{
    return n == 0
               ? ms_fail(
                     error, MS_INVALID,
                     "%s: omega%ld: %s has no natural frequency at its start: all its eigenvalues are real",
                     option, k, model->name)
               : ms_fail(error, MS_INVALID,
                         "%s: omega%ld: %s has %d natural frequenc%s, up to omega%d = %.6g rad/s", option, k,
                         model->name, n, n > 1 ? "ies" : "y", n, frequencies[n - 1]);
}

/* The value with fractions replaced by numbers; other items of lists and ranges stay. */
static int write_value(const ms_model *model, const char *value, int n, const double *frequencies, FILE *to,
                       ms_error *error)
{
    while (*value != '\0') {
        const size_t length = strcspn(value, ",:");
        char number[MS_NUMBER_SIZE];
        double factor;
        long k;
        if (memchr(value, 'o', length) != NULL && strncmp(value, "log", 3) != 0) {
            MS_TRY(read_fraction(value, length, &factor, &k, error));
            if (k > n || frequencies == NULL)
                return refuse_place(model, k, n, frequencies, error);
            ms_number_text(factor / frequencies[k - 1], number);
            fputs(number, to);
        } else {
            fwrite(value, 1, length, to);
        }
        value += length;
        if (*value != '\0')
            fputc(*value++, to);
    }
    return MS_OK;
}

/* Calls --------------------------------------------------------------------------------------------------- */

/* The frequencies of the model of the call in `words`; *text (freed by the caller) is `head` and the value. */
static int convert(int argc, char **words, const char *head, const char *value, char **text, ms_error *error)
{
    ms_arguments arguments;
    const ms_model *model = NULL;
    ms_model *owned = NULL;
    ms_system *system = NULL;
    double *frequencies = NULL;
    ms_error why;
    size_t size = 0;
    int n = 0, status = ms_arguments_read(argc, words, &arguments, error);
    if (status == MS_OK && ms_argument_taken(arguments.command, MS_ARGUMENT_MODELS))
        status = ms_fail(error, MS_INVALID, "%s %s: frequencies are those of one model, and %s runs many",
                         option, value, arguments.command->name);
    for (int k = 0; k < arguments.n_axes && status == MS_OK; k++)
        if (arguments.axes[k].setting >= 0)
            status = ms_fail(error, MS_INVALID,
                             "%s %s: frequencies need one value of each parameter, and --set has a list",
                             option, value);
    MS_THEN(status, ms_arguments_model(&arguments, &model, &owned, error));
    MS_THEN(status, ms_arguments_bind(&arguments, model, &system, error));
    if (status == MS_OK && (status = find_frequencies(system, &frequencies, &n, &why)) != MS_OK)
        ms_fail(error, status, "%s %s: %s", option, value, why.text);
    FILE *to = status == MS_OK ? open_memstream(text, &size) : NULL;
    if (to != NULL) {
        fputs(head, to);
        status = write_value(model, value, n, frequencies, to, error);
        if (fclose(to) != 0)
            status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the step sizes");
    } else if (status == MS_OK) {
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the step sizes");
    }
    free(frequencies);
    ms_system_destroy(&system);
    ms_model_destroy(&owned);
    ms_arguments_destroy(&arguments);
    return status;
}

int ms_natural_steps_resolve(int argc, char **argv, char ***words, ms_error *error)
{
    int at;
    size_t skip;
    const char *value = find_value(argc, argv, &at, &skip);
    *words = argv;
    if (value == NULL)
        return MS_OK;
    char **copy = calloc((size_t)argc + 2, sizeof *copy); /* behind its end stands the text, to be freed */
    MS_TRY_MEMORY_FOR(copy != NULL, error, "the step sizes");
    const int first = skip > 0 ? at : at - 1; /* of the option, which is left out at first */
    memcpy(copy, argv, sizeof *copy * (size_t)first);
    memcpy(copy + first, argv + at + 1, sizeof *copy * (size_t)(argc - at - 1));
    const int status =
        convert(argc - (at + 1 - first), copy, skip > 0 ? "--step-size=" : "", value, &copy[argc + 1], error);
    memcpy(copy, argv, sizeof *copy * (size_t)argc);
    copy[at] = copy[argc + 1];
    *words = copy;
    return status;
}

void ms_natural_steps_free(int argc, char **argv, char ***words)
{
    if (*words != NULL && *words != argv) {
        MS_FREE((*words)[argc + 1], *words);
    }
    *words = NULL;
}
