package query

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/query/expand"
)

// TestDefinitionsOfSettings checks that the zero Question has the defaults that the settings say,
// and that these name all modes and nodes.
func TestDefinitionsOfSettings(t *testing.T) {
	t.Parallel()
	q := Question{}.withDefaults()
	for name, value := range map[string]any{
		"method": q.Method, "level": q.Level.Number(), "seed": q.Seed, "map_tokens": q.MapTokens, "answer_tokens": q.AnswerTokens,
		"mode": q.Mode, "passages": q.Passages, "budget": q.Budget, "node": PairNodes()[0], "diversity": q.Diversity, "dynamic": q.Dynamic,
	} {
		if diff := cmp.Diff(of(name).Default, []string{fmt.Sprint(value)}); diff != "" {
			t.Errorf("default of %s (-setting +Question):\n%s", name, diff)
		}
	}
	if diff := cmp.Diff(of("mode").Choices, LightModes()); diff != "" {
		t.Errorf("modes (-setting +light):\n%s", diff)
	}
	if diff := cmp.Diff(of("node").Choices, PairNodes()); diff != "" {
		t.Errorf("nodes (-setting +qcg):\n%s", diff)
	}
	if most := of("passages").Bounds.Max; most != expand.MaxPassages {
		t.Errorf("%g passages at most, of which a model writes %d", most, expand.MaxPassages)
	}
}
