package index

import (
	"context"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// toyArtifact is the numbers of words of chunks.
var toyArtifact = artifact{
	name: neo4jstore.ArtifactToys, stage: "toys",
	settings: func(*effective) map[string]string { return map[string]string{"toys": graph.Hash("1")} },
	label:    "toys", status: func(_ neo4jstore.Corpus, n neo4jstore.Counts) string { return strconv.Itoa(n.Toys) },
}

// toyPage is the number of chunks that are read at a time.
const toyPage = 1000

// A toyCounter is the stage toys.
type toyCounter struct{ *stage }

// run counts the words of the marked chunks. Words that were counted in the same way stay.
func (s *toyCounter) run(ctx context.Context) error {
	if n, err := s.announcePending(ctx); err != nil || n == 0 {
		return err
	}
	for {
		chunks, err := s.store.PendingToys(ctx, s.Corpus, "", toyPage)
		if err != nil || len(chunks) == 0 {
			return err
		}
		made := make([]neo4jstore.ToyWrite, len(chunks))
		for i, c := range chunks {
			made[i] = neo4jstore.ToyWrite{Key: c.Key, FP: s.settings["toys"]}
			if made[i].Unchanged = c.FP == made[i].FP; !made[i].Unchanged {
				made[i].Words = len(strings.Fields(c.Text))
			}
		}
		if err := s.writer.WriteToys(ctx, made); err != nil {
			return err
		}
		s.addDone(len(made))
	}
}
