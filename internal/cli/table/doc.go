// Package table writes the rows of a Cypher statement: as a table for a person, as CSV, and in the
// form of `neorag cypher --json`.
package table
