/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nonlinear_list.h - all nonlinear methods, one line each. A new method is a file and one line here; nonlinear.c
 * includes the list twice (declarations, registry). Of two with the same name the default backend comes first. No
 * include guard. */
MS_NONLINEAR(ms_nonlinear_fixed_point)
MS_NONLINEAR(ms_nonlinear_jacobian_free_newton)
MS_NONLINEAR(ms_nonlinear_anderson)
MS_NONLINEAR(ms_nonlinear_ngmres)
MS_NONLINEAR(ms_nonlinear_ngmres_ls)
MS_NONLINEAR(ms_nonlinear_relaxation)
MS_NONLINEAR(ms_nonlinear_aitken)
MS_NONLINEAR(ms_nonlinear_iqn_ils)
MS_NONLINEAR(ms_nonlinear_iqn_imvj)
#ifdef MS_HAVE_PETSC
MS_NONLINEAR(ms_nonlinear_petsc_newtonls)
MS_NONLINEAR(ms_nonlinear_petsc_anderson)
MS_NONLINEAR(ms_nonlinear_petsc_ngmres)
MS_NONLINEAR(ms_nonlinear_petsc_ngmres_ls)
#endif
MS_NONLINEAR(ms_nonlinear_kinsol_newtonls)
MS_NONLINEAR(ms_nonlinear_kinsol_anderson)
