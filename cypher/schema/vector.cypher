// Vectors of a kind in a corpus
// params: dimension
// for: Chunk, Entity, Relationship, Report, Query, Sentence
CREATE VECTOR INDEX __kind___vector___corpus__ IF NOT EXISTS FOR (n:__Kind_____corpus__) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine'}}
