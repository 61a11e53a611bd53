/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ssp_json.c - a system structure as the JSON of a system file. */
#include <math.h>
#include <string.h>

#include "ssp.h"
#include "xml.h"

static json_t *value_of(const ms_ssp_setting *s)
{
    double number;
    if (s->type == MS_SSP_REAL)
        return json_real(s->number);
    if (s->type == MS_SSP_BOOLEAN)
        return json_boolean(strcmp(s->text, "true") == 0 || strcmp(s->text, "1") == 0);
    if (s->type == MS_SSP_INTEGER && ms_xml_number(s->text, &number) && fabs(number) < 0x1p53 &&
        number == floor(number))
        return json_integer((json_int_t)number);
    return json_string(s->text);
}

static json_t *component(const ms_ssp_component *c)
{
    static const char *const kinds[MS_SSP_IMPLEMENTATIONS] = {
        [MS_SSP_CO_SIMULATION] = "co-simulation", [MS_SSP_MODEL_EXCHANGE] = "model-exchange"};
    json_t *set = json_object();
    for (const ms_ssp_setting *s = c->settings; s != NULL && set != NULL; s = s->next)
        if (json_object_set_new(set, s->name, value_of(s)) != 0) {
            json_decref(set);
            set = NULL;
        }
    return json_pack("{s:s, s:s, s:s*, s:o}", "name", c->name, "fmu", c->path, "kind",
                     kinds[c->implementation], "set", set);
}

static json_t *map_of(const ms_ssp_map *map)
{
    json_t *object = json_object();
    for (int k = 0; k < map->n && object != NULL; k++) {
        const ms_ssp_setting target = {.type = map->type, .text = map->target[k]};
        if (json_object_set_new(object, map->source[k], value_of(&target)) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

static json_t *wire(const ms_ssp *ssp, const ms_ssp_wire *w)
{
    json_t *map = w->map != NULL ? map_of(w->map) : NULL;
    if (w->map != NULL && map == NULL)
        return NULL;
    return json_pack("{s:o, s:o, s:f, s:f, s:o*}", "from",
                     json_sprintf("%s.%s", ssp->components[w->from].name, w->output), "to",
                     json_sprintf("%s.%s", ssp->components[w->to].name, w->input), "gain", w->gain, "offset",
                     w->offset, "map", map);
}

/* Appends; where memory is missing the array is NULL from then on. */
static void append(json_t **array, json_t *value)
{
    if (*array != NULL && (value == NULL || json_array_append_new(*array, value) != 0)) {
        json_decref(*array);
        *array = NULL;
    } else if (*array == NULL)
        json_decref(value);
}

/* Times that are not given are NaN, of which json_real makes nothing. */
json_t *ms_ssp_json(const ms_ssp *ssp)
{
    json_t *subsystems = json_array(), *wires = json_array();
    for (int k = 0; k < ssp->n_components; k++)
        append(&subsystems, component(&ssp->components[k]));
    for (int k = 0; k < ssp->n_wires; k++)
        append(&wires, wire(ssp, &ssp->wires[k]));
    return json_pack("{s:s*, s:o, s:o, s:o*, s:o*, s:o*}", "name", ssp->name, "subsystems", subsystems,
                     "wires", wires, "stop_time", json_real(ssp->stop_time), "start_time",
                     ssp->start_time != 0.0 ? json_real(ssp->start_time) : NULL, "step_size",
                     json_real(ssp->step_size));
}
