package cli

import (
	"fmt"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
)

// Groups of flags that are not settings. Flags without a group, the everyday ones, come first.
const (
	filterGroup = "Filters"
	savedGroup  = "Parameters of saved queries"
	outputGroup = config.GroupOutput
)

// helpGroups are the groups in the order of the help.
var helpGroups = []string{
	filterGroup, config.GroupDocuments, config.GroupExtraction, config.GroupCommunities, config.GroupPairs, config.GroupRetrieval,
	savedGroup, config.GroupModels, config.GroupServer, outputGroup,
}

// helpTemplate returns the library's template for a command's help, with examples and
// with the flags by group. The flag --help, which the library adds, belongs to the last group.
// path is the name of the command after the names of the commands that it belongs to.
func helpTemplate(cmd *ucli.Command, path string) string {
	head, _, _ := strings.Cut(ucli.CommandHelpTemplate, "{{if .VisibleFlagCategories}}")
	var b strings.Builder
	b.WriteString(head)
	if given := examples[path]; len(given) > 0 {
		b.WriteString("\n\nEXAMPLES:\n   " + strings.Join(given, "\n   "))
	}
	if slices.ContainsFunc(cmd.Flags, func(f ucli.Flag) bool { return groupOf(f) == "" }) {
		writeGroup(&b, "OPTIONS", `and (eq .GetCategory "") (ne (index .Names 0) "help")`)
	}
	for _, group := range helpGroups {
		if slices.ContainsFunc(cmd.Flags, func(f ucli.Flag) bool { return groupOf(f) == group }) {
			condition := fmt.Sprintf("eq .GetCategory %q", group)
			if group == outputGroup {
				condition = fmt.Sprintf(`or (%s) (eq (index .Names 0) "help")`, condition)
			}
			writeGroup(&b, strings.ToUpper(group), condition)
		}
	}
	return b.String() + "\n"
}

// hide hides flags of settings, which still work, from the help.
func hide(flags []ucli.Flag, names ...string) []ucli.Flag {
	for _, f := range flags {
		if !slices.Contains(names, f.Names()[0]) {
			continue
		}
		switch f := f.(type) {
		case textFlag:
			f.Hidden = true
		case itemsFlag:
			f.Hidden = true
		}
	}
	return flags
}

// writeGroup writes the template for the flags that meet a condition.
func writeGroup(b *strings.Builder, heading, condition string) {
	fmt.Fprintf(b, "\n\n%s:{{range .VisibleFlags}}{{if %s}}\n   {{.}}{{end}}{{end}}", heading, condition)
}

// groupOf returns the group of a visible flag, and "hidden" for a hidden one.
func groupOf(f ucli.Flag) string {
	c, ok := f.(ucli.CategorizableFlag)
	if !ok || !c.IsVisible() {
		return "hidden"
	}
	return c.GetCategory()
}

// examples are calls of each command, by its name after the names of the commands that it belongs to,
// for its help.
var examples = map[string][]string{
	"init":           {"neorag init", "neorag init --file offline.yaml"},
	"trust":          {"neorag trust --show", "neorag trust", "neorag trust --revoke letters/neorag.yaml"},
	"up":             {"neorag up", "neorag up --mode docker --heap 2048"},
	"down":           {"neorag down"},
	"doctor":         {"neorag doctor", "neorag doctor --corpus letters --json", "neorag doctor --graph --repair"},
	"index":          {"neorag index --offline docs", "neorag index --corpus letters --dry-run letters notes.pdf", "neorag index --requested --watch --documents /srv/documents"},
	"embed":          {"neorag embed", "neorag embed --again --yes --embedding-model text-embedding-3-large"},
	"status":         {"neorag status", "neorag status --corpus letters", "neorag status --corpus letters --runs"},
	"remove":         {"neorag remove letters/drafts/one.txt", "neorag remove --glob 'letters/drafts/**' --dry-run", "neorag remove --readmit letters/drafts/one.txt", "neorag remove --corpus letters", "neorag remove --corpus letters --yes --json"},
	"query":          {"neorag query 'What are the main themes?'", "neorag query --method local --after 2026 'Who works with Anna?'", "neorag query --offline --chat"},
	"methods":        {"neorag methods"},
	"work":           {"neorag work --queue nats://10.0.0.5:4222 --base-url http://localhost:8000/v1 --model NAME", "neorag work --queue tls://queue.example:4222 --embedding-base-url http://localhost:8001/v1 --embedding-model NAME"},
	"serve":          {"neorag serve", "neorag serve --corpus letters --root letters=my-letters --watch", "neorag serve --address 0.0.0.0:7480 --token auto --read-only", "neorag serve --documents /srv/documents --runs=false"},
	"mcp":            {"neorag mcp", "neorag mcp --corpus letters"},
	"eval retrieval": {"neorag eval retrieval --methods basic questions.jsonl", "neorag eval retrieval --run evaluation --methods basic,fused questions.jsonl", "neorag eval retrieval letters=letters.jsonl minutes=minutes.jsonl"},
	"eval qa":        {"neorag eval qa --offline --methods auto,fused questions.jsonl", "neorag eval qa letters=letters.jsonl minutes=minutes.jsonl", "neorag eval qa --run letters-eval --judge"},
	"eval evidence":  {"neorag eval evidence answer.json", "neorag eval evidence --judge *.json", "neorag eval evidence --run letters-eval --judge"},
	"eval questions": {"neorag eval questions", "neorag eval questions --personas 2 --tasks 2 --questions 3 --run evaluation"},
	"eval answer":    {"neorag eval answer --conditions graphrag", "neorag eval answer questions.jsonl --offline --methods 'local,global level=0'"},
	"eval judge":     {"neorag eval judge", "neorag eval judge C0 SS --criteria comprehensiveness,directness --replicates 1"},
	"eval claims":    {"neorag eval claims --offline", "neorag eval claims --run letters-eval --model gpt-4.1-mini --concurrency 8"},
	"eval import":    {"neorag eval import --question query --answer answer --evidence evidence_list.title set.json > questions.jsonl", "neorag eval import --format hotpotqa hotpot_dev_distractor_v1.json > questions.jsonl"},
	"eval report":    {"neorag eval report --run letters-eval", "neorag eval report --run letters-eval --table winrates,significance --html report.html"},
	"eval cost":      {"neorag eval cost --run letters-eval"},
	"eval compare":   {"neorag eval compare monday friday", "neorag eval compare --cost-margin 0 --all monday friday"},
	"trace":          {"neorag trace 1", "neorag trace entity:Scrooge"},
	"report":         {"neorag report", "neorag report C1_3", "neorag report --export pages --format html"},
	"entities":       {"neorag entities --aliases", "neorag entities --type person hale", "neorag entities --merge 'Clara Hale' 'C. Hale'", "neorag entities --split 'C. Hale'"},
	"cypher":         {"neorag cypher --list entities", "neorag cypher entities/card --entity Scrooge", "neorag cypher 'MATCH (e:Entity {corpus: $corpus}) RETURN e.name, e.degree'"},
	"explore":        {"neorag explore", "neorag explore --export files"},
	"cluster":        {"neorag cluster --csv -o communities.csv edges.tsv", "neorag cluster --nodes Person --rels KNOWS --write --prefix knows"},
	"export":         {"neorag export -o corpus.jsonl", "neorag export --format html -o map.html"},
	"diff":           {"neorag diff monday.jsonl friday.jsonl"},
	"prompts":        {"neorag prompts", "neorag prompts show report", "neorag prompts export my-prompts", "neorag prompts check my-prompts"},
	"tune":           {"neorag tune letters", "neorag tune --output letters-prompts --max-cost 1 letters"},
	"cache":          {"neorag cache", "neorag cache prune --older-than 30d"},
	"completion":     {"neorag completion bash"},
	"version":        {"neorag version --json"},
}
