package evalimport

// Formats are the fields of published sets of questions, by name.
var Formats = map[string]Fields{
	// GraphRAG-Bench: novel_questions.json and medical_questions.json. Ids are unique within a
	// source only; the source is the name of the document (corpus_name), and evidence is a text.
	"graphrag-bench": {ID: "source,id", Question: "question", Answer: "answer", Type: "question_type", Evidence: "source"},
	// LiHuaWorld: query_set.json of MiniRAG.
	"lihuaworld": {Items: "*", Question: "question", Answer: "answer", Type: "type", Evidence: "evidence", EvidenceSeparator: "<and>"},
	// HotpotQA: hotpot_dev_*.json and hotpot_train_*.json, where a supporting fact is a title and
	// the number of a sentence.
	"hotpotqa": {ID: "_id", Question: "question", Answer: "answer", Type: "type", Evidence: "supporting_facts.*.0"},
	// MuSiQue: musique_*.jsonl.
	"musique": {ID: "id", Question: "question", Answer: "answer", Evidence: "paragraphs.[is_supporting].title"},
}
