package cli

import (
	"strings"
	"sync"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/index"
)

// A setting is a key of neorag.yaml with its environment variables and its flag.
type setting struct {
	config.Key
	flag    string
	env     []string // the first that is set holds
	only    string   // command whose flag it is, where another has a flag of that name; "" any
	inverse bool     // the flag says no where the key says yes
	auto    string   // default in words, where it depends
}

// tasks are what a chat model does, each with a model of its own if one is named.
var tasks = []struct{ name, doc string }{
	{"extract", "extract finds entities, relationships and claims in the text: most of all calls."},
	{"summarise", "summarise merges what was found about a thing into one description."},
	{"report", "report writes the reports on communities."},
	{"map", "map reads reports for a question and notes points."},
	{"answer", "answer writes the answer out of the points."},
}

// allSettings are all settings, in the order of the file.
var allSettings = sync.OnceValue(func() []setting {
	out := []setting{
		{Key: config.Key{Name: "corpus", Doc: "Name of the corpus: its documents and graph. One server holds many. Empty: " + defaultCorpus + "."}, flag: "corpus", auto: defaultCorpus},
		{Key: config.Key{Name: "offline", Kind: config.Switch, Default: one("false"), Doc: "true: no model is used, rules of language on this machine do all."}, flag: "offline"},
		{Key: config.Key{Name: "concurrency", Kind: config.Natural, Doc: "Calls, or pieces of work, at once. Empty: 16 with a model, else the number of CPUs."}, flag: "concurrency", auto: "16 with a model, else the number of CPUs"},
		{Key: config.Key{Name: "prompts", Kind: config.Path, Doc: "Folder of prompts that take the place of ours by name. Empty: ours."}, flag: "prompts", auto: "ours"},
		{Key: config.Key{Name: "cache_dir", Kind: config.Path, Doc: "Folder of what models answered, so that no call is paid twice.\nEmpty: in your cache folder."}, flag: "cache-dir", env: one(envCache), auto: "in the user's cache folder"},
	}
	out = append(out, chatSettings()...)
	out = append(out, embeddingSettings()...)
	out = append(out, rerankSettings()...)
	for _, t := range tasks {
		out = append(out, taskSettings(t.name)...)
	}
	out = append(out, makingSettings()...)
	out = append(out, askingSettings()...)
	out = append(out, waySettings()...)
	out = append(out, serverSettings()...)
	for i, s := range out {
		if s.env == nil {
			out[i].env = one("NEORAG_" + strings.ToUpper(strings.ReplaceAll(s.flag, "-", "_")))
		}
	}
	return out
})

func one(text string) []string { return []string{text} }

func chatSettings() []setting {
	return []setting{
		{Key: config.Key{Name: "models.chat.base_url", Doc: "Address of a server with the OpenAI interface, such as http://localhost:11434/v1.\nEmpty: OpenAI's, if its key is set, else no model is used."}, flag: "base-url", env: []string{"NEORAG_BASE_URL", "OPENAI_BASE_URL"}, auto: "OpenAI's, with " + envOpenAIKey},
		{Key: config.Key{Name: "models.chat.model", Doc: "Name of the model. Empty: " + openAIChat + " at OpenAI; must be given elsewhere."}, flag: "model", auto: openAIChat + " at OpenAI"},
		{Key: config.Key{Name: "models.chat.api_key_env", Kind: config.Variable, Doc: "Name of the environment variable that holds the key, never the key itself.\nEmpty: " + envOpenAIKey + " at OpenAI, elsewhere " + envAPIKey + " if it is set. " + envOpenAIKey + "\ngoes to OpenAI alone."}, flag: "api-key-env", auto: envOpenAIKey + " at OpenAI, else " + envAPIKey},
		{Key: config.Key{Name: "models.chat.parameters", Kind: config.Parameters, Doc: "Further fields of requests, such as {top_p: 0.9, options: {num_ctx: 16384}}."}, flag: "parameter", auto: "none"},
		{Key: config.Key{Name: "models.chat.price_in", Kind: config.Number, Doc: "Price of a million tokens in, and out, for the cost that is shown. Empty: none."}, flag: "price-in", auto: "none"},
		{Key: config.Key{Name: "models.chat.price_out", Kind: config.Number}, flag: "price-out", auto: "none"},
	}
}

func embeddingSettings() []setting {
	return []setting{
		{Key: config.Key{Name: "models.embedding.base_url"}, flag: "embedding-base-url", auto: "that of the chat model"},
		{Key: config.Key{Name: "models.embedding.model", Doc: "Empty: " + openAIEmbedding + " at OpenAI, elsewhere vectors without a model."}, flag: "embedding-model", auto: openAIEmbedding + " at OpenAI, elsewhere vectors without a model"},
		{Key: config.Key{Name: "models.embedding.api_key_env", Kind: config.Variable}, flag: "embedding-api-key-env", auto: "that of the chat model on the same server"},
		{Key: config.Key{Name: "models.embedding.price_in", Kind: config.Number}, flag: "embedding-price-in", auto: "none"},
	}
}

func taskSettings(task string) []setting {
	of := func(name string) string { return "models." + task + "." + name }
	const same = "that of the chat model on the same server"
	return []setting{
		{Key: config.Key{Name: of("base_url")}, flag: "base-url-" + task, auto: "that of the chat model"},
		{Key: config.Key{Name: of("model")}, flag: "model-" + task, auto: same},
		{Key: config.Key{Name: of("api_key_env"), Kind: config.Variable}, flag: "api-key-env-" + task, auto: same},
		{Key: config.Key{Name: of("parameters"), Kind: config.Parameters}, flag: "parameter-" + task, auto: "those of the same model"},
		{Key: config.Key{Name: of("price_in"), Kind: config.Number}, flag: "price-in-" + task, auto: "that of the same model"},
		{Key: config.Key{Name: of("price_out"), Kind: config.Number}, flag: "price-out-" + task, auto: "that of the same model"},
	}
}

// makingSettings change what an index run makes.
func makingSettings() []setting {
	return []setting{
		{Key: config.Key{Name: "extract.gleanings", Kind: config.Natural, Default: one("1"), Doc: "How often a model is asked at most for what it missed."}, flag: "gleanings"},
		{Key: config.Key{Name: "extract.claims", Kind: config.Switch, Default: one("true"), Doc: "false: a model extracts no claims, which saves calls."}, flag: "no-claims", env: one("NEORAG_CLAIMS"), inverse: true},
		{Key: config.Key{Name: "extract.format", Choices: []string{"json", "tuples"}, Doc: "How a model writes records: json or tuples. Empty: json, tuples where it gives none."}, flag: "extract-format", auto: "json, tuples where it gives none"},
		{Key: config.Key{Name: "extract.entity_types", Kind: config.List, Default: index.DefaultEntityTypes, Doc: "Types to look for; they become labels in the graph."}, flag: "entity-type"},
		{Key: config.Key{Name: "source.ignore", Kind: config.List, Doc: "Patterns of files to leave out, as in .gitignore."}, flag: "ignore", auto: "none"},
		{Key: config.Key{Name: "source.fields", Kind: config.Pairs, Choices: []string{"text", "title", "id", "date"}, Doc: "Columns of CSV, or keys of JSON, that are the text, title, id and date of a record,\nsuch as {text: body, date: published}. Empty: found by their usual names."}, flag: "field", auto: "found by their usual names"},
		{Key: config.Key{Name: "source.max_file_size", Kind: config.Natural, Default: one("64"), Doc: "Larger files fail, in MB."}, flag: "max-file-size"},
		{Key: config.Key{Name: "chunk.size", Kind: config.Natural, Default: one("600"), Doc: "Tokens of a chunk: the piece of text that is read at once."}, flag: "chunk-size"},
		{Key: config.Key{Name: "chunk.overlap", Kind: config.Natural, Doc: "Tokens that a chunk shares with the one before. Empty: 100, or a sixth of a smaller size."}, flag: "chunk-overlap", auto: "100, or a sixth of a smaller chunk size"},
		{Key: config.Key{Name: "chunk.boundary", Default: one("content"), Choices: []string{"content", "exact"}, Doc: "Where chunks end: content (paragraph, sentence, word) or exact."}, flag: "boundary"},
		{Key: config.Key{Name: "chunk.encoding", Default: one("o200k_base"), Choices: []string{"o200k_base", "cl100k_base"}, Doc: "How tokens are counted: o200k_base or cl100k_base."}, flag: "encoding"},
		{Key: config.Key{Name: "clusters.max_size", Kind: config.Natural, Default: one("10"), Doc: "Communities of so many entities and more are split."}, flag: "max-community-size"},
		{Key: config.Key{Name: "clusters.resolution", Kind: config.Number, Default: one("1"), Doc: "Higher gives smaller communities."}, flag: "resolution"},
		{Key: config.Key{Name: "clusters.seed", Kind: config.Natural, Default: one("0"), Doc: "Another seed may give other communities; the same seed gives the same."}, flag: "seed"},
		{Key: config.Key{Name: "clusters.weight", Default: one("count"), Choices: []string{"count", "strength"}, Doc: "What an edge weighs: count or strength."}, flag: "weight"},
		{Key: config.Key{Name: "reports.max", Kind: config.Natural, Default: one("10000"), Doc: "So many reports are written by a model, those of root levels and of large\ncommunities first; the others are made of the best sentences."}, flag: "max-reports"},
		{Key: config.Key{Name: "labels.levels", Kind: config.Whole, Default: one("0"), Doc: "Entities get labels of their communities on so many levels from the root.\n0 means all, -1 none."}, flag: "label-levels"},
		{Key: config.Key{Name: "labels.max", Kind: config.Natural, Default: one("1000"), Doc: "Labels of communities in all."}, flag: "label-max"},
		{Key: config.Key{Name: "labels.prefix", Default: one("C"), Doc: "What these labels begin with."}, flag: "label-prefix"},
		{Key: config.Key{Name: "index.allow_failures", Default: one("0"), Doc: "So many items may fail before the exit code is 3: a number, or a part such as 5%."}, flag: "allow-failures"},
		{Key: config.Key{Name: "index.without", Kind: config.List, Choices: []string{"reports"}, Doc: "What is left out: [reports] saves the calls for reports, and global questions have none."}, flag: "without", auto: "nothing"},
	}
}

// askingSettings change how questions are answered.
func askingSettings() []setting {
	return []setting{
		{Key: config.Key{Name: "query.method", Default: one("global"), Doc: "How questions are answered; `neorag methods` lists the ways."}, flag: "method", only: "query"},
		{Key: config.Key{Name: "query.level", Default: one("2"), Doc: "Level of the communities whose reports are read: a number from 0, root or leaf."}, flag: "level", only: "query"},
		{Key: config.Key{Name: "query.seed", Kind: config.Natural, Default: one("0"), Doc: "Of the order in which reports are read."}, flag: "seed", only: "query", env: one("NEORAG_QUERY_SEED")},
		{Key: config.Key{Name: "query.map_tokens", Kind: config.Natural, Default: one("8000"), Doc: "Tokens of reports that one call reads."}, flag: "map-tokens"},
		{Key: config.Key{Name: "query.reduce_tokens", Kind: config.Natural, Default: one("8000"), Doc: "Tokens of the points, or of the context, that the answer is made of."}, flag: "reduce-tokens"},
		{Key: config.Key{Name: "query.dynamic", Kind: config.Switch, Default: one("false"), Doc: "true: global chooses reports from the roots down to the level, and does not read all of it."}, flag: "dynamic"},
		{Key: config.Key{Name: "query.max_calls", Kind: config.Natural, Default: one("16"), Doc: "Calls at most to choose reports, or of drift; without a model its follow-up questions."}, flag: "max-calls"},
		{Key: config.Key{Name: "query.max_tokens", Kind: config.Natural, Default: one("48000"), Doc: "Tokens that drift reads at most."}, flag: "max-tokens"},
		{Key: config.Key{Name: "query.answer_tokens", Kind: config.Natural, Default: one("400"), Doc: "Tokens of an answer without a model."}, flag: "answer-tokens"},
	}
}

// serverSettings say where Neo4j is.
func serverSettings() []setting {
	return []setting{
		{Key: config.Key{Name: "neo4j.uri", Doc: "Address, such as bolt://localhost:7687. Empty: the local server of `neorag up`."}, flag: "neo4j-uri", env: one(envURI), auto: "the local server of `neorag up`"},
		{Key: config.Key{Name: "neo4j.username", Default: one("neo4j")}, flag: "neo4j-username", env: one(envUser)},
		{Key: config.Key{Name: "neo4j.database", Doc: "Empty: the user's home database."}, flag: "neo4j-database", env: one(envDatabase), auto: "the user's home database"},
		{Key: config.Key{Name: "server.data", Kind: config.Path, Doc: "Folder of its data. Empty: in your data folder."}, flag: "data", env: one("NEORAG_SERVER_DATA"), auto: "neo4j in " + envHome + ", or in the user's data folder"},
		{Key: config.Key{Name: "server.bolt_port", Kind: config.Natural, Default: one("7687"), Doc: "Port for programs; 0 takes a free one."}, flag: "bolt-port"},
		{Key: config.Key{Name: "server.http_port", Kind: config.Natural, Default: one("7474"), Doc: "Port of Neo4j Browser; 0 takes a free one."}, flag: "http-port"},
		{Key: config.Key{Name: "server.heap", Kind: config.Natural, Default: one("1024"), Doc: "Memory for the server, and for the graph, in MB."}, flag: "heap", env: one("NEORAG_SERVER_HEAP")},
		{Key: config.Key{Name: "server.page_cache", Kind: config.Natural, Default: one("512")}, flag: "page-cache", env: one("NEORAG_SERVER_PAGE_CACHE")},
		{Key: config.Key{Name: "server.mode", Default: one("auto"), Choices: []string{"auto", "docker", "java"}, Doc: "auto, docker or java."}, flag: "mode", only: "up", env: one("NEORAG_SERVER_MODE")},
	}
}

// sections are what stands above the sections of the file.
var sections = sync.OnceValue(func() map[string]string {
	out := map[string]string{
		"models":           "Models. Without any, and without a key of OpenAI, rules of language do the work.",
		"models.chat":      "The model for all tasks.",
		"models.embedding": "The model for vectors. What is empty is as with the chat model.",
		"models.rerank":    "A model that ranks the sources of a question anew.",
		"extract":          "How a model reads the text. A change redoes the extraction, and asks for --yes first.",
		"source":           "Which files are read, and how.",
		"chunk":            "How texts are cut. A change redoes what depends on it.",
		"clusters":         "How communities are found.",
		"reports":          "Reports on communities.",
		"labels":           "Labels that show communities in Neo4j Browser.",
		"index":            "How a run of `neorag index` goes.",
		"query":            "How questions are answered.",
		"neo4j":            "The Neo4j that is used. Its password is read from " + envPassword + " alone.",
		"server":           "The local server of `neorag up`.",
	}
	for i, t := range tasks {
		out["models."+t.name] = t.doc
		if i == 0 {
			out["models."+t.name] = "A model of its own for a task. What is empty is as with the chat model.\n" + t.doc
		}
	}
	return out
})

const fileHead = "Settings of NeoRAG, each at its default. An empty value stands for the default too.\n" +
	"A flag wins over the environment, and the environment over this file.\n" +
	"Keys of models and passwords never stand here, only in environment variables.\n" +
	"Paths start from the folder of this file. `neorag doctor` shows what holds."

// settingOf is the setting behind a flag of a command.
func settingOf(command, flag string) (setting, bool) {
	if notSettings[command+" "+flag] {
		return setting{}, false
	}
	var found setting
	for _, s := range allSettings() {
		if s.flag == flag && (s.only == command || s.only == "" && found.flag == "") {
			found = s
		}
	}
	return found, found.flag != ""
}

// notSettings are flags that share a name with a setting and are none.
var notSettings = map[string]bool{"remove corpus": true, "cluster weight": true}
