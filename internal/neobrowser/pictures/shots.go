package main

import (
	"context"
	"fmt"
	"time"

	"github.com/neorag/neorag/internal/neobrowser/browser"
)

// width and height of a picture in points.
const width, height = 1120, 720

// A shot is one picture: a page of the guide, with its style sheet on and one
// of its queries run, and what a person does then.
type shot struct {
	name  string
	page  int // of the guide, from 1
	query int // on that page, from 0
	guide bool
	then  func(context.Context) error
}

var shots = []shot{
	{name: "browser", page: 4, query: 1, then: steps(collapse, fit)},
	{name: "browser-entity", page: 3, query: 1, then: steps(fit, open)},
	{name: "browser-report", page: 7, then: steps(fit)},
	{name: "browser-guide", page: 4, guide: true, then: steps(collapse, fit)},
}

func steps(all ...func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, step := range all {
			if err := step(ctx); err != nil {
				return err
			}
			time.Sleep(time.Second) // each moves the picture
		}
		return nil
	}
}

func button(name string) func(context.Context) error {
	return func(ctx context.Context) error {
		return browser.Click(ctx, `document.querySelector('[data-testid=frame] [aria-label="`+name+`"]')`)
	}
}

var (
	collapse = button("Collapse the node properties display")
	fit      = button("zoom-to-fit")
)

// open clicks on the node of the neighbourhood, in whose panel its number of
// relationships and its description are then seen.
func open(ctx context.Context) error {
	if err := browser.Click(ctx, `[...document.querySelectorAll('svg g.node')].find(g => g.textContent.trim() === 'Scrooge')`); err != nil {
		return err
	}
	if err := browser.Wait(ctx, rowOf("degree")); err != nil {
		return err
	}
	return browser.Do(ctx, rowOf("degree")+`.scrollIntoView({block: 'start'})`)
}

func rowOf(property string) string {
	return `[...document.querySelectorAll('td')].find(e => e.innerText.trim() === '` + property + `')`
}

const frame = `document.querySelector('[data-testid=frame]')`

// take makes one picture as a person would: log in, turn the guide to the page,
// click on the style sheet, click on the query, run it.
func take(ctx context.Context, program string, s served, password string, shot shot) ([]byte, error) {
	page, end, err := browser.Open(ctx, program, width, height)
	if err != nil {
		return nil, err
	}
	defer end()
	if err := browser.Login(page, s.Browser, password); err != nil {
		return nil, err
	}
	// Without this the Browser adds edges that the query did not ask for.
	if err := browser.Command(page, `:config {"autoComplete": false}`); err != nil {
		return nil, err
	}
	if err := browser.GuidePage(page, shot.page); err != nil {
		return nil, err
	}
	if err := browser.GuideStyle(page); err != nil {
		return nil, err
	}
	if err := browser.Command(page, ":clear"); err != nil {
		return nil, err
	}
	if err := browser.GuideQuery(page, shot.query); err != nil {
		return nil, err
	}
	if err := browser.Wait(page, frame+` && document.querySelector('svg .node')`); err != nil {
		return nil, err
	}
	if !shot.guide {
		if err := browser.Click(page, frame+`.querySelector('button[title=Fullscreen]')`); err != nil {
			return nil, err
		}
	}
	time.Sleep(6 * time.Second) // until the layout rests
	if shot.then != nil {
		if err := shot.then(page); err != nil {
			return nil, fmt.Errorf("after the query: %w", err)
		}
	}
	return browser.Picture(page)
}
