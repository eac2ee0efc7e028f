package localneo4j

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// memory returns the memory of this machine in MB, or of its control group if that
// is less, as in a container; 0 if it is unknown.
func memory() int { return memoryBelow("/") }

// memoryBelow reads the files of the system below a root folder.
func memoryBelow(root string) int {
	var kB int
	b, err := os.ReadFile(filepath.Join(root, "proc", "meminfo"))
	if err != nil {
		return 0
	}
	for lines := bufio.NewScanner(bytes.NewReader(b)); lines.Scan(); {
		if n, _ := fmt.Sscanf(lines.Text(), "MemTotal: %d kB", &kB); n == 1 {
			break
		}
	}
	all := kB >> 10
	groups, _ := os.ReadFile(filepath.Join(root, "proc", "self", "cgroup")) // none: no limit
	for line := range strings.Lines(string(groups)) {
		number, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, group, _ := strings.Cut(rest, ":")
		folder, name := filepath.Join(root, "sys", "fs", "cgroup"), "memory.max"
		if number != "0" {
			folder, name = filepath.Join(folder, "memory"), "memory.limit_in_bytes"
			if !strings.Contains(","+controllers+",", ",memory,") {
				continue
			}
		}
		// The limits of all parents hold too.
		for group = filepath.Join("/", group); ; group = filepath.Dir(group) {
			if limit, err := readLimit(filepath.Join(folder, group, name)); err == nil {
				all = min(all, limit)
			}
			if group == "/" {
				break
			}
		}
	}
	return all
}

// readLimit reads a number of bytes and returns MB.
func readLimit(path string) (int, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	limit, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64) // "max" is an error
	return int(limit >> 20), err
}
