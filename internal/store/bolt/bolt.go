// Package bolt begins the Bolt protocol of Neo4j on a connection: enough to know
// whether a server speaks it and takes connections, without the driver.
package bolt

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Why a handshake failed.
var (
	// ErrNotBolt is a peer that does not speak Bolt.
	ErrNotBolt = errors.New("the server does not speak Bolt")
	// ErrHTTP is a peer that speaks HTTP; it is an ErrNotBolt.
	ErrHTTP = fmt.Errorf("%w: it is a web server", ErrNotBolt)
	// ErrVersion is a server that knows none of the proposed versions.
	ErrVersion = errors.New("the server supports none of the Bolt versions 4.2 to 5.8")
)

// hello is Bolt's magic number and the versions that are proposed: 5.0 to
// 5.8, 4.2 to 4.4, and two empty slots.
var hello = []byte{
	0x60, 0x60, 0xB0, 0x17,
	0, 8, 8, 5,
	0, 2, 4, 4,
	0, 0, 0, 0,
	0, 0, 0, 0,
}

// Handshake agrees on a version of Bolt with the server behind conn. Deadlines
// are the caller's; an error of the connection is wrapped with ErrNotBolt when the
// peer closed it without an answer.
func Handshake(conn io.ReadWriter) error {
	if _, err := conn.Write(hello); err != nil {
		return err
	}
	var reply [4]byte
	if _, err := io.ReadFull(conn, reply[:]); err != nil {
		return fmt.Errorf("%w: %w", ErrNotBolt, err)
	}
	switch {
	case bytes.Equal(reply[:], []byte("HTTP")):
		return ErrHTTP
	case reply == [4]byte{}:
		return ErrVersion
	case reply[0] != 0 || reply[3] < 4 || reply[3] > 9:
		return ErrNotBolt
	}
	return nil
}
