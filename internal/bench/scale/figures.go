package main

// measured are figures of docs/scale.md, which names the commands.
var measured = figures{
	CallsPerChunk: 15_227. / 4_658, CPUSeconds: .02,
	EntitiesPerChunk: 20_844. / 4_658,
	StageSeconds:     (77.2 + 690.8 + 40.7) / 1e6,
	ProgramBytes:     1_444e6 / 1e6, StoreBytes: 80_000, ElementsPerChunk: 60,
}

// figures are what a corpus costs.
type figures struct {
	// With the simulated model, which finds about as much in a section of a web page as a small model.
	CallsPerChunk    float64 // of all tasks, embeddings included
	CPUSeconds       float64 // of the program and Neo4j, for a call, from the prompt to the graph
	EntitiesPerChunk float64
	StoreBytes       float64 // on the disk of Neo4j for a chunk, with vectors of 384 dimensions
	ElementsPerChunk float64 // nodes and edges

	// Without a model, at 1,000,000 entities on two cores.
	StageSeconds float64 // for an entity: clustering, reports, labels
	ProgramBytes float64 // of memory for an entity
}
