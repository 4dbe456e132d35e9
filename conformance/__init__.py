"""Live comparison of sinew with the reference engine, MuJoCo 3.5.0.

    python -m conformance MODELS... --stage model --states 20 --seed 0
    python -m conformance.load_bench
    python -m conformance.instructions
    python -m conformance.golden

Each model is loaded by both engines and every field is compared. What counts as equal stands in one
place, `tolerances.py`.
"""
