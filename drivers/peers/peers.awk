# SPDX-License-Identifier: MIT
#
# Joins the rows of a run of make peers with the errors of each code against its own tight solution.
# Reads rows between tabs: + SOLVER ENGINE RTOL N DT CPU, the processor time of each sample of all
# in turns; NAME SOLVER ENGINE RTOL ATOL N DT TIME LO HI P95 ACTIVE MAX FAILED STATUS WHY RUN MECH
# MACHINE, the cells of each code's own run and then, with NAME -, of all in turns. names, versions:
# of the codes. Writes the table csv, and prints the fastest of each solver at errors.

BEGIN {
    FS = "\t"
    peers = split(names, name, " ")
    split(versions, word, " ")
    for (i = 1; i <= peers; i++)
        version[name[i]] = word[i]
    version["cvode"] = sundials
}

# of a solver: the code whose name it begins with
function code_of(solver,    i) {
    for (i = 1; i <= peers; i++)
        if (index(solver, name[i]) == 1)
            return name[i]
    return solver ~ /^cvode/ ? "cvode" : "kinbench"
}

function error_of(p95, active) { return active == "" ? p95 : active }

$1 == "+" {
    cell = $2 SUBSEP $3 SUBSEP $4 SUBSEP $6
    for (i = ++samples[cell]; i > 1 && time[cell, i - 1] > $7 + 0; i--)
        time[cell, i] = time[cell, i - 1]
    time[cell, i] = $7 + 0
    next
}

$1 != "-" {
    if ($2 ~ /^cvode/)
        difference[$1, $7] = error_of($11, $12)
    else if ($15 == "ok") {
        own[$2, $4, $7] = error_of($11, $12)
        most[$2, $4, $7] = $13
    }
    has_own[$1] = 1
    next
}
{
    code = code_of($2)
    error = error_of($11, $12)
    mine = has_own[code] ? own[$2, $4, $7] : error
    max = has_own[code] ? most[$2, $4, $7] : $13
    cell = $2 SUBSEP $3 SUBSEP $4 SUBSEP $7
    count = samples[cell]
    cpu = count ? (time[cell, int((count + 1) / 2)] + time[cell, int(count / 2 + 1)]) / 2 : ""
    rows++
    spread = count ? time[cell, 1] "," time[cell, count] : ","
    apart = (code, $7) in difference ? difference[code, $7] : ""
    line[rows] = $17 "," $18 ",\"" $19 "\"," $6 "," $7 "," code "," version[code] "," $2 "," $3 \
        "," $4 "," $5 "," cpu "," spread "," mine "," max "," error "," apart "," $14 "," $15 \
        ",\"" $16 "\""
    key = $7 SUBSEP code "\t" $2 "\t" $3
    if (!seen[key]++)
        order[++keys] = key
    if ($15 != "ok" || $14 + 0 > 0) {
        why[key] = $16
        next
    }
    for (e = 2; e <= 6; e++)
        if (mine != "" && mine + 0 <= 10 ^ -e && max + 0 <= 1000 * 10 ^ -e) {
            us = cpu / $6 * 1e6
            if (!((key, e) in best) || us < best[key, e])
                best[key, e] = us
        }
    mech = $18 " on " $19 ", " $6 " ODEs"
}
END {
    print "run,mech,machine,n,dt_s,peer,version,solver,engine,rtol,atol,time_s,time_lo_s," \
        "time_hi_s,err_p95_active,err_max,error_ours,model_difference,failed,status,why" >csv
    for (i = 1; i <= rows; i++)
        print line[i] >csv
    print mech ", one thread: processor time of an ODE [us], fastest tolerance at an error"
    print "error: 95th percentile of max |y - ref| / (|ref| + 1e-6) over ODEs that react, ref the"
    print "tight solution of the same code"
    for (k = 1; k <= keys; k++) {
        split(order[k], part, SUBSEP)
        if (part[1] != dt) {
            dt = part[1]
            printf "\ndt %s s\n%-10s %-36s %-10s %9s %9s %9s %9s %9s\n", dt, "code", "solver", \
                "engine", "1e-2", "1e-3", "1e-4", "1e-5", "1e-6"
        }
        split(part[2], word, "\t")
        printf "%-10s %-36s %-10s", word[1], word[2], word[3]
        for (e = 2; e <= 6; e++)
            printf " %9s", (order[k], e) in best ? sprintf("%.4g", best[order[k], e]) : "-"
        print order[k] in why ? "  " why[order[k]] : ""
    }
    for (d in difference) {
        split(d, part, SUBSEP)
        printf "%s: our tight solution differs from its own by %.1e (95th percentile), dt %s s\n", \
            part[1], difference[d], part[2]
    }
}
