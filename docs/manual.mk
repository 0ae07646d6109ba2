# Man pages and completion, from the option tables of the programs.

#: make tools                build/kinbench and the programs behind it: build/kinbench --help lists
#:                           the commands, which work from any folder (build/kinbench mech h2)
#: make manual               man pages into build/man/, completion of bash into
#:                           build/completion/kinbench.bash (source it)
WITH_OPTIONS = $(filter-out plugin_host,$(PROGRAMS)) mechc
MAN_PAGES = $(patsubst %-kinbench,%,$(WITH_OPTIONS:%=$(BUILD)/man/kinbench-%))
MAN_PAGES := $(MAN_PAGES:%=%.1)
manual: $(MAN_PAGES) $(BUILD)/completion/kinbench.bash
	@echo "man -l $(BUILD)/man/kinbench.1; source $(BUILD)/completion/kinbench.bash"
$(MAN_PAGES): $(BUILD)/man/%.1: $(WITH_OPTIONS:%=$(BUILD)/%) docs/manual.awk
	@mkdir -p $(@D)
	@$(BUILD)/$(*:kinbench-%=%) --help | awk -f docs/manual.awk -v name=$(*:kinbench-%=%) \
	    -v form=man -v version=$(VERSION) >$@
# the programs, and the commands of kinbench
$(BUILD)/completion/kinbench.bash: $(WITH_OPTIONS:%=$(BUILD)/%) docs/manual.awk \
    docs/completion.bash Makefile
	@mkdir -p $(@D)
	@for p in $(WITH_OPTIONS); do $(BUILD)/$$p --help | \
	    awk -f docs/manual.awk -v name=$$p -v form=completion; done >$@
	@commands=$$($(BUILD)/kinbench --help | sed -n 's/^  \([a-z-]*\)  .*/\1/p' | xargs) && \
	    for c in $$commands; do $(BUILD)/kinbench help $$c | awk -f docs/manual.awk -v name=$$c \
	    -v form=completion; done >>$@ && echo "_kinbench_commands='$$commands'" >>$@
	@echo "_kinbench_programs='$(WITH_OPTIONS)'" >>$@
	@cat docs/completion.bash >>$@
.PHONY: manual
