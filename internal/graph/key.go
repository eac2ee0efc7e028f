package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// separator joins the parts of a composite key before they are hashed.
const separator = "\x1f"

var corpusName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// CheckCorpus reports whether name can name a corpus: [a-z][a-z0-9_]{0,39}.
// Corpus names become part of labels and index names, so they are checked at every door.
func CheckCorpus(name string) error {
	if !corpusName.MatchString(name) {
		return fmt.Errorf("corpus %q: a name is a lower case letter, then up to 39 lower case letters, digits or underscores", name)
	}
	return nil
}

// Key joins a corpus and a local id.
func Key(corpus, local string) string { return corpus + "/" + local }

// Local is the local id of a key: what follows its corpus.
func Local(key string) string {
	_, local, _ := strings.Cut(key, "/")
	return local
}

// CorpusOf returns the corpus of a key.
func CorpusOf(key string) string {
	corpus, _, _ := strings.Cut(key, "/")
	return corpus
}

// Hash is the 32 hex digits that stand for the parts in a key or a fingerprint.
func Hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, separator)))
	return hex.EncodeToString(sum[:16])
}

// DocumentKey is the key of the document with that URI.
func DocumentKey(corpus, uri string) string { return Key(corpus, uri) }

// ChunkKey is the key of a chunk: the nth (from 0) with that text in its document.
func ChunkKey(corpus, document, text string, nth int) string {
	return Key(corpus, Hash(Local(document), text, strconv.Itoa(nth)))
}

// PassageKey is the key of the passage of a chunk that starts at that byte.
func PassageKey(corpus, chunk string, start int) string {
	return Key(corpus, Hash(Local(chunk), strconv.Itoa(start)))
}

// EntityKey is the key of the entity with that normalised name.
func EntityKey(corpus, normalised string) string { return Key(corpus, normalised) }

// RelationshipKey is the key of the relationship between two entities, in either order.
func RelationshipKey(corpus, a, b string) string {
	if b < a {
		a, b = b, a
	}
	return Key(corpus, Hash(Local(a), Local(b)))
}

// ClaimKey is the key of a claim. Subject and object are as written.
func ClaimKey(corpus, chunk string, c ClaimRecord) string {
	return Key(corpus, Hash(Local(chunk), c.Subject, c.Object, c.Description))
}

// CommunityKey is the key of the community of these members at that level.
// It does not depend on the order of members.
func CommunityKey(corpus string, level int, members []string) string {
	local := make([]string, len(members))
	for i, m := range members {
		local[i] = Local(m)
	}
	sort.Strings(local)
	return Key(corpus, Hash(strconv.Itoa(level), Hash(local...)))
}

// ReportKey is the key of the report of a community, made for generation since.
func ReportKey(corpus, community string, since int64) string {
	return Key(corpus, Hash(Local(community), strconv.FormatInt(since, 10)))
}

// FindingKey is the key of the nth finding (from 0) of a report.
func FindingKey(corpus, report string, order int) string {
	return Key(corpus, Hash(Local(report), strconv.Itoa(order)))
}

// CommunityLabel is the label of the members of a community, with the given prefix ("C" unless configured).
func CommunityLabel(prefix string, level, ordinal int) string {
	return prefix + strconv.Itoa(level) + "_" + strconv.Itoa(ordinal)
}
