/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer_read.h"

#include <math.h>
#include <string.h>

double ms_answer_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

const char *ms_answer_word(const json_t *value)
{
    const char *text = json_string_value(value);
    return text != NULL ? text : "";
}

double ms_answer_longest(const json_t *names)
{
    size_t most = 0;
    for (size_t k = 0; k < json_array_size(names); k++) {
        const size_t length = strlen(ms_answer_word(json_array_get(names, k)));
        most = length > most ? length : most;
    }
    return (double)most;
}

json_t *ms_answer_members(const json_t *answer)
{
    json_t *rows = json_object_get(answer, "rows");
    if (json_object_get(json_array_get(rows, 0), "scheme") != NULL)
        return json_incref(rows);
    return json_pack("[O]", answer);
}
