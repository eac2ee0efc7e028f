package config

import (
	"slices"
	"strings"
	"sync"
)

// A Setting is a key of neorag.yaml with its environment variables and its flag.
type Setting struct {
	Key

	Flag        string   // without its dashes; "" means no command has a flag for it
	Env         []string // environment variables; the first that is set counts
	Only        string   // command whose flag it is, where other commands have another flag of that name; "" means any
	Except      string   // command whose flag of that name is another one; "" means none
	DefaultText string   // describes a default that depends on something; "" means Default does
}

// Settings returns all settings, in the order of the file.
func Settings() []Setting { return settings() }

var settings = sync.OnceValue(func() []Setting {
	all := slices.Concat(generalSettings(), modelSettings(), indexSettings(), querySettings(), serverSettings())
	for i, s := range all {
		if s.Env == nil {
			all[i].Env = one("NEORAG_" + strings.ToUpper(strings.ReplaceAll(s.Flag, "-", "_")))
		}
	}
	return all
})

// ForFlag returns the setting behind a flag of a command.
func ForFlag(command, flag string) (s Setting, ok bool) {
	for _, candidate := range Settings() {
		switch {
		case candidate.Flag != flag || flag == "" || candidate.Except == command:
		case candidate.Only == command:
			return candidate, true
		case candidate.Only == "" && !ok:
			s, ok = candidate, true
		}
	}
	return s, ok
}

// keys returns the keys of all settings, in the order of the file.
func keys() []Key {
	var out []Key
	for _, s := range Settings() {
		out = append(out, s.Key)
	}
	return out
}

// one is a value with one item.
func one(text string) []string { return []string{text} }

// DefaultCorpus is the corpus of a command that names none.
const DefaultCorpus = "main"

// generalSettings apply to most commands.
func generalSettings() []Setting {
	return []Setting{
		{
			Key:  Key{Name: "corpus", Doc: "Name of the corpus: its documents and graph. One server holds many. Empty: " + DefaultCorpus + "."},
			Flag: "corpus", Except: "remove", DefaultText: DefaultCorpus,
		},
		{
			Key:  Key{Name: "offline", Kind: Switch, Default: one("false"), Doc: "true: use no model; rule-based text processing on this machine does everything."},
			Flag: "offline",
		},
		{
			Key:  Key{Name: "concurrency", Kind: Natural, Doc: "Maximum number of model calls at a time, or number of workers without a model.\nEmpty: 16 with a model, else the number of CPUs."},
			Flag: "concurrency", DefaultText: "16 with a model, else the number of CPUs",
		},
		{
			Key:  Key{Name: "prompts", Kind: Path, Doc: "Folder of prompts that replace the built-in ones of the same file name. Empty: built-in prompts."},
			Flag: "prompts", DefaultText: "built-in prompts",
		},
		{Key: Key{Name: "language", Doc: "Language in which a model writes descriptions and reports, such as German or de. The corpus\nremembers it; documents undoes that. Empty: as before, at first that of the documents."}, Flag: "language", DefaultText: "as before, at first that of the documents"},
		{
			Key:  Key{Name: "cache_dir", Kind: Path, Doc: "Folder where model responses are cached, so that no call is paid for twice.\nEmpty: in your cache folder."},
			Flag: "cache-dir", Env: one(EnvCache), DefaultText: "in the user's cache folder",
		},
	}
}
