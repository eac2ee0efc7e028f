package index_test

import (
	"encoding/binary"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// hopeless is a name in a document whose chunk always fails.
const hopeless = "Zacharias Quill"

// meetings returns documents of sentences with two names and a year. No name is in two
// sentences of a chunk, so that halves of a chunk have the records of the whole.
func meetings(documents, sentences int) map[string]string {
	name := func(n int) string {
		n %= 30
		return string(rune('A'+n%26)) + strings.Repeat("o", n/26+1)
	}
	files := map[string]string{}
	for d := range documents {
		var b strings.Builder
		for i := range sentences {
			n := 7*d + 2*i
			fmt.Fprintf(&b, "%s Hale met %s Reed at the old bridge of the town in the year %d.\n", name(n), name(n+1), 1800+n)
		}
		files[fmt.Sprintf("%02d.txt", d)] = b.String()
	}
	files["hopeless.txt"] = hopeless + " met Clara Reed at the old bridge in 1921."
	return files
}

// A faultDrill injects faults into a share of the calls. Which call gets which fault depends on
// the seed, the text that the call is about and how often it was made, not on the order of calls
// or the words of prompts.
type faultDrill struct {
	mu     sync.Mutex
	seed   string
	seen   map[string]int
	fired  map[string]int
	lifted bool
}

// draw returns a number from 0 to 1 for the nth time of a call.
func (f *faultDrill) draw(r llmtest.Request) float64 {
	key := fmt.Sprint(fakemodel.Task(r), len(r.Messages), fakemodel.Material(r), r.Input)
	f.seen[key]++
	hash := graph.Hash(f.seed, key, strconv.Itoa(f.seen[key]))
	return float64(binary.BigEndian.Uint32([]byte(hash[:4]))%1e6) / 1e6
}

// reply answers as the model does, or with a fault.
func (f *faultDrill) reply(r llmtest.Request) llmtest.Reply {
	f.mu.Lock()
	defer f.mu.Unlock()
	task := fakemodel.Task(r)
	reply := fakemodel.Handler(r)
	if fault := f.fault(r); fault != nil {
		return *fault
	}
	isJSON := strings.HasPrefix(reply.Text, "{")
	switch at := f.draw(r); {
	case f.lifted || r.Embeds():
	case at < .02:
		f.fired["truncated"]++
		reply.Text, reply.Finish = reply.Text[:2*len(reply.Text)/3], llm.FinishLength
	case at < .03 && isJSON:
		f.fired["malformed"]++
		reply.Text = strings.ReplaceAll(reply.Text, `":`, `"`)
	case at < .04 && isJSON:
		f.fired["half"]++
		reply.Text = reply.Text[:2*len(reply.Text)/3]
	case at < .07 && task == prompts.Claims:
		f.fired["prose"]++
		reply.Text = "I am sorry, but I cannot make claims about people."
	}
	return reply
}

// fault returns a refusal, or nil.
func (f *faultDrill) fault(r llmtest.Request) *llmtest.Reply {
	if f.lifted {
		return nil
	}
	if !r.Embeds() && strings.Contains(fakemodel.Material(r), hopeless) && fakemodel.Task(r) == prompts.Extract {
		f.fired["always"]++
		return &llmtest.Reply{Status: 500, Message: "this text is too much for me"}
	}
	switch at := f.draw(r); {
	case at < .05:
		f.fired["500"]++
		return &llmtest.Reply{Status: 500, Message: "internal error"}
	case at < .10:
		f.fired["429"]++
		return &llmtest.Reply{Status: 429, Message: "too many requests"}
	case at < .12:
		f.fired["cut"]++
		return &llmtest.Reply{Reset: true}
	}
	return nil
}

// embedFault returns faults of calls for vectors, which have no Handler.
func (f *faultDrill) embedFault(r llmtest.Request) *llmtest.Reply {
	if !r.Embeds() {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.fault(r)
}

// TestFaultDrill indexes with a server on which a share of the calls fails in every way, and one
// chunk always. Only that chunk is left, and when the faults end, the graph becomes that of a
// server without faults.
func TestFaultDrill(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	healthy, name := modelCorpus(t), modelCorpus(t)
	drilled := func(o index.Options) index.Options {
		o.Model.Claims, o.Chunk.Size = extract.ClaimsSeparate, 96
		return o
	}
	docs := folder(t, meetings(20, 8))
	patient := llm.Retry{Attempts: 8, FirstWait: time.Millisecond, MaxWait: 4 * time.Millisecond}
	_, with := modelWith(t, llmtest.Options{}, "", patient)
	run(t, store, drilled(with(options(healthy))), docs)

	drill := &faultDrill{seed: "3", seen: map[string]int{}, fired: map[string]int{}}
	server, with := modelWith(t, llmtest.Options{Handler: drill.reply, Fault: drill.embedFault}, t.TempDir(), patient)
	r := run(t, store, drilled(with(options(name))), docs)
	t.Logf("%d requests, faults %v; notes %q", server.Counts().Requests, drill.fired, r.Notes)
	for _, kind := range []string{"500", "429", "cut", "truncated", "malformed", "half", "prose", "always"} {
		if drill.fired[kind] == 0 {
			t.Errorf("no call failed by %s", kind)
		}
	}
	if r.Exit != 3 || len(r.Failures) != 1 {
		t.Fatalf("exit %d, failures %+v, want one chunk", r.Exit, r.Failures)
	}
	reason := r.Failures[0].Reason
	if strings.Count(reason, "docs/hopeless.txt, chunk 1") != 1 || strings.Count(reason, "too much for me") != 1 || r.Failures[0].Stage != "extract" {
		t.Errorf("the failure is %+v", r.Failures[0])
	}
	pending, err := store.Pending(t.Context(), name)
	if err != nil || !maps.Equal(pending, map[string]int{"extract": 1}) {
		t.Errorf("pending: %v, %v, want one chunk", pending, err)
	}

	drill.mu.Lock()
	drill.lifted = true
	drill.mu.Unlock()
	o := drilled(with(options(name)))
	o.Fresh = true
	if r := run(t, store, o, docs); r.Exit != 0 {
		t.Errorf("without faults: exit %d, %+v", r.Exit, r.Failures)
	}
	same(t, dump(t, store, healthy, ""), dump(t, store, name, ""))
}
