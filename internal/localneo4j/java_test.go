package localneo4j

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEnvironmentLeavesOutKeys(t *testing.T) {
	got := environment([]string{"PATH=/bin", "OPENAI_API_KEY=k", "NEO4J_PASSWORD=p", "NEORAG_CORPUS=c", "HOME=/h"})
	if diff := cmp.Diff([]string{"PATH=/bin", "HOME=/h"}, got); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
}
