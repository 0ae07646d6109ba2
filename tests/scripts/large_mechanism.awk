# SPDX-License-Identifier: MIT
#
# A made-up mechanism of n species that are all argon: each reacts with some of the first `hubs`,
# whose rows and columns fill the dense tail of the factors. Usage: awk -v n= -v hubs= -f THIS
function hub(i) { return 1 + i % hubs }
BEGIN {
    print "units: {length: cm, time: s, quantity: mol, activation-energy: cal/mol}"
    print "phases:\n- name: gas\n  thermo: ideal-gas\n  elements: [Ar]\n  kinetics: gas"
    printf "  species: [S1"
    for (i = 2; i <= n; i++) printf ", S%d", i
    print "]\n  state: {T: 300.0, P: 1 atm}\nspecies:"
    for (i = 1; i <= n; i++) {
        printf "- name: S%d\n  composition: {Ar: 1}\n  thermo:\n    model: NASA7\n", i
        print "    temperature-ranges: [200.0, 1000.0, 6000.0]\n    data:"
        for (k = 0; k < 2; k++) printf "    - [2.5, 0.0, 0.0, 0.0, 0.0, -%d.0, 4.0]\n", 700 + i
    }
    print "reactions:"
    for (i = 1; i <= n; i++)
        for (k = 1; k <= 6; k++) {
            printf "- equation: S%d + S%d <=> S%d + S%d\n", i, hub(i * k), 1 + i % n,
                hub((i + 7) * k)
            printf "  rate-constant: {A: 1.0e+12, b: 0.0, Ea: %d.0}\n", 1000 * k
        }
}
