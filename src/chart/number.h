#pragma once
#include "base/fmt.h"

/* Coordinates as files have them: at most 2 decimals, shortest, "." always: 12.5 -> "12.5", 3.999 -> "4", -0.001 -> "0".
 * v must be within ±1e6 (scene_check). */
struct text number_2(double v);
