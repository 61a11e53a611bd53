/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "figure_registry.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/model.h>
#include "drawing.h"
#include "figure_file.h"
#include "nearest.h"
#include "templates.h"

#define MS_FIGURE(figure) extern const ms_figure figure;
#include "figure_list.h"
#undef MS_FIGURE

#define MS_FIGURE(figure) &figure,
static const ms_figure *const compiled[] = {
#include "figure_list.h"
};
#undef MS_FIGURE

typedef struct listed {
    const char *name;        /* its ID */
    const ms_figure *figure; /* compiled; NULL: given by a file: */
    ms_figure_file *file;    /* NULL: it could not be read */
    const ms_figure *self;
    ms_figure unread;
} listed;

/* Figures in the order of figure_list.txt, read once when the first one is asked for, and kept until the program ends. */
static listed *list; /* (n_list) */
static char *ids;    /* of all, where the names are */
static int n_list;
static pthread_once_t read_once = PTHREAD_ONCE_INIT;
static int read_status = MS_OK;

/* Reports why the file could not be read. */
static int draw_unread(ms_drawing *drawing, ms_error *error)
{
    ms_figure_file *file = NULL;
    const ms_figure *const *self = ms_drawing_subject(drawing);
    const int status = ms_figure_file_compiled((*self)->id, &file, error);
    ms_figure_file_destroy(&file);
    return status == MS_OK ? ms_fail(error, MS_NO_MEMORY, "not enough memory for the figure") : status;
}

static void read_figure(int k)
{
    for (int i = 0; i < MS_COUNT(compiled); i++)
        if (strcmp(compiled[i]->id, list[k].name) == 0)
            list[k].figure = compiled[i];
    const int status =
        list[k].figure == NULL ? ms_figure_file_compiled(list[k].name, &list[k].file, NULL) : MS_OK;
    if (status == MS_OK)
        return;
    read_status = status;
    list[k].self = &list[k].unread;
    list[k].unread = (ms_figure){
        .id = list[k].name, .title = "", .source = "", .draw = draw_unread, .subject = &list[k].self};
}

static void read_list(void)
{
    char *rest = NULL;
    size_t lines = 1;
    ids = strdup(ms_template("figure_list.txt"));
    for (const char *c = ids; c != NULL && *c != '\0'; c++)
        lines += *c == '\n';
    list = ids != NULL ? calloc(lines, sizeof *list) : NULL;
    read_status = list != NULL ? MS_OK : MS_NO_MEMORY;
    for (char *id = list != NULL ? strtok_r(ids, "\n", &rest) : NULL; id != NULL;
         id = strtok_r(NULL, "\n", &rest)) {
        list[n_list].name = id;
        read_figure(n_list++);
    }
}

int ms_figures_read(ms_error *error)
{
    (void)pthread_once(&read_once, read_list);
    return read_status == MS_OK ? MS_OK
                                : ms_fail(error, read_status, "not enough memory for the files of figures");
}

const ms_figure *ms_figure_at(int k)
{
    (void)pthread_once(&read_once, read_list);
    if (k < 0 || k >= n_list)
        return NULL;
    return list[k].figure != NULL ? list[k].figure
           : list[k].file != NULL ? ms_figure_file_figure(list[k].file)
                                  : &list[k].unread;
}

/* Is it the ID, or the name of its files, with - or _ instead of the colon? */
static bool is_called(const char *id, const char *name)
{
    const size_t colon = strcspn(id, ":");
    return strncmp(id, name, colon) == 0 && name[colon] != '\0' && strchr(":-_", name[colon]) != NULL &&
           strcmp(id + colon + 1, name + colon + 1) == 0;
}

const ms_figure *ms_figure_find(const char *id)
{
    for (int k = 0; ms_figure_at(k) != NULL; k++)
        if (is_called(ms_figure_at(k)->id, id))
            return ms_figure_at(k);
    return NULL;
}

const char *ms_figure_nearest(const char *id)
{
    (void)pthread_once(&read_once, read_list);
    return n_list > 0 ? MS_NEAREST_OF(id, list, n_list) : NULL;
}
