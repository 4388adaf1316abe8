#pragma once

/* Student's t and the normal distribution (reference/statistics.md §4.1); relative error at most 1e-8. */
#define STATS_Z975 1.9599639845400542

double student_upper(double t, double nu);     /* P(T > t), nu > 0 real */
double student_two_sided(double t, double nu); /* P(|T| > |t|); nu = INFINITY: normal */
double student_quantile(double alpha,
                        double nu); /* t with upper tail alpha in (0, 0.5]; nu = INFINITY: normal */
double normal_quantile(double alpha); /* z with upper tail alpha */
