/* SPDX-License-Identifier: GPL-3.0-or-later */
/* start.c - the cost of a call of the command before its work begins.
 *
 * Processor time, user and system, of calls that do next to nothing, relative to this program with the argument `empty`:
 * it ends at once, and is linked to CVODE, GSL, LAPACKE, OpenBLAS and Jansson, which every build of the command needs. If
 * it takes 2 ms, 2.5 times that is 5 ms. */
#include <string.h>

#include "benchmark.h"
#include "child.h"

enum { ROUNDS = 51 };

int main(int argc, char **argv)
{
    ms_benchmark b;
    if (argc > 1 && strcmp(argv[1], "empty") == 0)
        return 0;
    if (!ms_benchmark_begin(&b, "start", &argc, argv))
        return (int)b.exit;
    static char own[MS_CHILD_PATH], command[MS_CHILD_PATH];
    ms_child_own_path(own);
    ms_child_command_path(command);
    ms_child nothing = {{own, "empty"}, true, 0}, version = {{command, "--version"}, true, 0},
             list = {{command, "list", "models"}, true, 0},
             run = {{command, "run", "linear-pair", "--stop-time", "0.1"}, true, 0};
    ms_timing empty = {.name = "empty program", .take = ms_child_take, .self = &nothing},
              versions = {.name = "--version", .take = ms_child_take, .self = &version},
              lists = {.name = "list models", .take = ms_child_take, .self = &list},
              runs = {.name = "run linear-pair", .take = ms_child_take, .self = &run};
    ms_timing *const timings[] = {&empty, &versions, &lists, &runs};
    const ms_ratio ratios[] = {
        {"--version / empty program", &versions, &empty, .wanted = MS_WANTED_AT_MOST, .bound = 2.5},
        {"list models / empty program", &lists, &empty, .wanted = MS_WANTED_AT_MOST, .bound = 2.5},
        {"run linear-pair / empty program", &runs, &empty, .wanted = MS_WANTED_AT_MOST, .bound = 2.5}};
    ms_benchmark_measure(&b, "macrostep", ROUNDS, 4, timings, 3, ratios);
    return ms_benchmark_end(&b);
}
