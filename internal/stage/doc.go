// Package stage groups the stages of indexing. A stage is a function on values: it reads
// no database and writes none. Package index runs the stages and writes what they return.
//
// Subpackages, in the order in which a document passes them:
//
//   - chunk: a document in, chunks and passages out;
//   - extract: chunks in, records (entities, relationships, claims) out;
//   - resolve: records in, mentions, entities and relationships out;
//   - community: the entity graph in, a hierarchy of communities out;
//   - report: a community in, its report out;
//   - querygen: a chunk in, question-answer pairs out;
//   - qcg: vectors in, edges to the nearest ones out, and the search over these edges;
//   - tune: a sample of chunks in, the domain of the collection out.
package stage
