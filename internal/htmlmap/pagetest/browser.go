package pagetest

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"sync"
	"time"

	"github.com/chromedp/cdproto/network"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/neorag/neorag/internal/neobrowser/browser"
)

// ErrNoBrowser reports that there is no Chromium on this machine.
var ErrNoBrowser = browser.ErrNoChromium

// A Browser shows one page.
type Browser struct {
	ctx    context.Context //nolint:containedctx // chromedp's context is the browser
	cancel []context.CancelFunc

	mu       sync.Mutex
	requests []string // addresses other than the page itself
	problems []string // errors on the page's console
}

// Open opens a file in a window of the given size, and waits until the page is ready.
// Requests of the page are recorded. The caller closes the browser.
func Open(ctx context.Context, path string, width, height int) (*Browser, error) {
	program, err := browser.Find("")
	if err != nil {
		return nil, err
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	ctx, cancelTime := context.WithTimeout(ctx, 5*time.Minute)
	ctx, cancelAllocator := chromedp.NewExecAllocator(ctx,
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.Flag("headless", "new"), chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("use-gl", "angle"), chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-gpu-vsync", true),
		chromedp.WindowSize(width, height))
	ctx, cancel := chromedp.NewContext(ctx)
	b := &Browser{ctx: ctx, cancel: []context.CancelFunc{cancel, cancelAllocator, cancelTime}}
	address := (&url.URL{Scheme: "file", Path: absolute}).String()
	if err := b.load(address, int64(width), int64(height)); err != nil {
		b.Close()
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return b, nil
}

func (b *Browser) load(address string, width, height int64) error {
	err := chromedp.Listen(b.ctx, func(event any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if e.Request.URL != address {
				b.requests = append(b.requests, e.Request.URL)
			}
		case *runtime.EventExceptionThrown:
			b.problems = append(b.problems, e.ExceptionDetails.Text)
		case *cdpage.EventJavascriptDialogOpening:
			b.problems = append(b.problems, "dialog: "+e.Message)
		}
	})
	if err != nil {
		return err
	}
	if _, err := chromedp.Call(b.ctx, network.Enable, network.EnableParams{}); err != nil {
		return err
	}
	if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(width, height), chromedp.Navigate(address)); err != nil {
		return err
	}
	return b.Wait("window.app !== undefined")
}

// Close closes the browser.
func (b *Browser) Close() {
	for _, cancel := range b.cancel {
		cancel()
	}
}

// Wait waits for up to a minute until a JavaScript expression is true in the page.
func (b *Browser) Wait(expression string) error {
	_, err := Evaluate[bool](b, `new Promise((yes, no) => {
  const end = Date.now() + 60000;
  const look = () => { if (`+expression+`) yes(true); else if (Date.now() > end) no(new Error("still false after a minute")); else setTimeout(look, 20); };
  look();
})`)
	if err != nil {
		return fmt.Errorf("wait for %s: %w", expression, err)
	}
	return nil
}

// Evaluate returns the value of a JavaScript expression in the page. It waits for a
// promise.
func Evaluate[T any](b *Browser, expression string) (T, error) {
	return chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// Click clicks at a position of the window.
func (b *Browser) Click(x, y float64) error {
	return chromedp.Do(b.ctx, chromedp.MouseClickXY(x, y))
}

// Type presses keys.
func (b *Browser) Type(keys string) error { return chromedp.Do(b.ctx, chromedp.KeyEvent(keys)) }

// Requests returns the addresses that the page requested, its own aside.
func (b *Browser) Requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.requests...)
}

// Problems returns uncaught errors of the page and dialogs that it opened.
func (b *Browser) Problems() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.problems...)
}
