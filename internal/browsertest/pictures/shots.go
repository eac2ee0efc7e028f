package main

import (
	"context"
	"fmt"
	"time"

	browser "github.com/neorag/neorag/internal/browsertest/neo4jbrowser"
)

// width and height are the size of a window in points.
const width, height = 1120, 720

// A shot is a screenshot: a page of the guide with its style sheet applied, one of its
// queries run, and then some clicks.
type shot struct {
	name  string
	page  int  // of the guide, from 1
	query int  // on that page, from 0
	guide bool // the guide stays open next to the result
	then  func(context.Context) error
}

var shots = []shot{
	{name: "browser", page: 4, query: 1, then: steps(collapse, fit)},
	{name: "browser-entity", page: 3, query: 1, then: steps(fit, open)},
	{name: "browser-report", page: 7, then: steps(fit)},
	{name: "browser-guide", page: 4, guide: true, then: steps(collapse, fit)},
}

// steps runs several steps in their order.
func steps(all ...func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, step := range all {
			if err := step(ctx); err != nil {
				return err
			}
			time.Sleep(time.Second) // the graph moves after each
		}
		return nil
	}
}

// button clicks on a button of the result.
func button(name string) func(context.Context) error {
	return func(ctx context.Context) error {
		return browser.Click(ctx, `document.querySelector('[data-testid=frame] [aria-label="`+name+`"]')`)
	}
}

var (
	collapse = button("Collapse the node properties display")
	fit      = button("zoom-to-fit")
)

// open clicks on the entity in the middle, and scrolls the panel of its properties to
// its degree and description.
func open(ctx context.Context) error {
	if err := browser.Click(ctx, `[...document.querySelectorAll('svg g.node')].find(g => g.textContent.trim() === 'Scrooge')`); err != nil {
		return err
	}
	if err := browser.Wait(ctx, rowOf("degree")); err != nil {
		return err
	}
	return browser.Run(ctx, rowOf("degree")+`.scrollIntoView({block: 'start'})`)
}

// rowOf finds the row of a property in the panel.
func rowOf(property string) string {
	return `[...document.querySelectorAll('td')].find(e => e.innerText.trim() === '` + property + `')`
}

const frame = `document.querySelector('[data-testid=frame]')`

// take takes one screenshot: it logs in, turns the guide to the page, applies the style
// sheet and runs the query.
func take(ctx context.Context, program string, s explored, password string, shot shot) ([]byte, error) {
	page, end, err := browser.Open(ctx, program, width, height)
	if err != nil {
		return nil, err
	}
	defer end()
	if err := browser.Login(page, s.Browser, password); err != nil {
		return nil, err
	}
	// By default the Browser adds edges that the query does not return.
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
	time.Sleep(6 * time.Second) // until the layout is stable
	if shot.then != nil {
		if err := shot.then(page); err != nil {
			return nil, fmt.Errorf("after the query: %w", err)
		}
	}
	return browser.Screenshot(page)
}
