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

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/sys/userfile"
	"github.com/neorag/neorag/internal/view/export"
	"github.com/neorag/neorag/internal/view/htmlmap"
)

// exportGraph writes a format in which entities have positions and colours.
func exportGraph(ctx context.Context, env *environment, o exportOptions) error {
	return withStore(ctx, env, func(store *neo4jstore.Store) error {
		g, generation, err := readGraph(ctx, store, o.corpus)
		if err != nil {
			return err
		}
		if o.format == exportHTML {
			err = writeMap(ctx, env, store, g, o.output)
		} else {
			format, _ := export.FindFormat(o.format) // exportOptionsFrom has checked it
			format.Raw, format.BOM = o.raw, o.bom
			err = writeGraph(env, format, g, o.output)
		}
		if err != nil {
			return fmt.Errorf("export corpus %s: %w", o.corpus, err)
		}
		now, err := store.Generation(ctx, o.corpus)
		if err == nil && now != generation {
			err = fmt.Errorf("export corpus %s: %w", o.corpus, export.ErrGraphChanged)
		}
		return err
	})
}

// readGraph returns the visible generation of a corpus, and its number.
func readGraph(ctx context.Context, store *neo4jstore.Store, corpus string) (export.Graph, int64, error) {
	generation, err := store.Generation(ctx, corpus)
	if err != nil {
		return export.Graph{}, 0, err
	}
	communities, err := store.Communities(ctx, corpus, generation, true)
	if err != nil {
		return export.Graph{}, 0, err
	}
	return export.Graph{
		Corpus: corpus, Communities: communities, Entities: store.Entities(ctx, corpus),
		Relationships: store.Relationships(ctx, corpus), Reports: store.Reports(ctx, corpus, generation),
	}, generation, nil
}

// writeGraph writes a format to one file, or to files in the folder at path.
func writeGraph(env *environment, format export.Format, g export.Graph, path string) error {
	if format.Files() && path != "-" && !strings.HasSuffix(strings.ToLower(path), ".zip") {
		return writeGraphFiles(format, g, path)
	}
	return writeTo(env, path, func(out io.Writer) error { return format.Write(out, g) })
}

// writeGraphFiles replaces files in a folder once all are written: they belong together.
func writeGraphFiles(format export.Format, g export.Graph, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("create folder: %w", err)
	}
	var files []*userfile.Replacement
	defer func() {
		for _, f := range files {
			f.Discard()
		}
	}()
	err := format.WriteFiles(g, func(name string) (io.WriteCloser, error) {
		f, err := userfile.Create(filepath.Join(folder, name), 0o666)
		if err == nil {
			files = append(files, f)
		}
		return f, err
	})
	for _, f := range files {
		if err == nil {
			err = f.Commit()
		}
	}
	return err
}

// writeMap writes the map of communities as one web page.
func writeMap(ctx context.Context, env *environment, store *neo4jstore.Store, g export.Graph, path string) error {
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
	return writeTo(env, path, func(out io.Writer) error { return htmlmap.Write(out, source) })
}

// storedQuotes yields, for each entity, the chunks that mention it most. It reads
// each chunk once.
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
