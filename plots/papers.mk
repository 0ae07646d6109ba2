# Figures of the papers (datasets/figures.tsv), the experiments behind them
# (datasets/experiments.tsv), and what orders cost.

RESULTS ?= results/gpu
figures:
	@$(if $(PAPER)$(FIG),plots/papers/draw $(RESULTS) '$(PAPER:all=)' '$(FIG)',plots/draw)
experiment reproduce: $(if $(PLAN),,$(BUILD)/env)
	+@PLAN=$(PLAN) $(foreach v,BUDGET REPEATS,$(call given,$v,$v=$($v))) MAKE='$(MAKE)' \
	    plots/papers/experiment $(if $(filter reproduce,$@),'PAPER=$(PAPER)','E=$(E)')
stale: $(BUILD)/rows ; @plots/papers/stale $(RESULTS)
orders: $(BUILD)/bench $(BUILD)/dbinfo solvers $(DB)
	@test -s $(DB:.npy=.cost.npy) || $(BUILD)/dbinfo $(DB) \
	    --dt $(firstword $(call blanks,$(DT))) --write-cost --no-costs \
	    $(call given,MECH,--mech $(MECH) --solvers-file $(SOLVERS_SO)) >/dev/null
	@$(BUILD)/bench $(BENCH_OPTIONS) --brief
	@plots/orders
reproduction:
	@plots/papers/reproduction results/gpu >docs/$@.md.new && mv docs/$@.md.new docs/$@.md
pictures: ; @plots/pictures
# a run, or all runs of a folder, as a page; the papers as one
report: $(BUILD)/report
	@KB_BUILD=$(BUILD) AS=$(JSON_WANTED) drivers/report/write $(RUN)

papers: claims $(BUILD)/report $(BUILD)/rows
	@FORMATS=svg plots/papers/draw $(RESULTS) >/dev/null
	@plots/papers/witness results/peers $(RESULTS)/claims.csv >plots/out/papers/witness.tsv
	@$(BUILD)/report --papers $(RESULTS) --out plots/out/papers/index.html
$(BUILD)/host/drivers/report/page.o: drivers/report/style.css drivers/report/script.js
