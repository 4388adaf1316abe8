#pragma once

/* Directions an I/O can have. The store keeps only these; its views add "all". */
enum direction { DIR_READ, DIR_WRITE, DIR_TRIM, DIR_FLUSH, DIR_COUNT, DIR_ALL = DIR_COUNT };

const char *direction_name(enum direction d); /* "read" .. "flush", "all" */
int direction_from_name(const char *name);    /* enum direction, or -1 */
