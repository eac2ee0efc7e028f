package llm_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/known"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

// TestRefusalsAreKnownToTheNextRun runs twice against a server that refuses parameters, response
// formats and large batches. The second run has new clients and chains, and no call
// of it is refused.
func TestRefusalsAreKnownToTheNextRun(t *testing.T) {
	t.Parallel()
	const mostTexts = 8
	refused := make(chan string, 1000)
	s := llmtest.New(llmtest.Options{Handler: good, Dimension: 4, Fault: func(r llmtest.Request) *llmtest.Reply {
		var reply *llmtest.Reply
		switch {
		case r.Embeds() && len(r.Input) > mostTexts:
			reply = &llmtest.Reply{Status: 422, Message: fmt.Sprintf("batch size %d > maximum allowed batch size %d", len(r.Input), mostTexts)}
		case r.Format == "json_schema" || r.Format == "json_object":
			reply = &llmtest.Reply{Status: 400, Message: "response_format is not supported"}
		case !r.Embeds() && r.Seed != nil:
			reply = &llmtest.Reply{Status: 400, Message: "Unsupported parameter: 'seed' is not supported with this model."}
		default:
			return nil
		}
		refused <- reply.Message
		return reply
	}})
	t.Cleanup(s.Close)
	dir := t.TempDir()
	run := func(name string) (messages []string) {
		folder := &known.Folder{Dir: dir, Warn: func(err error) { t.Error(err) }}
		forChat, forVectors := folder.Server(s.URL(), "m"), folder.Server(s.URL(), "e")
		chatClient, err := openai.New(openai.Config{BaseURL: s.URL(), Model: "m", Known: forChat})
		if err != nil {
			t.Fatal(err)
		}
		defer chatClient.Close()
		vectorClient, err := openai.New(openai.Config{BaseURL: s.URL(), EmbeddingModel: "e", Known: forVectors})
		if err != nil {
			t.Fatal(err)
		}
		defer vectorClient.Close()
		chat := llm.New(llm.Config{Provider: chatClient.Chat(), Retry: quick, Known: forChat})
		req := askFact(name)
		seed := int64(7)
		req.Seed = &seed
		if res := mustAsk(t, chat, req); res.Text != `{"fact":"x"}` {
			t.Errorf("got %q", res.Text)
		}
		embedder := llm.NewEmbedder(llm.EmbedConfig{Provider: vectorClient.Embedder(), Retry: quick, Known: forVectors})
		if _, _, err := embedder.Embed(t.Context(), numbered(40, 1)); err != nil {
			t.Error(err)
		}
		for len(refused) > 0 {
			messages = append(messages, <-refused)
		}
		return messages
	}
	if first := run("first"); len(first) < 4 {
		t.Errorf("the first run was refused %q, which is too little for this test", first)
	}
	if diff := cmp.Diff([]string(nil), run("second")); diff != "" {
		t.Errorf("refusals of the second run (-want +got):\n%s", diff)
	}
}
