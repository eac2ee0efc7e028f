package route

import (
	"testing"

	"github.com/neorag/neorag/internal/text/textproc"
)

func TestIsOverview(t *testing.T) {
	t.Parallel()
	tests := []struct {
		question string
		want     bool
	}{
		{"What are the main themes of the story?", true},
		{"Who are the most important people?", true},
		{"Summarize the collection", true},
		{"What happens to Tiny Tim?", false},
		{"Which main themes does Marley stand for?", false},
	}
	for _, tt := range tests {
		if got := IsOverview(textproc.ReadQuestion(tt.question)); got != tt.want {
			t.Errorf("IsOverview(%q): got %v, want %v", tt.question, got, tt.want)
		}
	}
}
