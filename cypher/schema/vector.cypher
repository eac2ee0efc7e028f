// Vectors of a kind in a corpus
// params: dimension
// for: Chunk, Entity, Relationship, Report, Query, Sentence
// The server quantizes vectors by default: scores are then inexact, and differ between two corpora of the same content
CREATE VECTOR INDEX __kind___vector___corpus__ IF NOT EXISTS FOR (n:__Kind_____corpus__) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}}
