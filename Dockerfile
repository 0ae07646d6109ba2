# kinbench on a CPU:
#   docker build -t kinbench . && docker run --rm -v "$PWD/results:/kinbench/results" kinbench \
#       make bench MECH=gri30
# For an archive name the image by its digest: --build-arg BASE=debian@sha256:...
ARG BASE=debian:bookworm-slim
FROM ${BASE}
WORKDIR /kinbench
# what a build needs, before the sources: a change of these does not install again
COPY ci/install-deps ci/install-deps
RUN apt-get update && ci/install-deps && apt-get install -y --no-install-recommends git && \
    rm -rf /var/lib/apt/lists/*
COPY . .
# objects are for the processor that builds; the default goal of make explains the rest
RUN git config --system --add safe.directory /kinbench && make -j"$(nproc)" tools
CMD ["make"]
