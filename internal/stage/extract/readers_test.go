package extract

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

// The calls of readers about the first stave of the sample, in the place of a model: with prompts
// that ask for claims in a call that does not show entities, and for yes or no before each gleaning,
// and with the prompts of one call for all records and one for what is missing. Different readers
// answered them.
var (
	separateCalls = filepath.Join("..", "..", "query", "cite", "testdata", "readers-calls.jsonl.gz")
	jointCalls    = filepath.Join("testdata", "readers-calls.jsonl.gz")
)

// readersFound is what readers extracted.
type readersFound struct {
	calls, passages   int
	entities, pairs   map[string]bool // by name in lower case
	claims            int
	absent            int // names and quotes that are not in their passage
	gleaned, gleaning int // gleaned of gleaning calls found something
}

var passageBetween = regexp.MustCompile(`(?s)\n(<<< [0-9a-f]+ >>>)\n(.*?)\n<<< [0-9a-f]+ >>>`)

// readReaders counts what the extraction calls of a recording found.
func readReaders(t *testing.T, name string) readersFound {
	t.Helper()
	f := readersFound{entities: map[string]bool{}, pairs: map[string]bool{}}
	byPassage := map[string]*graph.Extraction{}
	for _, call := range testcorpora.Calls(t, name) {
		if !strings.Contains(call.Prompt, "You read passages of documents and write down") {
			continue
		}
		f.calls++
		passage := passageBetween.FindStringSubmatch(call.Prompt)
		if passage == nil {
			t.Fatalf("a call without a passage: %s", call.Prompt)
		}
		if !strings.Contains(call.Answer, "{") {
			continue // yes or no
		}
		x, err := ParseJSON(call.Answer)
		if err != nil || x.Unread > 0 {
			t.Fatalf("%d records of an answer cannot be read, %v: %s", x.Unread, err, call.Answer)
		}
		if strings.Contains(call.Prompt, "=== assistant ===") {
			if f.gleaning++; !isEmpty(x) {
				f.gleaned++
			}
		}
		all := byPassage[passage[2]]
		if all == nil {
			all = &graph.Extraction{}
			byPassage[passage[2]] = all
		}
		appendRecords(all, x)
	}
	f.passages = len(byPassage)
	for text, x := range byPassage {
		f.add(x, text)
	}
	return f
}

// add adds what one passage has, without repeats.
func (f *readersFound) add(x *graph.Extraction, text string) {
	removeRepeats(x)
	checkWords(x, text)
	for _, e := range x.Entities {
		f.entities[strings.ToLower(e.Name)] = true
	}
	for _, r := range x.Relationships {
		a, b := strings.ToLower(r.Source), strings.ToLower(r.Target)
		f.pairs[min(a, b)+"|"+max(a, b)] = true
	}
	f.claims, f.absent = f.claims+len(x.Claims), f.absent+len(x.Absent)
}

// TestReadersExtract compares what readers found by two calls a chunk with what others found by five.
func TestReadersExtract(t *testing.T) {
	t.Parallel()
	before, after := readReaders(t, separateCalls), readReaders(t, jointCalls)
	for name, f := range map[string]readersFound{"separate, yes or no": before, "joint, list": after} {
		t.Logf("%s: %d calls for %d passages (%.2f), %d entities, %d pairs, %d claims; %d names and quotes are not in their passage; %d of %d gleanings found something",
			name, f.calls, f.passages, float64(f.calls)/float64(f.passages), len(f.entities), len(f.pairs), f.claims, f.absent, f.gleaned, f.gleaning)
	}
	if perPassage := float64(after.calls) / float64(after.passages); after.passages != before.passages || perPassage > 2.2 {
		t.Errorf("%.2f calls for each of %d passages, at most 2.2 for %d", perPassage, after.passages, before.passages)
	}
	if len(after.entities) < len(before.entities) || len(after.pairs) < len(before.pairs) || float64(after.claims) < .95*float64(before.claims) {
		t.Errorf("%d entities, %d pairs and %d claims, before %d, %d and %d", len(after.entities), len(after.pairs), after.claims, len(before.entities), len(before.pairs), before.claims)
	}
}
