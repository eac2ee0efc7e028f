package neo4jbrowser

import (
	"context"
	"fmt"
)

// A Node is a node of the newest graph on the page.
type Node struct {
	Caption string // shortened with "…" if it does not fit
	Fill    string // #RRGGBB
}

// Nodes waits for the graph of the newest result, and returns its nodes.
func Nodes(ctx context.Context) ([]Node, error) {
	const frame = `document.querySelector('[data-testid=frame]')`
	if err := Wait(ctx, frame+` && `+frame+`.querySelector('svg g.node')`); err != nil {
		return nil, err
	}
	return Evaluate[[]Node](ctx, `[...`+frame+`.querySelectorAll('svg g.node')].map(g => ({
		Caption: [...g.querySelectorAll('text.caption')].map(t => t.textContent.trim()).join(' '),
		Fill: g.querySelector('circle.b-outline').getAttribute('fill'),
	}))`)
}

// Favourite opens a folder of favourites and runs one by name.
func Favourite(ctx context.Context, folder, name string) error {
	steps := []string{
		`document.querySelector('[data-testid=navigationFavorites]')`,
		`document.querySelector('[data-testid="expandFolder-` + folder + `"]')`,
		`[...document.querySelectorAll('[data-testid^=scriptTitle]')].find(e => e.innerText.trim() === ` + quote(name) + `)`,
	}
	for i, find := range steps {
		effect := editorFilled
		if i+1 < len(steps) {
			effect = steps[i+1]
		}
		if err := clickUntil(ctx, find, effect); err != nil {
			return err
		}
	}
	return runEditor(ctx)
}

// editorFilled is true when a click has put a statement into the editor.
const editorFilled = `(document.querySelector('[data-testid=activeEditor]')?.innerText || '').includes('MATCH')`

// runEditor runs the statement in the editor, and waits for the frame of its result.
func runEditor(ctx context.Context) error {
	const frames = `document.querySelectorAll('[data-testid=frame]').length`
	before, err := Evaluate[int](ctx, frames)
	if err != nil {
		return err
	}
	return clickUntil(ctx, `document.querySelector('[data-testid=editor-Run]')`, fmt.Sprintf("%s > %d", frames, before))
}
