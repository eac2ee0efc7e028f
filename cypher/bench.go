package cypher

// The statements that create a large graph for benchmarks.
const (
	BenchCorpus        Statement = "bench/corpus"
	BenchDocuments     Statement = "bench/documents"
	BenchEntities      Statement = "bench/entities"
	BenchRelationships Statement = "bench/relationships"
	BenchClaims        Statement = "bench/claims"
	BenchCommunities   Statement = "bench/communities"
	BenchMembers       Statement = "bench/members"
	BenchReports       Statement = "bench/reports"
)
