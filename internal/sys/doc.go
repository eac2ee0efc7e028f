// Package sys groups helpers for files, processes and goroutines that know nothing of NeoRAG.
//
// Subpackages:
//
//   - childenv chooses the environment of child processes;
//   - glob translates file patterns into regular expressions;
//   - panicerr turns panics into errors;
//   - parallel computes a function for many items at the same time;
//   - telemetry sends traces and metrics to an OpenTelemetry collector;
//   - userfile reads and writes files that must be the user's;
//   - wait waits for a time, unless a context ends first;
//   - watch tells when files change.
package sys
