package methods_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/query/expand"
	"github.com/neorag/neorag/internal/query/methods/lazy"
	"github.com/neorag/neorag/internal/query/methods/light"
	"github.com/neorag/neorag/internal/query/methods/qcg"
)

// TestDefinitionsOfSettings checks that the definitions of settings name all modes and nodes, and
// give the defaults and bounds of the methods.
func TestDefinitionsOfSettings(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{"mode": light.Method.Modes, "node": qcg.Nodes()} {
		key := config.Find("query." + name).Key
		if diff := cmp.Diff(want, key.Choices); diff != "" || strings.Join(key.Default, "") != want[0] {
			t.Errorf("%s has the default %q (-method +setting):\n%s", name, key.Default, diff)
		}
	}
	if got := config.Find("query.budget").Default; got[0] != strconv.Itoa(lazy.DefaultBudget) {
		t.Errorf("the default of budget is %s, lazy tests %d", got[0], lazy.DefaultBudget)
	}
	if most := config.Find("query.passages").Bounds.Max; most != expand.MaxPassages {
		t.Errorf("%g passages at most, of which a model writes %d", most, expand.MaxPassages)
	}
}
