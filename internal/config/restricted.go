package config

import "slices"

// harmless are the settings that take effect from any file that is found in the
// working directory. They determine how texts are read and processed. None of them
// chooses a server, a key or a folder, or what a model call costs.
var harmless = []string{
	"corpus", "offline", "concurrency",
	"extract.gleanings", "extract.gleaning", "extract.claims", "resolve", "extract.format", "extract.entity_types",
	"source.ignore", "source.fields", "source.encoding", "source.html", "source.max_file_size",
	"chunk.size", "chunk.overlap", "chunk.boundary", "chunk.encoding",
	"clusters.max_size", "clusters.resolution", "clusters.seed", "clusters.weight", "clusters.fresh_share",
	"reports.max", "reports.small", "reports.context_tokens", "reports.rewrite", "labels.levels", "labels.max", "labels.prefix",
	"index.allow_failures", "index.time_limits", "index.without", "index.with",
	"queries.pairs", "queries.share", "queries.neighbours", "queries.preset",
	"query.method", "query.level", "query.seed", "query.map_tokens", "query.reduce_tokens", "query.dynamic", "query.max_calls",
	"query.max_tokens", "query.answer_tokens", "query.route", "query.mode", "query.cite", "query.check_quotes", "query.spread", "query.diversity",
	"query.budget", "query.pairs", "query.gamma", "query.hops", "query.neighbours", "query.top", "query.node",
}

// Restricted reports whether a file that was found, not named, can set this setting
// only after the user trusted the file. A new setting is restricted unless it is listed
// as harmless.
func (s Setting) Restricted() bool { return !slices.Contains(harmless, s.Name) }
