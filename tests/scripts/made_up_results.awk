# SPDX-License-Identifier: MIT
#
# For each line of datasets/experiments.tsv the cells.csv and divergence.csv that it would measure,
# below the folder `out`. One core takes 1 us an ODE, 6 and 16 cores a 5th and a 12th of it, a GPU
# 1e-4 s and 1e-8 s an ODE, twice as much with shuffled states. RKC of USC II was ended at its
# budget on the GPU.

BEGIN {
    FS = "\t"
    cells_head = "schema,run,machine,git,dirty,mech,nsp,steps,order,n,dt_s,solver,engine," \
        "schedule,threads,lanes,rtol,atol,repeats,time_s,time_lo_s,time_hi_s,copy_in_s,kernel_s," \
        "copy_out_s,ode_per_s,err_p50,err_p95,err_max,steps_mean,steps_max,rejected_mean," \
        "rhs_mean,jac_mean,lu_mean,solve_mean,D_rhs,D_steps,lane_use,failed,status,why"
    divergence_head = "key,order,n,dt_s,solver,engine,schedule,threads,rtol,atol,lanes,lane_use," \
        "measure,D,slow_down,slow_down_refill,against,differ,D_against,histogram,lo,hi,count"
}

function field(name,    i) {
    for (i = 1; i <= words; i++)
        if (index(word[i], name "=") == 1)
            return substr(word[i], length(name) + 2)
    return ""
}

function seconds(engine, order, n, threads) {
    if (engine ~ /^gpu/)
        return 1e-4 + 1e-8 * n * (order == "shuffled" ? 2 : 1)
    return 1e-6 * n / (threads == "6" ? 5 : threads == "all" ? 12 : 1)
}

function cell(solver, engine, order, n, dt, threads,    gpu, t, rtol, key, id, m) {
    gpu = engine ~ /^gpu/
    t = seconds(engine, order, n, threads)
    rtol = index(solver, "rtol=") ? substr(solver, index(solver, "rtol=") + 5) + 0 : 1e-6
    sub(/:rtol=[^:]*/, "", solver)
    sub(/:atol=[^:]*/, "", solver)
    threads = gpu ? 64 : threads == "all" ? 16 : threads
    key = sprintf("%s,%d,%g,%s,%s,static,%d", order, n, dt, solver, engine, threads)
    printf("1,%s,made-up,0123456789,0,%s,%d,%d,%s,%d,%g,%g,", run, mech, 10 * length(mech), \
        field("STEPS") == "" ? 1 : field("STEPS"), key, gpu ? 32 : 1, rtol, rtol * 1e-6) >file
    if (engine == "gpu-thread" && run ~ /^e[45]-/) {
        print "0,,,,,,,,,,,,,,,,,,,,,0,skipped,one run of " n " ODEs took longer than the " \
            "budget of 40 s" >file
        return
    }
    printf("3,%g,%g,%g,1e-5,%g,2e-5,%g,1e-9,1e-7,1e-5,", t, 0.9 * t, 1.2 * t, t, n / t) >file
    printf("2,%d,0,10,1,1,6,0.9,0.9,1,0,ok,\n", dt >= 1e-4 ? 40 : 2) >file
    id = key
    gsub(/,/, "-", id)
    for (m = 0; m < 2 && (n == 65536 || n == 131072); m++)
        printf("%s%d,%s,%g,%g,32,1,%s,0.8,1.5,1.1,,,,warp,0.75,0.78125,2048\n", id, m, key, \
            rtol, rtol * 1e-6, m ? "steps" : "rhs") >divergence
}

function all_cells(    list, s, e, o, d, t, n, a, b, c, g, h, i) {
    n = split(field("N"), list, ",")
    split(field("SOLVERS"), s, ",")
    split(field("ENGINES"), e, ",")
    split(field("ORDER"), o, ",")
    split(field("DT"), d, ",")
    split(field("THREADS"), t, ",")
    for (a = 1; a <= n; a++)
        for (b in s) for (c in e) for (g in o) for (h in d) for (i in t)
            if (e[c] !~ /^gpu/ || i == 1)
                cell(s[b], e[c], o[g], list[a], d[h], t[i])
}

# four slices, each copied while the one before is computed
function timeline(folder,    k) {
    print "order,n,dt_s,solver,engine,schedule,threads,rtol,atol,slice,slice_first,slice_n," \
        "copy_in_s,kernel_s,copy_out_s,done_s" >(folder "/timeline.csv")
    for (k = 0; k < 4; k++)
        printf("shuffled,1048576,1e-6,radau2a:slice=262144,gpu-block,static,128,1e-8,1e-15,%d,%d," \
            "262144,%g,%g,%g,%g\n", k, k * 262144, 0.001 * k, 0.001 * k + 0.0005, \
            0.001 * k + 0.0015, 0.001 * k + 0.0017) >(folder "/timeline.csv")
}

$2 == "bench" {
    words = split($3, word, " ")
    mech = field("MECH")
    if (!($1 in first))
        first[$1] = mech
    run = mech == first[$1] ? $1 : $1 "-" mech
    system("mkdir -p " out "/" run)
    file = out "/" run "/cells.csv"
    divergence = out "/" run "/divergence.csv"
    if (!started[run]++) {
        print cells_head >file
        print divergence_head >divergence
        if (run ~ /^e12/)
            timeline(out "/" run)
    }
    all_cells()
}
