package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/text"
)

// A crawler reads the pages of one call of Fetch.
type crawler struct {
	options  Options
	client   *client
	start    *url.URL
	agents   []string           // for which robots.txt is obeyed
	robots   map[string]*robots // by scheme and host
	queue    []*url.URL         // pages to read, in this order
	planned  int                // pages that were in the queue, except the first
	seen     map[string]bool    // addresses that were in the queue, or that it redirected to
	byURI    map[string]int     // of files
	files    []source.File
	failures []source.Failure

	forbidden map[string]bool // addresses of links that robots.txt forbids
	example   *url.URL        // the first of them
}

func newCrawler(start *url.URL, o Options) *crawler {
	agents := []string{defaultUserAgent}
	if token := productToken(o.UserAgent); token != "" {
		agents = append(agents, token)
	}
	return &crawler{
		options: o, client: newClient(o), start: start, agents: agents, robots: map[string]*robots{},
		queue: []*url.URL{start}, seen: map[string]bool{start.String(): true}, byURI: map[string]int{}, forbidden: map[string]bool{},
	}
}

// crawl reads the pages of the queue until it is empty.
func (c *crawler) crawl(ctx context.Context) error {
	for first := true; len(c.queue) > 0; first = false {
		u := c.queue[0]
		c.queue = c.queue[1:]
		if !first {
			if delay := c.robotsOf(ctx, u).delay; delay > 0 {
				if err := c.options.wait(ctx, delay); err != nil {
					return err
				}
			}
		}
		name, err := c.page(ctx, u)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && first {
			return readError(shown(u), err)
		}
		if err != nil {
			c.fail(name, u, err)
		}
	}
	if others := len(c.forbidden) - 1; others >= 0 {
		var err error = errForbidden
		if others > 0 {
			err = fmt.Errorf("%w; it forbids %s more", err, text.Count(others, "linked page", "linked pages"))
		}
		name, _ := uriOf(c.example, "")
		c.fail(name, c.example, err)
	}
	return nil
}

func (c *crawler) fail(name string, u *url.URL, err error) {
	c.failures = append(c.failures, source.Failure{URI: name, Root: c.start.String(), Err: readError(shown(u), err)})
}

// page reads one page and adds it to the files, and its links to the queue. With an error it returns
// the URI that the page probably has.
func (c *crawler) page(ctx context.Context, u *url.URL) (string, error) {
	name, _ := uriOf(u, "")
	answer, err := c.request(ctx, u)
	if err != nil {
		return name, err
	}
	if answer.status != http.StatusOK {
		return name, statusError(answer.status)
	}
	if err := checkSize(answer.body, c.options.MaxFileSize); err != nil {
		return name, err
	}
	if len(answer.body) == 0 {
		return name, errors.New("the page is empty")
	}
	at := answer.address
	if at.String() != u.String() {
		if c.seen[at.String()] {
			return "", nil // it was read, or will be
		}
		c.seen[at.String()] = true
	}
	mediaType, label := mediaTypeOf(answer)
	name, ok := uriOf(at, mediaType)
	if !ok {
		return name, lastingError{fmt.Errorf("no format reads %s: save it in another format and index the file", text.Truncate(mediaType, 100))}
	}
	content := decode(answer.body, mediaType, label)
	if err := checkSize(content, c.options.MaxFileSize); err != nil {
		return name, err
	}
	if err := c.add(source.File{URI: name, Root: c.start.String(), Path: at.String(), Size: int64(len(content)), Content: content}); err != nil {
		return name, err
	}
	if source.MediaType(name) == htmlType {
		c.enqueue(ctx, at, name, content)
	}
	return name, nil
}

// request requests a page that robots.txt allows, with the redirects that may be followed.
func (c *crawler) request(ctx context.Context, u *url.URL) (reply, error) {
	ctx, cancel := context.WithTimeout(ctx, pageTimeout)
	defer cancel()
	return c.client.follow(ctx, u, c.options.MaxFileSize, func(to *url.URL) error {
		if u != c.start && !sameSite(to, c.start) {
			return lastingError{fmt.Errorf("it redirects to another site, %s: index that address too", shown(to))}
		}
		return c.robotsOf(ctx, to).check(to)
	})
}

// add adds a file. Servers have the same page at several addresses, such as / and /index.html, which
// is added once.
func (c *crawler) add(f source.File) error {
	if i, taken := c.byURI[f.URI]; taken {
		if !bytes.Equal(c.files[i].Content, f.Content) {
			other, _, _ := strings.Cut(c.files[i].Path, "?")
			return fmt.Errorf("%s has the same URI and another content: save one of the two as a file of another name and index that", other)
		}
		return nil
	}
	c.byURI[f.URI] = len(c.files)
	c.files = append(c.files, f)
	return nil
}

// enqueue adds the pages that a page links to, as long as more may be requested.
func (c *crawler) enqueue(ctx context.Context, page *url.URL, name string, content []byte) {
	if c.options.Follow <= c.planned {
		return
	}
	if !sameSite(page, c.start) {
		c.fail(name, page, fmt.Errorf("its links are not followed, because %s redirects to this other site: index %s instead", shown(c.start), page.Scheme+"://"+shown(page)))
		return
	}
	rules := c.robotsOf(ctx, page)
	for u := range links(page, content) {
		if c.planned >= c.options.Follow || ctx.Err() != nil {
			return
		}
		address := u.String()
		if c.seen[address] || c.forbidden[address] || !sameSite(u, c.start) {
			continue
		}
		if rules.check(u) != nil {
			if len(c.forbidden) == 0 {
				c.example = u
			}
			c.forbidden[address] = true
			continue
		}
		c.seen[address] = true
		c.planned++
		c.queue = append(c.queue, u)
	}
}
