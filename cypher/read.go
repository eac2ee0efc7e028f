package cypher

// The statements that read a corpus for questions, status and export.
const (
	ReadCounts          Statement = "read/counts"
	ReadAbsent          Statement = "read/absent"
	ReadCommunityLevels Statement = "read/community_levels"
	ReadReportLevels    Statement = "read/report_levels"
	ReadPending         Statement = "read/pending"
	ReadFailed          Statement = "read/failed"
	ReadRuns            Statement = "read/runs"
	ReadTypeLabels      Statement = "read/type_labels"
	ReadGeneration      Statement = "read/generation"

	ReadSearch       Statement = "read/search"
	ReadSearchVector Statement = "read/search_vector" // for a kind
	ReadSearchTerms  Statement = "read/search_terms"
	ReadHybrid       Statement = "read/hybrid"
	ReadNeighborhood Statement = "read/neighborhood"

	ReadSearchQueries        Statement = "read/search_queries"
	ReadSearchQueriesInScope Statement = "read/search_queries_in_scope"
	ReadSearchD2Q            Statement = "read/search_d2q"          // for a kind and a vector
	ReadSearchD2QInScope     Statement = "read/search_d2q_in_scope" // for a kind and a vector
	ReadQueryTexts           Statement = "read/query_texts"

	ReadSearchSentences  Statement = "read/search_sentences"
	ReadSentencesInScope Statement = "read/sentences_in_scope"
	ReadNamedSentences   Statement = "read/named_sentences"

	ReadScopeDocuments      Statement = "read/scope_documents"
	ReadScopeChunks         Statement = "read/scope_chunks"
	ReadScopeDates          Statement = "read/scope_dates"
	ReadScopeTypes          Statement = "read/scope_types"
	ReadSearchInScope       Statement = "read/search_in_scope"
	ReadSearchVectorInScope Statement = "read/search_vector_in_scope"
	ReadChunkRowPageInScope Statement = "read/chunk_row_page_in_scope"
	ReadHybridInScope       Statement = "read/hybrid_in_scope"
	ReadNeighborhoodInScope Statement = "read/neighborhood_in_scope"
	ReadEvidenceInScope     Statement = "read/evidence_in_scope"
	ReadReportsInScope      Statement = "read/reports_in_scope"

	ReadReportsOfView     Statement = "read/reports_of_view"
	ReadReportTextsOfView Statement = "read/report_texts_of_view"
	ReadReportsBelow      Statement = "read/reports_below"
	ReadReportsOf         Statement = "read/reports_of"
	ReadReportSizes       Statement = "read/report_sizes"
	ReadChunkSizes        Statement = "read/chunk_sizes"
	ReadReportList        Statement = "read/report_list"
	ReadReportTexts       Statement = "read/report_texts"
	ReadEvidence          Statement = "read/evidence"
	ReadChunkRows         Statement = "read/chunk_rows"
	ReadChunkRowPage      Statement = "read/chunk_row_page"
	ReadChunkPlaces       Statement = "read/chunk_places"
	ReadDocumentList      Statement = "read/document_list"

	ReadMostMentioned Statement = "read/most_mentioned"
	ReadDocumentSpan  Statement = "read/document_span"

	ReadThemes                 Statement = "read/themes"
	ReadStrongestRelationships Statement = "read/strongest_relationships"
	ReadPaths                  Statement = "read/paths"
	ReadMentionsInOrder        Statement = "read/mentions_in_order"
	ReadDatedClaims            Statement = "read/dated_claims"
	ReadTypeCounts             Statement = "read/type_counts"
	ReadOpeningChunks          Statement = "read/opening_chunks"

	ReadChunkCommunities Statement = "read/chunk_communities"
	ReadChunkNeighbours  Statement = "read/chunk_neighbours"
	ReadEntitiesOfTypes  Statement = "read/entities_of_types"
	ReadSimilarDocuments Statement = "read/similar_documents"
	ReadDocumentEntities Statement = "read/document_entities"

	ReadFindKey          Statement = "read/find_key" // for a kind
	ReadFindDocument     Statement = "read/find_document"
	ReadFindEntity       Statement = "read/find_entity"
	ReadFoldNames        Statement = "read/fold_names"
	ReadFoldMentions     Statement = "read/fold_mentions"
	ReadNamePairs        Statement = "read/name_pairs"
	ReadChunkMentions    Statement = "read/chunk_mentions"
	ReadFindRelationship Statement = "read/find_relationship"
	ReadFindCommunity    Statement = "read/find_community"
	ReadFindReport       Statement = "read/find_report"

	ReadDumpCorpus  Statement = "read/dump_corpus"
	ReadDump        Statement = "read/dump" // for a kind
	ReadDumpReport  Statement = "read/dump_report"
	ReadDumpFinding Statement = "read/dump_finding"

	ReadSnapshotState Statement = "read/snapshot_state"
	ReadSnapshotNodes Statement = "read/snapshot_nodes" // for a kind
	ReadSnapshotEdges Statement = "read/snapshot_edges"
	ReadSnapshotTerms Statement = "read/snapshot_terms"

	ReadFusedTexts    Statement = "read/fused_texts"
	ReadFusedFeedback Statement = "read/fused_feedback"

	ReadExportEntities      Statement = "read/export_entities"
	ReadExportRelationships Statement = "read/export_relationships"
	ReadExportReports       Statement = "read/export_reports"
	ReadExportMentions      Statement = "read/export_mentions"
)

// The statements that drop a corpus.
const (
	SchemaDropNodes  Statement = "schema/drop_nodes" // for a kind
	SchemaDropCorpus Statement = "schema/drop_corpus"
	SchemaDropLease  Statement = "schema/drop_lease"
	SchemaDropIndex  Statement = "schema/drop_index"
)

// The statements that compute defaults of saved queries.
const (
	ReadDefaultChunk     Statement = "read/default_chunk"
	ReadDefaultClaimed   Statement = "read/default_claimed"
	ReadDefaultDocument  Statement = "read/default_document"
	ReadDefaultEntity    Statement = "read/default_entity"
	ReadDefaultLabel     Statement = "read/default_label"
	ReadDefaultNeighbour Statement = "read/default_neighbour"
	ReadDefaultOther     Statement = "read/default_other"
	ReadDefaultReported  Statement = "read/default_reported"
	ReadDefaultRun       Statement = "read/default_run"
	ReadDefaultType      Statement = "read/default_type"
)
