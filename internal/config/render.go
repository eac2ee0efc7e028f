package config

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// render returns the text of a file that sets every key to its default, with the docs
// of keys and sections as comments. Keys of a section must follow each other.
func render(head string, keys []Key, sections map[string]string) string {
	var b strings.Builder
	comment(&b, 0, head)
	var at []string
	for _, k := range keys {
		path := strings.Split(k.Name, ".")
		within := path[:len(path)-1]
		same := 0
		for same < min(len(at), len(within)) && at[same] == within[same] {
			same++
		}
		if len(within) == 0 || same < len(within) || same < len(at) {
			b.WriteByte('\n')
		}
		for depth := same; depth < len(within); depth++ {
			comment(&b, depth, sections[strings.Join(within[:depth+1], ".")])
			fmt.Fprintf(&b, "%s%s:\n", indent(depth), within[depth])
		}
		at = within
		comment(&b, len(within), k.Doc)
		fmt.Fprintf(&b, "%s%s:%s\n", indent(len(within)), path[len(path)-1], k.defaultYAML())
	}
	return b.String()
}

func comment(b *strings.Builder, depth int, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		if text != "" {
			fmt.Fprintf(b, "%s# %s\n", indent(depth), line)
		}
	}
}

func indent(depth int) string { return strings.Repeat("  ", depth) }

// defaultYAML returns the default as YAML, with the space behind the colon.
func (k Key) defaultYAML() string {
	switch {
	case k.Kind == Pairs || k.Kind == Parameters:
		return " {}"
	case k.Kind == List && len(k.Default) == 0:
		return " []"
	case k.Kind == List:
		return " [" + strings.Join(quoted(k.Default), ", ") + "]"
	case len(k.Default) == 0:
		return ""
	case k.Kind == Text || k.Kind == Path:
		return " " + quoted(k.Default)[0]
	}
	return " " + k.Default[0]
}

// plainScalar matches texts that YAML reads back unchanged without quotes.
var plainScalar = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_-]*|[0-9]+)$`)

// quoted puts quotes around the texts that need them.
func quoted(texts []string) []string {
	out := slices.Clone(texts)
	for i, text := range out {
		if !plainScalar.MatchString(text) || strings.EqualFold(text, "null") {
			b, _ := json.Marshal(text) // encoding a string never fails
			out[i] = string(b)
		}
	}
	return out
}
