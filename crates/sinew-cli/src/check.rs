//! `sinew check`: does a model load, and what is wrong with it?

use crate::output::{self, count};
use crate::{Outcome, input};
use serde_json::{Value, json};
use sinew::mjcf::{Diagnostic, Severity};
use sinew::model::Model;
use std::fmt::Write;

/// What to check.
#[derive(clap::Args)]
pub struct Arguments {
    /// Model files, or names of built-in models
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    loading: input::Loading,
}

/// What was found in one file.
struct Finding<'a> {
    file: &'a str,
    model: Option<Model>,
    diagnostics: Vec<Diagnostic>,
}

/// Checks all files; bad input if any does not load.
pub fn run(arguments: &Arguments) -> std::io::Result<Outcome> {
    let findings: Vec<Finding> = arguments
        .files
        .iter()
        .map(|file| check(&arguments.loading, file))
        .collect();
    if arguments.json {
        let list: Vec<Value> = findings.iter().map(as_json).collect();
        output::write(&format!("{:#}\n", Value::from(list)))?;
    } else {
        output::write(&as_text(&findings))?;
    }
    let is_good = findings.iter().all(|finding| finding.model.is_some());
    Ok(if is_good {
        Outcome::Done
    } else {
        Outcome::BadInput
    })
}

fn check<'a>(loading: &input::Loading, file: &'a str) -> Finding<'a> {
    match loading.load(file) {
        Ok(loaded) => Finding {
            file,
            model: Some(loaded.model),
            diagnostics: loaded.warnings,
        },
        Err(error) => Finding {
            file,
            model: None,
            diagnostics: error.diagnostics,
        },
    }
}

fn as_text(findings: &[Finding]) -> String {
    let mut out = String::new();
    for finding in findings {
        for diagnostic in &finding.diagnostics {
            let _ = writeln!(out, "{}\n", diagnostic.render());
        }
        let warnings = number_of(finding, Severity::Warning);
        let also = match warnings {
            0 => String::new(),
            n => format!(", {}", count(n, "warning", "warnings")),
        };
        let verdict = match &finding.model {
            Some(model) => format!(
                "ok: {}, {}, {}{also}",
                count(model.nbody.saturating_sub(1), "body", "bodies"),
                count(model.nv, "degree of freedom", "degrees of freedom"),
                count(model.nu, "actuator", "actuators"),
            ),
            None => {
                format!(
                    "{}{also}",
                    count(number_of(finding, Severity::Error), "error", "errors")
                )
            }
        };
        let _ = writeln!(out, "{}: {verdict}", finding.file);
    }
    if findings.len() > 1 {
        let bad = findings
            .iter()
            .filter(|finding| finding.model.is_none())
            .count();
        let _ = writeln!(
            out,
            "{} checked, {bad} bad",
            count(findings.len(), "model", "models")
        );
    }
    out
}

fn number_of(finding: &Finding, severity: Severity) -> usize {
    finding
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == severity)
        .count()
}

fn as_json(finding: &Finding) -> Value {
    let diagnostics: Vec<Value> = finding.diagnostics.iter().map(diagnostic_as_json).collect();
    json!({ "file": finding.file, "ok": finding.model.is_some(), "diagnostics": diagnostics })
}

fn diagnostic_as_json(diagnostic: &Diagnostic) -> Value {
    json!({
        "code": diagnostic.code,
        "severity": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "file": diagnostic.file,
        "line": diagnostic.line,
        "column": diagnostic.column,
        "element": diagnostic.element,
        "attribute": diagnostic.attribute,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
    })
}
