# Subset fonts made at build time from Debian's fonts-roboto-unhinted with hb-subset (fonts/README.md).
find_program(HB_SUBSET hb-subset REQUIRED)
set(roboto /usr/share/fonts/truetype/roboto/unhinted/RobotoTTF)
set(ranges "U+0020-007E,U+00A0-017F,U+0370-03FF,U+0400-045F,U+2009,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+202F,U+2030,U+2032,U+2033,U+2070,U+2074-2079,U+207B,U+2080-2089,U+20AC,U+2122,U+2126,U+2206,U+2212,U+221A,U+221E,U+2248,U+2260,U+2264,U+2265")
set(QD_FONT_PAIRS "")
set(made "")
foreach(pair sans-400=Roboto-Regular sans-500=Roboto-Medium)
    string(REGEX MATCH "^([^=]+)=(.+)$" _ ${pair})
    set(name ${CMAKE_MATCH_1})
    set(source ${roboto}/${CMAKE_MATCH_2}.ttf)
    if(NOT EXISTS ${source})
        message(FATAL_ERROR "font not found: ${source} (Debian package fonts-roboto-unhinted; scripts/install-deps installs it)")
    endif()
    set(out ${CMAKE_BINARY_DIR}/fonts/${name}.ttf)
    add_custom_command(OUTPUT ${out}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/fonts
        COMMAND ${HB_SUBSET} --unicodes=${ranges} --output-file=${out} ${source}
        DEPENDS ${source} COMMENT "subset ${name}" VERBATIM)
    list(APPEND made ${out})
    list(APPEND QD_FONT_PAIRS "fonts/${name}.ttf=${out}")
endforeach()
add_custom_target(qd_fonts DEPENDS ${made})
