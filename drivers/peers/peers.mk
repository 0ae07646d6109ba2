# make peers: integrators of other codes beside ours on the same states, in turns (docs/peers.md).

# name|solvers|its tight solution (none: it has our rates)|version
PEER_arkode = arkode|$(BUILD)/plugins/arkode.so||$(SUNDIALS_VERSION)
PEER_cantera = cantera|$(M)/cantera.so,cantera:preconditioned=1|$(CANTERA_TIGHT)|$(CANTERA_VERSION)
PEER_kpp = kpp|$(M)/kpp.so|kpp:rtol=1e-10:atol=1e-16|$(KPP_VERSION)
PEER_pyjac = pyjac|$(M)/pyjac.so|pyjac:rtol=1e-11:atol=1e-17|$(PYJAC_VERSION)
PEER_zero-rk = zero-rk|$(M)/zero-rk.so,$(ZERORK_DIRECT)|$(ZERORK_TIGHT)|$(ZERORK_VERSION)
SUNDIALS_CONFIG := $(firstword $(wildcard $(HEADER_DIRS:%=%/sundials/sundials_config.h)))
SUNDIALS_VERSION = $(shell sed -n 's/^\#define SUNDIALS_VERSION "\(.*\)"/\1/p' $(SUNDIALS_CONFIG))
CANTERA_TIGHT := cantera:rtol=1e-12:atol=1e-18
CANTERA_VERSION = $(shell $(VALIDATE_PYTHON) -c 'import cantera; print(cantera.__version__)')
ZERORK_DIRECT := zero-rk-cvode:dense=1:iterative=0
ZERORK_TIGHT := $(ZERORK_DIRECT):rtol=1e-11:atol=1e-17
commit_of = $(or $(shell git -C $(1) rev-parse --short HEAD 2>/dev/null),unknown)
ZERORK_VERSION = $(call commit_of,$(ZERORK_DIR))
PYJAC_VERSION = $(call commit_of,$(PYJAC_DIR))
KPP_VERSION = $(call commit_of,$(KPP_DIR))
PEERS := $(if $(wildcard $(HEADER_DIRS:%=%/arkode/arkode.h)),arkode) $(if $(PYTHON)$(wildcard \
    $(VENV)/done),cantera) $(if $(KPP_DIR),kpp) $(if \
    $(PYJAC_DIR),pyjac) $(if $(ZERORK_DIR),zero-rk)
PEER_FILES := $(foreach p,$(PEERS),$(firstword $(subst $(comma), ,$(word 2,$(subst \
    |, ,$(PEER_$p))))))
PEER_RTOL := $(or $(RTOL),1e-2$(comma)1e-3$(comma)1e-4$(comma)1e-5$(comma)1e-6$(comma)1e-7$(strip \
    )$(comma)1e-8)
peers: $(addprefix $(BUILD)/,bench plugin_host rows env) solvers $(DB) $(PEER_FILES)
	@SUNDIALS=$(SUNDIALS_VERSION) drivers/peers/measure \
	    $(HERE)/$(or $(RUN),peers-$(NAME)) '$(subst $(space),$(comma),$(METHODS))' \
	    '$(foreach p,$(PEERS),$(PEER_$p))' --mech $(SOLVERS_SO) --db $(DB) --n $(N) --dt $(DT) \
	    --rtol $(PEER_RTOL) --atol $(call atol_of,$(PEER_RTOL)) --schedules refill --threads 1 \
	    --repeats $(REPEATS) --budget $(BUDGET)
	@plots/peers $(HERE)/$(or $(RUN),peers-$(NAME))
.PHONY: peers

# $(1) name of its stamps, $(2) code, $(3) variable of its folder, $(4) repository, $(5) files that
# must be there; another folder is another build
define clone
$(1)-folder: FORCE
	@$$(call keep,$$(abspath $$($(3))) $(MARCH))
$(1)-checked: $(1)-folder
	@drivers/peers/check $(2) $(3) '$$($(3))' '$(4)' $(5)
	@touch $$@
endef

# --- Zero-RK from a clone, with Debian's SUNDIALS 6 and SuperLU: its rates and integrators as one
# archive, then a plug-in for a mechanism in CHEMKIN's format
ZERORK_DIR ?=
ZERORK_FILES := $(addprefix src/zerork/,element species mechanism utilities nasa_poly info_net \
    rate_const perf_net fast_exps plog_reaction non_integer_reaction_network constants_api \
    elemental_composition impls/elemental_composition_impl) $(addprefix src/CKconverter/,CKParser \
    CKReader ckr_utils Reaction thermoFunctions writelog) $(addprefix src/utilities/,\
    file_utilities math_utilities string_utilities sort_vector) $(addprefix \
    applications/cfd_plugin/,utility_funcs optionable reactor_base reactor_constant_volume_cpu \
    reactor_constant_pressure_cpu reactor_nvector_serial solver_cvode solver_seulex solver_sodex \
    solver_radau $(addprefix interfaces/,superlu_manager/superlu_manager \
    superlu_manager/superlu_manager_z lapack_manager/lapack_manager \
    lapack_manager/lapack_manager_z seulex_cpp/seulex_cpp sodex_cpp/sodex_cpp radau5_cpp/radau_cpp))
Z := $(BUILD)/zero-rk
ZERORK_FLAGS = -O3 -march=$(MARCH) -std=c++17 -fPIC -w -DNDEBUG -DHAVE_ALIGNED_ALLOC -DSUNDIALS4 \
    -include solvers/plugins/zero_rk_sundials.h -I$Z/made -I. $(addprefix -I$(ZERORK_DIR)/,src \
    src/zerork src/CKconverter src/utilities applications/cfd_plugin) -I/usr/include/superlu
$(eval $(call clone,$Z/clone,zero-rk,ZERORK_DIR,LLNL/zero-rk,$(ZERORK_FILES:%=%.cpp)))
$Z/checked: $Z/clone-checked
	@for f in superlu/slu_ddefs.h sundials/sundials_context.h; do test -f /usr/include/$$f || { \
	    echo "make: zero-rk: there is no /usr/include/$$f (Debian: libsuperlu-dev," \
	    "libsundials-dev, liblapack-dev)" >&2; exit 2; }; done
	@mkdir -p $Z/made && cd $Z/made && : >zerork_conf.h && \
	    echo '#define ZERORK_CFD_PLUGIN_EXPORTS' >zerork_cfd_plugin_exports.h && \
	    echo 'namespace zerork { const char *git_commit_id = "", *git_commit_timestamp = "",' \
	    '*git_branch_name = ""; }' >zerork_version_info.h
	@touch $@
$(ZERORK_FILES:%=$Z/%.o): $Z/%.o: $Z/checked solvers/plugins/zero_rk_sundials.h
	$(call do,c++,'Zero-RK: $*')$(CXX) $(ZERORK_FLAGS) -o $@ -c $(ZERORK_DIR)/$*.cpp
$Z/libzerork.a: $(ZERORK_FILES:%=$Z/%.o)
	$(archive)

# its mechanism: the files of CHEMKIN that there are, or Cantera's conversion of the YAML file
CHEMKIN_FILES := $(if $(filter %.yaml,$(MECHFILE)),$(M)/chemkin/mech.inp \
    $(M)/chemkin/therm.dat,$(MECHFILE) $(or $(THERMO),$(MECHFILE)))
ifneq ($(filter %.yaml,$(MECHFILE)),)
$(M)/chemkin/mech.inp: $(MECHFILE) $(VALIDATE_READY)
	$(call say,chemkin,$@)
	@mkdir -p $(@D)
	$(Q)$(VALIDATE_PYTHON) -m cantera.yaml2ck --overwrite --mechanism $@ --thermo \
	    $(@D)/therm.dat $< >$(@D)/log 2>&1 || { cat $(@D)/log >&2; rm -f $@; exit 2; }
$(M)/chemkin/therm.dat: $(M)/chemkin/mech.inp ;
endif
$(M)/zero-rk.so: solvers/plugins/zero_rk.cc solvers/plugin_api.h $Z/libzerork.a $(CHEMKIN_FILES)
	$(call do,c++,'$(NAME): $@')$(CXX) $(ZERORK_FLAGS) -fopenmp -shared \
	    -DKB_CHEMKIN='"$(abspath $(word 1,$(CHEMKIN_FILES)))"' \
	    -DKB_THERMO='"$(abspath $(word 2,$(CHEMKIN_FILES)))"' -o $@ $< $Z/libzerork.a \
	    -lsundials_cvode -lsundials_nvecserial -lsundials_sunlinsoldense \
	    -lsundials_sunlinsolspgmr -lsundials_sunmatrixdense -lsuperlu -llapack -lblas

# --- pyJac from a clone: it writes C of a mechanism in CHEMKIN's format. Cantera is hidden from it,
# which takes version 3 for one before 2.3 and ends; yaml2ck's word for moles is not its own
PYJAC_DIR ?=
PYJAC_CODE := $(M)/pyjac
PYJAC_FLAGS = -std=gnu99 -O3 -march=$(MARCH) -fPIC -w -I$(PYJAC_CODE)
PYJAC_RUN := import sys, runpy; sys.modules["cantera"] = None; \
    runpy.run_module("pyjac", run_name="__main__")
PYJAC_UNITS := sed 's/^\(REACTIONS.*\) MOLE$$/\1 MOLES/'
$(eval $(call clone,$(M)/pyjac,pyjac,PYJAC_DIR,SLACKHA/pyJac,$(addprefix pyjac/,__main__.py \
    core/create_jacobian.py core/mech_interpret.py)))
$(PYJAC_CODE)/mechanism.h: $(CHEMKIN_FILES) $(VALIDATE_READY) $(M)/pyjac-checked
	$(call say,pyjac,$@)
	@rm -rf $(PYJAC_CODE) && mkdir -p $(PYJAC_CODE)
	$(Q)$(PYJAC_UNITS) $(word 1,$(CHEMKIN_FILES)) >$(PYJAC_CODE)/mech.inp
	$(Q)PYTHONPATH=$(PYJAC_DIR) PYTHONDONTWRITEBYTECODE=1 PYTHONWARNINGS=ignore \
	    $(VALIDATE_PYTHON) -c '$(PYJAC_RUN)' --lang c --input $(PYJAC_CODE)/mech.inp \
	    --thermo $(word 2,$(CHEMKIN_FILES)) -b $(PYJAC_CODE)/ >$(PYJAC_CODE)/log 2>&1 || { \
	    cat $(PYJAC_CODE)/log >&2; rm -f $@; exit 2; }
$(PYJAC_CODE)/libpyjac.a: $(PYJAC_CODE)/mechanism.h
	$(call do,cc,'$(NAME): rates and Jacobian of pyJac')find $(PYJAC_CODE) -name '*.c' \
	    ! -name mechanism.c | xargs -P "$$(nproc)" -I@ $(CC) $(PYJAC_FLAGS) -o @.o -c @ && \
	    ar rcs $@ $$(find $(PYJAC_CODE) -name '*.o')
$(M)/pyjac.so: solvers/plugins/pyjac.c solvers/plugin_api.h $(PYJAC_CODE)/libpyjac.a
	$(call do,cc,'$(NAME): $@')$(CC) $(CFLAGS) -fopenmp -shared -fPIC \
	    -DKB_SPECIES=$$(sed -n 's/#define NSP //p' $(PYJAC_CODE)/mechanism.h) \
	    -DKB_LAST=$$(sed -n 's,^//last_spec ,,p' $(PYJAC_CODE)/mechanism.h) -o $@ $< \
	    $(PYJAC_CODE)/libpyjac.a -lsundials_cvode -lsundials_nvecserial -lsundials_sunlinsoldense \
	    -lsundials_sunmatrixdense -lm

# --- KPP from a clone whose generator is built: it writes C of the kinetics, and does not end with
# 0 where it warns, as of two reactions that are the same
KPP_DIR ?=
KPP_CODE := $(M)/kpp
KPP_LIBRARY := $(filter-out %/run_time.o,$(ANY_HOST))
$(eval $(call clone,$(M)/kpp,kpp,KPP_DIR,KineticPreProcessor/KPP after make -C src (it takes flex \
    and bison),int/rosenbrock.c bin/kpp))
$(BUILD)/kpp_model: solvers/plugins/kpp_model.c $(BUILD)/libkb.a
	$(call do,cc,$<)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)
$(KPP_CODE)/libkpp.a: $(BUILD)/kpp_model $(MECHFILE) $(THERMO) $(M)/kpp-checked
	$(call say,kpp,'$(NAME): f and Jacobian of KPP')
	@rm -rf $(KPP_CODE) && mkdir -p $(KPP_CODE)
	$(Q)$(BUILD)/kpp_model $(MECHFILE) '$(THERMO)' $(KPP_CODE)
	$(Q)cd $(KPP_CODE) && KPP_HOME=$(abspath $(KPP_DIR)) $(abspath $(KPP_DIR))/bin/kpp model.kpp \
	    >log 2>&1; grep -q successfully log || { cat log >&2; exit 2; }
	$(Q)cd $(KPP_CODE) && ls model_*.c | xargs -P "$$(nproc)" -I@ \
	    $(CC) -O3 -march=$(MARCH) -fPIC -w -c @
	$(Q)ar rcs $@ $(KPP_CODE)/model_*.o
$(M)/kpp.so: solvers/plugins/kpp.c solvers/plugin_api.h $(KPP_CODE)/libkpp.a $(KPP_LIBRARY)
	$(call do,cc,'$(NAME): $@')$(CC) $(CFLAGS) -shared -fPIC -I$(KPP_CODE) \
	    -DKB_MECH_FILE='"$(abspath $(MECHFILE))"' -DKB_THERMO='"$(abspath $(THERMO))"' -o $@ $< \
	    $(KPP_LIBRARY) $(KPP_CODE)/libkpp.a $(LDLIBS) -lm
