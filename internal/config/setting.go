package config

import (
	"slices"
	"strings"
	"sync"
)

// A Setting is defined here alone: its key in neorag.yaml, its environment variables, its flag
// and its help.
type Setting struct {
	Key

	Flag        string   // without its dashes; "" means no command has a flag for it
	Aliases     []string // of the flag
	Usage       string   // of the flag, with the name of its value in backquotes; "" hides the flag from the help
	Group       string   // of the flag in the help
	Everyday    bool     // the flag comes first in the help, in no group
	Env         []string // environment variables; the first that is set counts
	DefaultText string   // describes a default that depends on something; "" means Default does

	// Either Risk is why a file that is found in the working directory sets it only after the user
	// trusted the file, or Harmless is why any file may set it. A setting without both needs trust.
	Risk     Risk
	Harmless string
}

// A Risk is the worst that a value from somebody else does.
type Risk string

// The risks, the worst first.
const (
	Sends     Risk = "sends texts, keys or passwords to a server, or takes answers from it"
	Opens     Risk = "opens a folder or a port, or runs a program"
	Deletes   Risk = "deletes or overwrites what a corpus holds"
	Instructs Risk = "reaches the prompts of a model"
	Spends    Risk = "costs calls to a model or time, or redoes what was paid for"
	Hides     Risk = "leaves out texts or evidence, or hides failures"
)

// withRisk gives a risk to the settings that have none.
func withRisk(r Risk, all []Setting) []Setting {
	for i, s := range all {
		if s.Risk == "" && s.Harmless == "" {
			all[i].Risk = r
		}
	}
	return all
}

// Groups of flags in the help.
const (
	GroupDocuments   = "Documents and chunks"
	GroupExtraction  = "Extraction"
	GroupCommunities = "Communities and reports"
	GroupPairs       = "Question-answer pairs"
	GroupRetrieval   = "Retrieval and answers"
	GroupModels      = "Models"
	GroupServer      = "Neo4j"
	GroupOutput      = "Output and settings"
)

// inGroup puts the flags of settings into a group, unless they have one or need none.
func inGroup(group string, all []Setting) []Setting {
	for i, s := range all {
		if s.Group == "" && !s.Everyday {
			all[i].Group = group
		}
	}
	return all
}

// Restricted reports whether a file that was found, not named, can set this setting only after
// the user trusted the file.
func (s Setting) Restricted() bool { return s.Harmless == "" }

// Settings returns all settings, in the order of the file.
func Settings() []Setting { return settings() }

var settings = sync.OnceValue(func() []Setting {
	all := slices.Concat(generalSettings(), modelSettings(), indexSettings(), querySettings(), serverSettings(), serveSettings(), logSettings())
	for i, s := range all {
		if s.Env == nil {
			all[i].Env = one("NEORAG_" + strings.ToUpper(strings.ReplaceAll(s.Flag, "-", "_")))
		}
	}
	return all
})

// Find returns the setting of a key. An unknown key is a bug in the caller.
func Find(key string) Setting {
	i := slices.IndexFunc(Settings(), func(s Setting) bool { return s.Name == key })
	if i < 0 {
		panic("config: no setting has the key " + key)
	}
	return Settings()[i]
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
			Key:  Key{Name: "corpus", Doc: "Name of the corpus: its documents and graph; lower case letters, digits, -, _ and single dots. One server holds many. Empty: " + DefaultCorpus + "."},
			Flag: "corpus", Risk: Deletes, Usage: "use the corpus `NAME` (NEORAG_CORPUS)", DefaultText: DefaultCorpus,
		},
		{
			Key:  Key{Name: "offline", Kind: Switch, Default: one("false"), Doc: "true: use no model; rule-based text processing on this machine does everything."},
			Flag: "offline", Harmless: "nothing is sent and nothing is paid for", Usage: "use no model, only rule-based text processing on this machine",
		},
		{
			Key:  Key{Name: "concurrency", Kind: Whole, Bounds: between(0, 1000), Doc: "Maximum number of model calls at a time, or number of workers without a model.\nEmpty: 16 with a model, else the number of CPUs."},
			Flag: "concurrency", Risk: Spends, Usage: "make at most `N` model calls at a time, or use N workers without a model", DefaultText: "16 with a model, else the number of CPUs",
		},
		{
			Key:  Key{Name: "prompts", Kind: Path, Doc: "Folder of prompts that replace the built-in ones of the same file name. Empty: built-in prompts."},
			Flag: "prompts", Group: GroupModels, Risk: Instructs, Usage: "use the prompts in `FOLDER` instead of the built-in ones of the same file name, which are in prompts/ of the repository", DefaultText: "built-in prompts",
		},
		{
			Key:  Key{Name: "language", Word: true, Doc: "Language in which a model writes descriptions and reports, such as German or de; stored with\nthe corpus; documents resets it. Empty: the corpus's value; the language of the documents for a new corpus."},
			Flag: "language", Group: GroupExtraction, Risk: Instructs, Usage: "have the model write descriptions and reports in `LANGUAGE`, such as German; stored with the corpus; documents resets it",
			DefaultText: "the corpus's value; the language of the documents for a new corpus",
		},
		{
			Key:  Key{Name: "cache_dir", Kind: Path, Doc: "Folder where model responses are cached, so that no call is paid for twice.\nEmpty: in your cache folder."},
			Flag: "cache-dir", Group: GroupModels, Risk: Opens, Usage: "cache model responses in `FOLDER` (" + EnvCache + ")", Env: one(EnvCache), DefaultText: "in the user's cache folder",
		},
	}
}
