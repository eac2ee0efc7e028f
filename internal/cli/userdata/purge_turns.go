package userdata

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/conversation"
	"github.com/neorag/neorag/internal/sys/userfile"
)

// maxNotedPath is the size of the longest path of a file of a conversation.
const maxNotedPath = 64 << 10

// conversations returns the folder that notes where files of conversations are: each
// path in a file that is named by its hash, so that concurrent runs write different files,
// or the same.
func (f Folder) conversations() (string, error) {
	home, err := f()
	return filepath.Join(home, "conversations"), err
}

// notePath notes where the file of a conversation is, so that the words of removed
// documents are found in it. It follows symbolic links, because the file is replaced later.
func (f Folder) notePath(path string) error {
	folder, err := f.conversations()
	if err != nil {
		return err
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	name := filepath.Join(folder, graph.Hash(path))
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	return userfile.WritePrivate(name, []byte(path))
}

// purgeTurns deletes the turns of noted conversations that are forgotten, and returns how
// many these are.
func (f Folder) purgeTurns(gone purge) (int, error) {
	folder, err := f.conversations()
	if err != nil {
		return 0, err
	}
	notes, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("list the files of conversations: %w", err)
	}
	deleted := 0
	for _, entry := range notes {
		note := filepath.Join(folder, entry.Name())
		path, err := userfile.ReadPrivate(note, maxNotedPath)
		if err != nil {
			return deleted, fmt.Errorf("read where a conversation is: %w", err)
		}
		n, err := gone.rewrite(string(path))
		if isGone(string(path), err) {
			err = os.Remove(note)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return deleted, fmt.Errorf("delete turns of the conversation in %s: %w", path, err)
		}
		deleted += n
	}
	return deleted, nil
}

// isGone reports whether an error means that a file was deleted. If its folder is missing
// too, the file may come back with a disk.
func isGone(path string, err error) bool {
	if !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	_, err = os.Stat(filepath.Dir(path))
	return err == nil
}

// rewrite deletes the turns of a file that are forgotten, in one step, and returns how many
// these are.
func (f purge) rewrite(path string) (int, error) {
	body, err := userfile.Read(path, maxHistoryBytes)
	if err != nil {
		return 0, err
	}
	deleted := 0
	var left []byte
	for line := range bytes.Lines(body) {
		if f.turn(line) {
			deleted++
			continue
		}
		left = append(left, line...)
	}
	if deleted == 0 {
		return 0, nil
	}
	return deleted, userfile.WritePrivate(path, left)
}

// turn reports whether a line of a conversation is forgotten. One that is not a turn may be
// the beginning of one.
func (f purge) turn(line []byte) bool {
	var t conversation.Turn
	if json.Unmarshal(line, &t) != nil {
		return f.holds(jsonBreaks.Replace(string(line)))
	}
	if t.Corpus != "" && !namesCorpus(t.Corpus, f.corpus) {
		return false
	}
	return f.cites(t.Documents) || f.holds(t.Question+"\n"+t.Asked+"\n"+t.Answer)
}
