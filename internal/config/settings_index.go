package config

// indexSettings determine what an index run creates.
func indexSettings() []Setting {
	return []Setting{
		{Key: Key{Name: "extract.gleanings", Kind: Natural, Default: one("1"), Doc: "How many more times to ask a model for what it missed in a chunk."}, Flag: "gleanings"},
		{Key: Key{Name: "extract.claims", Kind: Switch, Default: one("true"), Doc: "false: do not ask the model for claims, which saves calls. Without a model, rules still find them."}, Flag: "no-claims", Env: one("NEORAG_CLAIMS"), Inverted: true},
		{Key: Key{Name: "extract.format", Choices: []string{"json", "tuples"}, Doc: "Format in which a model writes records: json or tuples. Empty: json, or tuples if the model writes no JSON."}, Flag: "extract-format", DefaultText: "json, or tuples if the model writes no JSON"},
		{Key: Key{Name: "extract.entity_types", Kind: List, Default: []string{"organization", "person", "location", "event", "concept"}, Doc: "Entity types that the model looks for. Entities of these types get a label in the graph."}, Flag: "entity-type"},
		{Key: Key{Name: "source.ignore", Kind: List, Doc: "Patterns of files to skip, in the syntax of .gitignore. Files named .neoragignore are obeyed too."}, Flag: "ignore", DefaultText: "none"},
		{Key: Key{Name: "source.fields", Kind: Pairs, Choices: []string{"text", "title", "id", "date"}, Doc: "Columns of CSV files, or keys of JSON files, that hold the text, title, id and date of a\nrecord, such as {text: body, date: published}. Empty: those of these names."}, Flag: "field", DefaultText: "those named text, title, id and date"},
		{Key: Key{Name: "source.max_file_size", Kind: Natural, Default: one("64"), Doc: "Size limit of a file in MB; larger files fail."}, Flag: "max-file-size"},
		{Key: Key{Name: "chunk.size", Kind: Natural, Default: one("600"), Doc: "Size of a chunk in tokens. A chunk is the unit of text that is extracted from."}, Flag: "chunk-size"},
		{Key: Key{Name: "chunk.overlap", Kind: Natural, Doc: "Tokens that a chunk shares with the previous one. Empty: 100, or a sixth of a size below 600."}, Flag: "chunk-overlap", DefaultText: "100, or a sixth of a chunk size below 600"},
		{Key: Key{Name: "chunk.boundary", Default: one("content"), Choices: []string{"content", "exact"}, Doc: "Where chunks end: content, at the end of a paragraph, sentence or word near the size, or\nexact, at exactly the size."}, Flag: "boundary"},
		{Key: Key{Name: "chunk.encoding", Default: one("o200k_base"), Choices: []string{"o200k_base", "cl100k_base"}, Doc: "Tokenizer that counts tokens: o200k_base or cl100k_base."}, Flag: "encoding"},
		{Key: Key{Name: "clusters.max_size", Kind: Natural, Default: one("10"), Doc: "Communities of this size or larger are split if possible. The size is a number of entities."}, Flag: "max-community-size"},
		{Key: Key{Name: "clusters.resolution", Kind: Number, Default: one("1"), Doc: "Resolution of the clustering; higher values give smaller communities."}, Flag: "resolution"},
		{Key: Key{Name: "clusters.seed", Kind: Natural, Default: one("0"), Doc: "Random seed of the clustering. The same seed gives the same communities."}, Flag: "seed"},
		{Key: Key{Name: "clusters.weight", Default: one("count"), Choices: []string{"count", "strength"}, Doc: "Weight of a relationship for clustering: count, the number of its mentions, or strength,\nwhich is 1 to 10 for each mention, summed."}, Flag: "weight", Except: "cluster"},
		{Key: Key{Name: "clusters.fresh_share", Kind: Number, Default: one("0.1"), Doc: "Without a model, communities are found as in a new corpus when more than this share of the\nrelationships changed since the last time; -1 means never. Otherwise they start from those\nthat there are, so that few reports are written again."}, Flag: "fresh-share"},
		{Key: Key{Name: "reports.max", Kind: Natural, Default: one("10000"), Doc: "Number of reports that a model writes, root levels and large communities first. The\nother reports are assembled from the best sentences."}, Flag: "max-reports"},
		{Key: Key{Name: "reports.rewrite", Default: one("changed"), Doc: "Which reports are written again: changed, those whose context changed, always, all whose\ncommunity has changes, or such as drift=0.1, those of whose context more than a tenth is new.\nUntil then a report is stale, which neorag status and the references of answers say. No\nreport is stale after text was removed or edited, so that its words do not stay."}, Flag: "rewrite-reports"},
		{Key: Key{Name: "labels.levels", Kind: Whole, Default: one("0"), Doc: "Number of levels, from the root, whose communities become labels of their entities.\n0 means all, -1 none."}, Flag: "label-levels"},
		{Key: Key{Name: "labels.max", Kind: Natural, Default: one("1000"), Doc: "Maximum number of community labels."}, Flag: "label-max"},
		{Key: Key{Name: "labels.prefix", Default: one("C"), Doc: "Prefix of community labels."}, Flag: "label-prefix"},
		{Key: Key{Name: "index.allow_failures", Default: one("0"), Doc: "Exit with code 3 if more documents, chunks or other items than this fail: a number, or a\npercentage of the items of the largest stage, such as 5%."}, Flag: "allow-failures"},
		{Key: Key{Name: "index.time_limits", Kind: Pairs, Choices: []string{"chunk", "extract", "derive", "describe", "embed", "cluster", "report", "label", "queries", "link"}, Doc: "How long the server may take for one transaction of a stage, such as {cluster: 10m, report: 2m}.\nWork that takes longer is repeated in smaller pieces. Empty: 1m for every stage."}, Flag: "time-limit", DefaultText: "1m for every stage"},
		{Key: Key{Name: "index.without", Kind: List, Choices: []string{"reports"}, Doc: "What to leave out: [reports] saves the calls for reports, but then global questions cannot be answered."}, Flag: "without", DefaultText: "nothing"},
	}
}
