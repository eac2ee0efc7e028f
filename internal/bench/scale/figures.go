package main

// measured are figures of docs/scale.md, which names the commands that print them, except the size of
// the store: it is the size of the folder of the database after bench-model.
var measured = figures{
	CallsPerChunk:    15_222. / 4_658,
	CPUSeconds:       (138.8 + 164.2) / 15_222,
	EntitiesPerChunk: 20_844. / 4_658,
	NodesPerChunk:    100_254. / 4_658,
	EdgesPerChunk:    360_807. / 4_658,
	StoreBytes:       458e6 / 4_658,

	StageSeconds: (77.2 + 690.8 + 40.7) / 1e6,
	ProgramBytes: 1_444e6 / 1e6,
}

// figures are what a corpus costs.
type figures struct {
	// With the simulated model and vectors of 384 dimensions, on sections of web pages.
	CallsPerChunk    float64 // of all tasks, embeddings included
	CPUSeconds       float64 // of the program and Neo4j, for a call, from the prompt to the graph
	EntitiesPerChunk float64
	NodesPerChunk    float64
	EdgesPerChunk    float64
	StoreBytes       float64 // on the disk of Neo4j for a chunk

	// Without a model, of the first run with 1,000,000 entities on two cores.
	StageSeconds float64 // for an entity: clustering, reports, labels
	ProgramBytes float64 // of memory for an entity
}
