#include "student.h"

#include <math.h>

/* The continued fraction of the incomplete beta function, by Lentz's method. */
static double fraction(double x, double a, double b)
{
    enum { TERMS_MOST = 500 };
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double result = d;
    for (int m = 1; m < TERMS_MOST; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        const double terms[2] = {even, odd};
        double change = 1;
        for (int t = 0; t < 2; t++) {
            d = 1 + terms[t] * d;
            c = 1 + terms[t] / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            change = d * c;
            result *= change;
        }
        if (fabs(change - 1) < 1e-15)
            break;
    }
    return result;
}

/* The logarithm of the gamma function, without the global sign of lgamma. */
static double log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

/* I_x(a, b) */
static double incomplete_beta(double x, double a, double b)
{
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    double factor =
        exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2) ? factor * fraction(x, a, b) / a
                                     : 1 - factor * fraction(1 - x, b, a) / b;
}

double fw_student_quantile(double probability, double freedom)
{
    enum { HALVINGS = 200 };
    double low = 0, high = 1;
    double tail = 2 * (1 - probability); /* on both sides */
    while (incomplete_beta(freedom / (freedom + high * high), freedom / 2, 0.5) > tail &&
           high < 1e150)
        high *= 2;
    for (int h = 0; h < HALVINGS; h++) {
        double middle = (low + high) / 2;
        if (incomplete_beta(freedom / (freedom + middle * middle), freedom / 2, 0.5) > tail)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}
