package source

import (
	"bufio"
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"runtime/metrics"
	"syscall"
	"time"
)

const (
	childStack       = 128 << 20
	childRuntime     = 256 << 20 // memory that the Go runtime may have mapped without using it
	childMemoryCheck = 5 * time.Millisecond

	// Exit codes of a child without a result. The Go runtime itself exits with 2.
	exitMemory   = 7
	exitTime     = 8
	exitBadInput = 9
)

// Any program that links this package, tests included, becomes a parser child when
// it is started as sandboxName.
func init() {
	if len(os.Args) == 1 && os.Args[0] == sandboxName {
		exitChild(serveChild())
	}
}

func exitChild(code int) {
	os.Exit(code) //nolint:forbidigo // this process does nothing but read one file
}

// serveChild reads the request and the file on standard input, writes the result
// to standard output and returns the exit code.
func serveChild() (exit int) {
	signal.Ignore(os.Interrupt, syscall.SIGTERM)                              // the parent handles them, and kills this process
	time.AfterFunc(sandboxTime+sandboxTime/4, func() { exitChild(exitTime) }) // in case the parent is gone
	in := bufio.NewReader(os.Stdin)
	var request sandboxRequest
	if gob.NewDecoder(in).Decode(&request) != nil {
		return exitBadInput
	}
	limitMemory(request.Memory)
	raw, err := io.ReadAll(in)
	if err != nil {
		return exitBadInput
	}
	if gob.NewEncoder(os.Stdout).Encode(readInChild(context.Background(), raw, request)) != nil {
		return exitBadInput
	}
	return 0
}

// readInChild reads the file in this process. A panic becomes an error.
func readInChild(ctx context.Context, raw []byte, request sandboxRequest) (result sandboxResult) {
	defer func() {
		if p := recover(); p != nil {
			result = sandboxResult{Err: parserCrashed(p).Error()}
		}
	}()
	format, _ := formatOf(request.Base.URI)
	doc, failures, err := format.read(ctx, raw, request.Base)
	if err != nil {
		return sandboxResult{Err: err.Error()}
	}
	result.Document = doc
	for _, f := range failures {
		result.Failures = append(result.Failures, f.Err.Error())
	}
	return result
}

// limitMemory ends the process when it uses more than limit bytes. The operating
// system enforces that where it can. Everywhere the process also checks itself,
// often enough that only some megabytes can be written between two checks.
func limitMemory(limit int64) {
	debug.SetMaxStack(childStack)
	debug.SetMemoryLimit(limit / 4 * 3) // above this the garbage collector runs all the time
	limitDataSegment(uint64(limit) + childRuntime)
	used := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	go func() {
		for range time.Tick(childMemoryCheck) {
			metrics.Read(used)
			if n := used[0].Value.Uint64() - used[1].Value.Uint64(); n > uint64(limit) {
				_, _ = fmt.Fprintf(os.Stderr, "%d bytes: out of memory\n", n)
				exitChild(exitMemory)
			}
		}
	}()
}
