package localneo4j

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

// tailBytes is how much of a log is read: a failed start prints less.
const tailBytes = 64 << 10

// causes are the known reasons for a failed start, by what the server prints, the
// most specific first.
var causes = []struct {
	sign   *regexp.Regexp
	err    error
	advice string
}{
	{
		regexp.MustCompile(`FileLockException|store_lock|Lock file has been locked`), ErrLocked,
		"a Neo4j that was not started by neorag up uses this data: stop it, or choose another folder with --data",
	},
	{
		regexp.MustCompile(`Address already in use|BindException`), ErrPortInUse,
		"another program has taken the port: choose another one with --bolt-port or --http-port (0: any free port)",
	},
	{
		regexp.MustCompile(`No space left on device|not enough space on the disk|Disk quota exceeded`), ErrNoSpace,
		"free some space, or choose a folder on another disk with --data",
	},
	{
		regexp.MustCompile(`Permission denied|AccessDeniedException|Read-only file system`), nil,
		"the server may not write to its folder: change the owner or mode of the folder, or choose another one with --data",
	},
	{
		regexp.MustCompile(`Invalid memory configuration|exceeds? (?:the )?physical memory|Could not reserve enough space|insufficient memory|Cannot allocate memory|larger than the maximum|Invalid maximum heap size`), nil,
		"not enough free memory for heap and page cache: configure less for the server",
	},
	{
		regexp.MustCompile(`OutOfMemoryError`), nil,
		"the heap is too small for this data: configure more for the server",
	},
	{
		regexp.MustCompile(`Transaction logs are missing`), nil,
		"its first start was interrupted, or files were deleted: restore a copy of the folder, or choose another one with --data and index again",
	},
	{
		regexp.MustCompile(`UnsupportedClassVersionError`), ErrNoJava,
		"this Java is too old for this Neo4j: install a newer one, or set JAVA_HOME",
	},
	{
		regexp.MustCompile(`NoClassDefFoundError|ClassNotFoundException`), nil,
		"a class is missing: check the contents of the plugins folder",
	},
}

// diagnose returns an error that explains, by its log and the space it has, why a server
// ended while it was starting.
func diagnose(o Options, log string) error {
	err, advice := errors.New("the server ended while starting"), ""
	for _, c := range causes {
		if c.sign.MatchString(log) {
			advice = c.advice
			if c.err != nil {
				err = c.err
			}
			break
		}
	}
	if advice == "" {
		if err := o.checkSpace(); err != nil {
			return fmt.Errorf("the server ended while starting: %w", err)
		}
		advice = "check its logs"
		if strings.TrimSpace(log) == "" {
			advice = "it printed nothing: it was killed, perhaps because memory ran out"
		}
	}
	return fmt.Errorf("%w: %s\n%s:\n%s", err, advice, consolePath(o.Data), lastLines(log, 8))
}

// readTail returns the end of a log, "" if there is none.
func readTail(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err == nil && info.Size() > tailBytes {
		_, _ = f.Seek(-tailBytes, io.SeekEnd)
	}
	b, _ := io.ReadAll(f)
	return string(b)
}

// lastLines returns the last n lines that are not part of a stack trace.
func lastLines(log string, n int) string {
	var kept []string
	for line := range strings.Lines(log) {
		line = strings.TrimRight(line, "\r\n")
		if trimmed := strings.TrimSpace(line); trimmed == "" || strings.HasPrefix(trimmed, "at ") || strings.HasPrefix(trimmed, "... ") {
			continue
		}
		kept = append(kept, "  "+line)
	}
	return strings.Join(kept[max(0, len(kept)-n):], "\n")
}

func lastLine(log string) string {
	return strings.TrimSpace(lastLines(log, 1))
}
