/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse.c - the text of an expression, by recursive descent, one function a strength of operators. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "number.h"
#include "tree.h"

/* Signs and choices within each other; a parenthesis holds both. */
enum { DEPTH_MAX = 1000 };

typedef struct parser {
    ms_tree *tree;
    const ms_name_index *names;
    const char *text, *at; /* the whole; what is read next */
    int depth;
    char *fault; /* "": none so far */
    size_t size;
} parser;

static int parse_choice(parser *p);
static int parse_sign(parser *p);

/* Words -------------------------------------------------------------------------------------------------- */

static int fail(parser *p, const char *what, const char *at, int length)
{
    if (p->fault[0] == '\0' && *at == '\0')
        snprintf(p->fault, p->size, "it ends where %s is expected", what);
    else if (p->fault[0] == '\0')
        snprintf(p->fault, p->size, "at position %d, '%.*s': %s is expected", (int)(at - p->text) + 1,
                 length < 40 ? length : 40, at, what);
    return -1;
}

static int fail_deep(parser *p)
{
    if (p->fault[0] == '\0')
        snprintf(p->fault, p->size, "it is nested more than %d deep", DEPTH_MAX / 2);
    return -1;
}

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void skip_space(parser *p)
{
    p->at += strspn(p->at, " \t\n\r");
}

/* How long is the word, number or symbol that begins here? A symbol has all bytes of its character in UTF-8. */
static int word_length(const char *at)
{
    int n = 0;
    while (is_letter(at[n]) || is_digit(at[n]))
        n++;
    if (n > 0 || *at == '\0')
        return n;
    for (n = 1; (at[n] & 0xC0) == 0x80;)
        n++;
    return n;
}

/* Is the symbol next? Then it is passed. A longer one that begins like it is another one. */
static bool take(parser *p, const char *symbol)
{
    const size_t n = strlen(symbol);
    skip_space(p);
    if (strncmp(p->at, symbol, n) != 0)
        return false;
    if (n == 1 && strchr("<>!", *symbol) != NULL && p->at[1] == '=')
        return false;
    p->at += n;
    return true;
}

static bool is_word(const char *word, const char *at, int length)
{
    return strlen(word) == (size_t)length && strncmp(word, at, (size_t)length) == 0;
}

/* Operands ----------------------------------------------------------------------------------------------- */

static int parse_number(parser *p)
{
    const char *from = p->at, *end = from + strspn(from, "0123456789");
    if (*end == '.')
        end += 1 + strspn(end + 1, "0123456789");
    if (*end == 'e' || *end == 'E') {
        const char *exponent = end + 1 + (end[1] == '+' || end[1] == '-');
        if (is_digit(*exponent))
            end = exponent + strspn(exponent, "0123456789");
    }
    if (is_letter(*end) || (end == from + 1 && *from == '.'))
        return fail(p, "a number", from, (int)(end - from) + 1);
    p->at = end;
    return ms_tree_number(p->tree, ms_number_read(from, NULL));
}

/* Names --------------------------------------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    const ms_indexed_name *first = a, *second = b;
    return strcmp(first->name, second->name);
}

bool ms_name_index_create(const ms_names *names, ms_name_index *index)
{
    size_t n = 0;
    for (int group = MS_NAMES_PARAMETERS; group < MS_NAME_GROUPS; group++)
        n += (size_t)names->n[group];
    *index = (ms_name_index){.entry = calloc(n + 1, sizeof *index->entry)};
    if (index->entry == NULL)
        return false;
    for (int group = MS_NAMES_PARAMETERS; group < MS_NAME_GROUPS; group++)
        for (int k = 0; k < names->n[group]; k++)
            index->entry[index->n++] = (ms_indexed_name){names->name[group][k], group, k};
    qsort(index->entry, index->n, sizeof *index->entry, compare_names);
    return true;
}

void ms_name_index_free(ms_name_index *index)
{
    free(index->entry);
    *index = (ms_name_index){0};
}

/* A name of one of the groups. */
static int parse_name(parser *p, int length)
{
    const char *at = p->at;
    p->at += length;
    if (is_word("t", at, length))
        return ms_tree_variable(p->tree, MS_NAMES_TIME, 0);
    const ms_indexed_name *entry = p->names->entry;
    const int k = ms_name_search(&entry->name, sizeof *entry, (int)p->names->n, at, (size_t)length);
    if (k >= 0)
        return ms_tree_variable(p->tree, entry[k].group, entry[k].variable);
    if (is_word("pi", at, length))
        return ms_tree_number(p->tree, 3.14159265358979323846);
    return fail(p, "a name that is known", at, length);
}

/* Functions that are called otherwise than an operation, or by two names. */
static const struct {
    const char *name;
    ms_operation operation;
} other_names[] = {{"ln", MS_OF_LOG},
                   {"fabs", MS_OF_ABS},
                   {"fmin", MS_OF_MIN},
                   {"fmax", MS_OF_MAX},
                   {"nearbyint", MS_OF_RINT},
                   {"lrint", MS_OF_RINT},
                   {"llrint", MS_OF_RINT},
                   {"lround", MS_OF_ROUND},
                   {"llround", MS_OF_ROUND},
                   {"ilogb", MS_OF_LOGB},
                   {"scalbn", MS_OF_LDEXP},
                   {"scalbln", MS_OF_LDEXP},
                   {"nexttoward", MS_OF_NEXTAFTER}};

enum { OTHER_NAMES = sizeof other_names / sizeof *other_names };

/* MS_OPERATIONS: there is no such name. */
static ms_operation find_function(const char *at, int length)
{
    for (int k = MS_OF_VARIABLE + 1; k < MS_OPERATIONS; k++)
        if (is_word(ms_operation_table[k].name, at, length))
            return (ms_operation)k;
    for (int k = 0; k < OTHER_NAMES; k++)
        if (is_word(other_names[k].name, at, length))
            return other_names[k].operation;
    return MS_OPERATIONS;
}

/* Of all names of functions the nearest one is told. */
static int fail_function(parser *p, const char *at, int length)
{
    const char *names[MS_OPERATIONS + OTHER_NAMES + 2] = {"sum", "avg"};
    char word[64];
    int n = 2;
    for (int k = MS_OF_VARIABLE + 1; k < MS_OPERATIONS; k++)
        if (is_letter(ms_operation_table[k].name[0]))
            names[n++] = ms_operation_table[k].name;
    for (int k = 0; k < OTHER_NAMES; k++)
        names[n++] = other_names[k].name;
    snprintf(word, sizeof word, "%.*s", length, at);
    if (p->fault[0] == '\0')
        snprintf(p->fault, p->size,
                 "at position %d, '%.*s': a function that is known is expected, the nearest is %s",
                 (int)(at - p->text) + 1, length < 40 ? length : 40, at, ms_nearest(word, names, n));
    return -1;
}

/* sum, avg, min and max of any number of arguments: those so far, and the next one. */
static int parse_chain(parser *p, ms_operation operation, bool mean)
{
    int value = parse_choice(p), n = 1;
    for (; value >= 0 && take(p, ","); n++)
        value = ms_tree_operation(p->tree, operation, value, parse_choice(p), -1);
    return mean ? ms_tree_operation(p->tree, MS_OF_DIVIDE, value, ms_tree_number(p->tree, n), -1) : value;
}

static int parse_arguments(parser *p, ms_operation operation)
{
    const int n = ms_operation_table[operation].operands;
    int operand[3] = {-1, -1, -1};
    for (int k = 0; k < n; k++) {
        if (k > 0 && !take(p, ","))
            return fail(p, "a comma and one more argument", p->at, word_length(p->at));
        operand[k] = parse_choice(p);
        if (operand[k] < 0)
            return -1;
    }
    return ms_tree_operation(p->tree, operation, operand[0], operand[1], operand[2]);
}

static int parse_call(parser *p, int length)
{
    const char *name = p->at;
    const bool sum = is_word("sum", name, length), mean = is_word("avg", name, length);
    const ms_operation operation = sum || mean ? MS_OF_ADD : find_function(name, length);
    if (operation == MS_OPERATIONS)
        return fail_function(p, name, length);
    p->at += length;
    (void)take(p, "(");
    const int value = sum || mean || operation == MS_OF_MIN || operation == MS_OF_MAX
                          ? parse_chain(p, operation, mean)
                          : parse_arguments(p, operation);
    return value < 0 || take(p, ")") ? value : fail(p, "')'", p->at, word_length(p->at));
}

static int parse_operand(parser *p)
{
    skip_space(p);
    if (is_digit(*p->at) || *p->at == '.')
        return parse_number(p);
    if (is_letter(*p->at)) {
        const int length = word_length(p->at);
        return p->at[length + (int)strspn(p->at + length, " \t\n\r")] == '(' ? parse_call(p, length)
                                                                             : parse_name(p, length);
    }
    if (!take(p, "("))
        return fail(p, "a value", p->at, word_length(p->at));
    const int value = parse_choice(p);
    return value < 0 || take(p, ")") ? value : fail(p, "')'", p->at, word_length(p->at));
}

/* Operators ---------------------------------------------------------------------------------------------- */

/* Small whole powers are products, which are rounded less and cost less. */
static int raise_to(parser *p, int base, int exponent)
{
    ms_tree *tree = p->tree;
    const double e =
        exponent >= 0 && tree->node[exponent].operation == MS_OF_NUMBER ? tree->node[exponent].value : 0.0;
    const int square =
        e == 2.0 || e == 3.0 || e == 4.0 ? ms_tree_operation(tree, MS_OF_MULTIPLY, base, base, -1) : -1;
    if (e == 1.0)
        return base;
    if (e == 2.0)
        return square;
    if (e == 3.0 || e == 4.0)
        return ms_tree_operation(tree, MS_OF_MULTIPLY, square, e == 3.0 ? base : square, -1);
    return ms_tree_operation(tree, MS_OF_POW, base, exponent, -1);
}

/* An operand with its power, which may have a sign: 2^-x. */
static int parse_power(parser *p)
{
    const int base = parse_operand(p);
    return base >= 0 && take(p, "^") ? raise_to(p, base, parse_sign(p)) : base;
}

static int parse_sign(parser *p)
{
    if (++p->depth > DEPTH_MAX)
        return fail_deep(p);
    int value;
    if (take(p, "-"))
        value = ms_tree_operation(p->tree, MS_OF_NEGATIVE, parse_sign(p), -1, -1);
    else if (take(p, "!"))
        value = ms_tree_operation(p->tree, MS_OF_NOT, parse_sign(p), -1, -1);
    else
        value = take(p, "+") ? parse_sign(p) : parse_power(p);
    p->depth--;
    return value;
}

/* Operators by strength, the weakest first; those of one strength bind from the left. */
enum { STRENGTHS = 5, ALIKE = 6 };
static const ms_operation operators[STRENGTHS][ALIKE] = {
    {MS_OF_OR},
    {MS_OF_AND},
    {MS_OF_LESS_EQUAL, MS_OF_GREATER_EQUAL, MS_OF_EQUAL, MS_OF_UNEQUAL, MS_OF_LESS, MS_OF_GREATER},
    {MS_OF_ADD, MS_OF_SUBTRACT},
    {MS_OF_MULTIPLY, MS_OF_DIVIDE}};

/* The operator of that strength that comes next and is passed; MS_OF_NUMBER: none does. */
static ms_operation take_operator(parser *p, int strength)
{
    for (int k = 0; k < ALIKE && operators[strength][k] != MS_OF_NUMBER; k++)
        if (take(p, ms_operation_table[operators[strength][k]].name))
            return operators[strength][k];
    return MS_OF_NUMBER;
}

static int parse_operators(parser *p, int strength)
{
    if (strength == STRENGTHS)
        return parse_sign(p);
    int value = parse_operators(p, strength + 1);
    ms_operation operation;
    while (value >= 0 && (operation = take_operator(p, strength)) != MS_OF_NUMBER)
        value = ms_tree_operation(p->tree, operation, value, parse_operators(p, strength + 1), -1);
    return value;
}

static int parse_choice(parser *p)
{
    if (++p->depth > DEPTH_MAX)
        return fail_deep(p);
    int value = parse_operators(p, 0);
    if (value >= 0 && take(p, "?")) {
        const int first = parse_choice(p);
        if (first >= 0 && !take(p, ":"))
            return fail(p, "':'", p->at, word_length(p->at));
        value = ms_tree_operation(p->tree, MS_OF_IF, value, first, first >= 0 ? parse_choice(p) : -1);
    }
    p->depth--;
    return value;
}

int ms_tree_parse(ms_tree *tree, const ms_name_index *names, const char *text, char *fault, size_t size)
{
    parser p = {.tree = tree, .names = names, .text = text, .at = text, .fault = fault, .size = size};
    fault[0] = '\0';
    if (strlen(text) > MS_EXPRESSION_LENGTH_MAX) {
        snprintf(fault, size, "it is longer than %d characters", MS_EXPRESSION_LENGTH_MAX);
        return -1;
    }
    const int value = parse_choice(&p);
    skip_space(&p);
    if (value < 0 || *p.at == '\0')
        return value;
    const bool assigns = *p.at == '=', comma = *p.at == ',';
    return fail(&p,
                assigns ? "== for a comparison, as = assigns nothing,"
                : comma ? "one value"
                        : "an operator",
                p.at, word_length(p.at));
}
