# A run, or all runs of a folder, as a page.

report: $(BUILD)/report
	@KB_BUILD=$(BUILD) AS=$(JSON_WANTED) drivers/report/write $(RUN)

papers: claims $(BUILD)/report $(BUILD)/rows
	@FORMATS=svg plots/papers/draw $(RESULTS) >/dev/null
	@plots/papers/witness results/peers $(RESULTS)/claims.csv >plots/out/papers/witness.tsv
	@$(BUILD)/report --papers $(RESULTS) --out plots/out/papers/index.html
$(BUILD)/host/drivers/report/page.o: drivers/report/style.css drivers/report/script.js
