// Package cli is the command line: one file per command, each with its flags, its
// options and a run function that knows no flags. Only this package reads flags and
// the environment. Results go to stdout, progress and logs to stderr.
//
// Subpackages:
//
//   - table writes the rows of a Cypher statement;
//   - userdata keeps answers and conversations of this user, and deletes what they hold of removed documents.
package cli
