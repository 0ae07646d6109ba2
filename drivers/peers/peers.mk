# make peers: integrators of other codes beside ours on the same states, in turns (docs/peers.md).

# name|solvers|its tight solution (none: it has our rates)|version
PEER_arkode = arkode|$(BUILD)/plugins/arkode.so||$(SUNDIALS_VERSION)
PEER_cantera = cantera|$(M)/cantera.so,cantera:preconditioned=1|$(CANTERA_TIGHT)|$(CANTERA_VERSION)
PEER_kpp = kpp|$(M)/kpp.so|kpp:rtol=1e-10:atol=1e-16|$(call commit_of,$(KPP_DIR))
PEER_pyjac = pyjac|$(M)/pyjac.so|pyjac:rtol=1e-11:atol=1e-17|$(call commit_of,$(PYJAC_DIR))
PEER_zero-rk = zero-rk|$(M)/zero-rk.so,$(ZERORK)|$(ZERORK_TIGHT)|$(call commit_of,$(ZERORK_DIR))
SUNDIALS_VERSION = $(shell sed -n 's/^\#define SUNDIALS_VERSION "\(.*\)"/\1/p' $(firstword \
    $(wildcard $(HEADER_DIRS:%=%/sundials/sundials_config.h))))
CANTERA_TIGHT := cantera:rtol=1e-12:atol=1e-18
CANTERA_VERSION = $(shell $(VALIDATE_PYTHON) -c 'import cantera; print(cantera.__version__)')
ZERORK := zero-rk-cvode:dense=1:iterative=0
ZERORK_TIGHT := $(ZERORK):rtol=1e-11:atol=1e-17
commit_of = $(or $(shell git -C $(1) rev-parse --short HEAD 2>/dev/null),unknown)
PEERS := $(if $(wildcard $(HEADER_DIRS:%=%/arkode/arkode.h)),arkode) $(if $(PYTHON)$(wildcard \
    $(VENV)/done),cantera) $(KPP_DIR:%=kpp) $(PYJAC_DIR:%=pyjac) $(ZERORK_DIR:%=zero-rk)
PEER_FILES := $(foreach p,$(PEERS),$(firstword $(call blanks,$(word 2,$(subst |, ,$(PEER_$p))))))
peers: $(addprefix $(BUILD)/,bench plugin_host rows env) solvers $(DB) $(PEER_FILES)
	@SUNDIALS=$(SUNDIALS_VERSION) drivers/peers/measure \
	    $(HERE)/$(call run_name,peers) '$(call commas,$(METHODS))' \
	    '$(foreach p,$(PEERS),$(PEER_$p))' --mech $(SOLVERS_SO) --db $(DB) --n $(N) --dt $(DT) \
	    --rtol $(RTOL) --atol $(call atol_of,$(RTOL)) --schedules refill --threads 1 \
	    --repeats $(REPEATS) --budget $(BUDGET)
	@plots/peers $(HERE)/$(call run_name,peers)

# --- codes from clones, built by drivers/peers/build; another folder, or MARCH, is another build
CLONES := $(BUILD)/clones
Z := $(BUILD)/zero-rk
AC := $(M)/accelerint
FOREIGN = $(foreach v,V CC CXX NVCC NVCC_CODE MARCH JOBS AC RATES_ONLY ZERORK_DIR PYJAC_DIR \
    KPP_DIR,$v='$($v)') ACCELERINT_DIR='$(ACCELERINT_DIR)' PYTHON='$(CANTERA_PYTHON)' \
    drivers/peers/build
$(CLONES)/of-%: FORCE ; @$(call keep,$(abspath $($*)) $(MARCH))
$(CLONES)/%-checked: $(CLONES)/of-% drivers/peers/build
	@$(FOREIGN) check $* && touch $@
.PRECIOUS: $(CLONES)/of-% $(CLONES)/%-checked

# a mechanism in CHEMKIN's format: its own files, or Cantera's conversion of the YAML file
CHEMKIN_FILES := $(if $(filter %.yaml,$(MECHFILE)),$(M)/chemkin/mech.inp \
    $(M)/chemkin/therm.dat,$(MECHFILE) $(or $(THERMO),$(MECHFILE)))
$(M)/chemkin/mech.inp: $(MECHFILE) $(VALIDATE_READY)
	$(call say,chemkin,$@)
	@mkdir -p $(@D)
	$(Q)$(VALIDATE_PYTHON) -m cantera.yaml2ck --overwrite --mechanism $@ --thermo \
	    $(@D)/therm.dat $< >$(@D)/log 2>&1 || { cat $(@D)/log >&2; rm -f $@; exit 2; }
$(M)/chemkin/therm.dat: $(M)/chemkin/mech.inp ;

$Z/libzerork.a: $(CLONES)/ZERORK_DIR-checked solvers/plugins/zero_rk_sundials.h
	$(call do,c++,'Zero-RK: its rates and integrators')$(FOREIGN) zero-rk $Z
$(M)/zero-rk.so: solvers/plugins/zero_rk.cc solvers/plugin_api.h $Z/libzerork.a $(CHEMKIN_FILES)
	$(call do,c++,'$(NAME): $@')$(FOREIGN) zero-rk-plugin $Z $@ $(abspath $(CHEMKIN_FILES))

$(M)/pyjac/libpyjac.a: $(CLONES)/PYJAC_DIR-checked $(CHEMKIN_FILES) $(VALIDATE_READY)
	$(call do,pyjac,'$(NAME): rates and Jacobian')$(FOREIGN) pyjac $(@D) $(CHEMKIN_FILES)
$(M)/pyjac.so: solvers/plugins/pyjac.c solvers/plugin_api.h $(M)/pyjac/libpyjac.a
	$(call do,cc,'$(NAME): $@')$(CC) $(CFLAGS) -fopenmp -shared -fPIC \
	    -DKB_SPECIES=$$(sed -n 's/#define NSP //p' $(M)/pyjac/mechanism.h) \
	    -DKB_LAST=$$(sed -n 's,^//last_spec ,,p' $(M)/pyjac/mechanism.h) -o $@ $< \
	    $(M)/pyjac/libpyjac.a -lsundials_cvode -lsundials_nvecserial -lsundials_sunlinsoldense \
	    -lsundials_sunmatrixdense -lm

KPP_LIBRARY := $(filter-out %/run_time.o,$(ANY_HOST))
$(BUILD)/kpp_model: solvers/plugins/kpp_model.c $(BUILD)/libkb.a
	$(call do,cc,$<)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)
$(M)/kpp/libkpp.a: $(BUILD)/kpp_model $(MECHFILE) $(THERMO) $(CLONES)/KPP_DIR-checked
	$(call do,kpp,'$(NAME): f and Jacobian')$(FOREIGN) kpp $(@D) $< $(MECHFILE) '$(THERMO)'
$(M)/kpp.so: solvers/plugins/kpp.c solvers/plugin_api.h $(M)/kpp/libkpp.a $(KPP_LIBRARY)
	$(call do,cc,'$(NAME): $@')$(CC) $(CFLAGS) -shared -fPIC -I$(M)/kpp \
	    -DKB_MECH_FILE=$(call c_string,$(abspath $(MECHFILE))) \
	    -DKB_THERMO=$(call c_string,$(abspath $(THERMO))) -o $@ $< \
	    $(KPP_LIBRARY) $(M)/kpp/libkpp.a $(LDLIBS) -lm

# --- accelerInt's integrators on pyJac's rates, plug-ins on cores, and with nvcc on a GPU. radau2a
# as published, and with its error estimate solved by E1 and not by the Jacobian; that also with a
# Jacobian by differences; rkc-mended rejects steps whose error is NaN; -plain: on code that caches
# nothing. USC II has the rates alone: its Jacobian does not compile within an hour
ACCELERINT_GPU := radau2a radau2a-mended radau2a-mended-fd radau2a-mended-plain exp4 exp4-plain \
    exprb43 rkc $(if $(filter h2co,$(NAME)),exprb43-plain)
ACCELERINT_CPU := cvodes radau2a exp4 exprb43 rkc rkc-mended
ifeq ($(NAME),usc2)
ACCELERINT_GPU := rkc-mended
ACCELERINT_CPU := cvodes rkc-mended
RATES_ONLY := 1
endif
ACCELERINT := $(patsubst %,$(M)/accelerint-%.so,$(ACCELERINT_CPU) $(if \
    $(NVCC),$(addsuffix -gpu,$(ACCELERINT_GPU))))
accelerint: $(ACCELERINT)
# both beside ours (drivers/peers/witness): minutes on a GPU and 16 cores
witness: $(patsubst %,$(BUILD)/%,bench plugin_host rows env pasr ignite) solvers accelerint
	@GPU='$(GPU)' drivers/peers/witness $(NAME) all $(HERE)
$(AC)/%/mech.a: $(CLONES)/ACCELERINT_DIR-checked $(CLONES)/PYJAC_DIR-checked $(CHEMKIN_FILES)
	$(call do,pyjac,'$(NAME): $* of pyJac')$(FOREIGN) accelerint-rates $* $(CHEMKIN_FILES)
# kinbench's molar masses
$(AC)/weights.h: $(M)/constants.h
	@mkdir -p $(@D)
	$(Q)awk '/ kb_W\[/ { on = sub(/.*=/, "static const double weights[NSP] =") } on; \
	    on && /}/ { exit }' $< >$@
$(ACCELERINT): $(M)/accelerint-%.so: $(wildcard solvers/plugins/accelerint/*) $(AC)/weights.h \
    $(AC)/$$(if $$(findstring -plain,$$*),cuda-plain,$$(if $$(findstring -gpu,$$*),cuda,c))/mech.a
	$(call do,$(if $(filter %-gpu,$*),nvcc,cc),'$(NAME): $@')$(FOREIGN) accelerint $* $@
