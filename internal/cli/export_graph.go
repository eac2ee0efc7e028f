package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/sys/userfile"
	"github.com/neorag/neorag/internal/view/export"
	"github.com/neorag/neorag/internal/view/htmlmap"
)

// exportGraph writes a format in which entities have positions and colours.
func exportGraph(ctx context.Context, env *environment, o exportOptions) error {
	return withStore(ctx, env, func(store *neo4jstore.Store) error {
		g, generation, err := export.Read(ctx, store, o.corpus)
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
	source, err := htmlmap.Stored(ctx, store, g)
	if err != nil {
		return err
	}
	return writeTo(env, path, func(out io.Writer) error { return htmlmap.Write(out, source) })
}
