package chromium

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A Page is a window of Chromium that shows one file or one server. Close ends it.
type Page struct {
	own    string          // begins the addresses of the page's own file or server
	ctx    context.Context //nolint:containedctx // chromedp keeps the window in its context
	cancel []context.CancelFunc

	mu       sync.Mutex
	requests []string // addresses of other files and servers
	problems []string // errors on the page's console
}

// Open opens a file in a window of a size in points. Chromium records the requests of the page.
func Open(ctx context.Context, path string, width, height int) (*Page, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	address := (&url.URL{Scheme: "file", Path: absolute}).String()
	return open(ctx, address, address, width, height)
}

// OpenServer opens a path of a server, which is at an address such as http://127.0.0.1:7480, in a window of a
// size in points. Chromium records the requests to other servers.
func OpenServer(ctx context.Context, server, path string, width, height int) (*Page, error) {
	return open(ctx, server+"/", server+path, width, height)
}

func open(ctx context.Context, own, address string, width, height int) (*Page, error) {
	program, err := Find()
	if err != nil {
		return nil, err
	}
	ctx, cancelTime := context.WithTimeout(ctx, 10*time.Minute)
	ctx, cancelAllocator := chromedp.NewExecAllocator(ctx,
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.Flag("headless", "new"), chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("use-gl", "angle"), chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-gpu-vsync", true),
		chromedp.WindowSize(width, height))
	ctx, cancel := chromedp.NewContext(ctx)
	p := &Page{own: own, ctx: ctx, cancel: []context.CancelFunc{cancel, cancelAllocator, cancelTime}}
	if err := p.start(int64(width), int64(height)); err != nil {
		p.Close()
		return nil, fmt.Errorf("start Chromium: %w", err)
	}
	if err := p.Go(address); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// start starts Chromium and listens to it.
func (p *Page) start(width, height int64) error {
	err := chromedp.Listen(p.ctx, func(event any) {
		p.mu.Lock()
		defer p.mu.Unlock()
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, p.own) {
				p.requests = append(p.requests, e.Request.URL)
			}
		case *runtime.EventExceptionThrown:
			p.problems = append(p.problems, e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError {
				p.problems = append(p.problems, e.Entry.Text+" "+e.Entry.URL)
			}
		case *cdpage.EventJavascriptDialogOpening:
			p.problems = append(p.problems, "dialog: "+e.Message)
		}
	})
	if err != nil {
		return err
	}
	if _, err := chromedp.Call(p.ctx, network.Enable, network.EnableParams{}); err != nil {
		return err
	}
	if _, err := chromedp.Call(p.ctx, log.Enable, cdp.Empty{}); err != nil {
		return err
	}
	return chromedp.Do(p.ctx, chromedp.EmulateViewport(width, height))
}

// Go opens another address in the window.
func (p *Page) Go(address string) error {
	if err := chromedp.Do(p.ctx, chromedp.Navigate(address)); err != nil {
		return fmt.Errorf("open %s: %w", address, err)
	}
	return nil
}

// Resize gives the window another size in points.
func (p *Page) Resize(width, height int) error {
	return chromedp.Do(p.ctx, chromedp.EmulateViewport(int64(width), int64(height)))
}

// Dark lets the page know that its user prefers dark or light colours.
func (p *Page) Dark(dark bool) error {
	value := "light"
	if dark {
		value = "dark"
	}
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}}})
	return err
}

// Picture takes a screenshot of the window as PNG.
func (p *Page) Picture() ([]byte, error) {
	return chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
}

// Close ends Chromium.
func (p *Page) Close() {
	for _, cancel := range p.cancel {
		cancel()
	}
}

// Wait waits until a JavaScript expression is true, for four minutes at most.
func (p *Page) Wait(expression string) error {
	_, err := Evaluate[bool](p, `new Promise((yes, no) => {
  const end = Date.now() + 240000;
  const look = () => { if (`+expression+`) yes(true); else if (Date.now() > end) no(new Error("still false after four minutes")); else setTimeout(look, 20); };
  look();
})`)
	if err != nil {
		return fmt.Errorf("wait for %s: %w", expression, err)
	}
	return nil
}

// Evaluate returns the value of a JavaScript expression, and for a promise what it
// resolves to.
func Evaluate[T any](p *Page, expression string) (T, error) {
	return chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// Click clicks at a position in the window.
func (p *Page) Click(x, y float64) error {
	return chromedp.Do(p.ctx, chromedp.MouseClickXY(x, y))
}

// Type presses the keys of a text.
func (p *Page) Type(keys string) error { return chromedp.Do(p.ctx, chromedp.KeyEvent(keys)) }

// Requests returns the addresses that the page has requested, except its own.
func (p *Page) Requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.requests...)
}

// Problems returns the errors that the page did not catch, and the dialogs that it opened.
func (p *Page) Problems() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.problems...)
}
