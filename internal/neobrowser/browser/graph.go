package browser

import (
	"context"
	"fmt"
)

// A Node is one of the picture that was drawn last.
type Node struct {
	Caption string // as it fits; an end that does not fit is "…"
	Fill    string // #RRGGBB
}

// Nodes waits for a picture and reads the nodes of it.
func Nodes(ctx context.Context) ([]Node, error) {
	const frame = `document.querySelector('[data-testid=frame]')`
	if err := Wait(ctx, frame+` && `+frame+`.querySelector('svg g.node')`); err != nil {
		return nil, err
	}
	return Read[[]Node](ctx, `[...`+frame+`.querySelectorAll('svg g.node')].map(g => ({
		Caption: [...g.querySelectorAll('text.caption')].map(t => t.textContent.trim()).join(' '),
		Fill: g.querySelector('circle.b-outline').getAttribute('fill'),
	}))`)
}

// Favourite opens a folder of favourites and runs the one of that name.
func Favourite(ctx context.Context, folder, name string) error {
	steps := []string{
		`document.querySelector('[data-testid=navigationFavorites]')`,
		`document.querySelector('[data-testid="expandFolder-` + folder + `"]')`,
		`[...document.querySelectorAll('[data-testid^=scriptTitle]')].find(e => e.innerText.trim() === ` + quote(name) + `)`,
	}
	for i, find := range steps {
		effect := statementThere
		if i+1 < len(steps) {
			effect = steps[i+1]
		}
		if err := press(ctx, find, effect); err != nil {
			return err
		}
	}
	return runEditor(ctx)
}

// statementThere tells that a click has put a statement into the editor.
const statementThere = `(document.querySelector('[data-testid=activeEditor]')?.innerText || '').includes('MATCH')`

// runEditor runs the statement in the editor, which makes a new frame.
func runEditor(ctx context.Context) error {
	const frames = `document.querySelectorAll('[data-testid=frame]').length`
	before, err := Read[int](ctx, frames)
	if err != nil {
		return err
	}
	return press(ctx, `document.querySelector('[data-testid=editor-Run]')`, fmt.Sprintf("%s > %d", frames, before))
}
