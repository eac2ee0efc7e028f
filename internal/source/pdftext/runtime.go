package pdftext

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/neorag/neorag/internal/text"
)

const (
	maxMemory   = 512 << 20 // bytes of a file and all that PDFium makes of it
	memoryPage  = 64 << 10
	maxParallel = 8
)

// running is PDFium, which each process starts once.
var running struct {
	sync.Mutex
	pool pdfium.Pool
}

// start returns the running PDFium, or starts it.
func start(ctx context.Context, cache string) (pdfium.Pool, error) {
	running.Lock()
	defer running.Unlock()
	if running.pool != nil {
		return running.pool, nil
	}
	pool, err := compileCached(ctx, cache)
	if err != nil {
		return nil, fmt.Errorf("start PDFium: %w", err)
	}
	running.pool = pool
	return pool, nil
}

// compileCached takes PDFium's code from the cache, or compiles it. Code that cannot be used, as
// after a full disk, is compiled once more.
func compileCached(ctx context.Context, cache string) (pdfium.Pool, error) {
	pool, err := compile(ctx, cache)
	if err == nil || cache == "" {
		return pool, err
	}
	_ = os.RemoveAll(cache) // compile reports what is wrong with it
	if pool, err = compile(ctx, cache); err != nil {
		pool, err = compile(ctx, "")
	}
	return pool, err
}

func compile(ctx context.Context, cache string) (pdfium.Pool, error) {
	config := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
		WithMemoryLimitPages(maxMemory / memoryPage)
	if cache != "" {
		code, err := wazero.NewCompilationCacheWithDir(cache)
		if err != nil {
			return nil, err
		}
		config = config.WithCompilationCache(code)
	}
	return webassembly.Init(webassembly.Config{
		Context: context.WithoutCancel(ctx), RuntimeConfig: config,
		FSConfig: wazero.NewFSConfig(), // no file
		MaxTotal: maxParallel, Stdout: io.Discard, Stderr: io.Discard,
	})
}

// malformed says what PDFium reported.
func malformed(err error) error {
	return fmt.Errorf("malformed PDF: %s", firstLine(err))
}

func firstLine(v any) string { return text.FirstLine(strings.TrimSpace(fmt.Sprint(v))) }
