package source

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// peakOf is the most memory, in bytes, that any process that read a file apart
// had while f ran.
func peakOf(f func()) int64 {
	var most int64
	done := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		for {
			most = max(most, readers())
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
		}
	})
	f()
	close(done)
	watch.Wait()
	return most
}

// readers is the largest peak among the readers of this process that live.
func readers() int64 {
	var most int64
	tasks, _ := os.ReadDir("/proc/self/task")
	for _, task := range tasks {
		children, _ := os.ReadFile("/proc/self/task/" + task.Name() + "/children")
		for pid := range strings.FieldsSeq(string(children)) {
			// Before it has become the reader, a child shows the memory of this process.
			if name, _ := os.ReadFile("/proc/" + pid + "/cmdline"); strings.TrimRight(string(name), "\x00") != apartName {
				continue
			}
			status, _ := os.ReadFile("/proc/" + pid + "/status")
			for line := range strings.Lines(string(status)) {
				if kib, found := strings.CutPrefix(line, "VmHWM:"); found {
					n, err := strconv.ParseInt(strings.Fields(kib)[0], 10, 64)
					if err != nil {
						panic(fmt.Sprintf("%q: %v", line, err))
					}
					most = max(most, n<<10)
				}
			}
		}
	}
	return most
}
