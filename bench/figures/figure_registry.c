/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "figure_registry.h"

#include <pthread.h>
#include <string.h>

#include <macrostep/model.h>
#include "drawing.h"
#include "figure_file.h"
#include "nearest.h"

#define MS_FIGURE(figure) extern const ms_figure figure;
#define MS_FIGURE_FILE(id)
#include "figure_list.h"
#undef MS_FIGURE
#undef MS_FIGURE_FILE

#define MS_FIGURE(compiled)  {&compiled, NULL},
#define MS_FIGURE_FILE(name) {NULL, name},
static const struct {
    const ms_figure *figure; /* compiled; NULL: given by a file: */
    const char *id;          /* its ID */
} list[] = {
#include "figure_list.h"
};
#undef MS_FIGURE
#undef MS_FIGURE_FILE

/* Figures of files, read once when the first figure is asked for, and kept until the program ends. */
static ms_figure_file *files[MS_COUNT(list)];
static ms_figure unread[MS_COUNT(list)];
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

static void read_files(void)
{
    static const ms_figure *self[MS_COUNT(list)];
    for (int k = 0; k < MS_COUNT(list); k++) {
        const int status = list[k].id != NULL ? ms_figure_file_compiled(list[k].id, &files[k], NULL) : MS_OK;
        if (status != MS_OK) {
            read_status = status;
            self[k] = &unread[k];
            unread[k] = (ms_figure){
                .id = list[k].id, .title = "", .source = "", .draw = draw_unread, .subject = &self[k]};
        }
    }
}

int ms_figures_read(ms_error *error)
{
    (void)pthread_once(&read_once, read_files);
    return read_status == MS_OK ? MS_OK
                                : ms_fail(error, read_status, "not enough memory for the files of figures");
}

const ms_figure *ms_figure_at(int k)
{
    if (k < 0 || k >= MS_COUNT(list))
        return NULL;
    (void)pthread_once(&read_once, read_files);
    return list[k].figure != NULL ? list[k].figure
           : files[k] != NULL     ? ms_figure_file_figure(files[k])
                                  : &unread[k];
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
    const char *names[MS_COUNT(list)];
    int n = 0;
    for (; ms_figure_at(n) != NULL; n++)
        names[n] = ms_figure_at(n)->id;
    return ms_nearest(id, names, n);
}
