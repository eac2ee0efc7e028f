package graph

import (
	"path/filepath"
	"strings"
	"testing"
)

// FuzzCorpusName checks that a corpus name that is accepted cannot end the label or the
// index name that it becomes part of, and that keys keep corpora apart.
func FuzzCorpusName(f *testing.F) {
	f.Add("letters", "a/b")
	f.Add("a`b", "")
	f.Add("a\n", "x")
	f.Add("ａ", "x")
	f.Add("my-docs.v2", "a/b")
	f.Add("2024", "")
	f.Add("a..b", "")
	f.Add("../a", "")
	f.Fuzz(func(t *testing.T, corpus, local string) {
		if CheckCorpus(corpus) != nil {
			return
		}
		if strings.Trim(corpus, "abcdefghijklmnopqrstuvwxyz0123456789_-.") != "" || len(corpus) > 40 || !filepath.IsLocal(corpus) || strings.ContainsAny(corpus[:1]+corpus[len(corpus)-1:], ".") {
			t.Fatalf("CheckCorpus accepts %q", corpus)
		}
		key := Key(corpus, local)
		if CorpusOf(key) != corpus || Local(key) != local {
			t.Fatalf("Key(%q, %q) = %q is read as %q, %q", corpus, local, key, CorpusOf(key), Local(key))
		}
	})
}
