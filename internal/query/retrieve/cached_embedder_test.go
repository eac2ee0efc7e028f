package retrieve

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A countedEmbedder returns the lengths of texts as vectors, and keeps what it was asked.
type countedEmbedder struct {
	asked [][]string
	err   error
}

func (e *countedEmbedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	e.asked = append(e.asked, texts)
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = []float32{float32(len(text))}
	}
	return out, e.err
}

// TestRememberingEmbedder embeds each text once, unless the model fails.
func TestRememberingEmbedder(t *testing.T) {
	t.Parallel()
	model := &countedEmbedder{err: errors.New("no")}
	e := &cachedEmbedder{Embedder: model, vectors: map[string][]float32{}}
	if _, err := e.Embed(t.Context(), []string{"a"}); err == nil {
		t.Error("the error of the model is lost")
	}
	model.err = nil
	for _, texts := range [][]string{{"a", "bb"}, {"ccc", "a"}, {"bb"}} {
		got, err := e.Embed(t.Context(), texts)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			if got[i][0] != float32(len(text)) {
				t.Errorf("the vector of %s is %v", text, got[i])
			}
		}
	}
	if diff := cmp.Diff([][]string{{"a"}, {"a", "bb"}, {"ccc"}}, model.asked); diff != "" {
		t.Errorf("the model was asked for (-want +got):\n%s", diff)
	}
}
