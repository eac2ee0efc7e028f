package index

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// An artifact is a part of a corpus that stages make only if it was asked for. It is listed in
// the corpus, and later runs keep it up to date.
type artifact struct {
	name  neo4jstore.Artifact // value of --with and --without
	stage string              // the stage that makes it, and the setting whose change replaces all of it
	// settings returns the fingerprints of everything that affects it, by setting.
	settings func(*effective) map[string]string
	compares string                                                      // the setting whose fingerprint covers the vectors that it is made of; empty if it is not made of vectors
	store    func(context.Context, *effective, *neo4jstore.Writer) error // stores its settings in the corpus; nil if it has none to store
	paid     func(neo4jstore.Made) bool                                  // whether a model made it, or its vectors, in a corpus that is made with a model; nil if models make none of it
	label    string                                                      // of its line in the status
	status   func(neo4jstore.Corpus, neo4jstore.Counts) string
}

// artifacts are all artifacts, in the order of the status. Other files have the rest of an artifact:
// artifacts.go and schema.go of neo4jstore its storage, stages.go its stages, graph_rules.go its check.
var artifacts = []artifact{sentenceArtifact, synonymArtifact, documentLinkArtifact, queryArtifact}

// reports is the value of --without that leaves the reports out.
const reports = "reports"

// artifactNamed returns the name of an artifact for a value of --with; "documents" is an old spelling.
func artifactNamed(value string) neo4jstore.Artifact {
	if value == oldDocumentLinks {
		return neo4jstore.ArtifactDocumentLinks
	}
	return neo4jstore.Artifact(value)
}

const oldDocumentLinks = "documents"

// ArtifactNames returns the names of all artifacts.
func ArtifactNames() []string {
	names := make([]string, len(artifacts))
	for i, a := range artifacts {
		names[i] = string(a.name)
	}
	return names
}

// CheckArtifacts returns an error for values of --with and --without that are not artifacts, or that
// exclude each other.
func CheckArtifacts(with, without []string) error {
	names := ArtifactNames()
	last := len(names) - 1
	list := strings.Join(names[:last], ", ") + " and " + names[last]
	for _, name := range without {
		switch {
		case name == oldDocumentLinks:
			return fmt.Errorf("--without %s: the edges between similar documents are called %s; `neorag remove` removes documents", name, neo4jstore.ArtifactDocumentLinks)
		case name != reports && !slices.Contains(names, name):
			return fmt.Errorf("--without %q: only %s, %s can be left out", name, reports, list)
		}
	}
	for _, value := range with {
		name := string(artifactNamed(value))
		if !slices.Contains(names, name) {
			return fmt.Errorf("--with %q: only %s can be added", value, list)
		}
		if slices.Contains(without, name) {
			return fmt.Errorf("--with %s and --without %s: give one of them", name, name)
		}
	}
	return nil
}

// planArtifacts sets which artifacts the corpus has after the run: those that it has, unless the
// options say something else.
func (e *effective) planArtifacts(kept neo4jstore.Corpus) {
	for _, a := range artifacts {
		asked := slices.ContainsFunc(e.With, func(value string) bool { return artifactNamed(value) == a.name })
		if asked || kept.Has(a.name) && !slices.Contains(e.Without, string(a.name)) {
			e.artifacts = append(e.artifacts, a.name)
		}
	}
	if e.has(neo4jstore.ArtifactQueries) {
		e.queries = queriesFor(e.Queries, kept.Queries)
	}
}

// has reports whether the corpus has an artifact after the run.
func (e *effective) has(a neo4jstore.Artifact) bool { return slices.Contains(e.artifacts, a) }

// artifactSettings returns the fingerprints of what affects artifacts, which are empty for those that
// the corpus does not have.
func (e *effective) artifactSettings() map[string]string {
	all := map[string]string{}
	for _, a := range artifacts {
		for name, fp := range a.settings(e) {
			if !e.has(a.name) {
				fp = ""
			}
			all[name] = fp
		}
	}
	return all
}

// artifactsChanged reports whether a corpus is stored as having other artifacts.
func (e *effective) artifactsChanged(c neo4jstore.Corpus) bool {
	return e.queries != c.Queries || slices.ContainsFunc(artifacts, func(a artifact) bool { return e.has(a.name) != c.Has(a.name) })
}

// storeArtifacts stores which artifacts the corpus has, and deletes those that it should not have. A
// deletion that was interrupted left the settings of the artifact, and is completed. It runs before
// the settings are stored.
func (r *run) storeArtifacts(ctx context.Context, c neo4jstore.Corpus) error {
	for _, a := range artifacts {
		wanted, stored := r.has(a.name), c.Has(a.name)
		if left := !stored && c.Settings[a.stage] != ""; left || stored && !wanted {
			if err := r.writer.DropArtifact(ctx, a.name); err != nil {
				return err
			}
			gone := a.settings(r.effective)
			for name := range gone {
				gone[name] = ""
			}
			if err := r.writer.SetSettings(ctx, gone, neo4jstore.CorpusSet{}); err != nil {
				return fmt.Errorf("store settings: %w", err)
			}
		}
		if err := r.writer.SetArtifact(ctx, a.name, wanted); err != nil {
			return err
		}
		if wanted && a.store != nil {
			if err := a.store(ctx, r.effective, r.writer); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropLeftovers deletes what a corpus without an artifact has of it, which only a repair or a person
// can have left.
func (r *run) dropLeftovers(ctx context.Context, spec stageSpec) error {
	marks, err := r.store.Pending(ctx, r.Corpus)
	if err != nil || marks[spec.name] == 0 {
		return err
	}
	return r.writer.DropArtifact(ctx, spec.artifact)
}

// An ArtifactStatus says how much of an artifact a corpus has.
type ArtifactStatus struct{ Label, Text string }

// StatusOfArtifacts returns the status of the artifacts of a corpus.
func StatusOfArtifacts(c neo4jstore.Corpus, n neo4jstore.Counts) []ArtifactStatus {
	var out []ArtifactStatus
	for _, a := range artifacts {
		if c.Has(a.name) {
			out = append(out, ArtifactStatus{a.label, a.status(c, n)})
		}
	}
	return out
}
