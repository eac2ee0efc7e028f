package config

// querySettings determine how questions are answered.
func querySettings() []Setting {
	return []Setting{
		{Key: Key{Name: "query.method", Default: one("global"), Doc: "Query method; `neorag methods` lists them."}, Flag: "method", Only: "query"},
		{Key: Key{Name: "query.level", Default: one("2"), Doc: "Community level whose reports are read: a number from 0, root or leaf."}, Flag: "level", Only: "query"},
		{Key: Key{Name: "query.seed", Kind: Natural, Default: one("0"), Doc: "Random seed for the order in which reports are read."}, Flag: "seed", Only: "query", Env: one("NEORAG_QUERY_SEED")},
		{Key: Key{Name: "query.map_tokens", Kind: Natural, Default: one("8000"), Doc: "Tokens of reports per map call."}, Flag: "map-tokens"},
		{Key: Key{Name: "query.reduce_tokens", Kind: Natural, Default: one("8000"), Doc: "Tokens of points, or of context, that the answer is written from."}, Flag: "reduce-tokens"},
		{Key: Key{Name: "query.dynamic", Kind: Switch, Default: one("false"), Doc: "true: global selects reports from the root down to the level instead of reading the whole level."}, Flag: "dynamic"},
		{Key: Key{Name: "query.max_calls", Kind: Natural, Default: one("16"), Doc: "Maximum calls to select reports, or of drift; without a model, of its follow-up questions."}, Flag: "max-calls"},
		{Key: Key{Name: "query.max_tokens", Kind: Natural, Default: one("48000"), Doc: "Maximum tokens that drift reads."}, Flag: "max-tokens"},
		{Key: Key{Name: "query.answer_tokens", Kind: Natural, Default: one("400"), Doc: "Length of an answer without a model, in tokens."}, Flag: "answer-tokens"},
		{Key: Key{Name: "query.route", Default: one("rules"), Choices: []string{"rules", "model"}, Doc: "How auto chooses a method: by rules, or with one call to the model."}, Flag: "route"},
		{Key: Key{Name: "query.spread", Kind: Switch, Default: one("false"), Doc: "true: local also ranks relationships by personalized PageRank from the question's entities."}, Flag: "spread"},
		{Key: Key{Name: "query.diversity", Kind: Number, Default: one("0"), Doc: "From 0 to 1: how strongly local penalizes sources that repeat others."}, Flag: "diversity"},
	}
}
