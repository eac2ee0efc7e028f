package userdata

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/conversation"
)

// removed is what a removal of one document of the corpus letters purges.
var removed = purge{"letters", index.Purge{URIs: []string{"docs/a.txt"}, Words: map[string]bool{"quex": true}}}

// answers are answers by what a removal does with them.
var answers = map[string]struct {
	answer query.Answer
	gone   bool
}{
	"holds a word":                         {query.Answer{Corpus: "letters", Answer: "It was Quex."}, true},
	"holds a word in the question":         {query.Answer{Corpus: "letters", Question: "Was it\nQuex?", Answer: "Yes."}, true},
	"holds a longer word":                  {query.Answer{Corpus: "letters", Answer: "It was Quexel."}, false},
	"cites the document":                   {query.Answer{Corpus: "letters", Answer: "Clara.", References: []cite.Reference{{Document: "docs/b.txt"}, {Corpus: "letters", Document: "docs/a.txt"}}}, true},
	"cites another document":               {query.Answer{Corpus: "letters", Answer: "Clara.", References: []cite.Reference{{Corpus: "letters", Document: "docs/b.txt"}}}, false},
	"is from another corpus":               {query.Answer{Corpus: "diaries", Answer: "Quex.", References: []cite.Reference{{Corpus: "diaries", Document: "docs/a.txt"}}}, false},
	"is from several corpora":              {query.Answer{Corpus: "diaries, letters", Answer: "Quex."}, true},
	"cites a document of the other corpus": {query.Answer{Corpus: "diaries, letters", Answer: "Clara.", References: []cite.Reference{{Corpus: "diaries", Document: "docs/a.txt"}}}, false},
}

// folderOf returns a folder of a user.
func folderOf(home string) Folder { return func() (string, error) { return home, nil } }

func TestPurgeAnswers(t *testing.T) {
	t.Parallel()
	for name, tt := range answers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := folderOf(t.TempDir())
			if _, err := folder.StoreAnswer(tt.answer); err != nil {
				t.Fatal(err)
			}
			n, err := folder.purgeAnswers(removed)
			if gone := n == 1; err != nil || gone != tt.gone {
				t.Errorf("purgeAnswers: %d, %v", n, err)
			}
			if _, err := folder.lastAnswer(); (err != nil) != tt.gone {
				t.Errorf("the last answer: %v", err)
			}
		})
	}
}

// TestPurgeTurns checks which turns of a conversation stay, whose file was reached by a
// symbolic link. A turn of an earlier version names neither corpus nor documents.
func TestPurgeTurns(t *testing.T) {
	t.Parallel()
	for name, tt := range answers {
		if name == "cites a document of the other corpus" {
			continue // a turn does not say of which of several corpora
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := folderOf(t.TempDir())
			dir := t.TempDir()
			path, link := filepath.Join(dir, "turns.jsonl"), filepath.Join(dir, "link")
			if err := os.WriteFile(path, []byte("{\"question\":\"old\",\"answer\":\"Quex.\"}\n{\"question\":\"Quex\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(path, link); err != nil {
				t.Fatal(err)
			}
			h, err := folder.OpenHistory(path, t.Errorf)
			if err != nil {
				t.Fatal(err)
			}
			h.path = link
			kept := conversation.Turn{Question: "kept", Answer: "Clara.", Corpus: "letters"}
			for _, a := range []query.Answer{{Question: kept.Question, Answer: kept.Answer, Corpus: kept.Corpus}, tt.answer} {
				if err := h.Add(a); err != nil {
					t.Fatal(err)
				}
			}
			want := []conversation.Turn{kept}
			if !tt.gone {
				want = append(want, conversation.Turn{Question: tt.answer.Question, Answer: tt.answer.Answer, Corpus: tt.answer.Corpus, Documents: citedDocuments(tt.answer)})
			}
			if n, err := folder.purgeTurns(removed); err != nil || n != 4-len(want) {
				t.Errorf("purgeTurns: %d, %v", n, err)
			}
			if diff := cmp.Diff(want, turnsOf(t, path)); diff != "" {
				t.Errorf("turns that stay (-want +got):\n%s", diff)
			}
			if info, err := os.Lstat(link); err != nil || info.Mode().IsRegular() {
				t.Errorf("the link: %v, %v", info, err)
			}
			if n, err := folder.purgeTurns(removed); err != nil || n != 0 {
				t.Errorf("again: %d, %v", n, err)
			}
		})
	}
}

// turnsOf reads a file of turns, which may have no question.
func turnsOf(t *testing.T, path string) (turns []conversation.Turn) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for lines := json.NewDecoder(f); lines.More(); {
		var turn conversation.Turn
		if err := lines.Decode(&turn); err != nil {
			t.Fatal(err)
		}
		turns = append(turns, turn)
	}
	return turns
}

// TestPurgeTurnsOfDeletedFiles checks that a deleted file is forgotten, and that one whose
// folder is missing too may come back.
func TestPurgeTurnsOfDeletedFiles(t *testing.T) {
	t.Parallel()
	folder := folderOf(t.TempDir())
	disk := filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(disk, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(disk, "turns.jsonl")
	h, err := folder.OpenHistory(path, t.Errorf)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Add(query.Answer{Question: "Quex?", Answer: "Yes.", Corpus: "letters"}); err != nil {
		t.Fatal(err)
	}
	away := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	away(disk, disk+"2")
	if n, err := folder.purgeTurns(removed); err != nil || n != 0 {
		t.Errorf("without the disk: %d, %v", n, err)
	}
	away(disk+"2", disk)
	if n, err := folder.purgeTurns(removed); err != nil || n != 1 {
		t.Errorf("with the disk: %d, %v", n, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if n, err := folder.purgeTurns(removed); err != nil || n != 0 {
		t.Errorf("without the file: %d, %v", n, err)
	}
	if notes := notesIn(t, folder); len(notes) != 0 {
		t.Errorf("notes of deleted files: %v", notes)
	}
}

func notesIn(t *testing.T, f Folder) []os.DirEntry {
	t.Helper()
	folder, err := f.conversations()
	if err != nil {
		t.Fatal(err)
	}
	notes, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	return notes
}
