package neo4jtest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"regexp"
	"slices"
	"sync"
	"time"
)

// Bolt's requests and the answer to a request that succeeded. Each request but GOODBYE
// has one answer, which records may precede.
const (
	boltGoodbye  = 0x02
	boltReset    = 0x0F
	boltRun      = 0x10
	boltBegin    = 0x11
	boltCommit   = 0x12
	boltRollback = 0x13
	boltDiscard  = 0x2F
	boltPull     = 0x3F
	boltRoute    = 0x66
	boltSuccess  = 0x70
	boltRecord   = 0x71
	boltFailure  = 0x7F
)

// A relayed connection is a Bolt connection as a Relay sees it.
type relayed struct {
	relay  *Relay
	agreed chan bool // whether the server offered a manifest of versions
	begun  [2]bool   // client and server have sent their part of the handshake

	mu       sync.Mutex
	awaited  []request // requests without an answer
	explicit bool      // inside BEGIN and COMMIT
	writes   bool      // the transaction may write
	fault    Fault     // of the transaction of a single statement
}

// A request waits for its answer.
type request struct {
	kind  byte
	fault Fault // happens at the answer
}

// manifest is what a server sends to offer a list of versions.
var manifest = []byte{0, 0, 1, 0xFF}

// fromClient reads the next message of the client.
func (c *relayed) fromClient(r *bufio.Reader) ([]byte, error) {
	if !c.begun[0] {
		c.begun[0] = true
		return readBytes(r, 20)
	}
	if c.agreed != nil {
		offered, ok := <-c.agreed
		c.agreed = nil
		if ok && offered {
			chosen, err := readBytes(r, 4)
			if err != nil {
				return chosen, err
			}
			capabilities, err := readVarint(r)
			return append(chosen, capabilities...), err
		}
	}
	message, raw, err := readMessage(r)
	if err != nil || len(message) < 2 {
		return raw, err
	}
	return raw, c.request(message, raw)
}

// request notes a request, and returns errCut if it must not be passed on. If a fault of a cluster is to
// happen, it changes what is sent: a statement to one that cannot be parsed, and a commit to a rollback.
func (c *relayed) request(message, raw []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	waiting := request{kind: message[1]}
	switch waiting.kind {
	case boltGoodbye:
		return nil
	case boltBegin:
		c.explicit, c.writes = true, !readsOnly(message)
	case boltReset, boltRollback:
		c.explicit, c.fault = false, NoFault
	case boltRun:
		switch {
		case c.explicit && c.writes:
		case c.explicit || readsOnly(message):
			waiting.fault = c.relay.nextRead()
		default:
			c.fault = c.relay.nextCommit()
		}
		if codes[c.fault] != "" {
			waiting.fault, c.fault = c.fault, NoFault
		}
		if codes[waiting.fault] != "" {
			breakStatement(raw)
		}
	case boltPull, boltDiscard:
		if !c.explicit {
			waiting.fault = c.fault
		}
	case boltCommit:
		if c.writes {
			waiting.fault = c.relay.nextCommit()
		}
		if codes[waiting.fault] != "" {
			raw[3] = boltRollback
		}
		c.explicit = false
	}
	if waiting.fault == CutRequest || waiting.kind == boltRun && c.fault == CutRequest {
		c.relay.inject()
		return errCut
	}
	c.awaited = append(c.awaited, waiting)
	return nil
}

// breakStatement replaces the first letter of the statement of a request to run it, which stands after
// the length of the chunk, the kind of the request and the length of the text.
func breakStatement(raw []byte) {
	at := 4
	switch header := raw[at]; {
	case header < 0xD0:
		at++
	default:
		at += 1 + 1<<(header-0xD0)
	}
	raw[at] = '!'
}

// readsOnly reports whether BEGIN or RUN asks for a read transaction: their last field
// is a map with a mode.
func readsOnly(message []byte) bool {
	return bytes.Contains(message[max(0, len(message)-4096):], []byte("\x84mode\x81r"))
}

// fromServer reads the next message of the server.
func (c *relayed) fromServer(r *bufio.Reader) ([]byte, error) {
	if !c.begun[1] {
		c.begun[1] = true
		agreed := c.agreed
		defer close(agreed)
		raw, err := readBytes(r, 4)
		if err != nil || !bytes.Equal(raw, manifest) {
			return raw, err
		}
		agreed <- true
		return readManifest(r, raw)
	}
	message, raw, err := readMessage(r)
	if err != nil || len(message) < 2 || message[1] == boltRecord {
		return raw, err
	}
	return c.answer(message, raw)
}

// address matches the address of a server on this machine, as the server advertises it.
var address = regexp.MustCompile(`127\.0\.0\.1:\d{5}`)

// answer notes an answer, and returns what is passed on, or errCut if nothing must be.
func (c *relayed) answer(message, raw []byte) ([]byte, error) {
	c.mu.Lock()
	if len(c.awaited) == 0 {
		c.mu.Unlock()
		return raw, nil
	}
	to := c.awaited[0]
	c.awaited = c.awaited[1:]
	more := bytes.Contains(message, []byte("\x88has_more\xC3"))
	if to.kind == boltPull || to.kind == boltDiscard {
		c.fault = map[bool]Fault{true: c.fault}[more]
	}
	c.mu.Unlock()
	switch {
	case to.kind == boltRoute: // the addresses are as long as the one of the relay
		return address.ReplaceAll(raw, []byte(c.relay.listener.Addr().String())), nil
	case to.fault == NoFault || more:
		return raw, nil
	case (message[1] == boltSuccess) == (to.kind == boltRun):
		c.relay.refuse()
		return raw, nil
	}
	c.relay.inject()
	switch {
	case codes[to.fault] != "":
		return to.fault.failure(), nil
	case to.fault == DelayAnswer:
		time.Sleep(answerDelay)
		return raw, nil
	}
	return raw, errCut
}

// readMessage reads a message, in chunks that an empty one ends, and returns also the
// bytes as they were sent.
func readMessage(r *bufio.Reader) (message, raw []byte, err error) {
	for {
		size, err := readBytes(r, 2)
		raw = append(raw, size...)
		if err != nil {
			return nil, raw, err
		}
		n := int(binary.BigEndian.Uint16(size))
		if n == 0 {
			return message, raw, nil
		}
		chunk, err := readBytes(r, n)
		raw, message = append(raw, chunk...), append(message, chunk...)
		if err != nil {
			return nil, raw, err
		}
	}
}

// readManifest reads the rest of a manifest: how many versions, the versions, and
// capabilities.
func readManifest(r *bufio.Reader, raw []byte) ([]byte, error) {
	count, err := readVarint(r)
	raw = append(raw, count...)
	if err != nil {
		return raw, err
	}
	n, _ := binary.Uvarint(count)
	versions, err := readBytes(r, 4*int(min(n, 64)))
	raw = append(raw, versions...)
	if err != nil {
		return raw, err
	}
	capabilities, err := readVarint(r)
	return append(raw, capabilities...), err
}

// readBytes reads n bytes, or those before an error.
func readBytes(r *bufio.Reader, n int) ([]byte, error) {
	b := make([]byte, n)
	n, err := io.ReadFull(r, b)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return slices.Clip(b[:n]), err
}

// readVarint reads an integer of variable length.
func readVarint(r *bufio.Reader) ([]byte, error) {
	var raw []byte
	for {
		b, err := r.ReadByte()
		if err != nil {
			return raw, err
		}
		if raw = append(raw, b); b < 0x80 {
			return raw, nil
		}
	}
}
