/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "work_points.h"

#include <string.h>

#include <macrostep/scheme_registry.h>
#include "json.h"
#include "pareto.h"
#include "row_names.h"

static const char *word(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static bool is_controlled(const json_t *options)
{
    const ms_scheme *scheme = ms_scheme_find(word(options, "scheme"));
    const char *control = word(options, "error_controlled");
    return (control[0] != '\0' && strcmp(control, "none") != 0) ||
           (scheme != NULL && scheme->next_time != NULL);
}

json_t *ms_work_point(const json_t *row, const char *curve)
{
    const json_t *options = json_object_get(row, "scheme"), *error = json_object_get(row, "error");
    const double work = ms_pareto_cost(row);
    return ms_json_object("curve:s family:s controlled:b work:r error:o", curve, word(options, "scheme"),
                          is_controlled(options), work,
                          json_is_number(error) ? json_copy((json_t *)error) : json_null());
}

json_t *ms_work_points(const json_t *rows)
{
    json_t *points = json_array(), *names = ms_row_names(rows, "step_size rtol atol");
    for (size_t k = 0; k < json_array_size(names); k++)
        ms_json_append(&points,
                       ms_work_point(json_array_get(rows, k), json_string_value(json_array_get(names, k))));
    if (names == NULL) {
        json_decref(points);
        return NULL;
    }
    json_decref(names);
    return points;
}
