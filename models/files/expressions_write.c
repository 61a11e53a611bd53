/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expressions_write.c - expressions as C.
 *
 * A text is cut into tokens; a range of them is split at the operator that binds least, as muParser has it: ?: || && comparisons, + -,
 * * /, signs, ^ (from the right). Numbers become doubles and so do comparisons: nothing is divided as whole numbers are. */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "expressions.h"

typedef enum kind { END, NUMBER, NAME, SYMBOL } kind;

typedef struct token {
    kind kind;
    const char *at;
    int length;
} token;

typedef struct writing {
    const ms_expressions *e;
    const token *token;
    FILE *file;
    bool failed; /* there is something that has no C */
} writing;

/* Tokens ------------------------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static int number_length(const char *at)
{
    char *end;
    (void)strtod(at, &end);
    return (int)(end - at);
}

static int symbol_length(const char *at)
{
    static const char *const pairs[] = {"<=", ">=", "==", "!=", "&&", "||"};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (strncmp(at, pairs[k], 2) == 0)
            return 2;
    return 1;
}

static token next_token(const char *at)
{
    token t = {END, at + strspn(at, " \t\n\r"), 0};
    if (isdigit((unsigned char)*t.at) || *t.at == '.') {
        t.kind = NUMBER;
        t.length = number_length(t.at);
    } else if (is_letter(*t.at)) {
        t.kind = NAME;
        while (is_letter(t.at[t.length]) || isdigit((unsigned char)t.at[t.length]))
            t.length++;
    } else if (*t.at != '\0') {
        t.kind = SYMBOL;
        t.length = symbol_length(t.at);
    }
    return t;
}

static bool is(const token *t, const char *word)
{
    return (size_t)t->length == strlen(word) && strncmp(t->at, word, (size_t)t->length) == 0;
}

static bool is_one(const token *t, const char *const *words)
{
    while (*words != NULL && !(t->kind == SYMBOL && is(t, *words)))
        words++;
    return *words != NULL;
}

/* Does an operand end here, so that a sign behind it is an operator? */
static bool ends_operand(const token *t)
{
    return t->kind == NUMBER || t->kind == NAME || is(t, ")");
}

/* Writing ------------------------------------------------------------------------------------------------ */

static void put(const writing *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(const writing *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (w->file != NULL)
        vfprintf(w->file, format, arguments);
    va_end(arguments);
}

/* The operators of one strength. */
typedef struct strength {
    const char *const *words;
    bool first;   /* the first one splits, else the last */
    bool numbers; /* its result is 0 or 1, which becomes a double */
} strength;

static const char *const either[] = {"||", NULL}, *const both[] = {"&&", NULL},
                         *const compare[] = {"<=", ">=", "==", "!=", "<", ">", NULL},
                         *const add[] = {"+", "-", NULL}, *const multiply[] = {"*", "/", NULL},
                         *const power[] = {"^", NULL};

/* Where a range is split by operators with an operand before them, outside of parentheses; -1: nowhere. */
static int find_split(const writing *w, int from, int to, const strength *s)
{
    int depth = 0, found = -1;
    for (int k = from; k < to; k++) {
        const token *t = &w->token[k];
        depth += (t->kind == SYMBOL && is(t, "(")) - (t->kind == SYMBOL && is(t, ")"));
        if (depth == 0 && k > from && is_one(t, s->words) && ends_operand(t - 1)) {
            found = k;
            if (s->first)
                break;
        }
    }
    return found;
}

static void write_range(writing *w, int from, int to);

/* "a ? b : c" splits at its first question mark, and at the colon that belongs to it. */
static bool write_choice(writing *w, int from, int to)
{
    static const char *const question[] = {"?", NULL};
    const strength s = {question, true, false};
    const int q = find_split(w, from, to, &s);
    int open = 1, depth = 0, k = q + 1;
    if (q < 0)
        return false;
    for (; k < to; k++) {
        depth += is(&w->token[k], "(") - is(&w->token[k], ")");
        open += depth == 0 && is(&w->token[k], "?");
        open -= depth == 0 && is(&w->token[k], ":");
        if (open == 0)
            break;
    }
    put(w, "((");
    write_range(w, from, q);
    put(w, ") != 0.0 ? ");
    write_range(w, q + 1, k);
    put(w, " : ");
    write_range(w, k + 1, to);
    put(w, ")");
    return true;
}

static void write_pair(writing *w, const char *before, const char *between, const char *behind,
                       const int range[4])
{
    put(w, "%s", before);
    write_range(w, range[0], range[1]);
    put(w, "%s", between);
    write_range(w, range[2], range[3]);
    put(w, "%s", behind);
}

static bool write_operator(writing *w, int from, int to, const strength *s)
{
    const int k = find_split(w, from, to, s);
    char sign[8];
    if (k < 0)
        return false;
    const int range[] = {from, k, k + 1, to};
    snprintf(sign, sizeof sign, " %.*s ", w->token[k].length, w->token[k].at);
    if (s->words == power)
        write_pair(w, "pow(", ", ", ")", range);
    else if (s->words == either || s->words == both)
        write_pair(w, "(double)((", s->words == both ? ") != 0.0 && (" : ") != 0.0 || (", ") != 0.0)", range);
    else
        write_pair(w, s->numbers ? "(double)(" : "(", sign, ")", range);
    return true;
}

static bool write_sign(writing *w, int from, int to)
{
    if (!is_one(&w->token[from], add))
        return false;
    put(w, is(&w->token[from], "-") ? "(-" : "(");
    write_range(w, from + 1, to);
    put(w, ")");
    return true;
}

/* Arguments of a function: the end of the one that begins here. */
static int find_end(const writing *w, int from, int to)
{
    int depth = 0;
    for (; from < to && !(depth == 0 && is(&w->token[from], ",")); from++)
        depth += is(&w->token[from], "(") - is(&w->token[from], ")");
    return from;
}

/* min and max of any number are those of two, again and again. */
static void write_arguments(writing *w, const char *name, int from, int to)
{
    const int end = find_end(w, from, to);
    const bool chain = strcmp(name, "fmin") == 0 || strcmp(name, "fmax") == 0;
    if (chain && end == to) {
        write_range(w, from, to);
        return;
    }
    put(w, "%s(", name);
    write_range(w, from, end);
    if (end < to) {
        put(w, ", ");
        if (chain)
            write_arguments(w, name, end + 1, to);
        else
            write_range(w, end + 1, to);
    }
    put(w, ")");
}

static bool write_call(writing *w, int from, int to)
{
    static const char *const functions[][2] = {
        {"sin", "sin"},     {"cos", "cos"},     {"tan", "tan"},    {"asin", "asin"}, {"acos", "acos"},
        {"atan", "atan"},   {"atan2", "atan2"}, {"sinh", "sinh"},  {"cosh", "cosh"}, {"tanh", "tanh"},
        {"exp", "exp"},     {"log", "log"},     {"ln", "log"},     {"log2", "log2"}, {"log10", "log10"},
        {"sqrt", "sqrt"},   {"abs", "fabs"},    {"min", "fmin"},   {"max", "fmax"},  {"sign", "sign"},
        {"asinh", "asinh"}, {"acosh", "acosh"}, {"atanh", "atanh"}};
    if (w->token[from].kind != NAME || from + 1 >= to || !is(&w->token[from + 1], "("))
        return false;
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (is(&w->token[from], functions[k][0])) {
            write_arguments(w, functions[k][1], from + 2, to - 1);
            return true;
        }
    w->failed = true;
    return true;
}

static void write_name(writing *w, const token *t)
{
    static const char *const group[MS_NAME_GROUPS] = {"t", "p", "x", "u", "w", "z"};
    int of, k;
    if (is(t, "pi"))
        put(w, "3.14159265358979323846");
    else if (!ms_expressions_find(w->e, t->at, t->length, &of, &k))
        w->failed = true;
    else if (of == MS_NAMES_TIME)
        put(w, "t");
    else
        put(w, "%s[%d]", group[of], k);
}

static void write_number(const writing *w, const token *t)
{
    const bool whole = memchr(t->at, '.', (size_t)t->length) == NULL &&
                       memchr(t->at, 'e', (size_t)t->length) == NULL &&
                       memchr(t->at, 'E', (size_t)t->length) == NULL;
    put(w, "%.*s%s", t->length, t->at, whole ? ".0" : "");
}

static void write_range(writing *w, int from, int to)
{
    static const strength strengths[] = {{either, false, true},
                                         {both, false, true},
                                         {compare, false, true},
                                         {add, false, false},
                                         {multiply, false, false}};
    static const strength raised = {power, true, false};
    bool done = from < to && write_choice(w, from, to);
    for (size_t k = 0; k < sizeof strengths / sizeof *strengths && from < to && !done; k++)
        done = write_operator(w, from, to, &strengths[k]);
    if (done)
        return;
    if (from < to &&
        (write_sign(w, from, to) || write_operator(w, from, to, &raised) || write_call(w, from, to)))
        return;
    const int n = to - from;
    if (n > 2 && is(&w->token[from], "(") && is(&w->token[to - 1], ")"))
        write_range(w, from + 1, to - 1);
    else if (n == 1 && w->token[from].kind == NAME)
        write_name(w, &w->token[from]);
    else if (n == 1 && w->token[from].kind == NUMBER)
        write_number(w, &w->token[from]);
    else
        w->failed = true;
}

bool ms_expressions_write(const ms_expressions *e, int k, FILE *file)
{
    const char *text = ms_expressions_text(e, k);
    token *tokens = calloc(strlen(text) + 1, sizeof *tokens);
    writing w = {.e = e, .token = tokens, .file = file, .failed = tokens == NULL};
    int n = 0;
    if (tokens == NULL)
        return false;
    for (token t = next_token(text); t.kind != END && t.length > 0; t = next_token(t.at + t.length))
        tokens[n++] = t;
    write_range(&w, 0, n);
    free(tokens);
    return !w.failed;
}
