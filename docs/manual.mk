# Man pages and completion, from the option tables of the programs.

#: make manual               man pages into build/man/, completion of bash into
#:                           build/completion/kinbench.bash (source it)
WITH_OPTIONS = $(filter-out plugin_host,$(PROGRAMS)) flow detonation mechc
MAN_PAGES = $(WITH_OPTIONS:%=$(BUILD)/man/kinbench-%.1)
manual: $(MAN_PAGES) $(BUILD)/completion/kinbench.bash
	@echo "man -l $(BUILD)/man/kinbench-bench.1; source $(BUILD)/completion/kinbench.bash"
$(MAN_PAGES): $(BUILD)/man/kinbench-%.1: $(BUILD)/% docs/manual.awk
	@mkdir -p $(@D)
	@$< --help | awk -f docs/manual.awk -v name=$* -v form=man -v version=$(VERSION) >$@
# the programs, and make's own variables and goals
$(BUILD)/completion/kinbench.bash: $(WITH_OPTIONS:%=$(BUILD)/%) docs/manual.awk \
    docs/completion.bash Makefile
	@mkdir -p $(@D)
	@for p in $(WITH_OPTIONS); do $(BUILD)/$$p --help | \
	    awk -f docs/manual.awk -v name=$$p -v form=completion; done >$@
	@echo "_kinbench_programs='$(WITH_OPTIONS)'" >>$@
	@cat docs/completion.bash >>$@
.PHONY: manual
