/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runge_kutta_list.h - explicit Runge-Kutta methods with equal micro-steps: name, summary, source, order, and the tableau of
 * runge_kutta.h: stages, divisor, {rows of a}, {b}. A new method is one line here, read by the solver, the formula of the
 * propagation matrix and the certificate. No include guard. */
MS_RUNGE_KUTTA(euler, "explicit Euler", "Hairer, Norsett, Wanner 1993, II.1", 1, 1, 1, {{0}}, {1})
MS_RUNGE_KUTTA(midpoint, "explicit midpoint rule of order 2",
               "Runge 1895; Hairer, Norsett, Wanner 1993, II.1", 2, 2, 2, {{0}, {1}}, {0, 2})
MS_RUNGE_KUTTA(heun, "Heun's method of order 2, the explicit trapezoidal rule",
               "Runge 1895; Hairer, Norsett, Wanner 1993, II.1", 2, 2, 2, {{0}, {2}}, {1, 1})
MS_RUNGE_KUTTA(ralston, "Ralston's method of order 2, whose error has the smallest bound", "Ralston 1962", 2,
               2, 12, {{0}, {8}}, {3, 9})
MS_RUNGE_KUTTA(rk4, "classical Runge-Kutta of order 4", "Hairer, Norsett, Wanner 1993, II.1, table 1.2", 4, 4,
               6, {{0}, {3}, {0, 3}, {0, 0, 6}}, {1, 2, 2, 1})
