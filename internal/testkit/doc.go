// Package testkit groups what tests and benchmarks share. The program imports none of it.
//
// Subpackages:
//
//   - biggraph generates large graphs in a store;
//   - disktest gives a test a small disk, which can be full;
//   - fakemodel is a model that answers the prompts by rules;
//   - faulttest chooses the points at which tests inject faults;
//   - natstest starts NATS servers;
//   - neo4jtest provides a real Neo4j;
//   - testcorpora finds the test corpora;
//   - testtimes prints the times of tests.
package testkit
