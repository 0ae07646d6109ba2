# Completion of kinbench's programs, whatever the path they are called by: options, then files. The
# lines before this one come from the option tables (make manual).
_kinbench() {
    local program=${1##*/} word=$2
    local options=_kinbench_$program
    if [[ $program == kinbench && $COMP_CWORD -gt 1 ]]; then
        options=_kinbench_${COMP_WORDS[1]//-/_}
    elif [[ $program == kinbench && $word != -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "help $_kinbench_commands" -- "$word")
        return
    fi
    COMPREPLY=()
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "${!options}" -- "$word")
        [[ ${COMPREPLY[*]} == *= ]] && compopt -o nospace
    else
        compopt -o default
    fi
}
# shellcheck disable=SC2086
complete -F _kinbench $_kinbench_programs
