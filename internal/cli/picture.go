package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/export"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/htmlmap"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// exportJSONL and exportHTML are the formats that package export does not write.
const (
	exportJSONL = "jsonl"
	exportHTML  = "html"
)

func exportFormats() []string {
	names := []string{exportJSONL, exportHTML}
	for _, f := range export.Formats() {
		names = append(names, f.Name)
	}
	return names
}

func exportUsage() string {
	lines := []string{"`FORMAT`: jsonl, every node and edge a line, equal bytes of equal graphs; html, a page with the map of communities that needs no network"}
	for _, f := range export.Formats() {
		lines = append(lines, f.Name+", "+f.About)
	}
	return strings.Join(lines, "; ")
}

// runPicture writes the formats in which entities have places and colours.
func (c *command) runPicture(cc *ucli.Context, corpus, name string) error {
	format, ok := export.FindFormat(name)
	if !ok && name != exportHTML {
		return usage("format %q: there are %s", name, strings.Join(exportFormats(), ", "))
	}
	if cc.String("part") != "" {
		return usage("--part goes with --format jsonl alone")
	}
	path := cc.String("output")
	if format.Files() && path == "" {
		return usage("%s is several files: name a folder, or a file that ends in .zip, with --output", name)
	}
	return c.withStore(cc.Context, cc, func(store *neo4jstore.Store) error {
		g, generation, err := storedGraph(cc, store, corpus)
		if err != nil {
			return err
		}
		if name == exportHTML {
			err = c.writePage(cc, store, g)
		} else {
			err = c.writePicture(format, g, path)
		}
		if err != nil {
			return fmt.Errorf("export corpus %s: %w", corpus, err)
		}
		now, err := store.Generation(cc.Context, corpus)
		if err == nil && now != generation {
			err = fmt.Errorf("export corpus %s: %w", corpus, export.ErrGraphChanged)
		}
		return err
	})
}

// storedGraph is the visible generation of a corpus.
func storedGraph(cc *ucli.Context, store *neo4jstore.Store, corpus string) (export.Graph, int64, error) {
	generation, err := store.Generation(cc.Context, corpus)
	if err != nil {
		return export.Graph{}, 0, err
	}
	communities, err := store.Communities(cc.Context, corpus, generation, true)
	if err != nil {
		return export.Graph{}, 0, err
	}
	return export.Graph{
		Corpus: corpus, Communities: communities, Entities: store.Entities(cc.Context, corpus),
		Relationships: store.Relationships(cc.Context, corpus), Reports: store.Reports(cc.Context, corpus, generation),
	}, generation, nil
}

func (c *command) writePicture(format export.Format, g export.Graph, path string) error {
	if format.Files() && path != "-" && !strings.HasSuffix(strings.ToLower(path), ".zip") {
		if err := os.MkdirAll(path, 0o755); err != nil {
			return fmt.Errorf("make the folder: %w", err)
		}
		return format.WriteFiles(g, func(name string) (io.WriteCloser, error) { return os.Create(filepath.Join(path, name)) })
	}
	return c.writeTo(path, func(out io.Writer) error { return format.Write(out, g) })
}

// writePage writes the map of communities as one page.
func (c *command) writePage(cc *ucli.Context, store *neo4jstore.Store, g export.Graph) error {
	ctx := cc.Context
	counts, err := store.Counts(ctx, g.Corpus)
	if err != nil {
		return err
	}
	source := htmlmap.Source{
		Graph: g, Documents: counts.Documents,
		Quotes: func(limit int) iter.Seq2[htmlmap.Quote, error] { return storedQuotes(ctx, store, g.Corpus, limit) },
		Cited: func(refs []graph.Reference) ([]htmlmap.Citation, error) {
			found, err := store.Evidence(ctx, g.Corpus, refs)
			cited := make([]htmlmap.Citation, len(found))
			for i, e := range found {
				cited[i] = htmlmap.Citation{Kind: e.Kind, Key: e.Key, Title: e.Title, Text: cmp.Or(e.Quote, e.ChunkText, e.Text), Document: e.DocumentURI}
			}
			return cited, err
		},
	}
	return c.writeTo(cc.String("output"), func(out io.Writer) error { return htmlmap.Write(out, source) })
}

// storedQuotes gives the chunks that say most of each entity. Each chunk is
// read once.
func storedQuotes(ctx context.Context, store *neo4jstore.Store, corpus string, limit int) iter.Seq2[htmlmap.Quote, error] {
	return func(yield func(htmlmap.Quote, error) bool) {
		wanted := map[string][]htmlmap.Quote{}
		for m, err := range store.Mentions(ctx, corpus, limit) {
			if err != nil {
				yield(htmlmap.Quote{}, err)
				return
			}
			for _, in := range m.Chunks {
				wanted[in.Chunk] = append(wanted[in.Chunk], htmlmap.Quote{Entity: m.Entity, Name: in.Name})
			}
		}
		for chunk, err := range store.Chunks(ctx, corpus) {
			if err != nil {
				yield(htmlmap.Quote{}, err)
				return
			}
			for _, q := range wanted[chunk.Key] {
				q.Text, q.Document = chunk.Text, cmp.Or(chunk.DocumentTitle, chunk.DocumentURI)
				if !yield(q, nil) {
					return
				}
			}
		}
	}
}
