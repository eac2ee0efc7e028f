package source

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"runtime/metrics"
	"syscall"
	"time"

	"github.com/neorag/neorag/internal/source/parse"
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

// serveChild reads the files on standard input until it ends, writes a result for each
// to standard output and returns the exit code.
func serveChild() (exit int) {
	signal.Ignore(os.Interrupt, syscall.SIGTERM) // the parent handles them, and ends this process
	in, out := gob.NewDecoder(bufio.NewReader(os.Stdin)), gob.NewEncoder(os.Stdout)
	for limited := false; ; {
		var request sandboxRequest
		if err := in.Decode(&request); errors.Is(err, io.EOF) {
			return 0
		} else if err != nil {
			return exitBadInput
		}
		if !limited {
			limitMemory(request.Memory)
			limited = true
		}
		limit := timeLimit(request.Scans)
		alarm := time.AfterFunc(limit+limit/4, func() { exitChild(exitTime) }) // in case the parent is gone
		result := readInChild(context.Background(), request)
		alarm.Stop()
		result.Last = memoryInUse() > request.Memory/4
		if out.Encode(result) != nil {
			return exitBadInput
		}
		if result.Last {
			return 0
		}
	}
}

// readInChild reads the file in this process. A panic becomes an error.
func readInChild(ctx context.Context, request sandboxRequest) (result sandboxResult) {
	defer func() {
		if p := recover(); p != nil {
			result = sandboxResult{Err: parserCrashed(p).Error()}
		}
	}()
	format, _ := formatOf(request.Base.URI)
	with := parse.Options{Cache: request.Cache}
	if request.Scans {
		with.Scans = &result.Scans
	}
	doc, failures, err := format.read(ctx, request.Raw, request.Base, with)
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
	go func() {
		for range time.Tick(childMemoryCheck) {
			if n := memoryInUse(); n > limit {
				_, _ = fmt.Fprintf(os.Stderr, "%d bytes: out of memory\n", n)
				exitChild(exitMemory)
			}
		}
	}()
}

// memoryInUse returns the bytes that this process has from the operating system.
func memoryInUse() int64 {
	used := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(used)
	return int64(used[0].Value.Uint64() - used[1].Value.Uint64())
}
