package server

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/server/service"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/ui/markdown"
)

// An answerFunc makes the answer to a conversation.
type answerFunc func(ctx context.Context, events service.Events) (query.Answer, error)

// A chatWriter writes the answer to a conversation.
type chatWriter struct {
	server  *server
	request *http.Request
	in      ChatRequest
	head    chatChunk // what all events of a stream begin with
}

// whole writes an answer in one piece.
func (c chatWriter) whole(ctx context.Context, w http.ResponseWriter, answer answerFunc) {
	a, err := answer(ctx, service.Events{})
	if err != nil {
		c.server.writeChatProblem(w, c.request, err)
		return
	}
	links := linksOf(c.request, a)
	writeJSON(w, http.StatusOK, ChatCompletion{
		ID: c.head.ID, Object: "chat.completion", Created: c.head.Created, Model: c.head.Model, Usage: chatUsage(a.Usage),
		Choices: []ChatChoice{{
			Message:      ChatAnswer{Role: "assistant", Content: a.Answer + links.list(), Annotations: links.annotations(a.Answer, 0)},
			FinishReason: "stop",
		}},
	})
}

func chatUsage(u query.Usage) ChatUsage {
	return ChatUsage{Prompt: u.TokensIn, Completion: u.TokensOut, Total: u.TokensIn + u.TokensOut}
}

// What follows an answer, and what separates an answer that is void from the one that replaces it.
const (
	sourcesHead   = "\n\n**Sources**\n\n"
	restartsHead  = "\n\n---\n\n*The answer begins again, because "
	restartsEnd   = ".*\n\n"
	maxChatQuote  = 200 // characters
	maxChatTitles = 120
)

// answerOf returns the answer that an earlier message holds, without its sources and without what is void.
func answerOf(message string) string {
	if at := strings.LastIndex(message, restartsHead); at >= 0 {
		if _, after, ok := strings.Cut(message[at:], restartsEnd); ok {
			message = after
		}
	}
	if at := strings.LastIndex(message, sourcesHead); at >= 0 {
		message = message[:at]
	}
	return message
}

// A chatLink is a source of an answer.
type chatLink struct {
	n          int
	title, url string // each different from those of the other sources
	linked     bool   // the page shows the evidence
	quote      string
}

type chatLinks []chatLink

// linksOf returns the sources of an answer, by their numbers, with addresses as the client reached the server.
//
// Open WebUI shows [n] as its nth source and drops sources whose title or address it has seen. Every
// reference is therefore a source, and those that share a title or an address get a number.
func linksOf(r *http.Request, a query.Answer) chatLinks {
	base := baseOf(r)
	titles, urls := map[string]bool{}, map[string]bool{}
	var links chatLinks
	for _, ref := range a.References {
		l := chatLink{n: ref.N, title: titleOf(ref), url: base + cmp.Or(ref.Href, "/"), linked: ref.Href != "", quote: ref.Quote}
		if titles[l.title] {
			l.title += " (" + strconv.Itoa(ref.N) + ")"
		}
		if urls[l.url] {
			l.url += "#" + strconv.Itoa(ref.N)
		}
		titles[l.title], urls[l.url] = true, true
		links = append(links, l)
	}
	slices.SortFunc(links, func(a, b chatLink) int { return cmp.Compare(a.n, b.n) })
	return links
}

// baseOf returns the address of the server as the client, or the proxy in front, named it. The fence has checked the
// name.
func baseOf(r *http.Request) string {
	u := url.URL{Scheme: "http", Host: r.Host}
	if r.TLS != nil {
		u.Scheme = "https"
	}
	if proto := r.Header.Get("X-Forwarded-Proto"); proto == "http" || proto == "https" {
		u.Scheme = proto
	}
	return u.String()
}

// titleOf names the evidence of a reference.
func titleOf(r cite.Reference) string {
	title := text.Shorten(text.OneLine(cmp.Or(r.Title, r.Document, r.Key)), maxChatTitles)
	switch {
	case r.Page > 0:
		return title + ", page " + strconv.Itoa(r.Page)
	case r.Row > 0:
		return title + ", row " + strconv.Itoa(r.Row)
	case r.Line > 0:
		return title + ", line " + strconv.Itoa(r.Line)
	}
	return title
}

// list returns the sources in Markdown, as they follow the answer; nothing for none.
func (l chatLinks) list() string {
	if len(l) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(sourcesHead)
	for _, s := range l {
		title := markdown.EscapeInline(s.title)
		if s.linked {
			title = "[" + title + "](" + s.url + ")"
		}
		fmt.Fprintf(&b, "- [%d] %s", s.n, title)
		if s.quote != "" {
			b.WriteString(`: "` + markdown.EscapeInline(text.Shorten(text.OneLine(s.quote), maxChatQuote)) + `"`)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// annotations returns the sources of an answer, which follows some characters of a message.
func (l chatLinks) annotations(answer string, before int) []ChatAnnotation {
	out := []ChatAnnotation{}
	for _, s := range l {
		c := ChatCitation{Title: s.title, URL: s.url, Start: before, End: before}
		mark := "[" + strconv.Itoa(s.n) + "]"
		if until, _, ok := strings.Cut(answer, mark); ok {
			c.Start += utf8.RuneCountInString(until)
			c.End = c.Start + len(mark)
		}
		out = append(out, ChatAnnotation{"url_citation", c})
	}
	return out
}
