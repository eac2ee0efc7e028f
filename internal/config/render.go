package config

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Render writes a file that gives every key its default, with its doc and those of
// the sections as comments. Keys of one section stand together.
func Render(head string, keys []Key, sections map[string]string) string {
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
		fmt.Fprintf(&b, "%s%s:%s\n", indent(len(within)), path[len(path)-1], k.defaultText())
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

// defaultText is the default as it stands behind the colon.
func (k Key) defaultText() string {
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

// plain are texts that YAML reads back as they are.
var plain = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_-]*|[0-9]+)$`)

// quoted puts those texts in quotes that would not be read back as they are.
func quoted(texts []string) []string {
	out := slices.Clone(texts)
	for i, text := range out {
		if !plain.MatchString(text) || strings.EqualFold(text, "null") {
			b, _ := json.Marshal(text) // a text always has a form in JSON
			out[i] = string(b)
		}
	}
	return out
}
