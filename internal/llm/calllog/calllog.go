// Package calllog writes a line of JSON for each call to a model to a file: what it was for,
// what it used and how it ended. It writes no key, and the text of prompts and answers only
// if that is asked for.
//
// In: calls of chains and of rerankers. Out: a file of JSON Lines.
package calllog

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/sys/userfile"
)

// An Entry is a line of the file.
type Entry struct {
	Time         time.Time `json:"time"`                                                                                                      // when the call began
	Task         string    `json:"task"`                                                                                                      // what the call was for: extract, summarise, report, queries, map, answer, embed, rerank
	Model        string    `json:"model"`                                                                                                     // as it was asked for
	Server       string    `json:"server"`                                                                                                    // host and port
	TokensIn     int64     `json:"tokens_in"`                                                                                                 // 0 for an answer from the cache
	TokensOut    int64     `json:"tokens_out"`                                                                                                // with the reasoning before the answer
	TokensCached int64     `json:"tokens_cached"`                                                                                             // part of tokens_in that the server had cached
	Estimated    bool      `json:"estimated"`                                                                                                 // the server reported no tokens, or not all
	Cost         float64   `json:"cost"`                                                                                                      // 0 without prices
	Seconds      float64   `json:"seconds"`                                                                                                   // with all attempts and waits
	Attempts     int       `json:"attempts"`                                                                                                  // requests to the server, with those in another format or for a valid answer
	Texts        int       `json:"texts,omitempty"`                                                                                           // that were embedded or ranked
	Finish       string    `json:"finish"`                                                                                                    // why the answer ended: stop, length or unknown; empty without an answer
	Cached       bool      `json:"cached"`                                                                                                    // the answer is from the cache of this machine
	Error        string    `json:"error" enum:",canceled,timeout,budget,truncated,invalid,unreachable,rate_limit,refused,server_error,other"` // empty: the call succeeded
	Status       int       `json:"status,omitempty"`                                                                                          // HTTP status of a refusal
	Request      string    `json:"request"`                                                                                                   // hash of everything the answer depends on, as in the cache
	Prompt       []Message `json:"prompt,omitempty"`                                                                                          // with --calls-text only
	Answer       string    `json:"answer,omitempty"`                                                                                          // with --calls-text only
}

// A Message is one turn of a prompt.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Kinds of errors; the enum of Entry.Error lists them.
const (
	KindNone        = ""
	KindCanceled    = "canceled"     // the command was interrupted, or another call failed
	KindTimeout     = "timeout"      // the server did not answer in time
	KindBudget      = "budget"       // the call could cost more than the rest of --max-cost
	KindTruncated   = "truncated"    // the answer ended at its token limit
	KindInvalid     = "invalid"      // the answer was not what was asked for
	KindUnreachable = "unreachable"  // no server answered
	KindRateLimit   = "rate_limit"   // the server gets too many calls
	KindRefused     = "refused"      // the server refused the request: key, model or content
	KindServerError = "server_error" // the server failed
	KindOther       = "other"
)

// KindOf returns the kind of an error of a call.
func KindOf(err error) string {
	switch {
	case err == nil:
		return KindNone
	case errors.Is(err, llm.ErrBudget):
		return KindBudget
	case errors.Is(err, context.Canceled):
		return KindCanceled
	case errors.Is(err, context.DeadlineExceeded):
		return KindTimeout
	case errors.Is(err, llm.ErrTruncated):
		return KindTruncated
	case errors.Is(err, llm.ErrInvalid):
		return KindInvalid
	}
	refused, ok := errors.AsType[*llm.Error](err)
	if !ok {
		return KindOther
	}
	switch status := refused.Status; {
	case status == 0:
		return KindUnreachable
	case status == http.StatusTooManyRequests, status == 529:
		return KindRateLimit
	case status >= http.StatusInternalServerError:
		return KindServerError
	case status >= http.StatusBadRequest:
		return KindRefused
	}
	return KindOther
}

// A Log appends entries to a file. It is safe for concurrent use.
type Log struct {
	texts bool
	warn  func(error)

	mu      sync.Mutex
	file    *os.File
	midLine bool  // the last line of the file is incomplete
	failed  error // of the first write that failed, which was reported
}

// Open opens a file to append to, which is created for its owner only. With texts, the entries
// have prompts and answers. warn is called with the first error of writing, which Close returns.
// The caller closes the log.
func Open(path string, texts bool, warn func(error)) (*Log, error) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the log of calls: %w", err)
	}
	return &Log{texts: texts, warn: warn, file: f, midLine: userfile.EndsMidLine(path)}, nil
}

// Observer returns an observer that logs the calls to a server.
func (l *Log) Observer(server string) llm.Observer {
	return func(_ context.Context, c llm.Call) { l.write(l.entry(server, c)) }
}

// entry returns the line of a call.
func (l *Log) entry(server string, c llm.Call) Entry {
	u := c.Response.Usage
	e := Entry{
		Time: c.Start.UTC(), Task: c.Task, Model: c.Model, Server: server,
		TokensIn: u.TokensIn, TokensOut: u.TokensOut, TokensCached: u.CachedTokens, Estimated: c.Response.Estimated,
		Cost: u.Cost, Seconds: c.Duration.Round(time.Millisecond).Seconds(), Attempts: c.Attempts, Texts: len(c.Texts),
		Finish: c.Response.Finish, Cached: c.Response.Cached, Error: KindOf(c.Err), Request: c.Key,
	}
	if refused, ok := errors.AsType[*llm.Error](c.Err); ok {
		e.Status = refused.Status
	}
	if e.Error == KindTruncated {
		e.Finish = llm.FinishLength
	}
	if !l.texts {
		return e
	}
	for _, m := range c.Request.Messages {
		e.Prompt = append(e.Prompt, Message(m))
	}
	for _, text := range c.Texts {
		e.Prompt = append(e.Prompt, Message{Role: "user", Content: text})
	}
	e.Answer = c.Response.Text
	return e
}

// write appends a line. A line is written with one call, so that processes can share a file.
func (l *Log) write(e Entry) {
	b, err := json.Marshal(e)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		err = l.append(append(b, '\n'))
	}
	if err != nil && l.failed == nil {
		l.failed = fmt.Errorf("write the log of calls: %w", err)
		l.warn(l.failed)
	}
}

// append appends a line. It first ends an earlier one that was cut off.
func (l *Log) append(line []byte) error {
	if l.midLine {
		line = append([]byte("\n"), line...)
	}
	n, err := l.file.Write(line)
	if n > 0 {
		l.midLine = err != nil
	}
	return err
}

// Close closes the file. It returns an error if a line could not be written.
func (l *Log) Close() error { return cmp.Or(l.failed, l.file.Close()) }
