// Command page measures the page of `neorag export --format html`: its size, how
// long it takes to write, and how many frames a second a browser draws while the
// map moves with every entity and relationship on it.
//
//	go run ./internal/bench/page
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/htmlmap"
	"github.com/neorag/neorag/internal/htmlmap/pagetest"
)

func main() { os.Exit(start()) }

func start() int {
	sizes := flag.String("entities", "1000,5000,20000", "how many entities, separated by commas; each has three relationships")
	frames := flag.Int("frames", 60, "frames to draw")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, strings.Split(*sizes, ","), *frames); err != nil {
		fmt.Fprintln(os.Stderr, "bench-page:", err)
		return 1
	}
	return 0
}

func run(ctx context.Context, sizes []string, frames int) error {
	folder, err := os.MkdirTemp("", "bench-page")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	fmt.Println("| entities | relationships | size | written in | opened in | frames a second, communities | every entity | drawn by | a frame of every entity | of that the page's program |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	for _, size := range sizes {
		n, err := strconv.Atoi(strings.TrimSpace(size))
		if err != nil || n < 1 {
			return fmt.Errorf("%q is no number of entities", size)
		}
		if err := measure(ctx, filepath.Join(folder, "map.html"), n, frames); err != nil {
			return err
		}
	}
	return nil
}

// drawn is what the page says of its frames.
type drawn struct {
	FPS     float64 `json:"fps"`
	Busy    float64 `json:"busy"` // milliseconds until a frame is drawn
	Own     float64 `json:"own"`  // of them in the page's program, before the card draws
	Painter string  `json:"painter"`
}

func measure(ctx context.Context, path string, entities, frames int) error {
	start := time.Now()
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = htmlmap.Write(f, pagetest.Source(entities))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	written := time.Since(start)
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	fmt.Printf("| %d | %d | %.2f MB | %.1f s |", entities, 3*entities, float64(info.Size())/1e6, written.Seconds())
	start = time.Now()
	b, err := pagetest.Open(ctx, path, 1400, 900)
	if errors.Is(err, pagetest.ErrNoBrowser) {
		fmt.Println(" no browser | | | | | |")
		return nil
	}
	if err != nil {
		return err
	}
	defer b.Close()
	opened := time.Since(start)
	closed, err := pagetest.Evaluate[drawn](b, fmt.Sprintf("app.measure(%d)", frames))
	if err != nil {
		return err
	}
	open, err := pagetest.Evaluate[drawn](b, fmt.Sprintf("(() => { app.scene.openTo(Infinity); app.change(false); return app.measure(%d) })()", frames))
	if err != nil {
		return err
	}
	fmt.Printf(" %.1f s | %.0f | %.1f | %s | %.0f ms | %.0f ms |\n", opened.Seconds(), closed.FPS, open.FPS, open.Painter, open.Busy, open.Own)
	return nil
}
