package config

import (
	"slices"
	"strings"
	"testing"
)

// restricted are the settings that need trust. TASK is any task.
var restricted = []string{
	"prompts", "cache_dir", "language", "extract.examples", // they become part of prompts
	"models.chat.base_url", "models.chat.model", "models.chat.api_key_env", "models.chat.parameters", "models.chat.price_in", "models.chat.price_out",
	"models.embedding.base_url", "models.embedding.model", "models.embedding.api_key_env", "models.embedding.price_in",
	"models.rerank.base_url", "models.rerank.model", "models.rerank.api_key_env",
	"models.TASK.base_url", "models.TASK.model", "models.TASK.api_key_env", "models.TASK.parameters", "models.TASK.price_in", "models.TASK.price_out",
	// How long and how much a model may answer is what it costs.
	"models.chat.max_tokens", "models.chat.timeout", "models.chat.idle_timeout", "models.chat.requests_per_minute", "models.chat.tokens_per_minute",
	"models.embedding.timeout", "models.embedding.idle_timeout", "models.embedding.requests_per_minute", "models.embedding.tokens_per_minute",
	"models.TASK.max_tokens", "models.TASK.timeout", "models.TASK.idle_timeout", "models.TASK.requests_per_minute", "models.TASK.tokens_per_minute",
	"models.rerank.timeout", "models.rerank.idle_timeout",
	"source.ocr_command", // a program to run
	"neo4j.uri", "neo4j.username", "neo4j.database",
	"server.data", "server.bolt_port", "server.http_port", "server.heap", "server.page_cache", "server.mode",
	"log.calls", "log.calls_text", // a file to write to, and what it holds
}

// TestRestricted forces a decision for each setting: a file that was merely found sets
// it, or it does not.
func TestRestricted(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, s := range Settings() {
		name := s.Name
		for _, task := range Tasks() {
			name = strings.Replace(name, "models."+task.Name+".", "models.TASK.", 1)
		}
		known[name] = true
		switch {
		case s.Restricted() != slices.Contains(restricted, name):
			t.Errorf("%s: decide whether a file that was found, not named, may set it: make it Harmless, or list it in restricted of this test", s.Name)
		case !s.Restricted() && (s.Kind == Path || s.Kind == Variable || s.Kind == Parameters):
			t.Errorf("%s is not restricted, although it is %v", s.Name, s.Kind)
		}
	}
	for _, name := range restricted {
		if !known[name] {
			t.Errorf("%s is listed and is no setting", name)
		}
	}
}
