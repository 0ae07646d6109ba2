# SPDX-License-Identifier: MIT
#
# Is each argument NAME[=VALUE] a variable of make with a value that serves (ci/variables)? What an
# option takes is read from the table of options in its program's source (base/options.h): words
# ("static, refill") or a range ("1 to 1000", "more than 0"). Names of methods, engines and schemes
# come from the .def files from which make builds them.

function least(x, y, z) { return x < y ? (x < z ? x : z) : (y < z ? y : z) }

# number of letters to change (Levenshtein); two that are exchanged count as one
function distance(a, b,    i, j, d, swapped) {
    for (i = 0; i <= length(a); i++) d[i, 0] = i
    for (j = 0; j <= length(b); j++) d[0, j] = j
    for (i = 1; i <= length(a); i++)
        for (j = 1; j <= length(b); j++) {
            d[i, j] = least(d[i - 1, j] + 1, d[i, j - 1] + 1,
                d[i - 1, j - 1] + (substr(a, i, 1) != substr(b, j, 1)))
            swapped = substr(b, j, 1) substr(b, j - 1, 1)
            if (i > 1 && j > 1 && substr(a, i - 1, 2) == swapped)
                d[i, j] = least(d[i, j], d[i - 2, j - 2] + 1, d[i, j])
        }
    return d[length(a), length(b)]
}

# " (did you mean B?)" for the nearest of the words, if one is near
function hint(a, words, fold,    n, list, i, d, best, found) {
    best = length(a) < 5 ? 2 : 3
    if (fold)
        a = toupper(a)
    n = split(words, list)
    for (i = 1; i <= n; i++)
        if ((d = distance(a, list[i])) < best) {
            best = d
            found = list[i]
        }
    return found == "" ? "" : " (did you mean " found "?)"
}

function has(words, word,    n, list, i) {
    n = split(words, list)
    for (i = 1; i <= n; i++)
        if (list[i] == word)
            return 1
    return 0
}

function refuse(text) {
    print "make: " text >"/dev/stderr"
    wrong++
}

# what a regular expression with one group in the middle finds in each line of a file
function names(file, before, behind,    line, found) {
    while ((getline line <file) > 0)
        if (match(line, before)) {
            line = substr(line, RSTART + RLENGTH)
            if (match(line, behind))
                found = found " " substr(line, 1, RSTART - 1)
        }
    close(file)
    return found
}

function choice(name, word, words) {
    if (!has(words, word))
        refuse(name "=" value[name] ": there is no '" word "'" hint(word, words, 0) "; there are" \
            words)
}

# an engine that is there, but not in this build
function engine(name, word,    built) {
    choice(name, word, engines)
    built = built_by[word]
    if (word ~ /^gpu-/ && built != "" && ENVIRON["NVCC"] == "")
        refuse(name "=" value[name] ": " word " is not built here (no nvcc, no GPU or CUDA=0)")
    else if (built ~ /./ && built !~ /^(always|never)$/ && !has(parted(value["VARIANTS"]), built))
        refuse(name "=" value[name] ": " word " is built with VARIANTS=" built)
}

# solvers/engines.def: names, what builds each, words of VARIANTS=
function read_engines(file,    line, part) {
    while ((getline line <file) > 0) {
        if (line !~ /^ENGINE/)
            continue
        split(line, part, /[(), ]+/)
        engines = engines " " part[3]
        built_by[part[3]] = part[7]
        if (part[7] !~ /^(always|never)$/ && !has(variants, part[7]))
            variants = variants " " part[7]
    }
    close(file)
}

function parted(list) { gsub(/, ?/, " ", list); return list }

# name[:option=value]...[@engine]
function solver(name, word,    n, part, i, option) {
    if (sub(/@.*/, "", word) && name != "CHEMISTRY")
        refuse(name "=" value[name] ": '@' is of CHEMISTRY= alone")
    n = split(word, part, ":")
    choice(name, part[1], solvers)
    if (value["METHODS"] != "" && has(methods, part[1]) &&
        !has("rodas4 " parted(value["METHODS"]), part[1]))
        refuse(name "=" value[name] ": METHODS=" value["METHODS"] " builds no " part[1])
    for (i = 2; i <= n; i++) {
        option = part[i]
        if (!sub(/=.*/, "", option) || !is_number(substr(part[i], length(option) + 2)))
            refuse(name "=" value[name] ": '" part[i] "' is no option=number")
        else if (!has(options, option))
            refuse(name "=" value[name] ": no solver has an option '" option "'" \
                hint(option, options, 0))
    }
}

# FILE.so[:option=value]..., unless make builds it
function plug_in(name, word,    line) {
    sub(/\.so(:.*)?$/, ".so", word)
    if (word !~ /^(\.\/)?build\// && (getline line <word) < 0)
        refuse(name "=" value[name] ": there is no file " word)
    close(word)
}

function is_number(text) { return text ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/ }

# a number in the range of the option
function number(name, word, range, whole, most,    low) {
    if (match(range, /, or [a-z]+/) && word == substr(range, RSTART + 5, RLENGTH - 5))
        return
    sub(/, or .*/, "", range)
    split(range, low, / to |from |more than |, at most /)
    if (!is_number(word))
        refuse(name "=" value[name] ": '" word "' is no number")
    else if (range ~ / to / ? word + 0 < low[1] + 0 || word + 0 > low[2] + 0 : \
             range ~ /^more/ ? word + 0 <= low[2] + 0 || (low[3] != "" && word + 0 > low[3] + 0) : \
             word + 0 < low[2] + 0)
        refuse(name "=" value[name] ": '" word "' is not in its range: " range)
    else if (word + 0 > most)
        refuse(name "=" value[name] ": '" word "' is too large")
    else if (whole && word !~ /^[0-9]+$/)
        refuse(name "=" value[name] ": '" word "' is no whole number")
}

# reads the options of a program into takes[], kind[] and range[]
function read_options(file,    list, line, field) {
    list = "awk -f ci/options.awk " file
    while ((list | getline line) > 0)
        if (split(line, field, "\t") && field[3] != "0" && !(field[2] in kind)) {
            takes[field[2]] = field[3]
            kind[field[2]] = field[4]
            range[field[2]] = field[5]
        }
}

# the variable of each option is its name in capitals, but for these
function option_of(name) {
    if (name in renamed)
        name = renamed[name]
    name = tolower(name)
    gsub(/_/, "-", name)
    return name
}

function check(name,    option, list, n, i, words, before, line) {
    option = option_of(name)
    n = split(value[name], list, ",")
    if (has("METHODS GPU_METHODS VARIANT_METHODS", name)) {
        for (i = 1; i <= n; i++)
            choice(name, list[i], methods (name == "METHODS" ? cvodes : ""))
        return
    }
    for (i = 1; i <= n; i++)
        if (name == "LEVELS")
            choice(name, list[i], " v2 v3 v4")
        else if (name == "VARIANTS")
            choice(name, list[i], variants)
    if (has(ENVIRON["SWITCHES"], name) && value[name] !~ /^[01]?$/)
        refuse(name "=" value[name] ": it is 1 or 0")
    if (value[name] == "")
        return
    if (name == "RANKS")
        number(name, value[name], "from 1", 1, 1e6)
    if (name == "FORMAT" && !(option in kind))
        choice(name, value[name], " json")
    if (kind[option] == "NAME" && value[name] ~ /\// && ENVIRON["GOALS"] !~ /report/)
        refuse(name "=" value[name] ": it is the name of a folder, without a slash")
    if (!(option in kind))
        return
    if (takes[option] != "LIST" && takes[option] !~ /,/) {
        n = 1
        list[1] = value[name]
    }
    words = range[option]
    gsub(/,/, "", words)
    before = wrong
    for (i = 1; i <= n && wrong == before; i++) {
        sub(/%$/, "", list[i])
        if (list[i] == "")
            refuse(name "=" value[name] ": it has an empty word")
        else if (option == "solvers" || option == "chemistry") {
            if (list[i] ~ /\.so(:|$)/)
                plug_in(name, list[i])
            else if (value[name] !~ /\.so/)
                solver(name, list[i])
        } else if (option == "engines") {
            if (value["SOLVERS"] !~ /\.so/)
                engine(name, list[i])
        } else if (option == "scheme") {
            choice(name, list[i], schemes)
        } else if (option == "case") {
            if (list[i] !~ /\.json$/)
                choice(name, list[i], cases)
            else if ((getline line <list[i]) < 0)
                refuse(name "=" value[name] ": there is no such file")
        } else if (kind[option] ~ /^(INT|LONG|NUMBER|COUNTS|NUMBERS)$/) {
            number(name, list[i], range[option], kind[option] !~ /NUMBER/,
                kind[option] ~ /S$/ ? 1e15 : 1e308)
        } else if (words != "") {
            choice(name, list[i], " " words)
        }
    }
}

BEGIN {
    for (i = 1; i < ARGC; i++) {
        name[i] = ARGV[i]
        sub(/=.*/, "", name[i])
        if (name[i] != "--" && !has(ENVIRON["USED"], name[i]) && name[i] !~ \
            /^(KB_.*|OMP_.*|CUDA_.*|CCACHE_.*|LC_.*|FORMATS|NO_COLOR|TMPDIR|PATH)$/)
            refuse("no variable " name[i] hint(name[i], ENVIRON["DOCUMENTED"], 1) \
                "; make help lists them")
    }
    if (wrong)
        exit 2
    methods = names("solvers/methods.def", "^METHOD\\(", "\\)")
    cvodes = names("solvers/cvode/cvode.c", "^SOLVER\\([a-z_]*, \"", "\"")
    solvers = methods cvodes " auto all"
    read_engines("solvers/engines.def")
    read_engines("solvers/papers/engines.def")
    engines = engines " all"
    schemes = names("flow/scheme/schemes.def", "^(SCHEME|ONE_GAS)\\(", ",")
    list = "echo datasets/cases/*.json"
    list | getline cases
    close(list)
    gsub(/datasets\/cases\/|\.json/, "", cases)
    cases = " " cases " list"
    list = "grep -rohE --include=*.[ch]* '\"[a-z_0-9]+\", \"' solvers"
    while ((list | getline line) > 0)
        options = options " " substr(line, 2, length(line) - 5)
    options = options " rtol atol"
    close(list)
    split("SCHEDULE ORDER SYSTEMS SCALING_SOLVERS P T", from)
    split("schedules orders n solvers pressure temperature", to)
    for (i in from)
        renamed[from[i]] = to[i]
    n = split(ENVIRON["GOALS"], goal)
    for (i = 1; i <= n; i++)
        if (goal[i] ~ /^(flow|flow-bench)$/)
            read_options("drivers/flow/settings.c")
        else if (goal[i] ~ /^(kernels|detonation|mechinfo|compare|history|dbinfo|roofline)$/)
            read_options("drivers/" goal[i] ".c")
    if (ENVIRON["GOALS"] !~ /flow|detonation/)
        read_options("drivers/bench/settings.c")
    for (first = 1; first < ARGC; first = last + 1) {
        split("", value)
        for (last = first; last < ARGC && name[last] != "--"; last++)
            value[name[last]] = substr(ARGV[last], length(name[last]) + 2)
        for (i = first; i < last; i++)
            check(name[i])
    }
    exit wrong ? 2 : 0
}
