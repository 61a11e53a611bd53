/* SPDX-License-Identifier: GPL-3.0-or-later */
/* equations.c - from an equation to the files, tests and commands that are about it: inside/equations.awk has read the sources when
 * the program was built, commands are those of the ledger's items. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "ledger.h"
#include "templates.h"

enum { NAME_LENGTH = 32, KEY_LENGTH = 128 };

/* How many numbered equations there are: by chapter, or (0) in the whole paper. */
static const struct numbering {
    const char *paper;
    int chapter, last;
} numberings[] = {{"andersson2016", 2, 11}, {"andersson2016", 3, 5},  {"andersson2016", 5, 12},
                  {"andersson2016", 6, 87}, {"andersson2016", 7, 18}, {"andersson2016", 8, 17},
                  {"andersson2016", 9, 17}, {"eguillon2021", 0, 35},  {"eguillon2022", 0, 40},
                  {"moshagen2021", 0, 61}};
enum { NUMBERINGS = sizeof numberings / sizeof numberings[0] };

/* Those without code, and why. */
static const struct {
    const char *paper;
    int first, last;
    const char *why;
} without[] = {
    {"moshagen2021", 2, 2, "subsystems are ODEs here; a subsystem solves its algebraic equations by itself"},
    {"moshagen2021", 4, 4, "as (2)"},
    {"moshagen2021", 6, 6, "as (2)"},
    {"moshagen2021", 8, 8, "as (2)"},
    {"moshagen2021", 43, 43, "a remark: another name for (26) with ports; nothing is made of it"},
    {"moshagen2021", 48, 50, "steps of an argument in words; it is Theorem 5.4 that is judged"},
    {"eguillon2021", 8, 10, "notation: the set of macro-steps, and indices of inputs and outputs"},
    {"eguillon2022", 1, 2, "the implicit form, which the paper leaves at once for (4)"},
};
enum { WITHOUT = sizeof without / sizeof without[0] };

static const char *why_not(const char *paper, int number)
{
    for (int k = 0; k < WITHOUT; k++)
        if (strcmp(without[k].paper, paper) == 0 && without[k].first <= number && number <= without[k].last)
            return without[k].why;
    return NULL;
}

/* Items of the ledger --------------------------------------------------------------------------------------- */

/* The number of "(CHAPTER.NUMBER)" or, in chapter 0, of "(NUMBER)"; *after is behind it. 0: it is another's, or none. */
static int number_at(const char *text, int chapter, const char **after)
{
    char *end;
    long number = strtol(text + 1, &end, 10);
    if (chapter > 0 && *end == '.' && number == chapter)
        number = strtol(end + 1, &end, 10);
    else if (chapter > 0)
        number = 0;
    *after = end + 1;
    return *end == ')' && number > 0 ? (int)number : 0;
}

/* Does a place name the equation, alone or in a range "(FIRST)-(LAST)"? */
static bool names(const char *place, int chapter, int equation)
{
    for (const char *c = strchr(place, '('); c != NULL; c = strchr(c + 1, '(')) {
        const char *after, *behind;
        const int first = number_at(c, chapter, &after);
        if (first == equation)
            return true;
        if (first > 0 && after[0] == '-' && after[1] == '(' && first < equation &&
            equation <= number_at(after + 1, chapter, &behind))
            return true;
    }
    return false;
}

static json_t *commands_of(const json_t *items, int chapter, int equation)
{
    json_t *commands = json_array(), *known = json_object(), *item;
    size_t k;
    json_array_foreach (items, k, item) {
        json_t *command = ms_ledger_command(item);
        const char *line = json_string_value(command);
        if (line != NULL && json_object_get(known, line) == NULL &&
            names(json_string_value(json_object_get(item, "place")), chapter, equation)) {
            json_object_set_new(known, line, json_true());
            ms_json_append(&commands, json_incref(command));
        }
        json_decref(command);
    }
    json_decref(known);
    return commands;
}

/* Sources --------------------------------------------------------------------------------------------------- */

/* The paths of the lines that begin with the key. */
static json_t *paths_of(const char *paper, const char *equation, const char *what)
{
    char key[KEY_LENGTH];
    json_t *paths = json_array();
    const size_t length = (size_t)snprintf(key, sizeof key, "%s %s %s ", paper, equation, what);
    for (const char *line = ms_template("equations.txt"); line != NULL && *line != '\0';) {
        const size_t n = strcspn(line, "\n");
        if (n > length && strncmp(line, key, length) == 0)
            ms_json_append(&paths, json_stringn(line + length, n - length));
        line += n + (line[n] == '\n');
    }
    return paths;
}

/* What is known of it: named by something, said to be without code, or nowhere. */
enum { NAMED, EXPLAINED, NOWHERE, KNOWN };

static void add_equation(const struct numbering *of, int number, const json_t *items, json_t **rows,
                         int counts[KNOWN])
{
    char equation[NAME_LENGTH];
    if (of->chapter > 0)
        snprintf(equation, sizeof equation, "%d.%d", of->chapter, number);
    else
        snprintf(equation, sizeof equation, "%d", number);
    json_t *files = paths_of(of->paper, equation, "files"), *tests = paths_of(of->paper, equation, "tests"),
           *commands = commands_of(items, of->chapter, number);
    const bool named = json_array_size(files) + json_array_size(tests) + json_array_size(commands) > 0;
    const char *why = named ? NULL : why_not(of->paper, number);
    counts[named ? NAMED : why != NULL ? EXPLAINED : NOWHERE]++;
    ms_json_append(rows, ms_json_object("paper:s equation:s files:o tests:o commands:o why:s?", of->paper,
                                        equation, files, tests, commands, why));
}

int ms_equations(const char *paper, json_t **equations, ms_error *error)
{
    json_t *papers, *rows = json_array();
    int counts[KNOWN] = {0};
    const int status = ms_ledger_items(paper, &papers, error);
    for (int k = 0; k < NUMBERINGS && status == MS_OK; k++) {
        const json_t *items = json_object_get(papers, numberings[k].paper);
        for (int number = 1; items != NULL && number <= numberings[k].last; number++)
            add_equation(&numberings[k], number, items, &rows, counts);
    }
    json_decref(papers);
    if (status != MS_OK) {
        json_decref(rows);
        return status;
    }
    *equations = ms_json_object("rows:o counts:o", rows,
                                ms_json_object("named:i without-code:i nowhere:i", counts[NAMED],
                                               counts[EXPLAINED], counts[NOWHERE]));
    return *equations != NULL ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for the equations");
}
