// Package leiden clusters undirected weighted graphs with the Leiden algorithm
// (Traag, Waltman, van Eck 2019) and builds hierarchies of nested communities.
// Every community it returns is connected, and a result depends on the graph,
// the options and the seed alone: never on the number of workers or on timing.
//
// The aim is high modularity: more weight inside communities than chance would put
// there. Every node begins alone. An iteration (section "Leiden algorithm" of the
// paper, functions of its algorithm A.2) then repeats three steps:
//
//   - move (MoveNodesFast): nodes go, one after another, to the neighbouring
//     community that raises modularity most, until none gains;
//   - refine (RefinePartition, MergeNodesSubset): each community is built anew from
//     its single nodes, which join only parts that they are well connected to. What
//     moving left hanging by a thread, or in pieces, comes apart here. This is what
//     Louvain lacks, and what the section "Guarantees" rests on;
//   - aggregate (AggregateGraph): the parts become the nodes of a smaller graph, which
//     begins with the communities that the parts were in.
//
// The steps end when no node of the smallest graph moves; further iterations begin
// from what was found. BuildHierarchy does the same within each large community.
//
// Besides the paper: leaves are merged into their neighbours first (leaves.go), large
// levels move in batches that are evaluated in parallel (batch.go), and large graphs
// are put into the order of their communities once these are drafted (reorder.go).
package leiden
