cmake_minimum_required(VERSION 3.20)
# Fails on functions of over 100 lines, files of over 600, and functions of src with over 5 parameters (a last
# `struct error *` not counted: every function that can fail has it). Lists functions of over 50 lines. Relies on the
# format gate: the braces of a function, and only these, stand alone at the start of a line.
# usage: cmake -DTOP=<repository> -P lengths.cmake
set(max_file 600)
set(max_function 100)
set(long_function 50)
set(max_parameters 5)
# Functions with more parameters, as FILE:FUNCTION. What has few enough again must be taken out.
set(known
    # dictated by libxml2
    src/matrix/xml.c:start_element
    # drawing calls with their coordinates, and others that stood in the headers before this gate
    src/chart/canvas_cairo.c:canvas_png
    src/chart/scale.c:ticks_linear
    src/chart/scene.c:scene_circle
    src/chart/scene.c:scene_line
    src/chart/scene.c:scene_marker
    src/chart/scene.c:scene_mask
    src/chart/scene.c:scene_poly
    src/chart/scene.c:scene_rect
    src/stats/compare.c:side_make
    src/store/query_interval.c:store_series)

set(bad "")
set(long "")

# Name and number of parameters (without the error) of the function whose signature is `text`.
function(signature text ret_name ret_parameters)
    string(REGEX REPLACE "__attribute__ *\\(\\(.*\\)\\)" "" text "${text}")
    string(FIND "${text}" "(" open)
    string(FIND "${text}" ")" close REVERSE)
    math(EXPR from "${open} + 1")
    math(EXPR length "${close} - ${from}")
    string(SUBSTRING "${text}" 0 ${open} before)
    string(REGEX MATCH "[A-Za-z0-9_]+$" name "${before}")
    string(SUBSTRING "${text}" ${from} ${length} inside)
    set(last "")
    while(NOT inside STREQUAL last)
        set(last "${inside}")
        string(REGEX REPLACE "\\([^()]*\\)" "" inside "${inside}")
    endwhile()
    string(REGEX REPLACE ",? *struct error \\*[a-z_]+ *$" "" inside "${inside}")
    string(STRIP "${inside}" inside)
    set(n 0)
    if(NOT inside STREQUAL "void" AND NOT inside STREQUAL "")
        string(REGEX MATCHALL "," commas "${inside}")
        list(LENGTH commas n)
        math(EXPR n "${n} + 1")
    endif()
    set(${ret_name} "${name}" PARENT_SCOPE)
    set(${ret_parameters} ${n} PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE files RELATIVE ${TOP} ${TOP}/src/*.[ch] ${TOP}/tests/*.[ch] ${TOP}/bench/*.[ch])
list(SORT files)
set(n_functions 0)
foreach(f IN LISTS files)
    file(READ ${TOP}/${f} text)
    # what would break CMake's lists
    string(REPLACE "\\" "/" text "${text}")
    string(REPLACE ";" ":" text "${text}")
    string(REPLACE "[" "<" text "${text}")
    string(REPLACE "]" ">" text "${text}")
    string(REGEX REPLACE "\n$" "" text "${text}")
    string(REPLACE "\n" ";" lines "${text}")
    list(LENGTH lines n_lines)
    if(n_lines GREATER max_file)
        list(APPEND bad "${f}: ${n_lines} lines (limit ${max_file})")
    endif()

    set(no 0)
    set(start 0)
    set(pending "")
    foreach(line IN LISTS lines)
        math(EXPR no "${no} + 1")
        if(start)
            if(line STREQUAL "}")
                math(EXPR length "${no} - ${start} - 1")
                signature("${pending}" name parameters)
                math(EXPR n_functions "${n_functions} + 1")
                if(length GREATER max_function)
                    list(APPEND bad "${f}:${start}: ${name} has ${length} lines (limit ${max_function})")
                elseif(length GREATER long_function)
                    list(APPEND long "${f}:${start}: ${name} has ${length} lines")
                endif()
                if(f MATCHES "^src/" AND parameters GREATER max_parameters)
                    if("${f}:${name}" IN_LIST known)
                        list(REMOVE_ITEM known "${f}:${name}")
                    else()
                        list(APPEND bad "${f}:${start}: ${name} has ${parameters} parameters (limit ${max_parameters})")
                    endif()
                endif()
                set(start 0)
                set(pending "")
            endif()
        elseif(line STREQUAL "{")
            set(start ${no})
        elseif(line MATCHES "^[A-Za-z_]")
            set(pending "${line}")
        elseif(line MATCHES "^ ")
            string(APPEND pending "${line}")
        endif()
    endforeach()
endforeach()

list(LENGTH long n_long)
if(long)
    list(JOIN long "\n  " text)
    message(STATUS "functions of over ${long_function} lines:\n  ${text}")
endif()
message(STATUS "${n_functions} functions, ${n_long} of over ${long_function} lines")
foreach(item IN LISTS known)
    list(APPEND bad "${item} has few enough parameters now: take it out of 'known' in tests/lengths.cmake")
endforeach()
if(bad)
    list(JOIN bad "\n  " text)
    message(FATAL_ERROR "too long:\n  ${text}")
endif()
