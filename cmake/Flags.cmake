# Compiler flags every target of ours gets through the interface library qd_flags.
set(QD_SANITIZE "" CACHE STRING "address,undefined | thread | fuzzer-no-link,address | (empty)")
option(QD_WERROR "treat warnings as errors" OFF)

add_library(qd_flags INTERFACE)
target_compile_definitions(qd_flags INTERFACE _GNU_SOURCE)
target_compile_options(qd_flags INTERFACE
    -Wall -Wextra -Wshadow -Wformat=2 -Wundef -Wvla -Wcast-qual
    -Wwrite-strings -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes
    -Wold-style-definition -Wconversion -Wno-sign-conversion
    -Wdouble-promotion -Wimplicit-fallthrough
    -Werror=implicit-function-declaration -Werror=incompatible-pointer-types
    -Werror=return-type -Werror=int-conversion
    -fno-common -ffp-contract=off
    $<$<C_COMPILER_ID:GNU>:-Wlogical-op;-Wduplicated-cond;-Wduplicated-branches>
    $<$<BOOL:${QD_WERROR}>:-Werror>)
if(QD_SANITIZE)
    target_compile_options(qd_flags INTERFACE
        -fsanitize=${QD_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(qd_flags INTERFACE -fsanitize=${QD_SANITIZE})
endif()
