"""Worlds on a graphics processor: how fast they are, and how near to those on the processor.

    python -m conformance.gpu_race models/humanoid.xml models/quadruped.xml

Needs numpy and the package, as an unpacked wheel on PYTHONPATH if need be; MJWarp races along where it can be imported.
``--device emulated`` tries the program without a graphics processor, on few worlds.
"""
