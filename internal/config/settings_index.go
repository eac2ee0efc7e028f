package config

// indexSettings determine what an index run creates.
func indexSettings() []Setting {
	return []Setting{
		{Key: Key{Name: "extract.gleanings", Kind: Natural, Default: one("1"), Doc: "How many more times to ask a model for what it missed in a chunk."}, Flag: "gleanings"},
		{Key: Key{Name: "extract.claims", Kind: Switch, Default: one("true"), Doc: "false: extract no claims with a model, which saves calls."}, Flag: "no-claims", Env: one("NEORAG_CLAIMS"), Inverted: true},
		{Key: Key{Name: "extract.format", Choices: []string{"json", "tuples"}, Doc: "Format in which a model writes records: json or tuples. Empty: json, or tuples if the model writes no JSON."}, Flag: "extract-format", DefaultText: "json, or tuples if the model writes no JSON"},
		{Key: Key{Name: "extract.entity_types", Kind: List, Default: []string{"organization", "person", "location", "event", "concept"}, Doc: "Entity types to look for; they become labels in the graph."}, Flag: "entity-type"},
		{Key: Key{Name: "source.ignore", Kind: List, Doc: "Patterns of files to skip, as in .gitignore."}, Flag: "ignore", DefaultText: "none"},
		{Key: Key{Name: "source.fields", Kind: Pairs, Choices: []string{"text", "title", "id", "date"}, Doc: "Columns of CSV files, or keys of JSON files, that hold the text, title, id and date of a\nrecord, such as {text: body, date: published}. Empty: detected by their usual names."}, Flag: "field", DefaultText: "detected by their usual names"},
		{Key: Key{Name: "source.max_file_size", Kind: Natural, Default: one("64"), Doc: "Size limit of a file in MB; larger files fail."}, Flag: "max-file-size"},
		{Key: Key{Name: "chunk.size", Kind: Natural, Default: one("600"), Doc: "Size of a chunk in tokens. A chunk is the unit of text that is extracted from."}, Flag: "chunk-size"},
		{Key: Key{Name: "chunk.overlap", Kind: Natural, Doc: "Tokens that a chunk shares with the previous one. Empty: 100, or a sixth of a smaller size."}, Flag: "chunk-overlap", DefaultText: "100, or a sixth of a smaller chunk size"},
		{Key: Key{Name: "chunk.boundary", Default: one("content"), Choices: []string{"content", "exact"}, Doc: "Where chunks end: at content boundaries (paragraph, sentence, word) or at the exact size."}, Flag: "boundary"},
		{Key: Key{Name: "chunk.encoding", Default: one("o200k_base"), Choices: []string{"o200k_base", "cl100k_base"}, Doc: "Tokenizer that counts tokens: o200k_base or cl100k_base."}, Flag: "encoding"},
		{Key: Key{Name: "clusters.max_size", Kind: Natural, Default: one("10"), Doc: "Split communities with at least this many entities."}, Flag: "max-community-size"},
		{Key: Key{Name: "clusters.resolution", Kind: Number, Default: one("1"), Doc: "Resolution of the clustering; higher values give smaller communities."}, Flag: "resolution"},
		{Key: Key{Name: "clusters.seed", Kind: Natural, Default: one("0"), Doc: "Random seed of the clustering. The same seed gives the same communities."}, Flag: "seed"},
		{Key: Key{Name: "clusters.weight", Default: one("count"), Choices: []string{"count", "strength"}, Doc: "Edge weight for clustering: count of mentions, or strength."}, Flag: "weight", Except: "cluster"},
		{Key: Key{Name: "reports.max", Kind: Natural, Default: one("10000"), Doc: "Number of reports that a model writes, root levels and large communities first. The\nother reports are assembled from the best sentences."}, Flag: "max-reports"},
		{Key: Key{Name: "labels.levels", Kind: Whole, Default: one("0"), Doc: "Number of levels, from the root, whose communities become labels of their entities.\n0 means all, -1 none."}, Flag: "label-levels"},
		{Key: Key{Name: "labels.max", Kind: Natural, Default: one("1000"), Doc: "Maximum number of community labels."}, Flag: "label-max"},
		{Key: Key{Name: "labels.prefix", Default: one("C"), Doc: "Prefix of community labels."}, Flag: "label-prefix"},
		{Key: Key{Name: "index.allow_failures", Default: one("0"), Doc: "Exit with code 3 if more items than this fail: a number, or a share such as 5%."}, Flag: "allow-failures"},
		{Key: Key{Name: "index.without", Kind: List, Choices: []string{"reports"}, Doc: "Skip artifacts: [reports] saves the calls for reports, but then global questions cannot be answered."}, Flag: "without", DefaultText: "nothing"},
	}
}
