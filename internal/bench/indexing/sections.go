package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// sectionBytes is the size of a section: all pages of the wild topics make about 12,000.
const sectionBytes = 1150

// sections returns the web pages of all wild topics, cut at the ends of paragraphs into
// sections, in random order.
func sections() ([]string, error) {
	texts, err := readTexts(filepath.Join(dataFolder(), "wild", "*", "docs", "*"))
	if err != nil {
		return nil, fmt.Errorf("read the pages of wild; set NEORAG_DATA: %w", err)
	}
	var all []string
	for _, text := range texts {
		all = append(all, cut(text)...)
	}
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // not for security
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all, nil
}

// sectionsFolder returns a new folder with the first n sections.
func sectionsFolder(n int) (string, error) {
	all, err := sections()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "neorag-bench-docs")
	if err != nil {
		return "", err
	}
	for i, text := range all[:min(n, len(all))] {
		if err := writeSection(dir, i, text); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// cut cuts a text at the ends of paragraphs. Each section but the last has at least
// sectionBytes.
func cut(text string) []string {
	var all []string
	var b strings.Builder
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		b.WriteString(paragraph + "\n\n")
		if b.Len() >= sectionBytes {
			all = append(all, b.String())
			b.Reset()
		}
	}
	if strings.TrimSpace(b.String()) != "" {
		all = append(all, b.String())
	}
	return all
}

// writeSection writes a section as a file.
func writeSection(dir string, number int, text string) error {
	return os.WriteFile(sectionPath(dir, number), []byte(text), 0o600)
}

func sectionPath(dir string, number int) string {
	return filepath.Join(dir, fmt.Sprintf("section-%05d.txt", number))
}
