package evalreport

// costsInPapers are what a question costs in papers, by method and, for global, by level, which is 2
// by default; on other corpora and counted differently.
var costsInPapers = map[string]string{
	"basic":          "879 tokens, five chunks reranked (GraphRAG-Bench)",
	"global":         "565,720 and 980,898 tokens of reports on level 2 (GraphRAG, table 2); 610,000 (LightRAG, table 2)",
	"global level=0": "26,657 and 39,770 tokens of reports (GraphRAG, table 2)",
	"global level=1": "225,756 and 352,641 tokens of reports (GraphRAG, table 2)",
	"global level=2": "565,720 and 980,898 tokens of reports (GraphRAG, table 2)",
	"global level=3": "746,100 and 1,140,266 tokens of reports (GraphRAG, table 2)",
	"light":          "fewer than 100 tokens and 1 call before the answer (LightRAG, table 2); 100,832 in all (GraphRAG-Bench)",
	"local":          "38,707 tokens (GraphRAG-Bench)",
	"ppr":            "1,008 tokens (GraphRAG-Bench)",
	"qcg":            "at most 6,000 tokens (QCG-RAG)",
	"text":           "1,014,611 and 1,707,694 tokens (GraphRAG, table 2)",
}

// indexInPapers is what an index costs in papers, computed from what they print: the size of chunks, the
// reports of the corpus Legal and its tokens, and 281 minutes for the podcast transcripts.
const indexInPapers = "In papers, for each 1,000 tokens: 0.83 calls for chunks of 1,200 tokens, and as many again to glean (LightRAG, 3.4 and 4.1); 1,377 tokens of reports (GraphRAG, as LightRAG counts, 4.5); 17 seconds (GraphRAG, 4.1.3). They print no tokens of extraction."

// inPapers returns what a question costs in papers, "" if they do not say.
func inPapers(method string, settings map[string]string) string {
	if level, ok := settings["level"]; ok {
		if figure, ok := costsInPapers[method+" level="+level]; ok {
			return figure
		}
	}
	return costsInPapers[method]
}
