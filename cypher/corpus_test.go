package cypher

import "testing"

func TestForCorpus(t *testing.T) {
	t.Parallel()
	const text = "MATCH (e:Entity___corpus__)-->(:`Chunk___corpus__`) WHERE e.x = 'it\\'s __corpus__' // a __corpus__'s\nAND e.y = \"__corpus__\" /* __corpus__ */ AND e.É___corpus__ = 1 RETURN *"
	for corpus, want := range map[string]string{
		"main":       "MATCH (e:Entity_main)-->(:`Chunk_main`) WHERE e.x = 'it\\'s main' // a main's\nAND e.y = \"main\" /* main */ AND e.É_main = 1 RETURN *",
		"2024":       "MATCH (e:Entity_2024)-->(:`Chunk_2024`) WHERE e.x = 'it\\'s 2024' // a 2024's\nAND e.y = \"2024\" /* 2024 */ AND e.É_2024 = 1 RETURN *",
		"my-docs.v2": "MATCH (e:`Entity_my-docs.v2`)-->(:`Chunk_my-docs.v2`) WHERE e.x = 'it\\'s my-docs.v2' // a my-docs.v2's\nAND e.y = \"my-docs.v2\" /* my-docs.v2 */ AND e.`É_my-docs.v2` = 1 RETURN *",
	} {
		if got := ForCorpus(text, corpus); got != want {
			t.Errorf("ForCorpus(%s) =\n%s\nwant\n%s", corpus, got, want)
		}
	}
	if got, want := ForCorpus("MATCH (n:__corpus__) RETURN n", "2024"), "MATCH (n:`2024`) RETURN n"; got != want {
		t.Errorf("ForCorpus of a name that begins with a digit is %s, want %s", got, want)
	}
}
