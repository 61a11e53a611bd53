/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include <macrostep/energy.h>
#include <macrostep/trajectory.h>
#include "arguments.h"
#include "panel.h"
#include "plot_parts.h"
#include "plots.h"

enum { CURVES_MAX = 8, NAME_LENGTH = 128 };

static bool is_of(const char *name, const char *kind)
{
    return kind == NULL || strstr(name, kind) != NULL;
}

/* Is the word "SUBSYSTEM.NAME", as tables name states? */
static bool is_state(const char *word, size_t length, const char *name)
{
    for (size_t dot = 0; dot < length; dot++)
        if (word[dot] == '.' && strncmp(name, word, dot) == 0 && strncmp(name + dot, ".x.", 3) == 0 &&
            strlen(name + dot + 3) == length - dot - 1 &&
            strncmp(name + dot + 3, word + dot + 1, length - dot - 1) == 0)
            return true;
    return false;
}

/* Does that word of --curves mean the column "SUBSYSTEM.x.NAME": whole, its beginning, its end, or without the x? */
static bool means(const char *word, size_t length, const char *name)
{
    const size_t all = strlen(name);
    if (all < length)
        return false;
    const char *end = name + all - length;
    const bool begins = strncmp(name, word, length) == 0 && (name[length] == '\0' || name[length] == '.'),
               ends = strncmp(end, word, length) == 0 && (end == name || end[-1] == '.');
    return begins || ends || is_state(word, length, name);
}

static bool is_chosen(const char *list, const char *name)
{
    for (const char *word = list; word != NULL;) {
        const size_t length = strcspn(word, ",");
        if (means(word, length, name))
            return true;
        word = word[length] == ',' ? word + length + 1 : NULL;
    }
    return false;
}

static const char *chosen(const ms_drawing *drawing)
{
    return ms_drawing_canvas(drawing)->arguments->text[MS_ARGUMENT_CURVES];
}

static bool means_any(const char *word, size_t length, const ms_series_table *table)
{
    char name[NAME_LENGTH];
    for (int c = 1; c < table->columns; c++) {
        table->name(table->of, c, name, sizeof name);
        if (means(word, length, name))
            return true;
    }
    return false;
}

static void name_of(const void *of, int column, char *name, size_t size)
{
    ms_trajectory_name(of, column, name, size);
}

/* The columns of trajectories of the system. */
static int check_curves(const char *list, const ms_series_table *table, ms_error *error)
{
    char name[NAME_LENGTH] = "none";
    if (table->columns > 1)
        table->name(table->of, 1, name, sizeof name);
    for (const char *word = list; word != NULL;) {
        const size_t length = strcspn(word, ",");
        if (!means_any(word, length, table))
            return ms_fail(
                error, MS_INVALID,
                "--curves %.*s: no column of the trajectory is called that; the first one is called %s",
                (int)length, word, name);
        word = word[length] == ',' ? word + length + 1 : NULL;
    }
    return MS_OK;
}

/* Labels of energies are known when they are drawn. */
static int check_label(const char *label, bool energies, const ms_series_table *table, ms_error *error)
{
    const size_t length = strcspn(label, "=");
    char name[NAME_LENGTH] = "nothing";
    for (int c = 1; c < table->columns; c++) {
        table->name(table->of, c, name, sizeof name);
        if (strlen(name) == length && strncmp(name, label, length) == 0)
            return MS_OK;
    }
    if (table->columns > 1)
        table->name(table->of, 1, name, sizeof name);
    return energies
               ? MS_OK
               : ms_fail(error, MS_INVALID, "--label %s: no curve is called %.*s; the first one is called %s",
                         label, (int)length, label, name);
}

int ms_plot_check(const ms_arguments *arguments, const ms_system *system, ms_error *error)
{
    const int ny = system->y_at[ms_system_shown(system)];
    const ms_trajectory columns = {.nx = system->nx, .nu = system->nu, .ny = ny, .system = system};
    const ms_series_table table = {
        .columns = 1 + system->nx + system->nu + ny, .of = &columns, .name = name_of};
    MS_TRY(check_curves(arguments->text[MS_ARGUMENT_CURVES], &table, error));
    for (int k = 0; k < arguments->n_labels; k++)
        MS_TRY(check_label(arguments->label[k], ms_energy_declared(system), &table, error));
    return MS_OK;
}

static void add_column(ms_drawing *drawing, ms_panel *panel, const ms_series_table *table, int column,
                       const char *name)
{
    if (panel->n >= CURVES_MAX) {
        panel->left_out++;
        return;
    }
    ms_curve *curve = ms_panel_curve(panel, MS_CURVE_LINES, name);
    for (long k = 0; k < table->rows; k++) {
        const double *row = table->row + (size_t)k * (size_t)table->columns, value = row[column];
        ms_curve_point(drawing, curve, row[0], panel->log_y ? fabs(value) : value);
    }
}

void ms_plot_series(ms_drawing *drawing, ms_panel *panel, const ms_series_table *table, const char *kind)
{
    for (int c = 1; c < table->columns; c++) {
        char name[NAME_LENGTH] = "";
        table->name(table->of, c, name, sizeof name);
        if (is_of(name, kind))
            add_column(drawing, panel, table, c, name);
    }
}

const char *ms_with_unit(ms_drawing *drawing, const char *symbol, const char *unit)
{
    const bool product = strpbrk(unit, " /") != NULL;
    return strcmp(unit, "1") == 0 ? symbol
                                  : ms_drawing_text(drawing, "%s / %s%s%s", symbol, product ? "(" : "", unit,
                                                    product ? ")" : "");
}

/* The panel of that unit, a new one if there is none and room for it, otherwise the last one. */
static int panel_of(ms_drawing *drawing, ms_panel *panels, const char **units, int most, int *n,
                    const char *unit)
{
    int k = 0;
    while (k < *n && strcmp(units[k], unit) != 0)
        k++;
    if (k == most)
        return most - 1;
    if (k == *n) {
        units[(*n)++] = unit;
        if (k > 0)
            panels[k] = (ms_panel){.part = ms_drawing_text(drawing, "%s%c", panels[0].part, 'a' + k),
                                   .title = panels[0].title,
                                   .log_y = panels[0].log_y};
    }
    return k;
}

static bool is_listed(const char *word, const char *list)
{
    const size_t length = strlen(word);
    for (const char *at = list; at != NULL; at = strstr(at, ", ") != NULL ? strstr(at, ", ") + 2 : NULL)
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

enum { SYMBOLS_LENGTH = 24 };

/* "v" if all curves of a panel are of a variable of that name, "phi, theta" if they are of few, else "value". */
static void join_symbol(const char *name, char symbol[NAME_LENGTH])
{
    const char *dot = strrchr(name, '.'), *last = dot != NULL ? dot + 1 : name;
    const size_t used = strlen(symbol);
    if (used == 0)
        snprintf(symbol, NAME_LENGTH, "%s", last);
    else if (strcmp(symbol, "value") == 0 || used + strlen(last) > SYMBOLS_LENGTH)
        snprintf(symbol, NAME_LENGTH, "value");
    else if (!is_listed(last, symbol))
        snprintf(symbol + used, NAME_LENGTH - used, ", %.*s", SYMBOLS_LENGTH, last);
}

int ms_plot_by_unit(ms_drawing *drawing, ms_panel *panels, int most, const ms_series_table *table,
                    const char *kind)
{
    const char *units[MS_PLOT_UNITS_MAX];
    char symbol[MS_PLOT_UNITS_MAX][NAME_LENGTH] = {{0}};
    int n = 0;
    for (int c = 1; c < table->columns; c++) {
        char name[NAME_LENGTH] = "";
        table->name(table->of, c, name, sizeof name);
        if (kind != NULL && chosen(drawing) != NULL ? !is_chosen(chosen(drawing), name) : !is_of(name, kind))
            continue;
        const char *unit = table->unit != NULL ? table->unit(table->of, c) : "";
        const int k = panel_of(drawing, panels, units, most, &n, unit);
        add_column(drawing, &panels[k], table, c, name);
        join_symbol(name, symbol[k]);
    }
    for (int k = 0; k < n; k++)
        panels[k].y = ms_with_unit(
            drawing, panels[0].log_y ? "|e|" : ms_drawing_text(drawing, "%s", symbol[k]), units[k]);
    return n > 0 ? n : 1;
}

int ms_plot_run(ms_drawing *drawing, const ms_series_table *trajectory, const ms_series_table *errors,
                const ms_series_table *energies)
{
    const bool all = chosen(drawing) == NULL;
    ms_panel panels[2 * MS_PLOT_UNITS_MAX + 1] = {{.part = "states", .title = all ? "states" : NULL}};
    int n = ms_plot_by_unit(drawing, panels, MS_PLOT_UNITS_MAX, trajectory, ".x.");
    if (panels[0].n == 0)
        n = ms_plot_by_unit(drawing, panels, MS_PLOT_UNITS_MAX, trajectory, ".y.");
    if (errors != NULL && all) {
        panels[n] = (ms_panel){.part = "errors", .title = "errors against the reference", .log_y = true};
        n += ms_plot_by_unit(drawing, &panels[n], MS_PLOT_UNITS_MAX, errors, NULL);
    }
    if (energies != NULL && all) {
        panels[n] = (ms_panel){.part = "energy", .title = "energy", .y = "E / J"};
        ms_plot_series(drawing, &panels[n++], energies, "energy");
    }
    panels[n - 1].x = "time t / s";
    ms_panels_draw(drawing, n, panels);
    return MS_OK;
}
