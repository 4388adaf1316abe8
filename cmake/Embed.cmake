# qd_embed(<target> FILES NAME=PATH...): compiles files into <target> as the table that base/embed.h reads.
# The bytes are taken in by the assembler's .incbin, so a change of a file rebuilds one small object.
function(qd_embed target)
    cmake_parse_arguments(E "" "" "FILES" ${ARGN})
    set(text "#include \"base/embed.h\"\n")
    set(rows "")
    set(deps "")
    set(i 0)
    foreach(pair IN LISTS E_FILES)
        string(REGEX MATCH "^([^=]+)=(.+)$" _ "${pair}")
        set(name "${CMAKE_MATCH_1}")
        set(path "${CMAKE_MATCH_2}")
        string(APPEND text
            "__asm__(\".section .rodata\\n.balign 16\\nqd_embed_${i}:\\n"
            ".incbin \\\"${path}\\\"\\nqd_embed_${i}_end:\\n.byte 0\\n.previous\\n\");\n"
            "extern const unsigned char qd_embed_${i}[] __attribute__((visibility(\"hidden\")));\n"
            "extern const unsigned char qd_embed_${i}_end[] __attribute__((visibility(\"hidden\")));\n")
        string(APPEND rows "    { \"${name}\", qd_embed_${i}, qd_embed_${i}_end },\n")
        list(APPEND deps "${path}")
        math(EXPR i "${i} + 1")
    endforeach()
    string(APPEND text "const struct embed_row embed_rows[] = {\n${rows}};\n"
        "const size_t embed_n_rows = ${i};\n")
    set(out ${CMAKE_CURRENT_BINARY_DIR}/embed_table.c)
    file(CONFIGURE OUTPUT ${out} CONTENT "${text}" @ONLY)
    set_source_files_properties(${out} PROPERTIES OBJECT_DEPENDS "${deps}")
    target_sources(${target} PRIVATE ${out})
endfunction()
