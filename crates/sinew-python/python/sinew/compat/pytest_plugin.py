"""Tests of others run with sinew in the place of mujoco: ``pytest -p sinew.compat.pytest_plugin``."""

from ._install import install

install()
