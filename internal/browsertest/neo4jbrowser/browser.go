// Package neo4jbrowser drives Neo4j Browser in a headless Chromium, for tests and for
// the screenshots in docs. Every function takes the context that Open returned, which
// has one page.
package neo4jbrowser

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// maxWait is how long Wait waits.
const maxWait = 2 * time.Minute

// scale is the number of pixels of a screenshot for each point.
const scale = 1.25

// Open starts Chromium, the program at a path, with a window of a size in points.
// It can connect to this machine only. The returned function ends it.
func Open(ctx context.Context, program string, width, height int) (context.Context, context.CancelFunc, error) {
	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(width, height),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"),
		chromedp.Flag("force-color-profile", "srgb"))
	allocated, free := chromedp.NewExecAllocator(ctx, flags...)
	page, closePage := chromedp.NewContext(allocated)
	closeAll := func() { closePage(); free() }
	if err := chromedp.Do(page, chromedp.EmulateViewport(int64(width), int64(height), chromedp.EmulateScale(scale))); err != nil {
		closeAll()
		return nil, nil, fmt.Errorf("start %s: %w", program, err)
	}
	return page, closeAll, nil
}

// Login opens an address of Neo4j Browser that contains the server and the user, and
// connects with the password.
func Login(ctx context.Context, address, password string) error {
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		return fmt.Errorf("open %s: %w", address, err)
	}
	const field = `document.querySelector('[data-testid=password]')`
	// The form takes the focus again after it appears, so type until the value is complete.
	filled := field + `.value === ` + quote(password)
	if err := Wait(ctx, field+" && document.querySelector('[data-testid=username]').value !== ''"); err != nil {
		return err
	}
	for range 20 {
		if err := Run(ctx, field+".focus(); "+field+".select()"); err != nil {
			return err
		}
		if err := insert(ctx, password); err != nil {
			return fmt.Errorf("fill in the password: %w", err)
		}
		if err := chromedp.Do(ctx, chromedp.Sleep(300*time.Millisecond)); err != nil {
			return err
		}
		if ok, err := Evaluate[bool](ctx, filled); err != nil || ok {
			break
		}
	}
	return clickUntil(ctx, `document.querySelector('[data-testid=connect]')`,
		`[...document.querySelectorAll('[data-testid=frame]')].some(f => f.innerText.includes('You are connected as user'))`)
}

// Command runs a command or a statement in the editor.
func Command(ctx context.Context, text string) error {
	if err := Click(ctx, `document.querySelector('[data-testid=activeEditor] .monaco-editor')`); err != nil {
		return err
	}
	if err := insert(ctx, text); err != nil {
		return fmt.Errorf("type %.40q: %w", text, err)
	}
	if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl))); err != nil {
		return fmt.Errorf("run %.40q: %w", text, err)
	}
	return nil
}

func insert(ctx context.Context, text string) error {
	_, err := chromedp.Call(ctx, input.InsertText, input.InsertTextParams{Text: text})
	return err
}

// Drop drops a file on the window.
func Drop(ctx context.Context, name string, body []byte) error {
	numbers := make([]int, len(body))
	for i, b := range body {
		numbers[i] = int(b)
	}
	bytes, err := json.Marshal(numbers)
	if err != nil {
		return err
	}
	const target = `document.querySelector('[data-testid=stream]')`
	if err := Wait(ctx, target); err != nil {
		return err
	}
	return Run(ctx, `(() => {
		const data = new DataTransfer();
		data.items.add(new File([new Uint8Array(`+string(bytes)+`)], `+quote(name)+`));
		for (const kind of ['dragenter', 'dragover', 'drop'])
			`+target+`.dispatchEvent(new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer: data}));
	})()`)
}

// Click waits for the element that an expression finds, and clicks on its centre.
func Click(ctx context.Context, find string) error {
	if err := Wait(ctx, find); err != nil {
		return err
	}
	at, err := Evaluate[[2]float64](ctx, `(e => {
		e.scrollIntoView({block: 'nearest'});
		const r = e.getBoundingClientRect();
		return [r.x + r.width/2, r.y + r.height/2];
	})(`+find+`)`)
	if err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.MouseClickXY(at[0], at[1])); err != nil {
		return fmt.Errorf("click on %s: %w", find, err)
	}
	return nil
}

// maxClicks is how often clickUntil clicks.
const maxClicks = 4

// clickUntil clicks on the element that an expression finds until the effect is true:
// on a busy machine the page may still move, and the click misses the element.
func clickUntil(ctx context.Context, find, effect string) error {
	for range maxClicks - 1 {
		if err := Click(ctx, find); err != nil {
			return err
		}
		if waitFor(ctx, maxWait/maxClicks, effect) == nil {
			return nil
		}
		if exists, err := Evaluate[bool](ctx, "!!("+find+")"); err != nil || !exists {
			break
		}
	}
	return Wait(ctx, effect)
}

// Wait waits until a JavaScript expression is true.
func Wait(ctx context.Context, expression string) error { return waitFor(ctx, maxWait, expression) }

// waitFor is Wait with a time limit. The error contains the text of the page.
func waitFor(ctx context.Context, limit time.Duration, expression string) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	_, err := chromedp.Run(limited, chromedp.Poll[bool](`!!(`+expression+`)`, chromedp.WithPollingInterval(100*time.Millisecond), chromedp.WithPollingTimeout(limit)))
	if err != nil {
		brief, end := context.WithTimeout(ctx, 5*time.Second)
		defer end()
		shown, _ := Evaluate[string](brief, `document.body.innerText.slice(0, 600)`)
		return fmt.Errorf("wait for %s: %w; the page shows %q", expression, err, shown)
	}
	return nil
}

// Run runs JavaScript.
func Run(ctx context.Context, script string) error {
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](script)); err != nil {
		return fmt.Errorf("run %.80s: %w", script, err)
	}
	return nil
}

// Evaluate returns the value of a JavaScript expression.
func Evaluate[T any](ctx context.Context, expression string) (value T, err error) {
	if value, err = chromedp.Run(ctx, chromedp.Evaluate[T](expression)); err != nil {
		return value, fmt.Errorf("evaluate %.80s: %w", expression, err)
	}
	return value, nil
}

// Screenshot returns the page as a PNG.
func Screenshot(ctx context.Context) ([]byte, error) {
	body, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		return nil, fmt.Errorf("take a screenshot: %w", err)
	}
	return body, nil
}

// quote returns a text as a JavaScript string.
func quote(text string) string {
	b, _ := json.Marshal(text) // a string can always be encoded
	return string(b)
}
