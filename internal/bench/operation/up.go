package main

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/neorag/neorag/docker"
	"github.com/neorag/neorag/internal/store/localneo4j"
)

// upCases start a local server with the program.
func upCases() []testCase {
	return []testCase{
		{kind: "trust", name: "jar added to the plugins of a trusted data folder", right: "its code does not run", needs: "javac", run: addedPlugin},
		{kind: "trust", name: "NEORAG_HOME that others may write", right: "refused", run: openHome},
		{kind: "trust", name: "down next to an untrusted server.data", right: "the user's own server keeps running", run: downElsewhere},
	}
}

// up starts the local server of the working directory. The caller stops it.
func (t *trial) up(ctx context.Context) outcome {
	cache, err := os.UserCacheDir()
	if err != nil {
		t.fail(err)
	}
	return t.run(ctx, command{
		args: []string{"up", "--mode", "java", "--bolt-port", "0", "--http-port", "0", "--heap", "512", "--page-cache", "128"},
		env:  []string{"XDG_CACHE_HOME=" + cache, "JAVA_HOME=" + os.Getenv("JAVA_HOME"), "NEO4J_URI=", "NEO4J_PASSWORD="}, limit: 2 * time.Minute,
	})
}

// stopServer stops the server of a data folder, if one runs.
func (t *trial) stopServer(ctx context.Context, data string) {
	if _, err := localneo4j.Down(context.WithoutCancel(ctx), localneo4j.Options{Data: data}); err != nil {
		t.fail(err)
	}
}

// defaultData is where the server of the user has its data.
func (t *trial) defaultData() string { return filepath.Join(t.dir, "home", "neorag", "neo4j") }

// extension is a plugin whose code writes a file as soon as it is loaded.
const extension = `package planted;
import org.neo4j.kernel.extension.ExtensionFactory;
import org.neo4j.kernel.extension.context.ExtensionContext;
import org.neo4j.kernel.lifecycle.Lifecycle;
import org.neo4j.kernel.lifecycle.LifecycleAdapter;
public class Planted extends ExtensionFactory<Planted.None> {
  public interface None {}
  static {
    try { java.nio.file.Files.writeString(java.nio.file.Path.of("MARKER"), "ran"); } catch (java.io.IOException e) { throw new RuntimeException(e); }
  }
  public Planted() { super("planted"); }
  public Lifecycle newInstance(ExtensionContext context, None none) { return new LifecycleAdapter(); }
}
`

func addedPlugin(ctx context.Context, t *trial) (string, bool) {
	data, marker := filepath.Join(t.work, "db"), filepath.Join(t.dir, "marker")
	t.write("neorag.yaml", "server:\n  data: db\n")
	t.must(ctx, "trust")
	t.write("db/plugins/planted.jar", "")
	if err := compileExtension(ctx, t.dir, marker, filepath.Join(data, "plugins", "planted.jar")); err != nil {
		t.fail(err)
		return "", false
	}
	if err := os.Chmod(data, 0o700); err != nil {
		t.fail(err)
	}
	defer t.stopServer(ctx, data)
	o := t.up(ctx)
	_, err := os.Stat(marker)
	if err == nil {
		return "the code ran; " + o.brief(), false
	}
	return "the code did not run; " + o.brief(), errors.Is(err, os.ErrNotExist) && o.stopped == ""
}

// compileExtension makes the jar of the plugin.
func compileExtension(ctx context.Context, dir, marker, jar string) error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	source := filepath.Join(dir, "Planted.java")
	if err := os.WriteFile(source, []byte(strings.ReplaceAll(extension, "MARKER", marker)), 0o600); err != nil {
		return err
	}
	lib := filepath.Join(cache, "neorag", "neo4j-"+docker.Version, "lib", "*")
	cmd := exec.CommandContext(ctx, "javac", "-proc:none", "-cp", lib, "-d", dir, source)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("compile the plugin: %w: %s", err, out)
	}
	f, err := os.Create(jar)
	if err != nil {
		return err
	}
	z := zip.NewWriter(f)
	class := func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, "planted", name)) }
	main, err := class("Planted.class")
	none, err2 := class("Planted$None.class")
	err = errors.Join(err, err2)
	for _, e := range []struct {
		name string
		body []byte
	}{
		{"planted/Planted.class", main},
		{"planted/Planted$None.class", none},
		{"META-INF/services/org.neo4j.kernel.extension.ExtensionFactory", []byte("planted.Planted\n")},
	} {
		w, werr := z.Create(e.name)
		if werr == nil {
			_, werr = w.Write(e.body)
		}
		err = errors.Join(err, werr)
	}
	return errors.Join(err, z.Close(), f.Close())
}

func openHome(ctx context.Context, t *trial) (string, bool) {
	home := filepath.Join(t.dir, "home", "neorag")
	if err := os.Chmod(home, 0o777); err != nil {
		t.fail(err)
	}
	defer t.stopServer(ctx, t.defaultData())
	o := t.up(ctx)
	if err := os.Chmod(home, 0o700); err != nil {
		t.fail(err)
	}
	return o.brief(), o.code > 0
}

func downElsewhere(ctx context.Context, t *trial) (string, bool) {
	defer t.stopServer(ctx, t.defaultData())
	if o := t.up(ctx); o.code != 0 {
		t.fail(fmt.Errorf("start the user's server: %s", o.brief()))
		return "", false
	}
	t.write("neorag.yaml", "server:\n  data: elsewhere\n")
	o := t.neorag(ctx, "down")
	_, err := localneo4j.Find(t.defaultData()) //nolint:contextcheck // it takes none
	return fmt.Sprintf("running: %t; %s", err == nil, o.brief()), err == nil
}
