// Command mapbench measures the map of `neorag export --format html`: its size, how long
// it takes to write and to open, and how many frames per second Chromium draws while the
// map moves, with communities and with every entity and relationship.
//
//	make bench-page
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

	"github.com/neorag/neorag/internal/browsertest/chromium"
	"github.com/neorag/neorag/internal/view/htmlmap"
	"github.com/neorag/neorag/internal/view/htmlmap/pagetest"
)

func main() { os.Exit(start()) }

func start() int {
	sizes := flag.String("entities", "1000,5000,20000", "numbers of entities, separated by commas; each has three relationships")
	frames := flag.Int("frames", 60, "number of frames to draw")
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
	fmt.Println("| entities | relationships | size | written in | opened in | frames per second, communities | frames per second, all entities | drawn by | time per frame, all entities | of that, the page's script |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	for _, size := range sizes {
		n, err := strconv.Atoi(strings.TrimSpace(size))
		if err != nil || n < 1 {
			return fmt.Errorf("read number of entities %q: give numbers from 1, separated by commas", size)
		}
		if err := measure(ctx, filepath.Join(folder, "map.html"), n, frames); err != nil {
			return err
		}
	}
	return nil
}

// A drawn is what app.measure of the page returns.
type drawn struct {
	FPS     float64 `json:"fps"`
	Busy    float64 `json:"busy"` // milliseconds per frame
	Own     float64 `json:"own"`  // of these in the script of the page, before the graphics card draws
	Painter string  `json:"painter"`
}

// measure prints the row of a map with a number of entities, written to path.
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
	page, err := chromium.Open(ctx, path, 1400, 900)
	if errors.Is(err, chromium.ErrMissing) {
		fmt.Println(" no Chromium | | | | | |")
		return nil
	}
	if err != nil {
		return err
	}
	defer page.Close()
	if err := page.Wait("window.app !== undefined"); err != nil {
		return err
	}
	opened := time.Since(start)
	closed, err := chromium.Evaluate[drawn](page, fmt.Sprintf("app.measure(%d)", frames))
	if err != nil {
		return err
	}
	open, err := chromium.Evaluate[drawn](page, fmt.Sprintf("(() => { app.scene.openTo(Infinity); app.change(false); return app.measure(%d) })()", frames))
	if err != nil {
		return err
	}
	fmt.Printf(" %.1f s | %.0f | %.1f | %s | %.0f ms | %.0f ms |\n", opened.Seconds(), closed.FPS, open.FPS, open.Painter, open.Busy, open.Own)
	return nil
}
