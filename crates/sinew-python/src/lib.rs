//! Native part of the Python package `sinew`.
