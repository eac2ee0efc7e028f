package neo4jbrowser

import (
	"context"
	"fmt"
	"strconv"
)

// GuidePage turns the pages of the guide forward to a page, counted from 1.
func GuidePage(ctx context.Context, page int) error {
	for range page - 1 {
		before, err := Evaluate[string](ctx, guideTitle)
		if err != nil {
			return err
		}
		if err := clickUntil(ctx, `document.querySelector('[data-testid=guideNextSlide]')`, guideTitle+" !== "+quote(before)); err != nil {
			return err
		}
	}
	return Wait(ctx, guideTitle+`.startsWith('`+strconv.Itoa(page)+`.')`)
}

// guideTitle is the heading of the page of the guide, such as "4. Communities".
const guideTitle = `([...document.querySelectorAll('h3')].map(h => h.innerText).find(t => /^[0-9]+[.]/.test(t)) || '')`

// GuideStyle applies the style sheet of the page of the guide, if it has one.
func GuideStyle(ctx context.Context) error {
	const link = `document.querySelector('[exec-topic]')`
	exists, err := Evaluate[bool](ctx, `!!`+link)
	if err != nil || !exists {
		return err
	}
	return clickUntil(ctx, link, `[...document.querySelectorAll('[data-testid=frame]')].some(f => f.innerText.includes(':style') && f.innerText.includes('node.pad0'))`)
}

// GuideQuery puts a query of the page of the guide, counted from 0, into the editor
// and runs it.
func GuideQuery(ctx context.Context, n int) error {
	if err := clickUntil(ctx, fmt.Sprintf(`document.querySelectorAll('pre.runnable')[%d]`, n), editorFilled); err != nil {
		return err
	}
	return runEditor(ctx)
}
