package eval

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A measured is one line of a file of results: what one variant found for one
// question.
type measured struct {
	Set     int     `json:"set"` // index of its set
	ID      string  `json:"id"`
	Variant string  `json:"variant"`
	Ranks   []int   `json:"ranks"` // of the evidence, from 1; 0 where it was not found
	MSNeo4j float64 `json:"ms_neo4j"`
	MSGo    float64 `json:"ms_go"`
}

type measuredKey struct {
	set         int
	id, variant string
}

func (m measured) key() measuredKey { return measuredKey{m.Set, m.ID, m.Variant} }

// A ledger keeps what was measured in a file, one line after the other, so that
// a run that was killed goes on behind its last whole line.
type ledger struct {
	file *os.File
	done map[measuredKey]measured
}

type ledgerHead struct {
	Settings string `json:"settings"` // fingerprint of all that changes a result
	Total    int    `json:"total"`
}

// openLedger goes on with a file of the same settings that is not complete, and
// begins anew over any other.
func openLedger(path string, head ledgerHead) (*ledger, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("keep results: %w", err)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("keep results: %w", err)
	}
	l := &ledger{file: file, done: map[measuredKey]measured{}}
	whole, err := l.read(head)
	if err == nil {
		err = l.begin(whole, head)
	}
	if err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("keep results in %s: %w", path, err)
	}
	return l, nil
}

// read takes over the lines of a file of the same settings, and returns how many
// bytes they are: 0 means that the file begins anew.
func (l *ledger) read(head ledgerHead) (whole int64, err error) {
	lines := bufio.NewReader(l.file)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break // what has no line end was cut off
		}
		if err != nil {
			return 0, err
		}
		if whole == 0 {
			var was ledgerHead
			if json.Unmarshal(line, &was) != nil || was != head {
				return 0, nil //nolint:nilerr // a file of something else begins anew
			}
		} else {
			var m measured
			if json.Unmarshal(line, &m) != nil {
				break
			}
			l.done[m.key()] = m
		}
		whole += int64(len(line))
	}
	if len(l.done) >= head.Total {
		clear(l.done)
		return 0, nil
	}
	return whole, nil
}

func (l *ledger) begin(whole int64, head ledgerHead) error {
	if err := l.file.Truncate(whole); err != nil {
		return err
	}
	if _, err := l.file.Seek(whole, io.SeekStart); err != nil {
		return err
	}
	if whole > 0 {
		return nil
	}
	return l.write(head)
}

// add keeps one measurement.
func (l *ledger) add(m measured) error {
	if err := l.write(m); err != nil {
		return fmt.Errorf("keep results: %w", err)
	}
	l.done[m.key()] = m
	return nil
}

func (l *ledger) write(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = l.file.Write(append(line, '\n'))
	return err
}

func (l *ledger) close() error { return l.file.Close() }
