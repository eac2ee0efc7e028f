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

// separator joins the parts of a composite key before hashing.
const separator = "\x1f"

var corpusName = regexp.MustCompile(`^[a-z0-9][a-z0-9_.-]{0,39}$`)

// CheckCorpus returns an error unless name is a valid name of a corpus. Names of corpora become
// part of keys, labels and index names, and of the names of files on systems that ignore the case
// of letters, so every entry point checks them.
func CheckCorpus(name string) error {
	if !corpusName.MatchString(name) || strings.Contains(name, "..") || strings.HasSuffix(name, ".") {
		return fmt.Errorf("corpus %q: a name is up to 40 lower case letters, digits, -, _ and single dots; it begins with a letter or digit, and does not end with a dot", name)
	}
	return nil
}

// Key returns the key of a local id in a corpus.
func Key(corpus, local string) string { return corpus + "/" + local }

// Local returns the local id of a key: the key without its corpus.
func Local(key string) string {
	_, local, _ := strings.Cut(key, "/")
	return local
}

// CorpusOf returns the corpus of a key.
func CorpusOf(key string) string {
	corpus, _, _ := strings.Cut(key, "/")
	return corpus
}

// Hash returns 32 hex digits that identify the parts, for keys and fingerprints.
func Hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, separator)))
	return hex.EncodeToString(sum[:16])
}

// DocumentKey returns the key of the document with a URI.
func DocumentKey(corpus, uri string) string { return Key(corpus, uri) }

// ChunkKey returns the key of a chunk: the nth, from 0, with this text in its document.
func ChunkKey(corpus, document, text string, nth int) string {
	return Key(corpus, Hash(Local(document), text, strconv.Itoa(nth)))
}

// PassageKey returns the key of the passage that starts at a byte offset of its chunk.
func PassageKey(corpus, chunk string, start int) string {
	return Key(corpus, Hash(Local(chunk), strconv.Itoa(start)))
}

// QueryKey returns the key of the question-answer pair with an index, from 0, of a chunk.
func QueryKey(corpus, chunk string, index int) string {
	return Key(corpus, Hash(Local(chunk), strconv.Itoa(index)))
}

// SentenceKey returns the key of the sentence that starts at a byte offset of its chunk.
func SentenceKey(corpus, chunk string, start int) string {
	return Key(corpus, Hash(Local(chunk), strconv.Itoa(start)))
}

// NamePairKey returns the key of a pair of normalised names, given in order.
func NamePairKey(corpus, a, b string) string { return Key(corpus, Hash(a, b)) }

// EntityKey returns the key of the entity with a normalised name.
func EntityKey(corpus, normalised string) string { return Key(corpus, normalised) }

// RelationshipKey returns the key of the relationship between two entities, given in either
// order.
func RelationshipKey(corpus, a, b string) string {
	if b < a {
		a, b = b, a
	}
	return Key(corpus, Hash(Local(a), Local(b)))
}

// ClaimKey returns the key of a claim. Subject and object are as written, not keys.
func ClaimKey(corpus, chunk string, c ClaimRecord) string {
	return Key(corpus, Hash(Local(chunk), c.Subject, c.Object, c.Description))
}

// SharedClaimKey returns the key of a claim that several chunks of a document may state: the nth,
// from 0, of those in a chunk with these ends, given by keys, and with this quote. Letter case
// and white space of the quote do not matter.
func SharedClaimKey(corpus, document, subject, object, quote string, nth int) string {
	quote = strings.ToLower(strings.Join(strings.Fields(quote), " "))
	return Key(corpus, Hash("shared", Local(document), Local(subject), Local(object), quote, strconv.Itoa(nth)))
}

// CommunityKey returns the key of the community of these members at a level. It does not
// depend on the order of members.
func CommunityKey(corpus string, level int, members []string) string {
	local := make([]string, len(members))
	for i, m := range members {
		local[i] = Local(m)
	}
	sort.Strings(local)
	return Key(corpus, Hash(strconv.Itoa(level), Hash(local...)))
}

// ReportKey returns the key of the report of a community that is valid from generation
// since.
func ReportKey(corpus, community string, since int64) string {
	return Key(corpus, Hash(Local(community), strconv.FormatInt(since, 10)))
}

// FindingKey returns the key of the finding with an order, from 0, of a report.
func FindingKey(corpus, report string, order int) string {
	return Key(corpus, Hash(Local(report), strconv.Itoa(order)))
}

// CommunityLabel returns the label of the members of a community, with a prefix ("C" by
// default).
func CommunityLabel(prefix string, level, ordinal int) string {
	return prefix + strconv.Itoa(level) + "_" + strconv.Itoa(ordinal)
}
