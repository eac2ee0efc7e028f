package source

import (
	"fmt"
	"io/fs"
	"os"
	"time"
)

// stampOf returns a text that differs whenever a file was written or replaced, and the time
// of its last change, of its content or of its properties.
func stampOf(info fs.FileInfo) (stamp string, changed time.Time) {
	properties, propertiesChanged := inodeOf(info)
	changed = info.ModTime()
	if propertiesChanged.After(changed) {
		changed = propertiesChanged
	}
	return fmt.Sprintf("%d %d %s", info.Size(), info.ModTime().UnixNano(), properties), changed
}

// Stat returns the stamp that the file has now, or "" if it is gone.
func (f File) Stat() string {
	info, err := os.Stat(f.Path)
	if err != nil {
		return ""
	}
	stamp, _ := stampOf(info)
	return stamp
}
