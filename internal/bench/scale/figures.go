package main

// measured is what was measured on two cores that Neo4j and the program shared. docs/scale.md names
// the commands.
var measured = figures{
	CallsPerChunk: 1801.0 / 1000, WriteSeconds: .004,
	EntitiesPerChunk: 2.5, EdgesPerEntity: 3,
	StageSeconds: .00081,
	ProgramBytes: 1820, StoreBytes: 55_000, ElementsPerChunk: 30,
}

// figures are what one chunk costs.
type figures struct {
	CallsPerChunk float64 // of a chat or embedding model, of all tasks
	WriteSeconds  float64 // of the program and the database for what a call returned, when both do nothing else

	EntitiesPerChunk float64
	EdgesPerEntity   float64
	StageSeconds     float64 // for an entity: clustering, reports by rules, labels

	ProgramBytes     float64 // of memory for an entity, when communities are found
	StoreBytes       float64 // on the disk of Neo4j for a chunk
	ElementsPerChunk float64 // nodes and edges
}
