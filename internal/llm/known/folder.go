package known

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/sys/userfile"
)

// A Folder keeps records for later runs, each in a small file that is named by a hash of
// server and model. Processes share a folder without a lock: files are replaced in one step,
// and what one of two concurrent writers learnt is learnt again by the next run.
type Folder struct {
	Dir string // "": records last as long as the folder value
	// Warn, unless nil, is called with the error if a record could not be written. It must
	// be safe for concurrent use.
	Warn func(error)

	mu      sync.Mutex
	servers map[string]*Server
}

// Server returns the record of a model on the server at an address, which must not contain
// a key. The same server and model always have the same record.
func (f *Folder) Server(address, model string) *Server {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.servers == nil {
		f.servers = map[string]*Server{}
	}
	name := fileName(address, model)
	s := f.servers[name]
	if s == nil {
		s = &Server{}
		if f.Dir != "" {
			s.file = &file{path: filepath.Join(f.Dir, name), address: address, model: model, warn: f.Warn}
		}
		f.servers[name] = s
	}
	return s
}

// A Record is the content of a file.
type Record struct {
	Server string    `json:"server"` // its address
	Model  string    `json:"model"`
	Learnt time.Time `json:"learnt"` // when the first of the facts was learnt
	Facts  Facts     `json:"facts"`
}

// Records returns the records that are in use, by server and model. A folder that does not exist has
// none.
func (f *Folder) Records() ([]Record, error) {
	paths, err := f.paths()
	if err != nil {
		return nil, err
	}
	var all []Record
	for _, path := range paths {
		if r, err := readRecord(path); err == nil && current(r.Learnt) && fileName(r.Server, r.Model) == filepath.Base(path) {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b Record) int {
		return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Model, b.Model))
	})
	return all, nil
}

// Forget removes all records, also those that are not in use, and returns how many it removed.
func (f *Folder) Forget() (int, error) {
	paths, err := f.paths()
	if err != nil {
		return 0, err
	}
	removed := 0
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return removed, fmt.Errorf("forget servers: %w", err)
		}
		removed++
	}
	return removed, nil
}

func (f *Folder) paths() ([]string, error) {
	entries, err := os.ReadDir(f.Dir)
	if f.Dir == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list known servers: %w", err)
	}
	var paths []string
	for _, e := range entries {
		if IsFile(e.Name()) {
			paths = append(paths, filepath.Join(f.Dir, e.Name()))
		}
	}
	return paths, nil
}

const extension = ".json"

// IsFile reports whether a file of a folder is named as a record is.
func IsFile(name string) bool {
	hash, found := strings.CutSuffix(name, extension)
	return found && len(hash) == hex.EncodedLen(sha256.Size) && strings.Trim(hash, "0123456789abcdef") == ""
}

// IsRecord reports whether the content of a file is a record.
func IsRecord(b []byte) bool {
	_, err := decode(b)
	return err == nil
}

func fileName(address, model string) string {
	sum := sha256.Sum256([]byte(address + "\n" + model))
	return hex.EncodeToString(sum[:]) + extension
}

// maxFile is the largest file that is read, in bytes.
const maxFile = 16 << 10

// A file is where a record is kept. Nil is none.
type file struct {
	path, address, model string
	warn                 func(error)
}

// read returns the facts in the file, none if there is no intact file of this server and model.
func (f *file) read() (Facts, time.Time) {
	if f == nil {
		return Facts{}, time.Time{}
	}
	r, err := readRecord(f.path)
	if err != nil || r.Server != f.address || r.Model != f.model {
		return Facts{}, time.Time{}
	}
	return r.Facts, r.Learnt
}

func (f *file) write(facts Facts, learnt time.Time) {
	if f == nil {
		return
	}
	b, err := json.MarshalIndent(Record{Server: f.address, Model: f.model, Learnt: learnt.UTC().Truncate(time.Second), Facts: facts}, "", "  ")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(f.path), 0o700)
	}
	if err == nil {
		err = userfile.WritePrivate(f.path, append(b, '\n'))
	}
	if err != nil && f.warn != nil {
		f.warn(fmt.Errorf("remember what the model server refuses: %w", err))
	}
}

func readRecord(path string) (Record, error) {
	b, err := userfile.Read(path, maxFile)
	if err != nil {
		return Record{}, err
	}
	return decode(b)
}

func decode(b []byte) (Record, error) {
	var r Record
	if err := json.Unmarshal(b, &r); err != nil {
		return r, err
	}
	if r.Server == "" || r.Learnt.IsZero() || min(r.Facts.Context, r.Facts.BatchTexts, r.Facts.BatchTokens) < 0 {
		return r, errors.New("not a record of a server")
	}
	return r, nil
}
