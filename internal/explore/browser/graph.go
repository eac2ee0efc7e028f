package browser

import "context"

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
	for _, find := range steps {
		if err := Click(ctx, find); err != nil {
			return err
		}
	}
	return runEditor(ctx)
}

// runEditor runs the statement that a click put into the editor.
func runEditor(ctx context.Context) error {
	const editor = `document.querySelector('[data-testid=activeEditor]')`
	if err := Wait(ctx, editor+` && `+editor+`.innerText.includes('MATCH')`); err != nil {
		return err
	}
	return Click(ctx, `document.querySelector('[data-testid=editor-Run]')`)
}
