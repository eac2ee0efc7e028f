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

// A measurement is one line of a result file: what one variant found for one question.
type measurement struct {
	Set     int     `json:"set"` // index of the set of the question
	ID      string  `json:"id"`
	Variant string  `json:"variant"`
	Ranks   []int   `json:"ranks"` // of the evidence, from 1, ascending; 0 if it was not found
	MSNeo4j float64 `json:"ms_neo4j"`
	MSGo    float64 `json:"ms_go"`
}

type measurementKey struct {
	set         int
	id, variant string
}

func (m measurement) key() measurementKey { return measurementKey{m.Set, m.ID, m.Variant} }

// A resultFile appends measurements to a file, one per line, so that a run that was
// killed can continue after the last complete line.
type resultFile struct {
	file *os.File
	done map[measurementKey]measurement
}

type resultHeader struct {
	Settings string `json:"settings"` // fingerprint of everything that affects a result
	Total    int    `json:"total"`
}

// openResults continues a file that has the same settings and is incomplete, and
// overwrites any other.
func openResults(path string, head resultHeader) (*resultFile, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make folder for results: %w", err)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open results: %w", err)
	}
	f := &resultFile{file: file, done: map[measurementKey]measurement{}}
	complete, err := f.read(head)
	if err == nil {
		err = f.truncate(complete, head)
	}
	if err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("continue results in %s: %w", path, err)
	}
	return f, nil
}

// read reads the complete lines of a file with the same settings, and returns their
// length in bytes, or 0 if the file is to be overwritten.
func (f *resultFile) read(head resultHeader) (complete int64, err error) {
	lines := bufio.NewReader(f.file)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break // the last line is incomplete
		}
		if err != nil {
			return 0, err
		}
		if complete == 0 {
			var was resultHeader
			if json.Unmarshal(line, &was) != nil || was != head {
				return 0, nil //nolint:nilerr // another file is overwritten
			}
		} else {
			var m measurement
			if json.Unmarshal(line, &m) != nil {
				break
			}
			f.done[m.key()] = m
		}
		complete += int64(len(line))
	}
	if len(f.done) >= head.Total {
		clear(f.done)
		return 0, nil
	}
	return complete, nil
}

// truncate removes everything after the complete lines, and writes the header if there
// are none.
func (f *resultFile) truncate(complete int64, head resultHeader) error {
	if err := f.file.Truncate(complete); err != nil {
		return err
	}
	if _, err := f.file.Seek(complete, io.SeekStart); err != nil {
		return err
	}
	if complete > 0 {
		return nil
	}
	return f.write(head)
}

// add appends a measurement.
func (f *resultFile) add(m measurement) error {
	if err := f.write(m); err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	f.done[m.key()] = m
	return nil
}

func (f *resultFile) write(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = f.file.Write(append(line, '\n'))
	return err
}

func (f *resultFile) close() error { return f.file.Close() }
