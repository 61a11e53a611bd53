MS_SCHEME(ms_scheme_jacobi)
MS_SCHEME(ms_scheme_gauss_seidel)
MS_SCHEME(ms_scheme_balance)
MS_SCHEME(ms_scheme_power)
