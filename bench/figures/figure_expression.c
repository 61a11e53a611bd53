/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_expression.c - names and reductions of the text are replaced by names v0, v1, .. of columns that have been found or computed;
 * what remains is an expression of expressions.h, evaluated row by row. */
#include "figure_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "expressions.h"
#include "reductions.h"
#include "structure.h"

enum { COLUMNS_MAX = 64, NAME_MAX_LENGTH = 256, DEPTH_MAX = 20 };

typedef struct rewriter {
    const ms_figure_names *names;
    int depth;
    char *text; /* the text so far, with room for all of it */
    size_t length;
    int n;
    ms_number_column column[COLUMNS_MAX];
    char name[COLUMNS_MAX][8];
} rewriter;

static int evaluate(const char *from, size_t length, const ms_figure_names *names, int depth,
                    ms_number_column *result, ms_error *error);

/* Reading ------------------------------------------------------------------------------------------------- */

static bool begins_word(const char *c)
{
    return isalpha((unsigned char)*c) || *c == '_';
}

static bool goes_on(const char *c)
{
    return isalnum((unsigned char)*c) || *c == '_' ||
           (*c == '.' && (isalnum((unsigned char)c[1]) || c[1] == '_'));
}

static size_t word_length(const char *c)
{
    size_t n = 0;
    while (goes_on(c + n))
        n++;
    return n;
}

/* The comma that ends the argument at c, or the parenthesis that closes the one at c; the end of the text if there is none. */
static const char *ending(const char *c, const char *end, char by)
{
    int depth = 0;
    for (; c < end; c++) {
        depth += (*c == '(') - (*c == ')');
        if (depth == 0 && *c == by)
            return c;
    }
    return end;
}

static int count_arguments(const char *c, const char *end)
{
    int n = 1;
    while ((c = ending(c, end, ',')) < end) {
        n++;
        c++;
    }
    return n;
}

/* Replacing ----------------------------------------------------------------------------------------------- */

static void put(rewriter *r, const char *text, size_t length)
{
    memcpy(r->text + r->length, text, length);
    r->length += length;
    r->text[r->length] = '\0';
}

/* Appends the name of the next column (rewrite reserves room). */
static int put_column(rewriter *r)
{
    snprintf(r->name[r->n], sizeof r->name[r->n], "v%d", r->n);
    put(r, r->name[r->n], strlen(r->name[r->n]));
    r->n++;
    return MS_OK;
}

static int put_name(rewriter *r, const char *word, size_t length, ms_error *error)
{
    char name[NAME_MAX_LENGTH];
    ms_number_column found = {0};
    if (length >= sizeof name)
        return ms_fail(error, MS_INVALID, "a name of %zu letters is too long", length);
    memcpy(name, word, length);
    name[length] = '\0';
    const int status = r->names->find(r->names->self, name, &found, error);
    if (status == MS_INVALID && strcmp(name, "pi") == 0) {
        put(r, name, length);
        return MS_OK;
    }
    if (status != MS_OK)
        return status;
    r->column[r->n] = found;
    return put_column(r);
}

static int put_reduction(rewriter *r, const ms_reduction *reduction, const char *from, const char *to,
                         ms_error *error)
{
    ms_number_column argument[MS_REDUCTION_ARGUMENTS] = {{0}}, result = {0};
    int n = 0, status = MS_OK;
    for (; from <= to && status == MS_OK; n++) {
        const char *end = ending(from, to, ',');
        status = evaluate(from, (size_t)(end - from), r->names, r->depth + 1, &argument[n], error);
        from = end + 1;
    }
    MS_THEN(status, ms_reduction_apply(reduction, n, argument, &result, error));
    for (int k = 0; k < n; k++)
        ms_number_column_free(&argument[k]);
    if (status != MS_OK)
        return status;
    r->column[r->n] = result;
    return put_column(r);
}

/* Names of answers may contain hyphens, as answer.reason.end-time, which is a difference without backquotes: adds a hint if a name
 * of `length` letters at the end of such a difference is unknown. begin: of the expression. */
static int hint_at_backquotes(int status, const char *begin, const char *word, size_t length, ms_error *error)
{
    const char *first = word;
    while (first > begin && (goes_on(first - 1) || first[-1] == '-'))
        first--;
    if (status != MS_INVALID || first == word || word[-1] != '-' || strncmp(first, "answer.", 7) != 0)
        return status;
    const ms_error why = *error;
    return ms_fail(error, status, "%.200s; a name with a hyphen must be between backquotes: `%.*s`", why.text,
                   (int)(word + length - first), first);
}

/* A word, for a reduction up to its closing parenthesis; advances *c. begin: of the expression. */
static int put_word(rewriter *r, const char *begin, const char **c, const char *end, ms_error *error)
{
    const char *word = *c, *after = word + word_length(word);
    const size_t length = (size_t)(after - word);
    while (after < end && isspace((unsigned char)*after))
        after++;
    *c = word + length;
    if (after == end || *after != '(')
        return hint_at_backquotes(put_name(r, word, length, error), begin, word, length, error);
    const char *close = ending(after, end, ')');
    const int n = count_arguments(after + 1, close);
    const ms_reduction *reduction = ms_reduction_find(word, length, n);
    if (reduction == NULL && ms_reduction_known(word, length))
        return ms_fail(error, MS_INVALID, "%.*s does not take %d arguments", (int)length, word, n);
    if (reduction == NULL || close == end) {
        put(r, word, length);
        return MS_OK;
    }
    *c = close + 1;
    return put_reduction(r, reduction, after + 1, close, error);
}

static int put_quoted(rewriter *r, const char **c, const char *end, ms_error *error)
{
    const char *word = *c + 1, *close = memchr(word, '`', (size_t)(end - word));
    if (close == NULL)
        return ms_fail(error, MS_INVALID, "a name in backquotes does not end");
    *c = close + 1;
    return put_name(r, word, (size_t)(close - word), error);
}

/* The end of the number at c. */
static const char *number_end(const char *c)
{
    char *end;
    strtod(c, &end);
    return end > c ? end : c + 1;
}

static int rewrite(rewriter *r, const char *c, const char *end, ms_error *error)
{
    const char *const begin = c;
    int status = MS_OK;
    while (c < end && status == MS_OK) {
        if (r->n == COLUMNS_MAX - 1)
            return ms_fail(error, MS_INVALID, "an expression has more than %d names", COLUMNS_MAX - 1);
        if (begins_word(c)) {
            status = put_word(r, begin, &c, end, error);
        } else if (*c == '`') {
            status = put_quoted(r, &c, end, error);
        } else {
            const char *after = isdigit((unsigned char)*c) ? number_end(c) : c + 1;
            put(r, c, (size_t)(after - c));
            c = after;
        }
    }
    return status;
}

/* Evaluating ---------------------------------------------------------------------------------------------- */

static int evaluate_rows(const rewriter *r, const ms_expressions *e, ms_number_column *result,
                         ms_error *error)
{
    size_t rows;
    bool single;
    double value[COLUMNS_MAX];
    const double *of[MS_NAME_GROUPS] = {[MS_NAMES_PARAMETERS] = value};
    int status = ms_number_columns_rows((size_t)r->n, r->column, &rows, &single, error);
    MS_THEN(status, ms_number_column_create(rows, single, result, error));
    for (size_t k = 0; k < rows && status == MS_OK; k++) {
        for (int j = 0; j < r->n; j++)
            value[j] = ms_number_column_at(&r->column[j], k);
        ms_expressions_evaluate(e, of, &result->value[k]);
    }
    return status;
}

/* The message without its position, which refers to the rewritten text. */
static const char *without_place(const char *fault)
{
    const char *comma = strncmp(fault, "at position ", 12) == 0 ? strstr(fault, ", ") : NULL;
    return comma != NULL ? comma + 2 : fault;
}

static int compute(const rewriter *r, ms_number_column *result, ms_error *error)
{
    ms_structure owner = {0};
    const char *const text = r->text;
    const char *name[COLUMNS_MAX];
    const ms_expressions *e = NULL;
    ms_expression_fault fault = {0};
    for (int k = 0; k < r->n; k++)
        name[k] = r->name[k];
    const ms_names names = {.n = {[MS_NAMES_PARAMETERS] = r->n}, .name = {[MS_NAMES_PARAMETERS] = name}};
    int status = ms_expressions_create(&owner, &names, 1, &text, true, &e, &fault);
    if (status == MS_INVALID)
        ms_fail(error, status, "%s", without_place(fault.text));
    else if (status != MS_OK)
        ms_fail(error, status, "not enough memory for the figure");
    MS_THEN(status, evaluate_rows(r, e, result, error));
    ms_structure_free(&owner);
    return status;
}

static int evaluate(const char *from, size_t length, const ms_figure_names *names, int depth,
                    ms_number_column *result, ms_error *error)
{
    rewriter r = {.names = names, .depth = depth, .text = malloc(4 * length + 16)};
    *result = (ms_number_column){0};
    int status = MS_OK;
    MS_TRY_MEMORY_FOR(r.text != NULL, error, "the figure");
    if (depth > DEPTH_MAX)
        status = ms_fail(error, MS_INVALID, "reductions are nested more than %d deep", DEPTH_MAX);
    if (status == MS_OK) {
        r.text[0] = '\0';
        status = rewrite(&r, from, from + length, error);
    }
    MS_THEN(status, compute(&r, result, error));
    for (int k = 0; k < r.n; k++)
        ms_number_column_free(&r.column[k]);
    free(r.text);
    return status;
}

int ms_figure_expression(const char *text, const ms_figure_names *names, ms_number_column *result,
                         ms_error *error)
{
    ms_error why = {0};
    *result = (ms_number_column){0};
    if (strlen(text) > MS_EXPRESSION_LENGTH_MAX)
        return ms_fail(error, MS_INVALID, "an expression has more than %d letters", MS_EXPRESSION_LENGTH_MAX);
    const int status = evaluate(text, strlen(text), names, 0, result, &why);
    return status == MS_OK ? MS_OK : ms_fail(error, status, "%s, in the expression %.120s", why.text, text);
}

int ms_figure_number(const char *text, const ms_figure_names *names, double *value, ms_error *error)
{
    ms_number_column result;
    int status = ms_figure_expression(text, names, &result, error);
    if (status == MS_OK && !result.single)
        status = ms_fail(error, MS_INVALID,
                         "a column of %zu rows where one number is expected (max, last, .. make one of it), "
                         "in the expression %.120s",
                         result.n, text);
    if (status == MS_OK && result.value != NULL)
        *value = result.value[0];
    ms_number_column_free(&result);
    return status;
}
