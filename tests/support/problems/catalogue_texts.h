/* SPDX-License-Identifier: GPL-3.0-or-later */
/* catalogue_texts.h - models of the catalogue, written anew as system files. */
#pragma once

#define SUPPORT_VAN_DER_POL                                                                                  \
    "{\"parameters\": {\"mu\": 2000, \"amplitude\": 0, \"frequency\": 30}, \"subsystems\": [{\"name\": "     \
    "\"oscillator\","                                                                                        \
    "\"states\": {\"x\": {\"derivative\": \"v\", \"start\": 2}, \"v\": {\"derivative\": \"mu*((1 - x^2)*v "  \
    "- x) + u\","                                                                                            \
    "\"start\": -0.6}}, \"external\": {\"u\": \"amplitude*sin(frequency*t)\"}}]}"

#define SUPPORT_FORCE   "(fx*cos(alpha) + (fy - m*g)*sin(alpha))"
#define SUPPORT_A_UPPER "(" SUPPORT_FORCE "/m - d*omega/(m*l))"
#define SUPPORT_TENSION "(ax*sin(alpha) - ay*cos(alpha) - l*omega^2 - g*cos(alpha))"
#define SUPPORT_PENDULUM                                                                                     \
    "{\"parameters\": {\"m\": 1, \"m2\": 1.5, \"l\": {\"value\": 1, \"unit\": \"m\", \"min\": 0}, \"d\": "   \
    "0.5, \"g\": 9.81,"                                                                                      \
    "\"alpha1\": -1, \"alpha2\": 0.3}, \"subsystems\": ["                                                    \
    "{\"name\": \"top\", \"states\": {\"alpha\": {\"derivative\": \"omega\", \"start\": \"alpha1\"},"        \
    "\"omega\": {\"derivative\": \"(" SUPPORT_FORCE                                                          \
    "*l - d*omega)/(m*l^2)\"}}, \"inputs\": [\"fx\", \"fy\"],"                                               \
    "\"outputs\": {\"ax\": \"" SUPPORT_A_UPPER "*cos(alpha) - omega^2*l*sin(alpha)\","                       \
    "\"ay\": \"" SUPPORT_A_UPPER "*sin(alpha) + omega^2*l*cos(alpha)\"}},"                                   \
    "{\"name\": \"bottom\", \"states\": {\"alpha\": {\"derivative\": \"omega\", \"start\": \"alpha2\"},"     \
    "\"omega\": {\"derivative\": \"-(g*sin(alpha) + ax*cos(alpha) + ay*sin(alpha))/l\"}},"                   \
    "\"inputs\": {\"ax\": {\"unit\": \"m/s^2\"}, \"ay\": {\"unit\": \"m/s^2\"}},"                            \
    "\"outputs\": {\"fx\": \"-m2*" SUPPORT_TENSION "*sin(alpha)\", \"fy\": \"m2*" SUPPORT_TENSION            \
    "*cos(alpha)\"}}],"                                                                                      \
    "\"wires\": [{\"from\": \"bottom.fx\", \"to\": \"top.fx\"}, {\"from\": \"bottom.fy\", \"to\": "          \
    "\"top.fy\"},"                                                                                           \
    "{\"from\": \"top.ax\", \"to\": \"bottom.ax\"}, {\"from\": \"top.ay\", \"to\": \"bottom.ay\"}]}"

#define SUPPORT_BELL                                                                                         \
    "{\"parameters\": {\"g0\": 9.81, \"l\": 1}, \"subsystems\": [{\"name\": \"bell\", \"states\": {"         \
    "\"theta\": {\"derivative\": \"omega\", \"start\": 1.57079632679489662},"                                \
    "\"omega\": {\"derivative\": \"-(g0/l)*sin(theta)\", \"start\": -4}},"                                   \
    "\"events\": [{\"when\": \"theta + 3*pi/4\", \"direction\": \"fall\", \"then\": {\"omega\": "            \
    "\"-omega\"}}],"                                                                                         \
    "\"energy\": \"0.5*l^2*omega^2 + g0*l*(1 - cos(theta))\"}]}"

#define SUPPORT_RUN_OFF "a*sqrt(2*g*x)"
#define SUPPORT_UPPER(i, u)                                                                                  \
    "{\"name\": \"tank" i "\", \"states\": {\"x\": {\"start\": \"x" i "_start\", \"derivative\":"            \
    " \"((1 - share)*pump*" u " - " SUPPORT_RUN_OFF ")/A\"}}, \"outputs\": {\"q\": \"" SUPPORT_RUN_OFF       \
    "\"}, \"external\": {" SUPPORT_VOLTAGES "}}"
#define SUPPORT_LOWER(i, u)                                                                                  \
    "{\"name\": \"tank" i "\", \"states\": {\"x\": {\"start\": \"x" i "_start\", \"derivative\":"            \
    " \"(q_in + share*pump*" u " - " SUPPORT_RUN_OFF                                                         \
    ")/A\"}}, \"inputs\": [\"q_in\"], \"outputs\": {\"q\": \"" SUPPORT_RUN_OFF "\"},"                        \
    "\"external\": {" SUPPORT_VOLTAGES "}}"
#define SUPPORT_VOLTAGES "\"u1\": \"5.2 + 1.5*sin(2*pi*t/30)\", \"u2\": \"5.2 + 1.5*sin(2*pi*t/22 + 2)\""
#define SUPPORT_TANKS                                                                                        \
    "{\"end\": 60, \"step_size\": 1, \"parameters\": {\"A\": 4.9e-4, \"a\": 0.03e-4, \"g\": 9.81, "          \
    "\"pump\": 0.56e-6,"                                                                                     \
    "\"share\": 0.3, \"x1_start\": 0.0627, \"x2_start\": 0.06044, \"x3_start\": 0.024, \"x4_start\": "       \
    "0.023},"                                                                                                \
    "\"subsystems\": [" SUPPORT_LOWER("1", "u1") ", " SUPPORT_LOWER("2", "u2") ", " SUPPORT_UPPER(           \
        "3",                                                                                                 \
        "u2") ", " SUPPORT_UPPER("4",                                                                        \
                                 "u1") "],"                                                                  \
                                       "\"wires\": [[0, 2, 1], {\"from\": \"tank4.q\", \"to\": \"tank2.q_in\"}]}"

/* What is written out, with settings that are named alike. */
