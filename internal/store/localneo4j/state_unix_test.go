//go:build unix

package localneo4j

import (
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPlantedState checks that a state counts only if Up could have written it: with an
// address of this machine and the password of its folder.
func TestPlantedState(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(secret, []byte("a secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	type change func(data string, st *state)
	for name, tt := range map[string]struct {
		change change
		err    string
	}{
		"as written":                    {func(string, *state) {}, ""},
		"localhost":                     {func(_ string, st *state) { st.URI = "bolt://localhost:7687" }, ""},
		"IPv6":                          {func(_ string, st *state) { st.URI = "bolt://[::1]:7687" }, ""},
		"another machine":               {func(_ string, st *state) { st.URI = "bolt://192.0.2.1:7687" }, "not on this machine"},
		"a name that begins so":         {func(_ string, st *state) { st.URI = "bolt://localhost.example.com:7687" }, "not on this machine"},
		"a user that looks so":          {func(_ string, st *state) { st.URI = "bolt://127.0.0.1:7687@192.0.2.1:7687" }, "not on this machine"},
		"all addresses":                 {func(_ string, st *state) { st.URI = "bolt://0.0.0.0:7687" }, "not on this machine"},
		"no port":                       {func(_ string, st *state) { st.URI = "bolt://127.0.0.1" }, "not on this machine"},
		"another scheme":                {func(_ string, st *state) { st.URI = "neo4j://127.0.0.1:7687" }, "not on this machine"},
		"no address":                    {func(_ string, st *state) { st.URI = "" }, "not on this machine"},
		"a browser elsewhere":           {func(_ string, st *state) { st.HTTP = "http://192.0.2.1:7474" }, "not on this machine"},
		"a script as the browser":       {func(_ string, st *state) { st.HTTP = "file:///etc/passwd" }, "not on this machine"},
		"another file":                  {func(_ string, st *state) { st.PasswordFile = secret }, "password file"},
		"the environment":               {func(_ string, st *state) { st.PasswordFile = "/proc/self/environ" }, "password file"},
		"another file of the folder":    {func(data string, st *state) { st.PasswordFile = filepath.Join(data, "server.json") }, "password file"},
		"no password file":              {func(_ string, st *state) { st.PasswordFile = "" }, "password file"},
		"the server of another folder":  {func(_ string, st *state) { st.Home = filepath.Dir(secret) }, "belongs to the folder"},
		"a state of the group":          {func(data string, _ *state) { chmod(t, statePath(data), 0o660) }, "mode 0660"},
		"a state of all":                {func(data string, _ *state) { chmod(t, statePath(data), 0o606) }, "mode 0606"},
		"a state that is a link":        {func(data string, _ *state) { link(t, statePath(data)) }, "not a regular file"},
		"a state of another user":       {func(data string, _ *state) { giveAway(t, statePath(data)) }, "belongs to another user"},
		"a password that is a link":     {func(data string, _ *state) { link(t, passwordPath(data)) }, "password: not a regular file"},
		"a password of another user":    {func(data string, _ *state) { giveAway(t, passwordPath(data)) }, "password: belongs to another user"},
		"a password that others change": {func(data string, _ *state) { chmod(t, passwordPath(data), 0o620) }, "password: mode 0620"},
	} {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			if strings.Contains(name, "another user") && os.Geteuid() != 0 {
				t.Skip("only root can give a file away")
			}
			if err := os.WriteFile(passwordPath(data), []byte("of the folder\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			st := state{Home: data, Ready: true, Server: Server{URI: "bolt://127.0.0.1:7687", HTTP: "http://127.0.0.1:7474", User: "x\x1b[31m", PasswordFile: passwordPath(data), Mode: Docker}}
			write := func() {
				b, err := json.Marshal(st)
				if err == nil {
					err = os.WriteFile(statePath(data), b, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			write()
			before := st
			tt.change(data, &st)
			if before != st {
				write()
			}
			got, err := readState(data)
			password := ""
			if err == nil {
				password, err = Password(got.Server)
			}
			if tt.err == "" && (err != nil || password != "of the folder" || got.User != user) {
				t.Errorf("got %+v with the password %q, %v", got, password, err)
			}
			for part := range strings.SplitSeq(tt.err, ": ") {
				if tt.err != "" && (err == nil || !strings.Contains(err.Error(), part)) {
					t.Errorf("got %+v with the password %q, %v, want the error %q", got, password, err, tt.err)
				}
			}
		})
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, path string) {
	t.Helper()
	if err := errors.Join(os.Rename(path, path+".target"), os.Symlink(path+".target", path)); err != nil {
		t.Fatal(err)
	}
}

func giveAway(t *testing.T, path string) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	if err := os.Chown(path, 12345, 12345); err != nil {
		t.Fatal(err)
	}
}

// TestFindConnectsOnlyHere checks that Find does not even shake hands with a server of
// another address, here another address of this machine.
func TestFindConnectsOnlyHere(t *testing.T) {
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.2:0")
	if err != nil {
		t.Skip("this system has only one loopback address: " + err.Error())
	}
	connected := make(chan struct{}, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if conn, err := l.Accept(); err == nil {
			_ = conn.Close()
			connected <- struct{}{}
		}
	}()
	data := t.TempDir()
	b := `{"uri": "bolt://` + l.Addr().String() + `", "password_file": "` + passwordPath(data) + `", "mode": "docker", "ready": true}`
	if err := os.WriteFile(statePath(data), []byte(b), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(data); err == nil || !strings.Contains(err.Error(), "not on this machine") {
		t.Errorf("Find: %v", err)
	}
	if _, _, err := Up(t.Context(), Options{Data: data, Mode: Docker}); err == nil || !strings.Contains(err.Error(), "not on this machine") {
		t.Errorf("Up: %v", err)
	}
	select {
	case <-connected:
		t.Error("it connected to the server of the state")
	case <-time.After(100 * time.Millisecond):
	}
	_ = l.Close()
	<-done
}
