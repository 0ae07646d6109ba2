# make bench without a choice of its own: the methods that matter, refill, at tolerances enough for
# errors of 1e-2 to 1e-8; CVODE at half decades as the yardstick; and one method in both orders,
# schedules and on every engine, for what these cost. Only this is built. With a CHOICE: all.

CHOICES := SOLVERS ENGINES SCHEDULES SCHEDULE ORDER THREADS RTOL ATOL STEPS CHAIN VARIANTS
QUICK := $(if $(filter bench plan,$(MAKECMDGOALS)),$(if $(filter 1,$(FULL))$(strip $(foreach \
    v,$(CHOICES),$(call given,$v,x))),,1))

QUICK_METHODS := $(or $(call blanks,$(ONLY_METHODS)),rodas3 rodas4 rodas5p radau2a exprb43)
QUICK_N := $(call fitting,$(if $(GPU),4096,256))
CVODE_RTOL := 1e-2,3e-3,1e-3,3e-4,1e-4,3e-5,1e-5,3e-6,1e-6,3e-7,1e-7,3e-8,1e-8,3e-9,1e-9
# absolute tolerances: 1e-6 of the relative ones
atol_of = $(shell echo $(1) | LC_ALL=C awk -v RS=, \
    '{ printf "%s%g", (NR == 1 ? "" : ","), $$1 * 1e-6 }')
QUICK_ALSO = \
    --also 'solvers=cvode engines=cpu-scalar$(MANY) rtol=$(CVODE_RTOL) \
atol=$(call atol_of,$(CVODE_RTOL))' \
    --also 'solvers=$(firstword $(filter rodas4,$(QUICK_METHODS)) $(QUICK_METHODS)) engines=all \
schedules=static,refill orders=generated,shuffled rtol=1e-4 atol=1e-10'

# a folder of its own; a recipe may name another solver than those
RECIPE_SOLVER := $(if $(RECIPE),$(call recipe_value,solver,$(RECIPE)))
SET := $(if $(and $(QUICK),$(filter $(QUICK_METHODS) rodas4 cvode,$(or \
    $(RECIPE_SOLVER),rodas4))),$(if $(ONLY_METHODS),$(subst \
    $(space),-,$(strip $(QUICK_METHODS))),quick)/)

# on all processors, which a make for each dt shares, and with a count of what is left
ifeq ($(if $(filter bench plan verify smoke compare which-integrator, \
    $(MAKECMDGOALS)),$(MAKELEVEL)$(filter -j% --jobserver%,$(MAKEFLAGS))),0)
MAKEFLAGS += -j$(shell nproc)
endif
export COUNTER := $(if $(filter 1,$(V)),,$(if $(filter bench plan \
    verify,$(MAKECMDGOALS)),$(BUILD)/steps))

DRAW_OR_SAY = if command -v gnuplot >/dev/null; then plots/draw >/dev/null && \
    echo "pictures:   plots/out/$$(basename "$$(realpath results/latest)")/"; else \
    echo "pictures:   none, since gnuplot is missing; with it, make figures draws this run"; fi
