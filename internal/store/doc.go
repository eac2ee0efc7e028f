// Package store groups what NeoRAG needs of Neo4j. Only its subpackages import the driver.
//
// In: values of package graph. Out: the same values, read by one statement of folder cypher each.
//
// Subpackages:
//
//   - bolt begins the Bolt protocol, to find out whether a server answers;
//   - localneo4j runs the Neo4j of neorag up;
//   - neo4jstore stores corpora.
package store
