/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "panel.h"
#include "plot_parts.h"
#include "plots.h"

enum { CURVES_MAX = 8, NAME_LENGTH = 128 };

static bool is_of(const char *name, const char *kind)
{
    return kind == NULL || strstr(name, kind) != NULL;
}

void ms_plot_series(ms_drawing *drawing, ms_panel *panel, const ms_series_table *table, const char *kind)
{
    int shown = 0;
    for (int c = 1; c < table->columns; c++) {
        char name[NAME_LENGTH] = "";
        table->name(table->of, c, name, sizeof name);
        if (!is_of(name, kind))
            continue;
        if (shown++ >= CURVES_MAX) {
            panel->left_out++;
            continue;
        }
        ms_curve *curve = ms_panel_curve(panel, MS_CURVE_LINES, name);
        for (long k = 0; k < table->rows; k++) {
            const double *row = table->row + (size_t)k * (size_t)table->columns, value = row[c];
            ms_curve_point(drawing, curve, row[0], panel->log_y ? fabs(value) : value);
        }
    }
}

int ms_plot_run(ms_drawing *drawing, const ms_series_table *trajectory, const ms_series_table *errors,
                const ms_series_table *energies)
{
    ms_panel panels[3] = {{.part = "states", .title = "states"}};
    int n = 1;
    ms_plot_series(drawing, &panels[0], trajectory, ".x.");
    if (panels[0].n == 0)
        ms_plot_series(drawing, &panels[0], trajectory, ".y.");
    if (errors != NULL) {
        panels[n] = (ms_panel){.part = "errors", .title = "errors against the reference", .log_y = true};
        ms_plot_series(drawing, &panels[n++], errors, NULL);
    }
    if (energies != NULL) {
        panels[n] = (ms_panel){.part = "energy", .title = "energy", .y = "E / J"};
        ms_plot_series(drawing, &panels[n++], energies, "energy");
    }
    panels[n - 1].x = "time t / s";
    ms_panels_draw(drawing, n, panels);
    return MS_OK;
}
