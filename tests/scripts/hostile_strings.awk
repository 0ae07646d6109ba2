# SPDX-License-Identifier: MIT
#
# Texts that some program would run if it took them for a part of a program of its own: forms of
# running kbcN, N the number of the line, between quotes of several kinds. names=1: those that can
# be the name of a file. Used by test_hostile.sh.

function add(text) { form[++forms] = text }

BEGIN {
    # shells and gnuplot
    add("`@`"); add("$(@)"); add("${x:-`@`}"); add(";@;"); add("|@"); add("| @ |"); add("&@&")
    add("&&@"); add("||@"); add("<(@)"); add(">`@`"); add("<@"); add("< @"); add("!@"); add("%@")
    add("{@}"); add("@m@"); add("#`@`"); add("$IFS`@`"); add("~`@`"); add("*`@`[a-z]?")
    add("x$(@${IFS}a)z"); add("\\140@\\140"); add("\\044(@)"); add("\\n!@\\n"); add("%s%n%d`@`")
    add("system(\"@\")"); add("\".system(\"@\").\""); add("'.system(\"@\").'"); add("\\\"`@`\\")
    add("a\"; system(\"@\"); b=\""); add("'; !@; '"); add("'$(@)'"); add("]=system('@')")
    # make, options, assignments of awk
    add("$(shell @)"); add("${shell @}"); add("$$(shell @)"); add("$(eval x:=$(shell @))")
    add("--eval=$(shell @)"); add("-e system('@')"); add("-`@`"); add("--"); add("a=`@`")
    add("heading=`@`"); add("-v x=`@`"); add("-f@"); add("x:\t@"); add("%: ; @")
    # HTML, Markdown, tables
    add("<script>@</script>"); add("<img src=x onerror=@>"); add("\"><svg onload=@>")
    add("javascript:@"); add("</title></pre><script>`@`</script>"); add("<!-- /x --> `@`")
    add("[x](javascript:@)"); add("a,b,`@`"); add("=cmd|'@'!A1"); add("a|b|`@`")
    # paths
    add("../../`@`"); add("/`@`"); add("./@"); add("..")
    split("@|x'@'|x\"@\"|'\"@\"'", around, "|")
    for (k = 1; k <= forms; k++)
        for (j = 1; j <= 4; j++) {
            text = around[j]
            at = index(text, "@")
            text = substr(text, 1, at - 1) form[k] substr(text, at + 1)
            n++
            while (at = index(text, "@"))
                text = substr(text, 1, at - 1) "kbc" n substr(text, at + 1)
            if (names && (text ~ /^[.]*$/))
                continue
            if (names)
                gsub(/\//, "_", text)
            print text
        }
}
