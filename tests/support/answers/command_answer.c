/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command_answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "json_schema.h"
#include "unit_test.h"

json_t *support_answer(const char *arguments)
{
    char command[2048], file[64], why[512];
    json_error_t error;
    const char *binary = getenv("MACROSTEP");
    snprintf(command, sizeof command, "'%s' %s --format json", binary != NULL ? binary : "build/macrostep",
             arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    json_t *value = json_loadf(pipe, JSON_REJECT_DUPLICATES, &error);
    const int status = pclose(pipe);
    if (value == NULL)
        fail_msg("%s: %s", command, error.text);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status),
                     json_is_false(json_object_get(value, "same")) ? 3 : 0); /* of diff */
    snprintf(file, sizeof file, "%.*s.json", (int)strcspn(arguments, " "), arguments);
    if (!support_schema_fits(SUPPORT_SCHEMAS, file, value, why, sizeof why))
        fail_msg("%s: the answer does not fit its schema: %s", arguments, why);
    return value;
}

json_t *support_answer_of(const char *format, ...)
{
    char arguments[1024];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    assert_true(length > 0 && (size_t)length < sizeof arguments);
    return support_answer(arguments);
}
