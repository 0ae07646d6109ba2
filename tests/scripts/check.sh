# SPDX-License-Identifier: MIT
#
# Common to the test scripts of programs: a folder dir of their own, failed (the exit code), checks,
# and what they read tables with.
export KB_TMPDIR="${KB_TMPDIR-$TMPDIR}" # of a script that runs another, too
dir=$(TMPDIR=$KB_TMPDIR mktemp -d) && : >"$dir/out" && : >"$dir/err" || exit 2
trap 'rm -rf "$dir"' EXIT
# what is tested has a folder whose name a shell takes apart
export TMPDIR="$dir/t m'p\"\$x"
mkdir "$TMPDIR" || exit 2
failed=0
reader=$(realpath -m "${build:-build}/rows") # of tables
patience=600 # [s] after which a program is taken to hang, however many others run
# in other languages sort -n leaves out the commas of a table, as between thousands; and the command
# that make hands to programs is on their screens
export LC_ALL=C
unset KB_COMMAND
# a bench of a test waits for none but those of its own
export KB_LOCK="$dir/lock"

ok() { # ok WHAT COMMAND...: the command must succeed
    what=$1
    shift
    if "$@"; then
        echo "ok - $what"
    else
        echo "not ok - $what ($*)"
        sed 's/^/    /' "$dir/out" "$dir/err" | head -40
        failed=1
    fi
}

code() { # code EXPECTED PROGRAM ARGUMENTS...: a program of $build
    expected=$1 program=$2
    shift 2
    "$build/$program" "$@" >"$dir/out" 2>"$dir/err"
    [ $? -eq "$expected" ]
}
# catches PID SIGNAL: waits until the program catches this signal, by its number, or has ended
catches() {
    while kill -0 "$1" 2>/dev/null; do
        caught=$(sed -n 's/^SigCgt:[[:space:]]*/0x/p' "/proc/$1/status" 2>/dev/null)
        [ $((${caught:-0} >> ($2 - 1) & 1)) = 1 ] && return
        sleep 0.02
    done
}
# held SIGNAL NAME COMMAND...: this signal where the program has put a file in place that ends so;
# then its exit code is $ended
held() {
    signal=$1 name=$2
    shift 2
    held_library
    LD_PRELOAD=$dir/held.so KB_HELD=$name "$@" >"$dir/out" 2>"$dir/err" &
    pid=$!
    until grep -qs '^State:.[TZ]' "/proc/$pid/status" || ! kill -0 $pid 2>"$dir/gone"; do
        sleep 0.01
    done
    kill -s "$signal" $pid
    kill -s CONT $pid
    { wait $pid; } 2>/dev/null
    ended=$?
}
held_library() {
    [ -e "$dir/held.so" ] || "${CC:-gcc}" -shared -fPIC -O1 "$repository/tests/scripts/held.c" \
        -o "$dir/held.so" -ldl || exit 2
}
# sets sanitizer, gcc's for leaks, to be loaded before a program: does it run here?
leak_sanitizer() {
    "$repository/tests/sanitizers" leak || return
    sanitizer=$("${CC:-gcc}" -print-file-name=liblsan.so)
    echo '#include <stdlib.h>
int main(void) { volatile char *lost = malloc(7); (void)lost; lost = NULL; return 0; }' |
        "${CC:-gcc}" -x c - -o "$dir/loses" || exit 2
    LD_PRELOAD=$sanitizer "$dir/loses" >"$dir/out" 2>&1
    [ $? = 23 ] || return
    # glibc 2.39 frees memory in __tls_get_addr after a dlopen, which the sanitizer's free calls
    LD_PRELOAD=$sanitizer timeout 20 "$build/mechinfo" h2 >"$dir/out" 2>&1
    [ $? != 124 ]
}
# on_terminal PROGRAM ARGUMENTS...: the lines that are left on a terminal, and those that were
# wiped, each where it begins
on_terminal() {
    script -qec "$build/$*" /dev/null </dev/null 2>"$dir/err" | tr -d '\r' | sed 's/\x1b\[K/\n/g'
}
says() { grep -q -- "$1" "$dir/err"; }
holds() { awk "BEGIN { exit !($1) }"; }

# column FILE NAME[,NAME...] [CONDITION]: these columns of the rows that hold CONDITION, an awk
# expression on f["name"]
column() {
    "$reader" --table "$1" | awk -F'\t' -v names="$2" '
        BEGIN { n = split(names, all, ",") }
        NR == 1 { for (i = 1; i <= NF; i++) head[i] = $i; next }
        { for (i in head) f[head[i]] = $i }
        ('"${3:-1}"') {
            for (i = 1; i <= n; i++) printf "%s%s", f[all[i]], i < n ? "," : "\n"
        }'
}
# digits FILE NAME[,NAME...]: how many significant digits the longest number of these columns has
digits() {
    column "$1" "$2" | tr ',' '\n' | awk '
        { sub(/e.*/, ""); gsub(/[^0-9]/, ""); sub(/^0+/, ""); sub(/0+$/, "") }
        length > most { most = length }
        END { print most + 0 }'
}
# overlaps SAMPLES [CONDITION]: how many begin before the one before has ended (a time is of one
# step of one run; begin_s has milliseconds)
overlaps() {
    column "$1" begin_s,time_s,batch,steps "${2:-1}" | sort -g | awk -F, '
        NR > 1 && $1 < end - 0.002 { late++ }
        { end = $1 + $2 * $3 * $4 }
        END { print NR " samples, " late + 0 " overlap" }'
}
repository=$PWD
# screen NAME [FILE [BASE]]: a text, else the output of the last program, is that of
# tests/screens/NAME to the byte, but for the blanks in what json_rows.awk joins and equal rows
# (equal_rows.awk); with BASE, what diff -n says of it against that screen. KEEP=1 writes it anew
screen() {
    sed "s|$dir|DIR|g" "${2:-$dir/out}" | awk -f "$repository/tests/scripts/json_rows.awk" |
        awk -f "$repository/tests/scripts/equal_rows.awk" >"$dir/now"
    if [ "$3" ]; then
        diff -n "$repository/tests/screens/$3" "$dir/now" >"$dir/change"
        mv "$dir/change" "$dir/now"
    fi
    [ -z "$KEEP" ] || cp "$dir/now" "$repository/tests/screens/$1"
    diff "$repository/tests/screens/$1" "$dir/now" >"$dir/difference" 2>&1
    same=$?
    [ $same = 0 ] || cp "$dir/difference" "$dir/out"
    ok "$1 as it was" [ $same = 0 ]
}
