"""The race: one workload, two engines, on one machine, in one run.

    python -m conformance.race                              the plan of the bench folder
    python -m conformance.race --contact-free               pendulum, chains, arms, with contacts off
    python -m conformance.race --flexes                     cloth and soft bodies of the shared models
    python -m conformance.race --model FILE --key home      one model
    python -m conformance.race --replay                     single steps from states of the reference

`--bench`, or `$SINEW_SHARED/bench`, names the folder with the reference's side: `build.sh`, `reference.c`,
`make_models.py` and `plan.csv`. It is built against the wheel of each release in a virtual environment below
`conformance/.cache/race`; sinew's side is `sinew bench`, built for release.

The engines run in turn, in changing order, for a number of rounds; medians of the steps per second of processor time
count. A ratio above 1 means that sinew is faster. A row whose contacts, solver rows or iterations differ by more than
one in a hundred is marked, since the engines then did different work.
"""
