/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options_of_commands.c - the table of the options of commands, from argument_list.h, and their defaults. */
#include <stddef.h>

#include "arguments.h"
#include "value_form.h"

#define AT(member) .offset = offsetof(ms_arguments, member), .size = sizeof(((ms_arguments *)NULL)->member)

/* Types. LEAST and MOST belong to the range, but not those of OPEN_REAL, nor the LEAST of ABOVE_REAL. A choice has to be named, or that at
 * place BARE is meant. */
#define TEXT(words)                              MS_KIND_TEXT, .value = (words)
#define LIST(words)                              MS_KIND_LIST, .value = (words)
#define FLAG(member)                             MS_KIND_FLAG, AT(member)
#define OF_WORDS(kind, member, words)            MS_KIND_##kind, AT(member), .value = (words)
#define PAIRS(member, words)                     OF_WORDS(PAIRS, member, words)
#define RANGE(member, words)                     OF_WORDS(RANGE, member, words)
#define SHARD(member, words)                     OF_WORDS(SHARD, member, words)
#define NUMBER(kind, member, least, most, words) OF_WORDS(kind, member, words), .min = (least), .max = (most)
#define INTEGER(member, least, most, words)      NUMBER(INTEGER, member, least, most, words)
#define REAL(member, least, most, words)         NUMBER(REAL, member, least, most, words)
#define LENGTH(member, least, most, words)       NUMBER(LENGTH, member, least, most, words)
#define ABOVE_REAL(member, least, most, words)   REAL(member, least, most, words), .min_excluded = true
#define OPEN_REAL(member, least, most, words)    ABOVE_REAL(member, least, most, words), .max_excluded = true
/* clang-format off */
#define CHOICE_OR(place, member, ...) \
    MS_KIND_CHOICE, AT(member), .bare = (place), .choices = (const char *const[]){__VA_ARGS__, NULL}
/* clang-format on */
#define CHOICE(member, ...) CHOICE_OR(-1, member, __VA_ARGS__)

#define RESULT    .result = true
#define NO_RESULT .result = false

const ms_argument_row ms_argument_table[MS_ARGUMENTS] = {
#define MS_ARGUMENT_ROW(of, name, type, ...) [MS_ARGUMENT_##of] = {{name, type}, __VA_ARGS__},
#include "argument_list.h"
#undef MS_ARGUMENT_ROW
};

const ms_arguments ms_arguments_default = {.relative_tolerance = 1e-9,
                                           .absolute_tolerance = 1e-12,
                                           .boundary_tolerance = 1e-6,
                                           .output_points = 500,
                                           .segments = 20,
                                           .seed = 1,
                                           .starts = 1,
                                           .width = 17,
                                           .differences = -1,
                                           .fmi = 2}; /* none: the best there is */
