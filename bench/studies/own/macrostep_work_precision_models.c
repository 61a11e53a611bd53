/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error over work on four models: what is run, and for how long (macrostep_work_precision.h). */
#include "figure.h"
#include "macrostep_work_precision.h"

static int draw_two_masses(ms_drawing *drawing, ms_error *error)
{
    return ms_work_draw(drawing,
                        &(ms_work_bench){"two-masses-springs-dampers --set change_time=10 --stop-time 20",
                                         0.4, "Two masses, a force from 10 s on, 20 s"},
                        error);
}

const ms_figure ms_figure_macrostep_work_precision_two_masses = {
    "macrostep:work-precision-two-masses", "Two masses: error over work, without and with C1 smoothing",
    "macrostep; question of Eguillon et al. (2022), 4.2, 5", .draw = draw_two_masses};

static int draw_mass_spring_damper(ms_drawing *drawing, ms_error *error)
{
    return ms_work_draw(drawing, &(ms_work_bench){"mass-spring-damper", 0.08, "Mass-spring-damper, 10 s"},
                        error);
}

const ms_figure ms_figure_macrostep_work_precision_mass_spring_damper = {
    "macrostep:work-precision-mass-spring-damper",
    "Mass-spring-damper: error over work, without and with C1 smoothing",
    "macrostep; question of Eguillon et al. (2022), 4.2, 5", .draw = draw_mass_spring_damper};

static int draw_quarter_car(ms_drawing *drawing, ms_error *error)
{
    return ms_work_draw(drawing, &(ms_work_bench){"quarter-car", 0.032, "Quarter car, 1 s"}, error);
}

const ms_figure ms_figure_macrostep_work_precision_quarter_car = {
    "macrostep:work-precision-quarter-car", "Quarter car: error over work, without and with C1 smoothing",
    "macrostep; question of Eguillon et al. (2022), 4.2, 5", .draw = draw_quarter_car};

static int draw_controlled_car(ms_drawing *drawing, ms_error *error)
{
    return ms_work_draw(
        drawing, &(ms_work_bench){"controlled-car --stop-time 12", 0.4, "Car with controlled speed, 12 s"},
        error);
}

const ms_figure ms_figure_macrostep_work_precision_controlled_car = {
    "macrostep:work-precision-controlled-car",
    "Car with controlled speed: error over work, without and with C1 smoothing",
    "macrostep; question of Eguillon et al. (2022), 4.2, 5", .draw = draw_controlled_car};
