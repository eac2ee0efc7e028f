package cypher

// The statements of a corpus' writer, and the reads that find what it has to write.
const (
	WriteLeaseAcquire Statement = "write/lease_acquire"
	WriteLeaseRenew   Statement = "write/lease_renew"
	WriteLeaseRelease Statement = "write/lease_release"
	WriteFence        Statement = "write/fence"

	WriteCorpus    Statement = "write/corpus"
	WriteCorpusSet Statement = "write/corpus_set"
	WriteRun       Statement = "write/run"
	WriteMarkAll   Statement = "write/mark_all" // for a kind in a stage
	ReadCorpora    Statement = "read/corpora"
	ReadCorpus     Statement = "read/corpus"

	WriteDocumentOpen      Statement = "write/document_open"
	WriteDocuments         Statement = "write/documents"
	WriteDocumentsGone     Statement = "write/documents_gone"
	WriteDocumentsMoved    Statement = "write/documents_moved"
	WriteDocumentsUnhashed Statement = "write/documents_unhashed"
	WriteChunks            Statement = "write/chunks"
	WriteChunksMarked      Statement = "write/chunks_marked"
	WriteChunksGone        Statement = "write/chunks_gone"
	WriteChunkLinks        Statement = "write/chunk_links"
	WriteChunkLinksGone    Statement = "write/chunk_links_gone"
	WriteFirstChunks       Statement = "write/first_chunks"
	WritePassages          Statement = "write/passages"
	WritePassagesGone      Statement = "write/passages_gone"
	ReadDocuments          Statement = "read/documents"
	ReadExcluded           Statement = "read/excluded"
	ReadDocumentContents   Statement = "read/document_contents"
	ReadDocumentChunks     Statement = "read/document_chunks"
	ReadPendingChunks      Statement = "read/pending_chunks"

	ReadPendingDocumentsFew  Statement = "read/pending_documents_few"
	ReadPendingDocumentsMany Statement = "read/pending_documents_many"

	WriteMentionsGone         Statement = "write/mentions_gone"
	WriteClaimsGone           Statement = "write/claims_gone"
	WriteEntityShells         Statement = "write/entity_shells"
	WriteRelationshipShells   Statement = "write/relationship_shells"
	WriteEntityMentions       Statement = "write/entity_mentions"
	WriteRelationshipMentions Statement = "write/relationship_mentions"
	WriteClaims               Statement = "write/claims"
	WriteClaimEndsGone        Statement = "write/claim_ends_gone"
	WriteClaimObjects         Statement = "write/claim_objects"
	WriteClaimsMarked         Statement = "write/claims_marked"
	WriteExtracted            Statement = "write/extracted"
	WriteFailed               Statement = "write/failed" // for a kind in a stage

	WriteRepairMarks         Statement = "write/repair_marks" // for a kind in a stage
	WriteRepairChunks        Statement = "write/repair_chunks"
	WriteRepairRelationships Statement = "write/repair_relationships"
	WriteRepairClaims        Statement = "write/repair_claims"
	WriteRepairEdges         Statement = "write/repair_edges"
	WriteRepairStray         Statement = "write/repair_stray" // for a kind
	WriteRepairStrayEdges    Statement = "write/repair_stray_edges"
	WriteRepairLabels        Statement = "write/repair_labels"
	WriteRepairEnded         Statement = "write/repair_ended"    // for a kind
	WriteRepairFindable      Statement = "write/repair_findable" // for a kind

	WriteUnmarked              Statement = "write/unmarked" // for a kind in a stage
	WriteTopology              Statement = "write/topology"
	WriteRelationships         Statement = "write/relationships"
	WriteRelationshipsGone     Statement = "write/relationships_gone"
	WriteRelationshipsReported Statement = "write/relationships_reported"
	WriteEntities              Statement = "write/entities"
	WriteEntitiesGone          Statement = "write/entities_gone"
	WriteEntitiesRenamed       Statement = "write/entities_renamed"
	WriteEntitiesTyped         Statement = "write/entities_typed"
	WriteEntitiesReported      Statement = "write/entities_reported"

	ReadPendingMentions              Statement = "read/pending_mentions"
	ReadMentions                     Statement = "read/mentions"
	ReadPendingDeriveRelationships   Statement = "read/pending_derive_relationships"
	ReadPendingDeriveEntities        Statement = "read/pending_derive_entities"
	ReadPendingDescribeEntities      Statement = "read/pending_describe_entities"
	ReadPendingDescribeRelationships Statement = "read/pending_describe_relationships"
	ReadPendingEmbedChunk            Statement = "read/pending_embed_chunk"
	ReadPendingEmbedEntity           Statement = "read/pending_embed_entity"
	ReadPendingEmbedRelationship     Statement = "read/pending_embed_relationship"
	ReadPendingEmbedReport           Statement = "read/pending_embed_report"

	WriteEntityDescriptions       Statement = "write/entity_descriptions"
	WriteRelationshipDescriptions Statement = "write/relationship_descriptions"
	WriteEmbeddings               Statement = "write/embeddings" // for a kind

	ReadAdjacencyCount    Statement = "read/adjacency_count"
	ReadAdjacencyStrength Statement = "read/adjacency_strength"
	ReadAdjacencyKeys     Statement = "read/adjacency_keys"
	ReadCommunities       Statement = "read/communities"
	ReadCommunityMembers  Statement = "read/community_members"
	ReadGenerationRows    Statement = "read/generation_rows"

	WriteCommunities           Statement = "write/communities"
	WriteCommunitiesWithdrawn  Statement = "write/communities_withdrawn"
	WriteCommunitiesEnded      Statement = "write/communities_ended"
	WriteCommunitiesRestored   Statement = "write/communities_restored"
	WriteCommunitiesReported   Statement = "write/communities_reported"
	WriteCommunityMembers      Statement = "write/community_members"
	WriteMembersEnded          Statement = "write/members_ended"
	WriteMembersRestored       Statement = "write/members_restored"
	WriteMembersWithdrawn      Statement = "write/members_withdrawn"
	WriteCommunityParents      Statement = "write/community_parents"
	WriteCommunityParentsEnded Statement = "write/community_parents_ended"

	ReadEndedCommunities  Statement = "read/ended_communities"
	ReadEndedReports      Statement = "read/ended_reports"
	WriteSweepRepointed   Statement = "write/sweep_repointed"
	WriteSweepReports     Statement = "write/sweep_reports"
	WriteSweepCommunities Statement = "write/sweep_communities"

	ReadPendingReports      Statement = "read/pending_reports"
	ReadReportEntities      Statement = "read/report_entities"
	ReadReportRelationships Statement = "read/report_relationships"
	ReadReportClaims        Statement = "read/report_claims"
	ReadReportChildren      Statement = "read/report_children"
	ReadReportStates        Statement = "read/report_states"
	ReadPredecessors        Statement = "read/predecessors"
	ReadReportToCarry       Statement = "read/report_to_carry"
	WriteReportsStale       Statement = "write/reports_stale"
	ReadUnreported          Statement = "read/unreported"
	WriteReportsReplaced    Statement = "write/reports_replaced"
	WriteReports            Statement = "write/reports"
	WriteFindingsGone       Statement = "write/findings_gone"
	WriteFindings           Statement = "write/findings"
	WriteReportCites        Statement = "write/report_cites"  // for a kind
	WriteFindingCites       Statement = "write/finding_cites" // for a kind
	WriteGenerationNext     Statement = "write/generation_next"
	WriteFlip               Statement = "write/flip"
	WriteLabels             Statement = "write/labels"
	ReadLabelledEntities    Statement = "read/labelled_entities"
)
