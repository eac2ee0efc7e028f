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
	apartStack  = 128 << 20
	apartArenas = 256 << 20            // that the Go runtime may have mapped and not used
	apartGlance = 5 * time.Millisecond // between two looks at the memory

	// How the process ends where it has no answer; the Go runtime ends with 2.
	exitMemory  = 7
	exitTime    = 8
	exitDamaged = 9
)

// A program that is started under this name reads one file and ends, whichever
// program it is: tests are one too.
func init() {
	if len(os.Args) == 1 && os.Args[0] == apartName {
		end(beApart())
	}
}

func end(code int) {
	os.Exit(code) //nolint:forbidigo // this process is nothing but the reader of one file
}

// beApart reads the file on standard input.
func beApart() (exit int) {
	signal.Ignore(os.Interrupt, syscall.SIGTERM)                    // they are for the program that waits, which ends this one
	time.AfterFunc(apartTime+apartTime/4, func() { end(exitTime) }) // should it be gone
	in := bufio.NewReader(os.Stdin)
	var asked apartAsked
	if gob.NewDecoder(in).Decode(&asked) != nil {
		return exitDamaged
	}
	boundMemory(asked.Memory)
	raw, err := io.ReadAll(in)
	if err != nil {
		return exitDamaged
	}
	if gob.NewEncoder(os.Stdout).Encode(readHere(context.Background(), raw, asked)) != nil {
		return exitDamaged
	}
	return 0
}

// readHere reads the file in this process.
func readHere(ctx context.Context, raw []byte, asked apartAsked) (said apartSaid) {
	defer func() {
		if p := recover(); p != nil {
			said = apartSaid{Err: "the reader of this format broke off: " + oneLine(p)}
		}
	}()
	format, _ := formatOf(asked.Base.URI)
	doc, failures, err := format.read(ctx, raw, asked.Base)
	if err != nil {
		return apartSaid{Err: err.Error()}
	}
	said.Document = doc
	for _, f := range failures {
		said.Failures = append(said.Failures, f.Err.Error())
	}
	return said
}

// boundMemory ends the process when it has taken more than the limit. The
// system does so at once where it can; everywhere this process looks itself,
// often enough that no more than some megabytes can be written between two looks.
func boundMemory(limit int64) {
	debug.SetMaxStack(apartStack)
	debug.SetMemoryLimit(limit / 4 * 3) // from here on garbage is collected at all costs
	hardLimit(uint64(limit) + apartArenas)
	taken := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	go func() {
		for range time.Tick(apartGlance) {
			metrics.Read(taken)
			if n := taken[0].Value.Uint64() - taken[1].Value.Uint64(); n > uint64(limit) {
				_, _ = fmt.Fprintf(os.Stderr, "%d bytes: out of memory\n", n)
				end(exitMemory)
			}
		}
	}()
}
