package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/neorag/neorag/internal/sys/userfile"
)

// A TrustStore records which files of settings the user trusts, in a folder of the
// user's data folder. A record holds a hash of the path and the content of a file, and of
// each file that its settings have the program obey, so that an edit of one of them ends
// the trust. A record is only believed if nobody else could have written it.
type TrustStore struct{ Home string } // the user's data folder; "" is a store without records

func (t TrustStore) folder() string { return filepath.Join(t.Home, "trust") }

// place returns the path that identifies a file: its name in the real path of its
// folder. A link is not followed, because the paths in a file are relative to the
// folder where it is found: trust in the target of a link is not trust in the link.
func place(file string) (string, error) {
	whole, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(whole))
	return filepath.Join(folder, filepath.Base(whole)), err
}

func (t TrustStore) record(place string) string {
	sum := sha256.Sum256([]byte(place))
	return filepath.Join(t.folder(), hex.EncodeToString(sum[:]))
}

// fingerprint is the beginning of a record: the file itself. A path has no NUL.
func fingerprint(place string, content []byte) string {
	sum := sha256.Sum256(append([]byte(place+"\x00"), content...))
	return hex.EncodeToString(sum[:]) + "\n" + place + "\n"
}

// check returns an error if another user could have written a record.
func (t TrustStore) check() error {
	return errors.Join(userfile.CheckFolder(t.Home), userfile.CheckFolder(t.folder()))
}

const maxRecordSize = 1 << 20

// Trusted reports whether the user trusts a file as it is. The error is why an existing record
// does not count: a *ChangedError if a file changed that the settings refer to.
func (t TrustStore) Trusted(f File) (bool, error) {
	if t.Home == "" {
		return false, nil
	}
	at, err := place(f.Path)
	if err != nil {
		return false, fmt.Errorf("check trust: %w", err)
	}
	err = t.check()
	if err == nil {
		var got []byte
		if got, err = userfile.ReadPrivate(t.record(at), maxRecordSize); err == nil {
			return f.recordedIn(string(got), at)
		}
	}
	if errors.Is(err, fs.ErrNotExist) && !errors.Is(err, userfile.ErrUnsafe) {
		return false, nil
	}
	return false, fmt.Errorf("check trust: %w", err)
}

// recordedIn compares a file at a place with its record.
func (f File) recordedIn(record, place string) (bool, error) {
	references, same := strings.CutPrefix(record, fingerprint(place, f.Content))
	if !same {
		return false, nil
	}
	if changed := changes(references, f.References); len(changed) > 0 {
		return false, &ChangedError{Files: changed}
	}
	return true, nil
}

// Trust records that the user trusts a file as it is.
func (t TrustStore) Trust(f File) error {
	at, err := place(f.Path)
	if err == nil {
		err = os.MkdirAll(t.folder(), 0o700)
	}
	if err == nil {
		err = t.check()
	}
	if err != nil {
		return fmt.Errorf("record trust: %w", err)
	}
	return userfile.WritePrivate(t.record(at), []byte(fingerprint(at, f.Content)+recordOf(f.References)))
}

// Revoke removes the trust in a file, which need not exist any more, and reports
// whether there was a record.
func (t TrustStore) Revoke(file string) (bool, error) {
	at, err := place(file)
	if err != nil {
		return false, fmt.Errorf("revoke trust: %w", err)
	}
	err = os.Remove(t.record(at))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("revoke trust: %w", err)
	}
	return err == nil, nil
}

// A File is the restricted settings of a file of settings, and the content that they
// were read from.
type File struct {
	Path       string // without links to its folder
	Content    []byte
	Restricted []Value // other values than the defaults, as the file writes them
	References []Reference
}

// ReadRestricted reads a file of settings as it would be found.
func ReadRestricted(file string) (File, error) {
	at, err := place(file)
	if err != nil {
		return File{}, fmt.Errorf("read settings: %w", err)
	}
	content, err := userfile.Read(at, maxFileSize)
	if err != nil {
		return File{}, fmt.Errorf("read settings: %w", err)
	}
	values, err := parseFile(file, string(content), keys())
	if err != nil {
		return File{}, err
	}
	f := File{Path: at, Content: content}
	for _, s := range Settings() {
		if v, given := values[s.Name]; given && s.Restricted() && !s.isDefault(v.Items) {
			f.Restricted = append(f.Restricted, Value{Setting: s, Items: v.Items, Origin: FromFile, Where: fmt.Sprintf("%s:%d", file, v.Line)})
		}
	}
	f.References, err = references(filepath.Dir(at), values)
	return f, err
}
