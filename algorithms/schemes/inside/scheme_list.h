/* SPDX-License-Identifier: GPL-3.0-or-later */
MS_SCHEME(ms_scheme_jacobi)
MS_SCHEME(ms_scheme_gauss_seidel)
MS_SCHEME(ms_scheme_balance)
MS_SCHEME(ms_scheme_power)
MS_SCHEME(ms_scheme_f3ornits)
MS_SCHEME(ms_scheme_ifosmondi)
MS_SCHEME(ms_scheme_zoh_iterative)
