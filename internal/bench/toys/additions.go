package main

// An addition is what a newcomer might add: new files below testdata/<name>, and insertions.
type addition struct {
	name       string
	most       int // files by hand
	insertions []insertion
	generate   [][]string // commands that write files
	tests      [][]string // besides those of all additions
	server     [][]string // tests that need a server
}

// additions are the toys.
var additions = []addition{
	{
		name: "method", most: 8,
		insertions: []insertion{
			{"internal/query/methods/methods.go", "\t_ \"github.com/neorag/neorag/internal/query/methods/text\"\n", "\t_ \"github.com/neorag/neorag/internal/query/methods/toy\"\n"},
			{"internal/archtest/archtest_test.go", "\"internal/query/methods/text\",", " \"internal/query/methods/toy\","},
			{"docs/query.md", "## Everything that the index holds\n", "\n`--method toy` answers from the chunks that full text finds.\n"},
		},
		generate: [][]string{update("./internal/query/methods", "TestTableOfMethods")},
		tests:    [][]string{test("./internal/query/methods", "TestTableOfMethods|TestToy|TestDefinitionsOfSettings")},
		server:   [][]string{test("./internal/query/methods", "TestToy|TestMethodContract/toy|TestCostOfMethods")},
	},
	{
		name: "setting", most: 6,
		insertions: []insertion{
			{"internal/config/settings_query.go", "each by a call of one word if there is a model (lazy only)\",\n\t\t},\n", rowSetting},
			{"internal/query/methods/lazy/lazy.go", "func(s *Settings, n int) { s.Budget = n }),\n", "query.OwnSetting(\"lazy\", \"row\", func(s *Settings, n int) { s.Row = n }),\n"},
			{"internal/query/methods/lazy/lazy.go", "chunks that are tested, at most; 0 means 100\n", "Row int // communities in a row without a relevant chunk, after which smaller ones are tested; 0 means 5\n"},
			{"internal/query/methods/lazy/lazy.go", "Budget: out.trace.Budget", ", Row: query.SettingsOf[Settings](r.Question, \"lazy\").Row"},
			{"internal/query/methods/lazy/walk.go", "// tests of a chunk\n", "Row int // communities without a relevant chunk, after which the walk goes one level down; 0 means lazyRow\n"},
			{"internal/query/methods/lazy/walk.go", "== lazyRow", ")"},
			{"internal/query/methods/lazy/walk.go", "if row == ", "cmp.Or(w.Row, "},
		},
		generate: [][]string{update("./internal/config", ".")},
		tests:    [][]string{test("./internal/query/methods/lazy", "."), test("./internal/cli", "Settings|Flags")},
		server:   [][]string{test("./internal/query/methods", "TestLazy|TestVariant|TestMethodContract/lazy")},
	},
	{
		name: "artifact", most: 20,
		insertions: []insertion{
			{"cypher/read/counts.cypher", "document_links int", ", toys int"},
			{"cypher/read/counts.cypher", "AS document_links,\n", "  COUNT { MATCH (c:Chunk___corpus__) WHERE c.words IS NOT NULL } AS toys,\n"},
			{"cypher/schema/todo.cypher", "Chunk sentences,", " Chunk toys,"},
			{"cypher/write/chunks.cypher", "c.todo_sentences = CASE WHEN k.sentences THEN $corpus END", ", c.todo_toys = CASE WHEN k.toys THEN $corpus END"},
			{"docs/doctor.md", "sentences that do not lead to the entities that they name | they are rebuilt |\n", "| `toys` | chunks without their number of words | the words are counted |\n"},
			{"docs/glossary.md", "chunk, extract, derive, describe, sentences,", " toys,"},
			{"docs/glossary.md", "similar documents. | `query` | |\n", "| toys | The numbers of words of chunks. Only in a corpus indexed `--with toys`. | `index`, `neo4jstore` | |\n"},
			{"internal/cli/saved_queries_test.go", "SET d.similar = d.similar + 1\"},\n", "{\"checks/toys\", \"MATCH (c:Chunk {corpus: $corpus}) WITH c ORDER BY c.key LIMIT 1 REMOVE c.words\"},\n"},
			{"internal/config/settings_index.go", `"describe", "sentences",`, ` "toys",`},
			{"internal/config/settings_index.go", `{"reports", "queries", "sentences", "synonyms", "document-links"`, `, "toys"`},
			{"internal/config/settings_index.go", "[document-links] its edges between similar documents", ",\\n[toys] its numbers of words"},
			{"internal/config/settings_index.go", "or delete queries, sentences, synonyms", ", toys"},
			{"internal/config/settings_index.go", `[]string{"queries", "sentences", "synonyms", "document-links"`, `, "toys"`},
			{"internal/config/settings_index.go", "[document-links] edges\\nbetween similar documents, for --method kgr", ",\\n[toys] the numbers of words of chunks"},
			{"internal/config/settings_index.go", "also build `ARTIFACT`:", " toys (the numbers of words of chunks),"},
			{"internal/index/artifact.go", "synonymArtifact, documentLinkArtifact", ", toyArtifact"},
			{"internal/index/graph_rules.go", "redoAll(graph.KindChunk, \"sentences\")},\n", "{\"toys\", \"chunks lack their number of words\", \"name\", redoAll(graph.KindChunk, \"toys\")},\n"},
			{"internal/index/stages.go", "neo4jstore.ArtifactSentences},\n", "{\"toys\", []string{\"derive\"}, \"\", \"chunks to count the words of\", func(ctx context.Context, s *stage) error { return (&toyCounter{stage: s}).run(ctx) }, neo4jstore.ArtifactToys},\n"},
			{"internal/store/neo4jstore/artifacts.go", "\"document-links\" // edges between similar documents\n", "ArtifactToys Artifact = \"toys\" // numbers of words of chunks\n"},
			{"internal/store/neo4jstore/artifacts.go", "nil, dropDocumentLinks},\n", "{ArtifactToys, \"toys\", nil, dropToys},\n"},
			{"internal/store/neo4jstore/lost_answer_test.go", "testDocumentLinksWithLostAnswers},\n", "{\"toys\", testToysWithLostAnswers},\n"},
			{"internal/store/neo4jstore/read_status.go", "each from a document to a similar one\n", "Toys int `json:\"toys\"` // chunks whose words are counted\n"},
		},
		generate: [][]string{
			{"go", "generate", "./cypher"}, update("./cypher", "."), update("./internal/config", "."), update("./internal/cli", "TestJSONDocuments"),
		},
		tests:  [][]string{test("./internal/cli", "TestJSONDocuments|TestDefinitionsMatchPackages|TestFlagHelp"), test("./internal/index", "TestCheckArtifacts")},
		server: [][]string{test("./internal/index", "TestToy"), test("./internal/store/neo4jstore", "TestStatementsUseIndexes|TestLostAnswers"), test("./internal/cli", "TestSavedQueries")},
	},
}

const rowSetting = `		{
			Key:  Key{Name: "query.row", Kind: Whole, Bounds: between(1, maxCount), Default: one("5"), Doc: "lazy: after how many communities in a row without a relevant chunk smaller ones are tested."},
			Flag: "row", Risk: Spends, Usage: "test smaller communities after ` + "`N`" + ` in a row without a relevant chunk (lazy only)",
		},
`

// test returns a command that runs some tests of a package.
func test(pkg, names string) []string {
	return []string{"go", "test", "-count=1", "-vet=off", "-run", names, pkg}
}

// update returns a command with which tests of a package rewrite files.
func update(pkg, names string) []string {
	return append([]string{"env", "NEORAG_UPDATE=1"}, test(pkg, names)...)
}
