// Keys are unique within a kind
// params:
// for: Corpus, Lease, Run, Document, Chunk, Passage, Entity, Relationship, Claim, Community, Report, Finding, Query, Sentence, NamePair
CREATE CONSTRAINT __kind___key IF NOT EXISTS FOR (n:__Kind__) REQUIRE n.key IS UNIQUE
