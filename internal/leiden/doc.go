// Package leiden clusters undirected weighted graphs with the Leiden algorithm
// (Traag, Waltman, van Eck 2019) and builds hierarchies of nested communities.
// Every community it returns is connected, and a result depends only on the graph,
// the options and the seed, never on the number of workers or on timing.
//
// It maximises modularity: the edge weight inside communities minus the weight expected
// there in a random graph with the same degrees. Every node starts as a singleton
// community. An iteration (section "Leiden algorithm" of the paper, functions of its
// algorithm A.2) then repeats three phases:
//
//   - local moving (MoveNodesFast, move.go): nodes move, one after another, to the
//     neighbouring community that raises modularity most, until no move gains;
//   - refinement (RefinePartition, MergeNodesSubset, refine.go): each community is
//     rebuilt from single nodes, which join only parts of it that they are well
//     connected to. A community that local moving left badly connected or in pieces
//     falls apart here. Louvain lacks this phase, and the section "Guarantees" of
//     the paper rests on it;
//   - aggregation (AggregateGraph, aggregate.go): the parts become the nodes of a
//     smaller graph, whose initial communities are those that the parts were in.
//
// The phases end when no node of the smallest graph moves; further iterations start
// from the partition found. BuildHierarchy does the same within each large community.
//
// In addition to the paper: leaves are merged into their neighbours first (leaves.go),
// large levels move nodes in batches that are evaluated in parallel (batch.go) with
// software prefetching (prefetch.go), and large graphs are reordered by a rough
// partition so that the nodes of a community are close in memory (reorder.go).
//
// Subpackage edgelist reads graphs from edge lists.
package leiden
