/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "figure_registry.h"

#include <string.h>

#include "model.h"
#include "nearest.h"

#define MS_FIGURE(figure) extern const ms_figure figure;
#include "figure_list.h"
#undef MS_FIGURE

#define MS_FIGURE(figure) &figure,
const ms_figure *const ms_figures[] = {
#include "figure_list.h"
    NULL};
#undef MS_FIGURE

const ms_figure *ms_figure_find(const char *id)
{
    for (int k = 0; ms_figures[k] != NULL; k++)
        if (strcmp(ms_figures[k]->id, id) == 0)
            return ms_figures[k];
    return NULL;
}

const char *ms_figure_nearest(const char *id)
{
    const char *names[MS_COUNT(ms_figures)];
    int n = 0;
    for (; ms_figures[n] != NULL; n++)
        names[n] = ms_figures[n]->id;
    return ms_nearest(id, names, n);
}
