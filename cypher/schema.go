package cypher

// The statements that create and show constraints and indexes.
const (
	SchemaShowIndexes Statement = "schema/show_indexes"
	SchemaComponents  Statement = "schema/components"
	SchemaLeaseHeld   Statement = "schema/lease_held"

	SchemaKey  Statement = "schema/key"  // for a kind
	SchemaTodo Statement = "schema/todo" // for a kind in a stage
	SchemaGone Statement = "schema/gone" // for a kind

	SchemaFulltextPassage  Statement = "schema/fulltext_passage"
	SchemaFulltextPairs    Statement = "schema/fulltext_pairs"
	SchemaFulltextDocument Statement = "schema/fulltext_document"
	SchemaFulltextLead     Statement = "schema/fulltext_lead"
	SchemaFulltextTerms    Statement = "schema/fulltext_terms"
	SchemaVector           Statement = "schema/vector"     // for a kind
	SchemaVectorD2Q        Statement = "schema/vector_d2q" // for a kind and a vector
)
