package evalrun

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// Cells are the records of one file. They are safe for concurrent use.
type Cells[R Record] struct {
	name string
	mu   sync.Mutex
	file *os.File // nil if the folder was opened for reading
	size int64    // of its complete lines, where the next one begins
	list []R
	at   map[string]int // by key
}

// maxLine is the longest line of a file, in bytes.
const maxLine = 16 << 20

// openCells reads a file of records. A last line that was not written whole is removed if the file
// is opened for writing, and left out otherwise; any other line that cannot be read is an error.
func openCells[R Record](dir, name string, write bool) (*Cells[R], error) {
	c := &Cells[R]{name: name, at: map[string]int{}}
	flags := os.O_RDONLY
	if write {
		flags = os.O_RDWR | os.O_CREATE
	}
	file, err := os.OpenFile(filepath.Join(dir, name+".jsonl"), flags, 0o600)
	if errors.Is(err, os.ErrNotExist) && !write {
		return c, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	complete, err := c.read(file)
	if err == nil && write {
		err = c.appendTo(file, complete)
	}
	if err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("read %s: %w", file.Name(), err)
	}
	if !write {
		return c, file.Close()
	}
	return c, nil
}

// CreateFile opens a file of records outside of an evaluation for writing, and makes it if there is
// none. It keeps the records of the file if all can be read and continues accepts them, and deletes
// them otherwise.
func CreateFile[R Record](path string, continues func([]R) bool) (*Cells[R], error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make folder of %s: %w", path, err)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open records: %w", err)
	}
	c := &Cells[R]{name: path, at: map[string]int{}}
	complete, err := c.read(file)
	if err != nil || !continues(c.list) {
		c.list, complete = nil, 0
		clear(c.at)
	}
	if err := c.appendTo(file, complete); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("continue %s: %w", path, err)
	}
	return c, nil
}

// appendTo has records appended to a file after its complete lines. What follows these is removed.
func (c *Cells[R]) appendTo(file *os.File, complete int64) error {
	if err := file.Truncate(complete); err != nil {
		return err
	}
	c.file, c.size = file, complete
	_, err := file.Seek(complete, io.SeekStart)
	return err
}

// read reads the complete lines, and returns their length in bytes.
func (c *Cells[R]) read(file io.Reader) (complete int64, err error) {
	lines := bufio.NewReader(file)
	for n := 1; ; n++ {
		line, err := readLine(lines)
		if errors.Is(err, io.EOF) {
			return complete, nil // the last line is incomplete, or there is none
		}
		if err != nil {
			return 0, fmt.Errorf("line %d: %w", n, err)
		}
		var r R
		if err := json.Unmarshal(line, &r); err != nil {
			return 0, fmt.Errorf("line %d: %w; correct or delete the line", n, err)
		}
		c.keep(r)
		complete += int64(len(line))
	}
}

// readLine returns the next line with its end.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return nil, fmt.Errorf("longer than %d bytes", maxLine)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// keep adds a record; of records with the same key the first one counts.
func (c *Cells[R]) keep(r R) bool {
	key := r.Key()
	if _, known := c.at[key]; known {
		return false
	}
	c.at[key] = len(c.list)
	c.list = append(c.list, r)
	return true
}

// Add appends a record to the file, whole or not at all. It changes nothing if the cell is there
// already.
func (c *Cells[R]) Add(r R) error {
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("write %s: %w", c.name, err)
	}
	if len(line) >= maxLine {
		return fmt.Errorf("write %s: a record of %d bytes is too long", c.name, len(line))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.file == nil {
		return fmt.Errorf("write %s: the folder was opened for reading", c.name)
	}
	if _, known := c.at[r.Key()]; known {
		return nil
	}
	n, err := c.file.Write(append(line, '\n'))
	if err != nil {
		return fmt.Errorf("write %s: %w", c.name, errors.Join(err, c.appendTo(c.file, c.size)))
	}
	c.size += int64(n)
	c.keep(r)
	return nil
}

// Get returns the record of a cell.
func (c *Cells[R]) Get(key string) (R, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i, ok := c.at[key]
	if !ok {
		var none R
		return none, false
	}
	return c.list[i], true
}

// Has reports whether a cell is there.
func (c *Cells[R]) Has(key string) bool {
	_, ok := c.Get(key)
	return ok
}

// All returns the records in the order of the file.
func (c *Cells[R]) All() []R {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]R(nil), c.list...)
}

// Close closes the file.
func (c *Cells[R]) Close() error {
	if c == nil || c.file == nil {
		return nil
	}
	return c.file.Close()
}
