package config

// querySettings determine how questions are answered.
func querySettings() []Setting {
	return []Setting{
		{Key: Key{Name: "query.method", Default: one("auto"), Doc: "Query method; `neorag methods` lists them."}, Flag: "method", Only: "query"},
		{Key: Key{Name: "query.level", Default: one("2"), Doc: "Community level whose reports are read: 0 (or root) has the largest communities, leaf the smallest."}, Flag: "level", Only: "query"},
		{Key: Key{Name: "query.seed", Kind: Natural, Default: one("0"), Doc: "Random seed that shuffles reports and chunks before they are read."}, Flag: "seed", Only: "query", Env: one("NEORAG_QUERY_SEED")},
		{Key: Key{Name: "query.map_tokens", Kind: Natural, Default: one("8000"), Doc: "global and text: tokens of reports or chunks that are read at a time. Each reading notes\npoints that answer the question."}, Flag: "map-tokens"},
		{Key: Key{Name: "query.reduce_tokens", Kind: Natural, Doc: "Tokens of these points, or of context with other methods, that the answer is written from.\nEmpty: 8000, and 4400 for local with a model."}, Flag: "reduce-tokens", DefaultText: "8000; 4400 for local with a model"},
		{Key: Key{Name: "query.dynamic", Kind: Switch, Default: one("false"), Doc: "true: global selects reports from the root down to the level instead of reading the whole level."}, Flag: "dynamic"},
		{Key: Key{Name: "query.max_calls", Kind: Natural, Doc: "Maximum model calls of dynamic, and of drift; without a model, maximum follow-up questions of drift.\nEmpty: 16 for dynamic, 8 for drift."}, Flag: "max-calls", DefaultText: "16 for --dynamic, 8 for drift"},
		{Key: Key{Name: "query.max_tokens", Kind: Natural, Doc: "Maximum tokens that drift or light reads. Empty: 20000 for drift, 30000 for light."}, Flag: "max-tokens", DefaultText: "20000 for drift, 30000 for light"},
		{Key: Key{Name: "query.answer_tokens", Kind: Natural, Default: one("400"), Doc: "Maximum length of an answer that is made without a model, in tokens."}, Flag: "answer-tokens"},
		{Key: Key{Name: "query.route", Default: one("rules"), Choices: []string{"rules", "model"}, Doc: "How auto chooses a method: by rules, or with one call to the model."}, Flag: "route"},
		{Key: Key{Name: "query.mode", Default: one("hybrid"), Choices: []string{"hybrid", "low", "high", "mix"}, Doc: "What light searches: low: entities, high: relationships, hybrid: both, mix: chunks too."}, Flag: "mode"},
		{Key: Key{Name: "query.budget", Kind: Natural, Default: one("100"), Doc: "lazy: how many chunks are tested for relevance, each by a call of one word if there is a model."}, Flag: "budget"},
		{Key: Key{Name: "query.pairs", Kind: Natural, Doc: "qcg: most question-answer pairs that the question finds. Empty: 15, and 10 for a corpus of\nthe preset dialogue."}, Flag: "pairs", Only: "query", Env: one("NEORAG_QUERY_PAIRS"), DefaultText: "15; 10 for the preset dialogue"},
		{Key: Key{Name: "query.gamma", Kind: Number, Doc: "qcg: least similarity of these pairs, from 0 to 2, calibrated for the vectors of the corpus.\nEmpty: 1, and 1.5 for the preset dialogue."}, Flag: "gamma", DefaultText: "1; 1.5 for the preset dialogue"},
		{Key: Key{Name: "query.hops", Kind: Natural, Default: one("1"), Doc: "qcg: how many links to similar pairs are followed: 0, 1 or 2."}, Flag: "hops"},
		{Key: Key{Name: "query.neighbours", Kind: Natural, Default: one("0"), Doc: "qcg: how many of the similar pairs of a pair are followed; 0 means all."}, Flag: "neighbours", Only: "query", Env: one("NEORAG_QUERY_NEIGHBOURS")},
		{Key: Key{Name: "query.top", Kind: Natural, Default: one("5"), Doc: "qcg: how many chunks the answer is made of."}, Flag: "top"},
		{Key: Key{Name: "query.node", Default: one("pair"), Choices: []string{"pair", "query", "answer", "sentence"}, Doc: "qcg: what the question is compared with: pair, a question with its answer, only one of them,\nor the sentences of the text."}, Flag: "node"},
		{Key: Key{Name: "query.cite", Default: one("sentences"), Choices: []string{"sentences", "records"}, Doc: "What a model cites: sentences, which it is shown with numbers, or whole records."}, Flag: "cite"},
		{Key: Key{Name: "query.check_quotes", Kind: Switch, Default: one("false"), Doc: "true: after an answer a model checks the quotes that are not the words of their statement,\nby one call for 20 of them, and those that state nothing of it are removed."}, Flag: "check-quotes"},
		{Key: Key{Name: "query.spread", Kind: Switch, Default: one("false"), Doc: "true: local also ranks relationships by personalized PageRank from the question's entities."}, Flag: "spread"},
		{Key: Key{Name: "query.diversity", Kind: Number, Default: one("0"), Doc: "From 0 to 1: how much local lowers the rank of chunks that repeat others."}, Flag: "diversity"},
	}
}
