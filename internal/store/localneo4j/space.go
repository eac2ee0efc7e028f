package localneo4j

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
)

// ErrNoSpace is returned when a server cannot write to its data folder.
var ErrNoSpace = errors.New("the disk is full")

// leastSpace is what a data folder must have room for, in bytes: less than any log line
// and index page that Neo4j writes next.
const leastSpace = 64 << 10

// checkSpace returns an ErrNoSpace if a little more cannot be written to the data folder,
// for whatever reason: a disk, a quota. A server in this state may neither start, nor
// log why, nor end.
func (o Options) checkSpace() error {
	f, err := os.CreateTemp(o.Data, ".space-")
	if err == nil {
		text := make([]byte, leastSpace)
		_, _ = rand.Read(text) // never fails; a disk that compresses takes any number of zeros
		_, err = f.Write(text)
		err = errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %s has no room for %d KB more: free some space and run neorag up again, or choose a folder on another disk with --data: %w",
		ErrNoSpace, o.Data, leastSpace>>10, err)
}
