package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/httplimit"
)

// read reads the body of a response: server-sent events, or JSON, of which there may be one
// value for each chunk. The first bytes decide which, since servers and proxies send streams
// under any media type.
//
// This is not a reader of package ssestream of the SDK or another library: these read neither
// JSON values, nor events without an empty line between them, nor have they bounds.
func (a *answer) read(body io.Reader, contentType string, maxTokens int) error {
	r := bufio.NewReaderSize(body, 64<<10)
	if err := skipSpace(r, maxWhole(maxTokens)); err != nil {
		return err
	}
	media, _, _ := mime.ParseMediaType(contentType) // it returns a media type in lower case
	first, _ := r.Peek(1)                           // an error comes again when it is read
	json := string(first) == "{" || string(first) == "["
	limit := maxWhole(maxTokens)
	if beginsEvent(r) || media == "text/event-stream" || strings.Contains(media, "ndjson") || strings.Contains(media, "jsonl") {
		limit = maxStream(maxTokens)
	}
	if beginsEvent(r) || media == "text/event-stream" && !json {
		return a.readEvents(httplimit.Reader(r, limit))
	}
	return a.readValues(httplimit.Reader(r, limit))
}

// skipSpace skips a byte order mark and white space, which servers send while they compute.
func skipSpace(r *bufio.Reader, limit int64) error {
	for n := range limit {
		b, err := r.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case n < 3 && b == "\uFEFF"[n]:
		case strings.IndexByte(" \t\r\n", b) < 0:
			return r.UnreadByte()
		}
	}
	return &httplimit.TooLargeError{Limit: limit}
}

// beginsEvent reports whether what follows is a line of server-sent events.
func beginsEvent(r *bufio.Reader) bool {
	for _, field := range []string{":", "id:", "data:", "event:", "retry:"} {
		if b, _ := r.Peek(len(field)); string(b) == field {
			return true
		}
	}
	return false
}

// An event is a server-sent event: the lines of its data up to an empty line.
type event struct {
	name string
	data []byte
}

// readEvents reads server-sent events. It skips comments, which servers send to keep the
// connection open. It takes data that is complete before the empty line that should follow,
// and lines of JSON without the name of their field.
func (a *answer) readEvents(body io.Reader) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	var e event
	for !a.done && lines.Scan() {
		line := lines.Bytes()
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch value = bytes.TrimSpace(value); {
		case len(line) == 0:
			if err := a.addEvent(e); err != nil {
				return err
			}
			e = event{}
			continue
		case line[0] == '{':
			value = bytes.TrimSpace(line)
		case string(name) == "event":
			e.name = string(value)
			continue
		case string(name) != "data" || len(value) == 0:
			continue
		}
		if len(e.data) > 0 {
			if len(e.data)+len(value) >= maxLine {
				return &httplimit.TooLargeError{Limit: maxLine}
			}
			e.data = append(append(e.data, '\n'), value...)
			continue
		}
		if !isDone(value) && !json.Valid(value) {
			e.data = append(e.data, value...)
			continue
		}
		if err := a.addEvent(event{e.name, value}); err != nil {
			return err
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return &httplimit.TooLargeError{Limit: maxLine}
	} else if err != nil {
		return err
	}
	if err := a.addEvent(e); err != nil {
		return err
	}
	return a.end()
}

// isDone reports whether data is the mark of the end of a stream.
func isDone(data []byte) bool { return string(bytes.Trim(data, `"`)) == "[DONE]" }

// addEvent adds an event. Data that is not JSON is what a server says of an error.
func (a *answer) addEvent(e event) error {
	switch {
	case len(e.data) == 0:
		return nil
	case isDone(e.data):
		a.done = true
		return nil
	case e.name != "error":
		if isObject(e.data) || string(e.data) == "null" {
			var c completion
			if json.Unmarshal(e.data, &c) == nil {
				return a.add(c, e.data)
			}
		}
		return &llm.Error{Status: http.StatusOK, Retryable: true, Message: "the server's stream contains an event that is not JSON"}
	default:
		return a.fail(e.data)
	}
}

// readValues reads JSON values: one whole answer, or a chunk after another.
func (a *answer) readValues(body io.Reader) error {
	from := &failing{Reader: body}
	d := json.NewDecoder(from)
	n := 0
	for ; !a.done; n++ {
		var raw json.RawMessage
		err := d.Decode(&raw)
		if errors.Is(err, io.EOF) && n > 0 {
			break
		}
		if from.err != nil {
			return from.err
		}
		if err != nil && a.hasChoice && (n == 1 || a.finish != "") {
			break // what follows a complete answer does not matter
		}
		var c completion
		value := firstElement(raw)
		if err != nil || !isObject(value) || json.Unmarshal(value, &c) != nil {
			rest, _ := io.ReadAll(io.LimitReader(d.Buffered(), maxQuoted)) // reads from memory
			return &llm.Error{Status: http.StatusOK, Message: "the server's answer is not JSON" + inBrackets(a.client.words(rest).Message) +
				": check base_url, which usually ends in /v1"}
		}
		if err := a.add(c, value); err != nil {
			return err
		}
	}
	a.done = a.done || n == 1
	return a.end()
}

// firstElement returns the first element of a list, and any other value as it is.
func firstElement(raw json.RawMessage) json.RawMessage {
	d, err := openList(raw)
	if err != nil || d == nil {
		return raw
	}
	var first json.RawMessage
	if !d.More() || d.Decode(&first) != nil {
		return nil
	}
	return first
}

// failing remembers the error of a reader, to tell a connection that broke from JSON without
// its end.
type failing struct {
	io.Reader

	err error
}

// Read reads.
func (f *failing) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if err != nil && err != io.EOF { // an end within the body is another error
		f.err = err
	}
	return n, err
}
