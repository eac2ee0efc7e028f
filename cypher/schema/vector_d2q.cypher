// Vectors of chunks with their questions appended, in a corpus: all questions, or those that are kept
// params: dimension
// for: Chunk d2q, Chunk d2q_kept
// The server quantizes vectors by default: scores are then inexact, and differ between two corpora of the same content
CREATE VECTOR INDEX __kind_____stage___vector___corpus__ IF NOT EXISTS FOR (n:__Kind_____corpus__) ON (n.embedding___stage__)
OPTIONS {indexConfig: {`vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}}
