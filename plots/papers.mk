# Figures of the papers, and the experiments behind them (datasets/figures.tsv, datasets/experiments.tsv).

RESULTS ?= results/h200
figures:
ifneq ($(PAPER)$(FIG),)
	@plots/papers/draw $(RESULTS) '$(PAPER:all=)' '$(FIG)'
else
	@plots/draw
endif

#: make experiment E=e3      measures one experiment of datasets/experiments.tsv; PLAN=1 says cells and time; BUDGET= REPEATS=
#: make reproduce PAPER=     all experiments that a paper's figures need (without PAPER= those of all papers)
experiment: $(BUILD)/env
	@PLAN=$(PLAN) $(call given,BUDGET,BUDGET=$(BUDGET)) $(call given,REPEATS,REPEATS=$(REPEATS)) \
	    MAKE='$(MAKE)' plots/papers/experiment 'E=$(E)'

reproduce: $(BUILD)/env
	@PLAN=$(PLAN) $(call given,BUDGET,BUDGET=$(BUDGET)) $(call given,REPEATS,REPEATS=$(REPEATS)) \
	    MAKE='$(MAKE)' plots/papers/experiment 'PAPER=$(PAPER)'
.PHONY: experiment reproduce

#: make orders MECH=h2co     sorted against shuffled: every order, static and refill, on every engine; RECIPE= N= DT= SOLVERS= BUDGET=
# a second make, whose N decides how many states the database has
orders:
	@$(MAKE) --no-print-directory orders-run N=$(call given,N,$(N))$(if $(call given,N,1),,$(if $(GPU),65536,4096)) \
	    SOLVERS=$(call given,SOLVERS,$(SOLVERS))$(if $(call given,SOLVERS,1),,rodas4,radau2a,rkc)

orders-run: ORDER := all
orders-run: SCHEDULES := static,refill
orders-run: THREADS := 1
orders-run: LABEL := orders
orders-run: $(BUILD)/bench $(BUILD)/dbinfo solvers $(DB)
	@test -s $(DB:.npy=.cost.npy) || $(BUILD)/dbinfo $(DB) --dt $(firstword $(subst $(comma), ,$(DT))) \
	    $(call given,MECH,--mech $(MECH) --solvers-file $(SOLVERS_SO)) --write-cost --no-costs >/dev/null
	@$(BUILD)/bench $(BENCH_OPTIONS) --brief
	@plots/orders
.PHONY: orders orders-run

#: make reproduction         docs/reproduction.md anew: figures, claims by verdict, findings
reproduction:
	@plots/papers/reproduction results/h200 >docs/reproduction.md.new && mv docs/reproduction.md.new docs/reproduction.md
.PHONY: reproduction
