// Package graph defines the data types of NeoRAG: documents and chunks, extracted
// records, the entities, relationships and claims that these are merged into, and
// communities with their reports. It also makes the keys that identify them in a corpus.
// It does not depend on files, models or databases, and imports only the standard
// library.
package graph
