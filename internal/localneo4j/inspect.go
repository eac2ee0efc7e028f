package localneo4j

import (
	"context"
	"errors"
	"os/exec"
)

// Check is a requirement of a local server, and whether it is met.
type Check struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"` // what was found, or what to do about it
}

// Inspect checks the requirements of Up on this machine. It changes nothing.
func Inspect(ctx context.Context, o Options) ([]Check, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	mode, err := o.mode(ctx)
	if err != nil || mode == Docker {
		return []Check{check("docker", "an engine is running", err), o.inspectServer()}, nil
	}
	checks := []Check{{Name: "docker", OK: true, Detail: "not used: the server runs on Java"}}
	program, err := o.java(ctx)
	checks = append(checks, check("java", program, err))
	o.NoFetch = true
	lib, err := o.jars(ctx)
	if err == nil {
		checks = append(checks, check("jars", lib, nil))
	} else {
		maven, mavenErr := exec.LookPath(o.maven())
		checks = append(checks,
			Check{Name: "jars", OK: mavenErr == nil, Detail: "neorag up downloads them: " + err.Error()},
			check("maven", maven, mavenErr))
	}
	return append(checks, o.inspectServer()), nil
}

func (o Options) inspectServer() Check {
	s, err := Find(o.Data)
	if errors.Is(err, ErrNotRunning) {
		err = errors.New("not running: run neorag up")
	}
	return check("server", s.URI, err)
}

func check(name, found string, err error) Check {
	if err != nil {
		return Check{Name: name, Detail: err.Error()}
	}
	return Check{Name: name, OK: true, Detail: found}
}

func (o Options) maven() string {
	if o.Maven == "" {
		return "mvn"
	}
	return o.Maven
}
