"""Inputs and calls that ask for too much, each in a process of its own whose memory the system limits.

python -m conformance.attack                          # everything, with 512 MiB and with 2 GiB
python -m conformance.attack --memory 512M --filter png
python -m conformance.attack --filter deadline --memory 12G    # how late steps and loads return
python -m conformance.attack --filter memory --memory 12G      # what simulations take, against their limit
python -m conformance.attack --list

A case ends well (the model loads, the call returns) or with an exception of a kind that callers can expect. A process
that is killed, aborts, runs out of time or reports a fault of ours has failed. Exit status 0 if none has.
"""
