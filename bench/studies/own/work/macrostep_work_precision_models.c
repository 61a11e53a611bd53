/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error over work on four models: what is run, and for how long (macrostep_work_precision.h). */
#include "figure.h"
#include "macrostep_work_precision.h"

#define WORK_PRECISION(name, key, subject_name, ...)                                                         \
    const ms_figure ms_figure_macrostep_work_precision_##name = {                                            \
        "macrostep:work-precision-" key, subject_name ": error over work, without and with C1 smoothing",    \
        "macrostep; question of Eguillon et al. (2022), 4.2, 5", .draw = ms_work_draw,                       \
        .subject = &(const ms_work_bench){__VA_ARGS__}};

WORK_PRECISION(two_masses, "two-masses", "Two masses",
               "two-masses-springs-dampers --set change_time=10 --stop-time 20", 0.4,
               "Two masses, a force from 10 s on, 20 s")
WORK_PRECISION(mass_spring_damper, "mass-spring-damper", "Mass-spring-damper", "mass-spring-damper", 0.08,
               "Mass-spring-damper, 10 s")
WORK_PRECISION(quarter_car, "quarter-car", "Quarter car", "quarter-car", 0.032, "Quarter car, 1 s")
WORK_PRECISION(controlled_car, "controlled-car", "Car with controlled speed", "controlled-car --stop-time 12",
               0.4, "Car with controlled speed, 12 s")
