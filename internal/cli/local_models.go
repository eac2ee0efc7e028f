package cli

import (
	"context"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/llm/localmodels"
)

// suggestLocalModels writes how to use the models that run on this machine to stderr, once
// for a command, if the command uses no model and was not told to. embeds is whether the
// command chooses an embedding model.
func suggestLocalModels(ctx context.Context, env *environment, use config.Use, embeds bool) {
	if env.suggested {
		return
	}
	if offline, err := env.settings.Offline(use); offline || err != nil {
		return
	}
	general, err := env.settings.ChatEndpoint(use)
	if err != nil || general.BaseURL != "" || env.settings.Text("models.embedding.base_url") != "" {
		return
	}
	env.suggested = true
	if flags := foundModelFlags(ctx, env, embeds); flags != "" {
		env.note("a model server runs on this machine, and is used only on request: add%s, or --offline to look for none", flags)
	}
}

// foundModelFlags returns the flags that choose the models that run on this machine, "" without one. It
// does not look for them with --quiet or --json.
func foundModelFlags(ctx context.Context, env *environment, embeds bool) string {
	if env.quiet || env.json || len(env.ModelServers) == 0 {
		return ""
	}
	return localModelFlags(localmodels.Find(ctx, env.ModelServers), embeds)
}

// localModelFlags returns the flags that choose the first chat model and the first
// embedding model of servers, preferably of one server; "" if there is no chat model.
func localModelFlags(servers []localmodels.Server, embeds bool) string {
	flags, embedding := "", ""
	for _, s := range servers {
		if flags == "" && len(s.Chat) > 0 {
			flags = " --base-url " + s.BaseURL + " --model " + s.Chat[0]
			if len(s.Embeddings) > 0 {
				embedding = " --embedding-model " + s.Embeddings[0]
				break
			}
		}
		if embedding == "" && len(s.Embeddings) > 0 {
			embedding = " --embedding-base-url " + s.BaseURL + " --embedding-model " + s.Embeddings[0]
		}
	}
	if flags == "" || !embeds {
		return flags
	}
	return flags + embedding
}
