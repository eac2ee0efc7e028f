// The documents that are kept out of a corpus, by URI: all, whose removal is not finished, and readmitted since the last run
// params: corpus
// returns: excluded []string, removing_documents []string, readmitted []string
MATCH (k:Corpus {key: $corpus})
RETURN coalesce(k.excluded, []) AS excluded, coalesce(k.removing_documents, []) AS removing_documents, coalesce(k.readmitted, []) AS readmitted
