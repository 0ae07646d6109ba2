# SPDX-License-Identifier: MIT
"""What hatchling calls for a wheel: make builds what is compiled, and the wheel holds it."""
import os
import subprocess
import sysconfig

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Hook(BuildHookInterface):
    """MARCH, LEVELS and MECHS of the environment are make's (docs/library.md)."""

    def initialize(self, version, build_data):
        make = ["make", f"-j{os.cpu_count()}", "python-files", "CUDA=0"]
        if subprocess.run(make, cwd=self.root).returncode:
            raise SystemExit(f"kinbench: `{' '.join(make)}` failed in {self.root}")
        if version != "editable":  # which takes everything from the source tree
            build_data["force_include"][os.path.join(self.root, "build", "python")] = \
                "kinbench/files"
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{platform}"
