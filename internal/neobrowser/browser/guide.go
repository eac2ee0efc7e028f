package browser

import (
	"context"
	"fmt"
	"strconv"
)

// GuidePage turns the guide beside the editor to a page, from 1.
func GuidePage(ctx context.Context, page int) error {
	for range page - 1 {
		before, err := Read[string](ctx, guideTitle)
		if err != nil {
			return err
		}
		if err := press(ctx, `document.querySelector('[data-testid=guideNextSlide]')`, guideTitle+" !== "+quote(before)); err != nil {
			return err
		}
	}
	return Wait(ctx, guideTitle+`.startsWith('`+strconv.Itoa(page)+`.')`)
}

const guideTitle = `([...document.querySelectorAll('h3')].map(h => h.innerText).find(t => /^[0-9]+[.]/.test(t)) || '')`

// GuideStyle puts on the style sheet of the page of the guide, if it has one.
func GuideStyle(ctx context.Context) error {
	const link = `document.querySelector('[exec-topic]')`
	there, err := Read[bool](ctx, `!!`+link)
	if err != nil || !there {
		return err
	}
	return press(ctx, link, `[...document.querySelectorAll('[data-testid=frame]')].some(f => f.innerText.includes(':style') && f.innerText.includes('node.pad0'))`)
}

// GuideQuery puts the nth query, from 0, of the page of the guide into the
// editor and runs it.
func GuideQuery(ctx context.Context, n int) error {
	if err := press(ctx, fmt.Sprintf(`document.querySelectorAll('pre.runnable')[%d]`, n), statementThere); err != nil {
		return err
	}
	return runEditor(ctx)
}
