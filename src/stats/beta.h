#pragma once

/* Regularised incomplete beta function I_x(a, b) with y = 1 - x given too, so that neither end loses digits; a, b > 0.
 * Lentz' continued fraction (Numerical Recipes; reference/statistics.md §4.1). */
double beta_regularised(double a, double b, double x, double y);

/* ln B(a, b), without cancellation for large arguments (Stirling's remainder, as in Didonato and Morris 1992). */
double beta_ln(double a, double b);
