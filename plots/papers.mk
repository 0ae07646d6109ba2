# Figures of the papers (datasets/figures.tsv), the experiments behind them
# (datasets/experiments.tsv), and what orders cost.

RESULTS ?= results/h200
figures:
ifneq ($(PAPER)$(FIG),)
	@plots/papers/draw $(RESULTS) '$(PAPER:all=)' '$(FIG)'
else
	@plots/draw
endif

#: make experiment E=e3      measures one experiment of datasets/experiments.tsv: BUDGET= REPEATS=;
#:                           PLAN=1 says cells and time, and builds nothing
#: make reproduce PAPER=     all experiments that a paper's figures and claims need (all papers
#:                           without it)
MEASURE = PLAN=$(PLAN) $(call given,BUDGET,BUDGET=$(BUDGET)) \
    $(call given,REPEATS,REPEATS=$(REPEATS)) MAKE='$(MAKE)' plots/papers/experiment
experiment: $(if $(PLAN),,$(BUILD)/env)
	+@$(MEASURE) 'E=$(E)'

reproduce: $(if $(PLAN),,$(BUILD)/env)
	+@$(MEASURE) 'PAPER=$(PAPER)'

#: make stale                runs of RESULTS=results/h200 whose sources have changed since
stale: $(BUILD)/rows
	@plots/papers/stale $(or $(RESULTS),results/h200)
.PHONY: stale

#: make orders MECH=h2co     sorted against shuffled: every order, static and refill, on every
#:                           engine: RECIPE= N= DT= SOLVERS= BUDGET= REPEATS=
# a second make, whose N decides how many states the database has
orders:
	@$(MAKE) --no-print-directory orders-run \
	    N=$(or $(call given,N,$(N)),$(if $(GPU),65536,4096)) \
	    SOLVERS=$(or $(call given,SOLVERS,$(SOLVERS)),$(ONLY_METHODS),rodas4$(comma)radau2a$(comma)rkc)

orders-run: ORDER := all
orders-run: SCHEDULES := static,refill
orders-run: THREADS := 1
orders-run: LABEL := orders
orders-run: $(BUILD)/bench $(BUILD)/dbinfo solvers $(DB)
	@test -s $(DB:.npy=.cost.npy) || $(BUILD)/dbinfo $(DB) \
	    --dt $(firstword $(subst $(comma), ,$(DT))) --write-cost --no-costs \
	    $(call given,MECH,--mech $(MECH) --solvers-file $(SOLVERS_SO)) >/dev/null
	@$(BUILD)/bench $(BENCH_OPTIONS) --brief
	@plots/orders

# docs/reproduction.md from the committed results
REPRODUCTION := docs/reproduction.md
reproduction:
	@plots/papers/reproduction results/h200 >$(REPRODUCTION).new
	@mv $(REPRODUCTION).new $(REPRODUCTION)

.PHONY: experiment reproduce orders orders-run reproduction

# pictures of README.md from the committed results
PICTURES := plots/out/readme
pictures:
	@mkdir -p $(PICTURES)
	@plots/verify results/h200/verify-gri30 >/dev/null
	@cp plots/out/verify-gri30/verify.svg docs/gri30-verify-h200.svg
	@plots/scaling scaling-gri30 $(PICTURES)/efficiency.csv results/h200x2/scaling-gri30/1 \
	    results/h200x2/scaling-gri30/*-* >/dev/null
	@plots/figure $(PICTURES)/ranks curves heading="GRI 3.0: efficiency of ranks with a GPU each" \
	    select="scaling=strong n=524288 engine=gpu-pair" panel=kind x=ranks y=efficiency \
	    style=curves logx=1 xname=ranks yname=efficiency -- run=scaling-gri30 \
	    plots/out/scaling-gri30/measured.csv
	@cp $(PICTURES)/ranks.svg docs/ranks-h200.svg
.PHONY: pictures
