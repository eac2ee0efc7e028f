package config

import "slices"

// querySettings determine how questions are answered.
func querySettings() []Setting {
	return inGroup(GroupRetrieval, slices.Concat(readingSettings(), methodSettings(), answerSettings()))
}

// readingSettings determine which method answers, and how much it reads.
func readingSettings() []Setting {
	return []Setting{
		{
			Key:  Key{Name: "query.method", Default: one("auto"), Doc: "Query method; `neorag methods` lists them."},
			Flag: "method", Aliases: one("m"), Everyday: true, Risk: Spends, Usage: "answer with the method `NAME`; `neorag methods` lists them",
		},
		{
			Key:  Key{Name: "query.level", Default: one("2"), Doc: "Community level whose reports are read: 0 (or root) has the largest communities, leaf the smallest."},
			Flag: "level", Everyday: true, Risk: Spends, Usage: "read the reports of community level `L`: 0 (or root) has the largest communities, leaf the smallest; C1 means 1",
		},
		{
			Key:  Key{Name: "query.seed", Kind: Whole, Bounds: between(0, maxSeed), Default: one("0"), Doc: "Random seed that shuffles reports and chunks before they are read."},
			Flag: "seed", Harmless: "the same reports and chunks are read in another order", Usage: "shuffle reports and chunks with the random seed `N` before they are read", Env: one("NEORAG_QUERY_SEED"),
		},
		{
			Key:  Key{Name: "query.map_tokens", Kind: Whole, Bounds: between(1, maxTokens), Default: one("8000"), Doc: "global and text: tokens of reports or chunks that are read at a time. Each reading notes\npoints that answer the question."},
			Flag: "map-tokens", Risk: Spends, Usage: "read at most `TOKENS` of reports or chunks at a time, and note the points that answer the question (global, also if auto chooses it, and text)",
		},
		{
			Key:  Key{Name: "query.reduce_tokens", Kind: Whole, Bounds: between(1, maxTokens), Doc: "Tokens of these points, or with other methods of context, that the answer is written from.\nEmpty: 8000, but 6000 for qcg, and 4400 for local with a model."},
			Flag: "reduce-tokens", Risk: Spends, Usage: "write the answer from at most `TOKENS` of noted points (global, lazy, text) or of context (other methods)", DefaultText: "8000; 6000 for qcg; 4400 for local with a model",
		},
		{
			Key:  Key{Name: "query.dynamic", Kind: Switch, Default: one("false"), Doc: "true: global selects reports from the root down to the level instead of reading the whole level."},
			Flag: "dynamic", Risk: Spends, Usage: "select reports from the root down to --level instead of reading the whole level (global, also if auto chooses it)",
		},
		{
			Key:  Key{Name: "query.max_calls", Kind: Whole, Bounds: between(1, maxCalls), Doc: "Maximum model calls of dynamic, and of drift; without a model, maximum follow-up questions of drift.\nEmpty: 16 for dynamic, 8 for drift."},
			Flag: "max-calls", Risk: Spends, Usage: "make at most `N` model calls (--dynamic and drift only); without a model, drift asks at most N follow-up questions", DefaultText: "16 for --dynamic, 8 for drift",
		},
		{
			Key:  Key{Name: "query.max_tokens", Kind: Whole, Bounds: between(1, maxTokens), Doc: "Maximum tokens that drift or light reads. Empty: 20000 for drift, 30000 for light."},
			Flag: "max-tokens", Risk: Spends, Usage: "read at most `TOKENS` of context in all (drift and light only)", DefaultText: "20000 for drift, 30000 for light",
		},
		{
			Key:  Key{Name: "query.answer_tokens", Kind: Whole, Bounds: between(1, maxTokens), Default: one("400"), Doc: "Maximum length of an answer that is made without a model, in tokens."},
			Flag: "answer-tokens", Harmless: "an answer without a model is longer or shorter", Usage: "limit an answer that is made without a model to `TOKENS`",
		},
		{
			Key:  Key{Name: "query.route", Default: one("rules"), Choices: []string{"rules", "model"}, Doc: "How auto chooses a method: by rules, or with one call to the model."},
			Flag: "route", Risk: Spends, Usage: "choose the method by `MEANS`: rules or model (auto only)",
		},
	}
}

// methodSettings determine how single methods search.
func methodSettings() []Setting {
	return []Setting{
		{
			Key:  Key{Name: "query.mode", Default: one("hybrid"), Choices: []string{"hybrid", "low", "high", "mix"}, Doc: "What light searches: low: entities, high: relationships, hybrid: both, mix: chunks too."},
			Flag: "mode", Harmless: "the same number of tokens is read from other records", Usage: "search as `MODE`: low for entities, high for relationships, hybrid for both, mix for chunks too (light only)",
		},
		{
			Key:  Key{Name: "query.no_sources", Kind: Switch, Default: one("false"), Doc: "true: light answers from entities and relationships, without the text of the sources."},
			Flag: "no-sources", Risk: Hides, Usage: "answer from entities and relationships, without the text of the sources (light only)",
		},
		{
			Key:  Key{Name: "query.passages", Kind: Whole, Bounds: between(1, 8), Default: one("1"), Doc: "hyde and drift: how many passages a model writes to search for, from 1 to 8."},
			Flag: "passages", Risk: Spends, Usage: "have the model write `N` passages to search for, from 1 to 8 (hyde and drift)",
		},
		{
			Key:  Key{Name: "query.budget", Kind: Whole, Bounds: between(1, maxCalls), Default: one("100"), Doc: "lazy: how many chunks are tested for relevance, each by a call of one word if there is a model."},
			Flag: "budget", Risk: Spends, Usage: "test at most `N` chunks for relevance, each by a call of one word if there is a model (lazy only)",
		},
		{
			Key:  Key{Name: "query.pairs", Kind: Whole, Bounds: between(1, 1000), Doc: "qcg: most question-answer pairs that the question finds. Empty: 15, and 10 for a corpus of\nthe preset dialogue."},
			Flag: "pairs", Risk: Spends, Usage: "find at most `N` question-answer pairs that are similar to the question, the most similar first (qcg only)", Env: one("NEORAG_QUERY_PAIRS"), DefaultText: "15; 10 for the preset dialogue",
		},
		{
			Key:  Key{Name: "query.gamma", Kind: Number, Bounds: between(0.01, 2), Doc: "qcg: least similarity of these pairs, up to 2: their cosine plus 1, adjusted to the embedding model of\nthe corpus. Empty: 1, and 1.5 for the preset dialogue."},
			Flag: "gamma", Harmless: "fewer or more of the same number of pairs are used", Usage: "use only pairs whose similarity (cosine + 1, adjusted to the embedding model of the corpus) is at least `X`, up to 2 (qcg only)", DefaultText: "1; 1.5 for the preset dialogue",
		},
		{
			Key:  Key{Name: "query.hops", Kind: Whole, Bounds: between(0, 2), Default: one("1"), Doc: "qcg: how many links to similar pairs are followed: 0, 1 or 2."},
			Flag: "hops", Harmless: "at most two steps are followed, to the same number of chunks", Usage: "follow links to similar pairs over `N` steps: 0, 1 or 2 (qcg only)",
		},
		{
			Key:  Key{Name: "query.neighbours", Kind: Whole, Bounds: between(0, 1000), Default: one("0"), Doc: "qcg: how many of the similar pairs of a pair are followed; 0 means all."},
			Flag: "neighbours", Risk: Spends, Usage: "follow the links from each pair to at most `N` similar pairs; 0 means all (qcg only)", Env: one("NEORAG_QUERY_NEIGHBOURS"),
		},
		{
			Key:  Key{Name: "query.top", Kind: Whole, Bounds: between(1, 1000), Default: one("5"), Doc: "qcg: how many chunks the answer is made of."},
			Flag: "top", Risk: Spends, Usage: "answer from the best `N` chunks (qcg only)",
		},
		{
			Key:  Key{Name: "query.node", Default: one("pair"), Choices: []string{"pair", "query", "answer", "sentence"}, Doc: "qcg: what the question is compared with: pair, a question with its answer, only one of them,\nor the sentences of the text."},
			Flag: "node", Harmless: "the question is compared with other texts of the corpus", Usage: "compare the question with `NODES`: pair, query, answer or sentence (qcg only)",
		},
	}
}

// answerSettings determine what an answer cites, and how its sources are ranked.
func answerSettings() []Setting {
	return []Setting{
		{
			Key:  Key{Name: "query.cite", Default: one("sentences"), Choices: []string{"sentences", "records"}, Doc: "What a model cites: sentences, which it is shown with numbers, or whole records."},
			Flag: "cite", Harmless: "citations name sentences or records", Usage: "have the model cite `WHAT`: sentences (which it is shown with numbers) or records (whole sources and reports)",
		},
		{
			Key:  Key{Name: "query.check_quotes", Kind: Switch, Default: one("false"), Doc: "true: after answering, a model checks paraphrased quotes, one call for 20, and quotes that do not\nsupport their statement are removed."},
			Flag: "check-quotes", Risk: Spends, Usage: "after answering, have the model check paraphrased quotes, and remove quotes that do not support their statement",
		},
		{
			Key:  Key{Name: "query.spread", Kind: Switch, Default: one("false"), Doc: "true: local also ranks relationships by personalized PageRank from the question's entities."},
			Flag: "spread", Harmless: "the same number of tokens is read from other records", Usage: "also rank relationships by personalized PageRank from the question's entities (local only)",
		},
		{
			Key:  Key{Name: "query.diversity", Kind: Number, Bounds: between(0, 1), Default: one("0"), Doc: "From 0 to 1: how much local lowers the rank of chunks that repeat others."},
			Flag: "diversity", Harmless: "the same number of tokens is read from other chunks", Usage: "lower the rank of chunks that repeat others by `X`, from 0 (not at all) to 1 (local only)",
		},
	}
}
