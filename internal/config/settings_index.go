package config

import "slices"

// indexSettings determine what an index run creates.
func indexSettings() []Setting {
	return slices.Concat(extractionSettings(), documentSettings(), communitySettings(), runSettings(), pairSettings())
}

// extractionSettings determine how a model reads texts, and which names are one entity.
func extractionSettings() []Setting {
	return inGroup(GroupExtraction, []Setting{
		{
			Key:  Key{Name: "extract.gleanings", Kind: Whole, Bounds: between(0, 10), Default: one("1"), Doc: "How many more times to ask a model for what it missed in a chunk."},
			Flag: "gleanings", Risk: Spends, Usage: "ask a model up to `N` more times for what it missed in a chunk",
		},
		{
			Key:  Key{Name: "extract.gleaning", Default: one("list"), Choices: []string{"list", "ask"}, Doc: "How a model is asked for what it missed: list, in one call, which may list nothing, or ask, with a\nyes-or-no question first, as in GraphRAG."},
			Flag: "gleaning", Risk: Spends, Usage: "ask a model for what it missed by `PROTOCOL`: list (one call, which may list nothing) or ask (a yes-or-no question first, as in GraphRAG)",
		},
		{
			Key:  Key{Name: "extract.claims", Default: one("joint"), Choices: []string{"joint", "separate", "none"}, Doc: "How a model is asked for claims: joint, in the call for entities and relationships, separate, in\nanother call, which shows the names of the entities, or none. Without a model, rules find claims."},
			Flag: "claims", Risk: Spends, Usage: "ask a model for claims by `MODE`: joint (in the call for entities), separate (in another call, which shows the entities) or none; without a model, rules find claims",
		},
		{
			Key:  Key{Name: "extract.format", Choices: []string{"json", "tuples"}, Doc: "Format in which a model writes records: json or tuples. Empty: json, or tuples\nfor the chunks for which the model writes no JSON."},
			Flag: "extract-format", Risk: Spends, Usage: "have the model write records in `FORMAT`: json or tuples", DefaultText: "json, or tuples for the chunks for which the model writes no JSON",
		},
		{
			Key:  Key{Name: "extract.entity_types", Word: true, Most: 50, Kind: List, Doc: "Entity types that the model looks for. Entities of these types get a label in the graph. Stored\nwith the corpus. Empty: the types in extract.examples, else the corpus's value; general\ntypes for a new corpus (docs/extraction.md)."},
			Flag: "entity-type", Risk: Instructs, Usage: "have the model look for entities of `TYPE`; entities of this type get a Neo4j label; stored with the corpus", DefaultText: "the types of the domain, else the corpus's value; general types for a new corpus",
		},
		{
			Key:  Key{Name: "extract.examples", Kind: Path, Doc: "JSON file with examples of records for the prompts of extraction, or with a whole domain, as\nneorag tune writes it (docs/tuning.md). Stored with the corpus. Empty: domain.json in the\nfolder of prompts, else the corpus's value."},
			Flag: "examples", Risk: Instructs, Usage: "show the model the examples of records in the JSON file `FILE`, as neorag tune writes it; stored with the corpus", DefaultText: "domain.json in --prompts, else the corpus's value",
		},
		{
			Key:  Key{Name: "resolve", Choices: []string{"exact", "similar"}, Doc: "Which names are merged into one entity: exact, names that are equal except for plural and hyphens,\nand abbreviations that a document introduces; or similar, also similar names that a model confirms,\n20 name pairs in a call, or strict rules without a model (docs/extraction.md). Stored with the\ncorpus. Empty: the corpus's value; exact for a new corpus."},
			Flag: "resolve", Risk: Spends, Usage: "merge names by `MODE`: exact (names that differ only in plural or hyphens, and abbreviations with the full form that a document gives) or similar (also similar names, if a model confirms them, or strict rules without a model); stored with the corpus", DefaultText: "the corpus's value; exact for a new corpus",
		},
	})
}

// documentSettings determine how documents are read and split.
func documentSettings() []Setting {
	return inGroup(GroupDocuments, []Setting{
		{
			Key:  Key{Name: "source.ignore", Kind: List, Doc: "Patterns of files to skip, in the syntax of .gitignore. Files named .neoragignore are obeyed too."},
			Flag: "ignore", Everyday: true, Risk: Hides, Usage: "skip files that match `PATTERN`, in the syntax of .gitignore; .neoragignore files are obeyed too, .gitignore files are not", DefaultText: "none",
		},
		{
			Key:  Key{Name: "source.fields", Kind: Pairs, Choices: []string{"text", "title", "id", "date"}, Files: true, Doc: "Columns of tables, or keys of JSON files, that hold the text, title, id and date of a record, such\nas {text: body, date: published}. Several make one text: {text: \"title,body\"}. A pattern of files\nprecedes the name: {\"reviews*.csv:text\": review}. Empty: the fields with these names; rows of a\ntable without a text become texts of all their columns."},
			Flag: "field", Risk: Hides, Usage: "read the field TARGET (text, title, id or date) of a record from the column or key NAME: `TARGET=NAME`, such as text=body, text=title,body (both together), or reviews*.csv:text=review (for files that match the pattern)", DefaultText: "the fields named text, title, id and date",
		},
		{
			Key:  Key{Name: "source.encoding", Doc: "Encoding of texts that are not UTF-8 and have no byte order mark, such as windows-1251.\nEmpty: what HTML declares, or the text looks like."},
			Flag: "source-encoding", Risk: Hides, Usage: "read texts that are not UTF-8, and have no byte order mark, in the encoding `NAME`, such as windows-1251", DefaultText: "what HTML declares, or the text looks like",
		},
		{
			Key:  Key{Name: "source.html", Default: one("main"), Choices: []string{"main", "all"}, Doc: "What is read of HTML pages: main, without menus, footers and banners, or all."},
			Flag: "html", Risk: Hides, Usage: "read `PART` of HTML pages: main (without menus, footers and banners) or all",
		},
		{
			Key:  Key{Name: "source.ocr_command", Doc: "Program, with its arguments, that recognizes the text of pages of PDF files that have none. It reads\na picture (JPEG) on standard input and writes text: tesseract stdin stdout -l eng+deu. Empty: such\nfiles fail."},
			Flag: "ocr-command", Risk: Opens, Usage: "run `PROGRAM` to recognize the text of PDF pages that are pictures; it reads JPEG on standard input and writes text, such as \"tesseract stdin stdout\"", DefaultText: "none; such files fail",
		},
		{
			Key:  Key{Name: "source.max_file_size", Kind: Whole, Bounds: between(0, 10_000), Default: one("64"), Doc: "Size limit of a file in MB; larger files fail."},
			Flag: "max-file-size", Risk: Hides, Usage: "reject files larger than this many `MB`",
		},
		{
			Key:  Key{Name: "chunk.size", Kind: Whole, Bounds: between(0, 100_000), Default: one("600"), Doc: "Size of a chunk in tokens. A chunk is the unit of text that is extracted from."},
			Flag: "chunk-size", Risk: Spends, Usage: "cut documents into chunks of `TOKENS`",
		},
		{
			Key:  Key{Name: "chunk.overlap", Kind: Whole, Bounds: between(0, 100_000), Doc: "Tokens that a chunk shares with the previous one. Empty: 100, or a sixth of a size below 600."},
			Flag: "chunk-overlap", Risk: Spends, Usage: "repeat the last `TOKENS` of a chunk in the next one", DefaultText: "100, or a sixth of a chunk size below 600",
		},
		{
			Key:  Key{Name: "chunk.boundary", Default: one("content"), Choices: []string{"content", "exact"}, Doc: "Where chunks end: content, at the end of a paragraph, sentence or word near the size, or\nexact, at exactly the size."},
			Flag: "boundary", Risk: Spends, Usage: "end chunks at `BOUNDARY`: content (the end of a paragraph, sentence or word near --chunk-size) or exact (at exactly --chunk-size)",
		},
		{
			Key:  Key{Name: "chunk.encoding", Default: one("o200k_base"), Choices: []string{"o200k_base", "cl100k_base"}, Doc: "Tokenizer that counts tokens: o200k_base or cl100k_base."},
			Flag: "encoding", Risk: Spends, Usage: "count tokens with the tokenizer `ENCODING`: o200k_base or cl100k_base",
		},
	})
}

// communitySettings determine the communities, their reports and labels.
func communitySettings() []Setting {
	return inGroup(GroupCommunities, []Setting{
		{
			Key:  Key{Name: "clusters.max_size", Kind: Whole, Bounds: between(0, maxCount), Default: one("10"), Doc: "Communities of this size or larger are split if possible. The size is a number of entities."},
			Flag: "max-community-size", Risk: Spends, Usage: "try to split communities of `N` or more entities",
		},
		{
			Key:  Key{Name: "clusters.resolution", Kind: Number, Bounds: between(0, 1000), Default: one("1"), Doc: "Resolution of the clustering; higher values give smaller communities."},
			Flag: "resolution", Risk: Spends, Usage: "cluster with the resolution `R`; higher values give smaller communities",
		},
		{
			Key:  Key{Name: "clusters.seed", Kind: Whole, Bounds: between(0, maxSeed), Default: one("0"), Doc: "Random seed of the clustering. The same seed gives the same communities."},
			Flag: "seed", Risk: Spends, Usage: "cluster with the random seed `N`",
		},
		{
			Key:  Key{Name: "clusters.weight", Default: one("count"), Choices: []string{"count", "strength"}, Doc: "Weight of a relationship for clustering: count, the number of its mentions, or strength,\nwhich is 1 to 10 for each mention, summed."},
			Flag: "weight", Risk: Spends, Usage: "weigh relationships by `MEASURE`: count (number of mentions) or strength (1 to 10 for each mention, summed)",
		},
		{
			Key:  Key{Name: "clusters.fresh_share", Kind: Number, Bounds: between(-1, 1), Default: one("0.1"), Doc: "Without a model, communities are found as in a new corpus when more than this share of the\nrelationships changed since the last time; -1 means never. Otherwise the current\ncommunities are updated, so that few reports are rewritten."},
			Flag: "fresh-share", Risk: Spends, Usage: "without a model, find communities as in a new corpus when more than `SHARE` of the relationships changed since the last time; -1 means never",
		},
		{
			Key:  Key{Name: "reports.max", Kind: Whole, Bounds: between(0, maxCount), Default: one("10000"), Doc: "Number of reports that a model writes, root levels and large communities first. The\nother reports are assembled from the best sentences."},
			Flag: "max-reports", Risk: Spends, Usage: "have the model write at most `N` reports; the others consist of the best sentences",
		},
		{
			Key:  Key{Name: "reports.small", Kind: Switch, Default: one("false"), Doc: "true: have the model also write the reports of communities of fewer than 4 entities, which\notherwise consist of the best sentences."},
			Flag: "report-small", Risk: Spends, Usage: "have the model also write the reports of communities of fewer than 4 entities",
		},
		{
			Key:  Key{Name: "reports.context_tokens", Kind: Whole, Bounds: between(500, maxTokens), Default: one("8000"), Doc: "Most tokens of the records that a report is written from. Larger communities are reported from\nthe reports of their child communities."},
			Flag: "report-context", Risk: Spends, Usage: "write a report from at most `TOKENS` of records",
		},
		{
			Key:  Key{Name: "reports.rewrite", Default: one("changed"), Doc: "Which reports are rewritten: changed, if their context changed; always, if anything in their\ncommunity changed; or a limit such as stale=0.1, if more than a tenth of their context is new.\nUntil then a report is stale; neorag status and the references of answers show it. A report is\nalways rewritten after text that it rests on was removed or edited."},
			Flag: "rewrite-reports", Risk: Spends, Usage: "rewrite reports `WHEN`: changed (if their context changed), always (if anything in their community changed), or stale=SHARE (if more than this share of their context is new), such as stale=0.1",
		},
		{
			Key:  Key{Name: "labels.levels", Kind: Whole, Bounds: between(-1, 100), Default: one("0"), Doc: "Number of levels, from the root, whose communities become labels of their entities.\n0 means all, -1 none."},
			Flag: "label-levels", Risk: Deletes, Usage: "label entities in Neo4j with their communities of the first `N` levels from the root; 0 means all levels, -1 none",
		},
		{
			Key:  Key{Name: "labels.max", Kind: Whole, Bounds: between(-1, 100_000), Default: one("1000"), Doc: "Maximum number of community labels."},
			Flag: "label-max", Risk: Deletes, Usage: "create at most `N` community labels, root levels and large communities first",
		},
		{
			Key:  Key{Name: "labels.prefix", Default: one("C"), Doc: "Prefix of community labels."},
			Flag: "label-prefix", Risk: Deletes, Usage: "begin community labels with `PREFIX`",
		},
	})
}

// runSettings determine how a run behaves.
func runSettings() []Setting {
	return []Setting{
		{
			Key:  Key{Name: "index.allow_failures", Default: one("0"), Doc: "Exit with code 3 if more documents, chunks or other items than this fail: a number, or a\npercentage of the items of the largest stage, such as 5%."},
			Flag: "allow-failures", Risk: Hides, Usage: "exit with code 3 only if more than `N` documents, chunks or other items fail; N may be a percentage of the items of the largest stage, such as 5%",
		},
		{
			Key:  Key{Name: "index.time_limits", Kind: Pairs, Choices: []string{"chunk", "extract", "derive", "describe", "sentences", "synonyms", "embed", "documents", "cluster", "report", "label", "queries", "link"}, Doc: "How long Neo4j may take for one transaction of a stage, such as {cluster: 10m, report: 2m}.\nWork that takes longer is repeated in smaller pieces. Empty: 1m for every stage."},
			Flag: "time-limit", Risk: Spends, Usage: "let Neo4j take at most DURATION for one transaction of a stage: `STAGE=DURATION`, such as cluster=10m; work that takes longer is repeated in smaller pieces", DefaultText: "1m for every stage",
		},
		{
			Key:  Key{Name: "index.without", Kind: List, Choices: []string{"reports", "queries", "sentences", "synonyms", "document-links"}, Doc: "What to leave out: [reports] saves the calls for reports, but then global questions cannot be answered.\n[queries] deletes the question-answer pairs of a corpus, [sentences] its sentences, [synonyms]\nits edges between similar names, [document-links] its edges between similar documents."},
			Flag: "without", Risk: Deletes, Usage: "leave out `ARTIFACT`: reports (in this run); or delete queries, sentences, synonyms or document-links from the corpus", DefaultText: "nothing",
		},
		{
			Key:  Key{Name: "index.with", Kind: List, Choices: []string{"queries", "sentences", "synonyms", "document-links", "documents"}, Doc: "What to build in addition: [queries] question-answer pairs, for --method qcg and d2q, [sentences]\nsentences with their vectors and the entities that they name, for --node sentence and --method linear,\n[synonyms] edges between entities with similar names, for --method ppr, [document-links] edges\nbetween similar documents, for --method kgr. Stored with the corpus: later runs keep them up to date."},
			Flag: "with", Risk: Spends, Usage: "also build `ARTIFACT`: queries (question-answer pairs, for --method qcg and d2q), sentences (for --method linear and --node sentence), synonyms (edges between similar names, for --method ppr) or document-links (edges between similar documents, for --method kgr); later runs keep it up to date", DefaultText: "what the corpus has",
		},
	}
}

// pairSettings determine the question-answer pairs.
func pairSettings() []Setting {
	return inGroup(GroupPairs, []Setting{
		{
			Key:  Key{Name: "queries.pairs", Kind: Whole, Bounds: between(0, 100), Doc: "Question-answer pairs of a chunk. Empty: the corpus's value; 20 for a new corpus."},
			Flag: "pairs", Risk: Spends, Usage: "make at most `N` question-answer pairs from each chunk", Env: one("NEORAG_QUERIES_PAIRS"), DefaultText: "the corpus's value; 20 for a new corpus",
		},
		{
			Key:  Key{Name: "queries.share", Kind: Number, Bounds: between(0, 1), Doc: "Share of the pairs of a chunk that is kept, the most similar to the chunk. Empty: the corpus's\nvalue; 0.8 for a new corpus."},
			Flag: "pair-share", Risk: Spends, Usage: "keep the `SHARE` of the pairs of each chunk that are most similar to the chunk", DefaultText: "the corpus's value; 0.8 for a new corpus",
		},
		{
			Key:  Key{Name: "queries.neighbours", Kind: Whole, Bounds: between(0, 20), Doc: "Similar pairs that a pair is linked to. Empty: the corpus's value; the preset's for a\nnew corpus."},
			Flag: "neighbours", Risk: Spends, Usage: "link each pair to the `N` most similar pairs", Env: one("NEORAG_QUERIES_NEIGHBOURS"), DefaultText: "the corpus's value; the preset's for a new corpus",
		},
		{
			Key:  Key{Name: "queries.preset", Choices: []string{"news", "dialogue"}, Doc: "What the corpus is like: news or dialogue. It determines queries.neighbours (3 or 2), and the\ndefaults of query.pairs and query.gamma. Empty: the corpus's value; news for a new corpus."},
			Flag: "preset", Risk: Spends, Usage: "link and search pairs with the settings for `KIND`: news (3 neighbours) or dialogue (2)", DefaultText: "the corpus's value; news for a new corpus",
		},
	})
}
