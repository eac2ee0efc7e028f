package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// memory prints the peak memory of indexing files of growing number and size, made of the
// paragraphs of the sample in random order.
func (b *bench) memory(ctx context.Context) error {
	paragraphs, err := sampleParagraphs()
	if err != nil {
		return err
	}
	for _, set := range []struct {
		name  string
		write func(dir string) error
	}{
		{"20 files of 6 MB", textFiles(paragraphs, 20, 6<<20)},
		{"40 files of 6 MB", textFiles(paragraphs, 40, 6<<20)},
		{"JSON Lines of 50 MB", recordFile(paragraphs, 50<<20)},
		{"JSON Lines of 100 MB", recordFile(paragraphs, 100<<20)},
		{"one file of 60 MB", textFiles(paragraphs, 1, 60<<20)},
		{"19 MB of short lines", textFiles(strings.Fields(strings.Join(paragraphs, " ")), 1, 19<<20)},
	} {
		if err := b.memoryOf(ctx, set.name, set.write); err != nil {
			return fmt.Errorf("%s: %w", set.name, err)
		}
	}
	return nil
}

func (b *bench) memoryOf(ctx context.Context, name string, write func(dir string) error) error {
	const corpus = "bench_memory"
	return b.onFolder(ctx, corpus, func(dir string) error {
		if err := write(dir); err != nil {
			return err
		}
		made, err := b.exec(ctx, "index", "--offline", "--corpus", corpus, "--quiet", "--max-file-size", "200", dir)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(b.w, "%-22s peak %5.0f MB, %5.0f s\n", name, made.peakMB, made.took.Seconds())
		return nil
	})
}

// sampleParagraphs returns the paragraphs of the sample.
func sampleParagraphs() ([]string, error) {
	texts, err := readTexts(filepath.Join("examples", "christmas-carol", "*.txt"))
	if err != nil {
		return nil, fmt.Errorf("read the sample; run it in the root of the repository: %w", err)
	}
	var all []string
	for _, text := range texts {
		all = append(all, strings.Split(text, "\n\n")...)
	}
	return all, nil
}

// shuffled calls write with paragraphs in random order until they have that many bytes.
func shuffled(paragraphs []string, seed uint64, size int, write func(string) error) error {
	random := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // made text
	for n := 0; n < size; {
		p := paragraphs[random.IntN(len(paragraphs))]
		if err := write(p); err != nil {
			return err
		}
		n += len(p)
	}
	return nil
}

// textFiles returns a function that writes text files of a size.
func textFiles(paragraphs []string, files, size int) func(string) error {
	return func(dir string) error {
		for i := range files {
			err := writeTo(filepath.Join(dir, fmt.Sprintf("%03d.txt", i)), func(w *bufio.Writer) error {
				return shuffled(paragraphs, uint64(i), size, func(p string) error { //nolint:gosec // not negative
					_, err := w.WriteString(p + "\n\n")
					return err
				})
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// recordFile returns a function that writes a JSON Lines file with some paragraphs to a
// record.
func recordFile(paragraphs []string, size int) func(string) error {
	const recordBytes = 5000
	return func(dir string) error {
		return writeTo(filepath.Join(dir, "records.jsonl"), func(w *bufio.Writer) error {
			records := json.NewEncoder(w)
			var text strings.Builder
			return shuffled(paragraphs, 0, size, func(p string) error {
				text.WriteString(p + "\n\n")
				if text.Len() < recordBytes {
					return nil
				}
				defer text.Reset()
				return records.Encode(map[string]string{"text": text.String()})
			})
		})
	}
}

// writeTo creates a file with a buffer.
func writeTo(path string, write func(*bufio.Writer) error) error {
	f, err := os.Create(path) //nolint:gosec // in a new folder
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	if err := write(w); err != nil {
		_ = f.Close()
		return err
	}
	if err := w.Flush(); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
