package llm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// keyVersion changes when the meaning of stored answers changes.
const keyVersion = 1

// chatKey returns the cache key of an answer: a hash of everything it depends on, which
// is server, model, every parameter, schema and messages. Task, Stream and Valid do not
// change it.
func chatKey(provider, model string, req Request) (string, error) {
	return key(struct {
		Version               int
		Kind, Provider, Model string
		Messages              []Message
		Schema                *Schema
		JSON                  bool
		MaxTokens             int
		MayEndAtLimit         bool `json:",omitempty"`
		Temperature           float64
		LogitBias             map[string]int64
		Seed                  *int64
	}{
		keyVersion, kindChat, provider, model, req.Messages, req.Schema, req.JSON,
		req.MaxTokens, req.MayEndAtLimit, req.Temperature, req.LogitBias, req.Seed,
	})
}

// vectorKey returns the cache key of the vector of a text.
func vectorKey(provider, model string, text string) (string, error) {
	return key(struct {
		Version                     int
		Kind, Provider, Model, Text string
	}{keyVersion, kindVector, provider, model, text})
}

// batchKey returns the fingerprint of a call that embeds several texts.
func batchKey(provider, model string, texts []string) (string, error) {
	return key(struct {
		Version               int
		Kind, Provider, Model string
		Texts                 []string
	}{keyVersion, kindVector, provider, model, texts})
}

// keysOf returns a key for each of several servers, the first one first.
func keysOf(providers []string, key func(provider string) (string, error)) ([]string, error) {
	keys := make([]string, len(providers))
	for i, p := range providers {
		var err error
		if keys[i], err = key(p); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// key hashes the JSON of a value. Different values have different JSON, and equal ones
// the same: field names and quotes separate the parts, and the keys of maps are sorted.
func key(v any) (string, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("make cache key: %w", err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}
