// Package browser drives Neo4j Browser in a headless Chromium, for tests and
// for the pictures of the documentation. Every function takes the context that
// Open returned and works on its one page.
package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// ErrNoChromium says that this machine has no Chromium.
var ErrNoChromium = errors.New("no Chromium")

// programs are the names of Chromium on the systems that have it.
var programs = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}

// patience is how long a page may take to show what is waited for.
const patience = 2 * time.Minute

// scale is how many pixels a point of a picture has.
const scale = 1.25

// Find is the path of Chromium: the one named, else the one on the path.
func Find(named string) (string, error) {
	if named != "" {
		return named, nil
	}
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: none of %s is on the path", ErrNoChromium, strings.Join(programs, ", "))
}

// Open starts Chromium with a window of so many points, which ends with the
// function that is returned. It reaches this machine only.
func Open(ctx context.Context, program string, width, height int) (context.Context, context.CancelFunc, error) {
	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(width, height),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"),
		chromedp.Flag("force-color-profile", "srgb"))
	allocated, free := chromedp.NewExecAllocator(ctx, flags...)
	page, shut := chromedp.NewContext(allocated)
	closeAll := func() { shut(); free() }
	if err := chromedp.Do(page, chromedp.EmulateViewport(int64(width), int64(height), chromedp.EmulateScale(scale))); err != nil {
		closeAll()
		return nil, nil, fmt.Errorf("start %s: %w", program, err)
	}
	return page, closeAll, nil
}

// Login opens an address of Neo4j Browser, in which server and user are filled
// in, and connects with the password.
func Login(ctx context.Context, address, password string) error {
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		return fmt.Errorf("open %s: %w", address, err)
	}
	const field = `document.querySelector('[data-testid=password]')`
	// The form takes the focus once more after it shows, so the value is looked at.
	filled := field + `.value === ` + quote(password)
	if err := Wait(ctx, field+" && document.querySelector('[data-testid=username]').value !== ''"); err != nil {
		return err
	}
	for range 20 {
		if err := Do(ctx, field+".focus(); "+field+".select()"); err != nil {
			return err
		}
		if err := insert(ctx, password); err != nil {
			return fmt.Errorf("fill in the password: %w", err)
		}
		if err := chromedp.Do(ctx, chromedp.Sleep(300*time.Millisecond)); err != nil {
			return err
		}
		if ok, err := Read[bool](ctx, filled); err != nil || ok {
			break
		}
	}
	return press(ctx, `document.querySelector('[data-testid=connect]')`,
		`[...document.querySelectorAll('[data-testid=frame]')].some(f => f.innerText.includes('You are connected as user'))`)
}

// Command runs a line or statement in the editor.
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

// Drop drops a file on the window, as a person does with a mouse.
func Drop(ctx context.Context, name string, body []byte) error {
	numbers := make([]int, len(body))
	for i, b := range body {
		numbers[i] = int(b)
	}
	bytes, err := json.Marshal(numbers)
	if err != nil {
		return err
	}
	const on = `document.querySelector('[data-testid=stream]')`
	if err := Wait(ctx, on); err != nil {
		return err
	}
	return Do(ctx, `(() => {
		const data = new DataTransfer();
		data.items.add(new File([new Uint8Array(`+string(bytes)+`)], `+quote(name)+`));
		for (const kind of ['dragenter', 'dragover', 'drop'])
			`+on+`.dispatchEvent(new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer: data}));
	})()`)
}

// Click clicks on the middle of the element that an expression finds, when it is there.
func Click(ctx context.Context, find string) error {
	if err := Wait(ctx, find); err != nil {
		return err
	}
	at, err := Read[[2]float64](ctx, `(e => {
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

// presses is how often a click is made before it is taken for lost.
const presses = 4

// press clicks on what an expression finds, until an effect shows: a click is
// lost when the page moves under it, as it does where there is much to do.
func press(ctx context.Context, find, effect string) error {
	for range presses - 1 {
		if err := Click(ctx, find); err != nil {
			return err
		}
		if within(ctx, patience/presses, effect) == nil {
			return nil
		}
		if there, err := Read[bool](ctx, "!!("+find+")"); err != nil || !there {
			break
		}
	}
	return Wait(ctx, effect)
}

// Wait waits until an expression holds.
func Wait(ctx context.Context, expression string) error { return within(ctx, patience, expression) }

// within waits so long.
func within(ctx context.Context, long time.Duration, expression string) error {
	limited, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	_, err := chromedp.Run(limited, chromedp.Poll[bool](`!!(`+expression+`)`, chromedp.WithPollingInterval(100*time.Millisecond), chromedp.WithPollingTimeout(long)))
	if err != nil {
		brief, end := context.WithTimeout(ctx, 5*time.Second)
		defer end()
		shown, _ := Read[string](brief, `document.body.innerText.slice(0, 600)`) // what there is says more than what there is not
		return fmt.Errorf("not seen in the Browser: %s: %w; it shows %q", expression, err, shown)
	}
	return nil
}

// Do runs JavaScript.
func Do(ctx context.Context, script string) error {
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](script)); err != nil {
		return fmt.Errorf("run %.80s: %w", script, err)
	}
	return nil
}

// Read runs JavaScript and gives its value.
func Read[T any](ctx context.Context, expression string) (value T, err error) {
	if value, err = chromedp.Run(ctx, chromedp.Evaluate[T](expression)); err != nil {
		return value, fmt.Errorf("read %.80s: %w", expression, err)
	}
	return value, nil
}

// Picture is the page as a PNG.
func Picture(ctx context.Context) ([]byte, error) {
	body, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		return nil, fmt.Errorf("take a picture: %w", err)
	}
	return body, nil
}

// quote writes a text as JavaScript.
func quote(text string) string {
	b, _ := json.Marshal(text) // a string always has a form
	return string(b)
}
