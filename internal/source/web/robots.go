package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxRobots is how many bytes of robots.txt are read; RFC 9309 asks for 500 KiB at least.
const maxRobots = 512 << 10

var errForbidden = lastingError{errors.New("robots.txt of the site forbids it: save the page and index the file")}

// A robots is what robots.txt of a site asks of this program.
type robots struct {
	err   error // why it cannot be read, so that no page is
	rules []robotsRule
	delay time.Duration // between pages
}

// A robotsRule is for the paths that its pattern matches.
type robotsRule struct {
	pattern string
	allow   bool
}

// robotsOf returns what the site of a page asks for. It reads robots.txt once.
func (c *crawler) robotsOf(ctx context.Context, page *url.URL) *robots {
	site := page.Scheme + "://" + page.Host
	if known := c.robots[site]; known != nil {
		return known
	}
	r := c.readRobots(ctx, &url.URL{Scheme: page.Scheme, Host: page.Host, Path: "/robots.txt"})
	c.robots[site] = r
	return r
}

// readRobots reads robots.txt as RFC 9309 asks: without one, everything is allowed; with one that
// cannot be read, nothing is.
func (c *crawler) readRobots(ctx context.Context, u *url.URL) *robots {
	answer, err := c.client.follow(ctx, u, maxRobots, func(*url.URL) error { return nil })
	switch {
	case errors.Is(err, ErrPrivate):
		return &robots{err: err}
	case err == nil && answer.status == http.StatusOK:
		return parseRobots(string(answer.body[:min(len(answer.body), maxRobots)]), c.agents)
	case err == nil && answer.status/100 == 4:
		return &robots{}
	case err == nil:
		err = statusError(answer.status)
	}
	return &robots{err: fmt.Errorf("robots.txt of the site cannot be read, and no page without it: %w: try again later, or save the page and index the file", err)}
}

// check returns an error if a page may not be read.
func (r *robots) check(page *url.URL) error {
	if r.err != nil {
		return r.err
	}
	path := page.EscapedPath()
	if page.RawQuery != "" {
		path += "?" + page.RawQuery
	}
	longest, allowed := -1, true
	for _, rule := range r.rules {
		n := len(rule.pattern)
		if n < longest || n == longest && allowed || !matches(rule.pattern, path) {
			continue
		}
		longest, allowed = n, rule.allow
	}
	if !allowed {
		return errForbidden
	}
	return nil
}

// matches reports whether a pattern matches the start of a path. "*" is any text; "$" at the end is
// the end of the path.
func matches(pattern, path string) bool {
	pattern, anchored := strings.CutSuffix(pattern, "$")
	pieces := strings.Split(pattern, "*")
	rest, ok := strings.CutPrefix(path, pieces[0])
	if !ok {
		return false
	}
	for i, piece := range pieces[1:] {
		if anchored && i == len(pieces)-2 {
			return strings.HasSuffix(rest, piece)
		}
		if _, rest, ok = strings.Cut(rest, piece); !ok {
			return false
		}
	}
	return !anchored || rest == ""
}

// parseRobots returns the rules of the groups for the agents; else of the groups for "*".
// Lines that cannot be read are ignored. The libraries that resolve fail on such lines, and match
// patterns in the middle of a path.
func parseRobots(body string, agents []string) *robots {
	var named, all robots
	var current []*robots // that the current group is for
	isNamed := false      // whether any group is for the agents
	inAgents := false     // whether the last line named an agent
	lines := strings.FieldsFunc(strings.TrimPrefix(body, "\ufeff"), func(r rune) bool { return r == '\n' || r == '\r' })
	for _, line := range lines {
		key, value := robotsLine(line)
		switch key {
		case "user-agent", "useragent":
			if !inAgents {
				current = nil
			}
			inAgents = true
			if strings.HasPrefix(value, "*") {
				current = append(current, &all)
			}
			token := productToken(value) // without the version
			if slices.ContainsFunc(agents, func(agent string) bool { return strings.EqualFold(token, agent) }) {
				current, isNamed = append(current, &named), true
			}
		case "allow", "disallow":
			inAgents = false
			if value == "" {
				continue
			}
			for _, r := range current {
				r.rules = append(r.rules, robotsRule{robotsPattern(value), key == "allow"})
			}
		case "crawl-delay":
			for _, r := range current {
				r.delay = max(r.delay, robotsDelay(value))
			}
		}
	}
	if isNamed {
		return &named
	}
	return &all
}

// robotsLine returns the key of a line, in lower case, and its value.
func robotsLine(line string) (key, value string) {
	line, _, _ = strings.Cut(line, "#")
	key, value, ok := strings.Cut(line, ":")
	if !ok {
		key, value, _ = strings.Cut(strings.TrimSpace(line), " ")
	}
	return strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
}

// productToken returns the letters, "_" and "-" at the start of the name of an agent.
func productToken(agent string) string {
	end := strings.IndexFunc(agent, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '_' && r != '-'
	})
	if end < 0 {
		return agent
	}
	return agent[:end]
}

// robotsPattern returns a pattern in the form of the paths that it is compared with.
func robotsPattern(value string) string {
	if value[0] != '/' && value[0] != '*' {
		value = "/" + value
	}
	return canonicalEscapes(value)
}

// robotsDelay returns a number of seconds, at most maxDelay; 0 if it is none.
func robotsDelay(value string) time.Duration {
	seconds, err := strconv.ParseFloat(value, 64)
	if err != nil || !(seconds > 0) { // not a number is not above 0 either
		return 0
	}
	return time.Duration(min(seconds, maxDelay.Seconds()) * float64(time.Second))
}
