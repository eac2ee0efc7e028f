package index

import (
	"errors"
	"testing"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// TestConfirmPaidArtifacts checks which deletions of artifacts need Options.AllowRedo.
func TestConfirmPaidArtifacts(t *testing.T) {
	t.Parallel()
	all := []neo4jstore.Artifact{neo4jstore.ArtifactSentences, neo4jstore.ArtifactSynonyms, neo4jstore.ArtifactDocumentLinks, neo4jstore.ArtifactQueries}
	for name, tt := range map[string]struct {
		mode, now string
		without   neo4jstore.Artifact
		allow     bool
		upgrade   bool
		want      error
	}{
		"pairs of a model":        {"simulated", "simulated", neo4jstore.ArtifactQueries, false, false, ErrArtifactsGone},
		"also in an upgrade":      {"simulated", "simulated", neo4jstore.ArtifactQueries, false, true, ErrArtifactsGone},
		"also in an offline run":  {"simulated", modeOffline, neo4jstore.ArtifactSentences, false, true, ErrArtifactsGone},
		"sentences with vectors":  {"simulated", "simulated", neo4jstore.ArtifactSentences, false, false, ErrArtifactsGone},
		"confirmed":               {"simulated", "simulated", neo4jstore.ArtifactSentences, true, false, nil},
		"computed":                {"simulated", "simulated", neo4jstore.ArtifactSynonyms, false, false, nil},
		"made without a model":    {modeOffline, modeOffline, neo4jstore.ArtifactQueries, false, false, nil},
		"nothing is deleted here": {"simulated", "simulated", "", false, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := runDiff{effective: &effective{Options: Options{AllowRedo: tt.allow, Upgrade: tt.upgrade}, mode: tt.now}}
			d.corpus = neo4jstore.Corpus{Mode: tt.mode, Artifacts: all}
			for _, a := range all {
				if a != tt.without {
					d.artifacts = append(d.artifacts, a)
				}
			}
			if err := d.confirm(everything); !errors.Is(err, tt.want) || tt.want == nil && err != nil {
				t.Errorf("confirm: %v, want %v", err, tt.want)
			}
		})
	}
}
