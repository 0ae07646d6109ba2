# SPDX-License-Identifier: MIT
#
# Sourced by the scripts of plots/: a folder $dir of their own, and how names and texts that come
# from files reach gnuplot, awk and a shell: as data, in files of fixed names, and never as a part
# of a program.
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
# gnuplot needs a locale with a degree sign
export LC_ALL=C.UTF-8

# plain PATH: the same path, but neither an option nor, for awk, an assignment
plain() {
    case $1 in
    /*) printf '%s\n' "$1" ;;
    -* | *=*) printf './%s\n' "$1" ;;
    *) printf '%s\n' "$1" ;;
    esac
}

# word TEXT: as one word of a shell, for a command that someone may copy
word() {
    case $1 in
    '' | *[!A-Za-z0-9_@%+=:,./-]*)
        printf "'%s'\n" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
        ;;
    *) printf '%s\n' "$1" ;;
    esac
}

rows=${KB_BUILD:-build}/rows
# fields FILE NAME: of each row of a table
fields() { "$rows" --table "$1" --columns "$2"; }
need_rows() {
    [ -x "$rows" ] || { echo "plots: error: $rows is missing (make $rows)" >&2; exit 2; }
}

# need_gnuplot COMMAND WORD...: without gnuplot, says what draws later and ends with 0
need_gnuplot() {
    ! command -v gnuplot >/dev/null || return 0
    again=$1
    shift
    for argument; do
        again="$again $(word "$argument")"
    done
    echo "no figure: gnuplot is missing (apt-get install gnuplot-nox); with it: $again" >&2
    exit 0
}

# figures_of RUN GOAL FILE...: what the figures of a run need, or the end; sets run, name and out,
# where they go
figures_of() {
    run=$(plain "$1") goal=$2
    shift 2
    for file; do
        [ ! -s "$run/$file" ] || continue
        echo "$0: error: $run/$file is not there (make $goal MECH=... makes one)" >&2
        exit 2
    done
    need_gnuplot "$0" "$run"
    export FORMATS="${FORMATS:-svg png pdf}"
    name=$(basename "$(realpath -- "$run")")
    out=plots/out/$name
    mkdir -p "$out" || exit 2
    need_rows
}

# judged PROGRAM WORD...: what compare or history finds, in $dir/rows and $out/cells.csv; sets out
judged() {
    need_rows
    out=plots/out/$1
    mkdir -p "$out" || exit 2
    "${KB_BUILD:-build}/$@" --format csv >"$dir/cells"
    case $? in
    0 | 1 | 4 | 5) ;;
    *) exit 2 ;;
    esac
    deliver "$dir/cells" "$out/cells.csv" && "$rows" --table "$out/cells.csv" >"$dir/rows" || exit 2
}

# Texts for gnuplot (plots/texts.gp reads them), a byte 1 behind each: what is no UTF-8 is left out,
# and so are control characters but the end of a line. add_text TEXT...
add_text() {
    for text; do
        printf '%s' "$text" | iconv -c -f UTF-8 -t UTF-8 | tr -d '\001-\011\013-\037\177'
        printf '\001'
    done >>"$dir/texts"
}

# absolute FOLDER: its whole path
absolute() { (cd -- "$1" && pwd); }

# without_empty_groups SVG: nor gnuplot's expressions, which a browser shows as titles of curves
without_empty_groups() {
    awk '/^\t*<g [^<]*>(<title>.*<\/title>)?$/ { sub(/<title>.*/, ""); opened[++n] = $0; next }
        /^\t*<\/g>$/ && n > 0 { n--; next }
        { for (i = 1; i <= n; i++) print opened[i]; n = 0; print }' "$1" >"$1.part" &&
        mv -- "$1.part" "$1"
}

# deliver FILE TO: a file of $dir becomes TO, which is whole or as it was
deliver() {
    why=$({ cp -- "$1" "$2.new" && mv -- "$2.new" "$2"; } 2>&1) && return
    rm -f -- "$2.new"
    echo "$0: error: $2: not written: $why" >&2
    return 2
}

# paint SCRIPT FILE FORMAT [NUMBER...]: runs a script of plots/ inside $dir, where it knows the
# names of its files, with the format and numbers as ARG1, ARG2...; FILE.FORMAT is the picture
paint() {
    script=$1 file=$2 format=$3
    shift 3
    [ -e "$dir/plots" ] || ln -s "$PWD/plots" "$dir/plots"
    : >>"$dir/texts"
    (cd "$dir" && gnuplot -c "plots/$script" "$format" "$@") || return
    [ "$format" != svg ] || without_empty_groups "$dir/picture.svg" || return
    deliver "$dir/picture.$format" "$(plain "$file").$format"
}
