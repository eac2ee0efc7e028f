package config

import (
	"cmp"
	"strings"
)

// Models that are used at OpenAI unless others are named.
const (
	openAIChatModel      = "gpt-4.1-mini"
	openAIEmbeddingModel = "text-embedding-3-small"
)

// leastContext is the lowest context of a model that can be set.
const leastContext = 128

// A Task is work for a chat model. Each task may have a separate model.
type Task struct {
	Name string
	Doc  string
	Work string // completes the usage of --model-TASK: "use the chat model NAME to"
}

// Tasks returns all tasks, in the order of the pipeline.
func Tasks() []Task {
	return []Task{
		{"extract", "extract finds entities, relationships and claims in the text; it makes most of the calls.", "extract"},
		{"summarise", "summarise merges the descriptions of an entity or a relationship into one, and confirms similar names.", "summarise descriptions"},
		{"report", "report writes the community reports.", "write reports"},
		{"queries", "queries makes question-answer pairs of the text, for a corpus that is indexed with them.", "make question-answer pairs"},
		{"map", "map reads reports for a question and notes points.", "read reports"},
		{"answer", "answer writes the answer from the points that map noted.", "write answers"},
	}
}

// modelSettings are the settings below models.
func modelSettings() []Setting {
	all := append(chatSettings(), embeddingSettings()...)
	all = append(all, rerankSettings()...)
	for _, t := range Tasks() {
		all = append(all, taskSettings(t)...)
	}
	return inGroup(GroupModels, withRisk(Sends, all))
}

func chatSettings() []Setting {
	return append([]Setting{
		{
			Key:  Key{Name: "models.chat.base_url", Kind: List, Doc: "Address of an OpenAI-compatible server, such as http://localhost:11434/v1, or a list of\nservers that have the same model: each call goes to the one that is most free.\nnats://HOST:PORT is a queue, from which machines with `neorag work` fetch the calls (docs/work.md).\nEmpty: OpenAI if its key is set, else no model is used."},
			Flag: "base-url", Everyday: true, Usage: "use the OpenAI-compatible server at `URL`, such as http://localhost:11434/v1; several servers of the same model are separated by commas, and nats://HOST:PORT is a queue for `neorag work`", Env: []string{EnvBaseURL, EnvOpenAIBaseURL}, DefaultText: "OpenAI if " + EnvOpenAIKey + " is set",
		},
		{
			Key:  Key{Name: "models.chat.model", Doc: "Name of the model. Empty: " + openAIChatModel + " at OpenAI; other servers need a name."},
			Flag: "model", Everyday: true, Usage: "use the chat model `NAME`", DefaultText: openAIChatModel + " at OpenAI; required at other servers",
		},
		{
			Key: Key{
				Name: "models.chat.api_key_env", Kind: Variable,
				Doc: "Name of the environment variable that holds the key, never the key itself.\nEmpty: " + EnvOpenAIKey + " at OpenAI, " + EnvAPIKey + " (if set) at other servers.\n" + EnvOpenAIKey + " is only ever sent to OpenAI.",
			},
			Flag: "api-key-env", Usage: "read the API key for the server of --base-url from the environment variable `VARIABLE`", DefaultText: EnvOpenAIKey + " at OpenAI, else " + EnvAPIKey,
		},
		{
			Key:  Key{Name: "models.chat.parameters", Kind: Parameters, Doc: "Additional request fields, such as {top_p: 0.9, seed: 7, options: {num_ctx: 16384}}."},
			Flag: "parameter", Usage: "add the field `NAME=VALUE` to each request to the chat model, such as top_p=0.9", DefaultText: "none",
		},
		{
			Key: Key{
				Name: "models.chat.max_tokens", Kind: Whole, Bounds: between(1, maxTokens),
				Doc: "Most tokens of an answer, with the reasoning before it: raise it for models that reason at length.\nWith --max-cost each call reserves the price of that many. Empty: 8192 to extract, 4096 for other tasks.",
			},
			Env: one("NEORAG_MAX_TOKENS_CHAT"), DefaultText: "8192 to extract, 4096 for other tasks",
		},
		{
			Key: Key{
				Name: "models.chat.context", Kind: Whole, Bounds: between(leastContext, maxTokens),
				Doc: "Tokens that the model reads and writes in one call. Prompts and limits of answers are kept within it.\nEmpty: known for hosted models, else asked of the server, else learnt when it refuses a call.",
			},
			Env: one("NEORAG_CONTEXT_CHAT"), DefaultText: "known for hosted models; else asked of the server",
		},
		{
			Key:  Key{Name: "models.chat.price_in", Kind: Number, Bounds: between(0, maxPrice), Doc: "Price of a million input tokens, and of a million output tokens, in any currency, to show and limit costs.\nEmpty: the list price in USD of common models at their providers, else unknown."},
			Flag: "price-in", Usage: "set the `PRICE` of a million input tokens of the chat model, in any currency, to show and limit costs", DefaultText: "the list price at the provider of a common model",
		},
		{
			Key:  Key{Name: "models.chat.price_out", Kind: Number, Bounds: between(0, maxPrice)},
			Flag: "price-out", Usage: "set the `PRICE` of a million output tokens of the chat model, in the same currency", DefaultText: "none",
		},
	}, callSettings("chat", "10m", "the timeout until the answer begins, then 5m", true)...)
}

func embeddingSettings() []Setting {
	return append([]Setting{
		{
			Key:  Key{Name: "models.embedding.base_url", Kind: List, Doc: "Server of the embedding model. With it and without a chat model, only vectors are made by a model."},
			Flag: "embedding-base-url", Everyday: true, Usage: "compute vectors with a model on the server at `URL`, with or without a chat model", DefaultText: "as for the chat model",
		},
		{
			Key:  Key{Name: "models.embedding.model", Doc: "Empty: " + openAIEmbeddingModel + " at OpenAI, none at other servers: vectors are then computed\nfrom the words by hashing."},
			Flag: "embedding-model", Everyday: true, Usage: "use the embedding model `NAME`; --embedding-base-url requires it, except at OpenAI", DefaultText: openAIEmbeddingModel + " at OpenAI, none at other servers: vectors are then computed from the words by hashing",
		},
		{
			Key:  Key{Name: "models.embedding.api_key_env", Kind: Variable},
			Flag: "embedding-api-key-env", DefaultText: "as for the chat model if on the same server",
		},
		{
			Key: Key{Name: "models.embedding.context", Kind: Whole, Bounds: between(leastContext, maxTokens), Doc: "Tokens of a text that the model reads. Of a longer text, the beginning is embedded. Empty: all is sent."},
			Env: one("NEORAG_EMBEDDING_CONTEXT"), DefaultText: "none: all of a text is sent",
		},
		{
			Key:  Key{Name: "models.embedding.price_in", Kind: Number, Bounds: between(0, maxPrice)},
			Flag: "embedding-price-in", Usage: "set the `PRICE` of a million tokens of the embedding model, in the same currency", DefaultText: "none",
		},
	}, callSettings("embedding", "10m", "the timeout until the answer begins, then 5m", true)...)
}

func rerankSettings() []Setting {
	return append([]Setting{
		{
			Key:  Key{Name: "models.rerank.base_url", Doc: "Address of a server with /rerank, such as http://localhost:8080/v1. Empty: no reranking."},
			Flag: "rerank-base-url", Group: GroupRetrieval, Usage: "rerank chunks with the server at `URL`, which has /rerank", DefaultText: "no reranking",
		},
		{
			Key:  Key{Name: "models.rerank.model"},
			Flag: "rerank-model", Group: GroupRetrieval, Usage: "rerank with the model `NAME` of the server of --rerank-base-url", DefaultText: "chosen by the server",
		},
		{
			Key:  Key{Name: "models.rerank.api_key_env", Kind: Variable},
			Flag: "rerank-api-key-env", Group: GroupRetrieval, DefaultText: "none, or " + EnvAPIKey + " on its own server",
		},
	}, callSettings("rerank", "20s", "the timeout", false)...)
}

// taskSettings are the block of a task. Only the model's name has a flag.
func taskSettings(t Task) []Setting {
	const ofChat, sameServer, sameModel = "as for the chat model", "as for the chat model if on the same server", "as for the chat model if it is the same model"
	all := []Setting{
		{Key: Key{Name: "base_url", Kind: List}, DefaultText: ofChat},
		{
			Key:  Key{Name: "model"},
			Flag: "model-" + t.Name, Usage: "use the chat model `NAME` to " + t.Work + "; models." + t.Name + ".base_url in neorag.yaml sets another server", DefaultText: "the chat model; required on another server",
		},
		{Key: Key{Name: "api_key_env", Kind: Variable}, DefaultText: sameServer},
		{Key: Key{Name: "parameters", Kind: Parameters}, DefaultText: sameModel},
		{Key: Key{Name: "max_tokens", Kind: Whole, Bounds: between(1, maxTokens)}, DefaultText: sameModel},
		{Key: Key{Name: "context", Kind: Whole, Bounds: between(leastContext, maxTokens)}, DefaultText: sameModel},
		{Key: Key{Name: "price_in", Kind: Number, Bounds: between(0, maxPrice)}, DefaultText: sameModel},
		{Key: Key{Name: "price_out", Kind: Number, Bounds: between(0, maxPrice)}, DefaultText: sameModel},
		{Key: Key{Name: "timeout", Kind: Duration}, DefaultText: ofChat},
		{Key: Key{Name: "idle_timeout", Kind: Duration}, DefaultText: ofChat},
		{Key: Key{Name: "requests_per_minute", Kind: Number, Bounds: between(0, maxRate)}, DefaultText: sameModel},
		{Key: Key{Name: "tokens_per_minute", Kind: Number, Bounds: between(0, maxRate)}, DefaultText: sameModel},
	}
	for i, s := range all {
		all[i].Env = one(taskVariable(s.Name, t.Name))
		all[i].Name = "models." + t.Name + "." + s.Name
	}
	return all
}

// taskVariable names the environment variable of a task's setting.
func taskVariable(name, task string) string {
	word := map[string]string{"parameters": "parameter"}
	return "NEORAG_" + strings.ToUpper(cmp.Or(word[name], name)+"_"+task)
}
