package cli

// examples are calls of each command, by its name, for its help.
var examples = map[string][]string{
	"init":       {"neorag init", "neorag init --file offline.yaml"},
	"trust":      {"neorag trust --show", "neorag trust", "neorag trust --revoke letters/neorag.yaml"},
	"up":         {"neorag up", "neorag up --mode docker --heap 2048"},
	"down":       {"neorag down"},
	"doctor":     {"neorag doctor", "neorag doctor --corpus letters --json", "neorag doctor --graph --repair"},
	"index":      {"neorag index --offline docs", "neorag index --corpus letters --dry-run letters notes.pdf"},
	"embed":      {"neorag embed", "neorag embed --again --yes --embedding-model text-embedding-3-large"},
	"status":     {"neorag status", "neorag status --corpus letters", "neorag status --corpus letters --runs"},
	"remove":     {"neorag remove letters/drafts/one.txt", "neorag remove --glob 'letters/drafts/**' --dry-run", "neorag remove --readmit letters/drafts/one.txt", "neorag remove --corpus letters"},
	"query":      {"neorag query 'What are the main themes?'", "neorag query --method local --after 2026 'Who works with Anna?'", "neorag query --offline --chat"},
	"methods":    {"neorag methods"},
	"retrieval":  {"neorag eval retrieval --methods basic questions.jsonl", "neorag eval retrieval letters=letters.jsonl minutes=minutes.jsonl"},
	"qa":         {"neorag eval qa --offline --methods auto,fused questions.jsonl", "neorag eval qa letters=letters.jsonl minutes=minutes.jsonl"},
	"evidence":   {"neorag eval evidence answer.json", "neorag eval evidence --judge *.json"},
	"trace":      {"neorag trace 1", "neorag trace entity:Scrooge"},
	"report":     {"neorag report", "neorag report C1_3", "neorag report --export pages --format html"},
	"cypher":     {"neorag cypher --list entities", "neorag cypher entities/card --entity Scrooge", "neorag cypher 'MATCH (e:Entity {corpus: $corpus}) RETURN e.name, e.degree'"},
	"explore":    {"neorag explore", "neorag explore --export files"},
	"cluster":    {"neorag cluster --csv -o communities.csv edges.tsv", "neorag cluster --nodes Person --rels KNOWS --write --prefix knows"},
	"export":     {"neorag export -o corpus.jsonl", "neorag export --format html -o map.html"},
	"diff":       {"neorag diff monday.jsonl friday.jsonl"},
	"cache":      {"neorag cache", "neorag cache prune --older-than 30d"},
	"completion": {"neorag completion bash"},
}
