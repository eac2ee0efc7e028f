package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/known"
)

// knownServers is the shape of `cache servers --json`.
type knownServers struct {
	Servers []known.Record `json:"servers"` // of which something is known
}

// forgottenServers is the shape of `cache forget --json`.
type forgottenServers struct {
	Forgotten int `json:"forgotten"` // number of records removed
}

// serversFolder returns the folder in a cache with what is known of model servers.
func serversFolder(cache string) *known.Folder {
	return &known.Folder{Dir: filepath.Join(cache, llm.ServersDir)}
}

func listServers(env *environment, cache string) error {
	records, err := serversFolder(cache).Records()
	if err != nil {
		return err
	}
	return env.print(knownServers{append([]known.Record{}, records...)}, func() {
		if len(records) == 0 {
			env.printf("Nothing is known of model servers: no server refused anything in the last week.\n")
		}
		for _, r := range records {
			env.printf("%s, model %s: %s (since %s)\n", r.Server, r.Model, factsText(r.Facts), r.Learnt.Format("2006-01-02"))
		}
	})
}

// factsText says what is known of a server.
func factsText(f known.Facts) string {
	var parts []string
	add := func(applies bool, format string, args ...any) {
		if applies {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(len(f.Without) > 0, "refuses the parameters %s", strings.Join(f.Without, ", "))
	add(f.Format != "", "strictest response format %s", f.Format)
	add(f.WholeAnswers, "refuses to stream")
	add(f.OneMessage, "gets all messages as one")
	add(f.Context > 0, "context of %d tokens", f.Context)
	add(f.BatchTexts > 0, "embeds at most %d texts in a call", f.BatchTexts)
	add(f.BatchTokens > 0, "embeds at most %d tokens in a call", f.BatchTokens)
	return strings.Join(parts, "; ")
}

func forgetServers(env *environment, cache string) error {
	n, err := serversFolder(cache).Forget()
	if err != nil {
		return err
	}
	return env.print(forgottenServers{n}, func() { env.printf("%d records of model servers removed; everything is tried again\n", n) })
}
