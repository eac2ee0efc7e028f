// Package index turns documents into a graph in Neo4j. It runs the stages of
// indexing and is the only package that writes to that graph.
//
// Progress is stored in the graph. Every stage pages through the nodes that have
// its mark, compares fingerprints and redoes what differs. It writes the result and
// the fingerprint and removes the mark in one transaction. A run that was killed is
// therefore continued by the next one, and a run with nothing to do takes no lease
// and writes nothing.
package index
