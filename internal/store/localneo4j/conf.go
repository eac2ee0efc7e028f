package localneo4j

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/sys/userfile"
)

// user is the name of the first user of Neo4j Community.
const user = "neo4j"

// conf returns the text of neo4j.conf. Neo4j validates it strictly: it does not start
// with an unknown setting.
func (o Options) conf(bolt, http int) string {
	lines := []string{
		"# Written by neorag up at every start: changes are lost.",
		"server.default_listen_address=127.0.0.1",
		"server.bolt.listen_address=" + loopback(bolt),
		"server.bolt.advertised_address=" + loopback(bolt),
		"server.https.enabled=false",
		fmt.Sprintf("server.memory.heap.initial_size=%dm", o.firstHeapMB()),
		fmt.Sprintf("server.memory.heap.max_size=%dm", o.HeapMB),
		fmt.Sprintf("server.memory.pagecache.size=%dm", o.PageCacheMB),
		// Without these, LOAD CSV reads any file of this user.
		"dbms.security.allow_csv_import_from_file_urls=false",
		"server.directories.import=import",
		"dbms.usage_report.enabled=false",
		"client.allow_telemetry=false",
		// Transaction logs are only for recovery. A checkpoint drops them, so
		// checkpoints are triggered by volume.
		"db.tx_log.preallocate=false",
		"db.tx_log.rotation.size=32m",
		"db.tx_log.rotation.retention_policy=2 days 256M",
		"db.checkpoint=VOLUME",
		"db.checkpoint.interval.volume=128m",
		// Without these, stopping waits ten seconds for idle connections.
		"internal.server.bolt.thread_pool_shutdown_wait_time=0s",
		"internal.dbms.bolt.netty_server_shutdown_quiet_period=0",
	}
	if !o.Trusted {
		lines = append(lines, "server.directories.plugins="+filepath.ToSlash(o.pluginsPath()))
	}
	if o.Throwaway {
		lines = append(lines,
			// Test data changes too fast for statistics to be useful.
			"dbms.cypher.min_replan_interval=1h",
			// Every corpus has its own statements, and tests have many corpora.
			"server.memory.query_cache.per_db_cache_num_entries=20000")
	}
	lines = append(lines, o.release().Settings...)
	lines = append(lines, o.Settings...)
	if http == NoHTTP {
		lines = append(lines, "server.http.enabled=false")
	} else {
		lines = append(lines,
			"server.http.enabled=true",
			"server.http.listen_address="+loopback(http),
			"server.http.advertised_address="+loopback(http),
			"browser.remote_content_hostname_whitelist=localhost,127.0.0.1")
	}
	return strings.Join(lines, "\n") + "\n"
}

// prepare creates the folders of a server, its configuration and, before its first
// start, its password.
func (o Options) prepare(bolt, http int) error {
	for _, dir := range []string{"conf", "data/dbms", "import", "logs", "plugins", "run"} {
		if err := os.MkdirAll(filepath.Join(o.Data, filepath.FromSlash(dir)), 0o700); err != nil {
			return fmt.Errorf("create data folder: %w", err)
		}
	}
	if !o.Trusted {
		if err := o.checkFolder(); err != nil {
			return err
		}
	}
	if err := userfile.WritePrivate(filepath.Join(o.Data, "conf", confFile), []byte(o.conf(bolt, http))); err != nil {
		return err
	}
	_, err := os.Stat(filepath.Join(databasesPath(o.Data), "system"))
	if err == nil {
		return o.checkPassword()
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("inspect data folder: %w", err)
	}
	password, err := o.newPassword()
	if err != nil {
		return err
	}
	// The server reads its first user from this file when it creates its system
	// database.
	return userfile.WritePrivate(filepath.Join(o.Data, "data", "dbms", "auth.ini"), []byte(credential(password)))
}

// newPassword returns the password in the data folder, and creates one if there is
// none.
func (o Options) newPassword() (string, error) {
	path := passwordPath(o.Data)
	b, err := userfile.ReadPrivate(path, maxPasswordSize)
	if err == nil && len(b) > 0 {
		return strings.TrimSpace(string(b)), nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read password: %w", err)
	}
	password := rand.Text()
	return password, userfile.WritePrivate(path, []byte(password+"\n"))
}

// checkPassword returns an error if the password of existing data is missing.
func (o Options) checkPassword() error {
	if _, err := os.Stat(passwordPath(o.Data)); err != nil {
		return fmt.Errorf("the password of the data in %s is missing: write it to %s (mode 0600), or choose another folder with --data: %w",
			o.Data, passwordPath(o.Data), err)
	}
	return nil
}

// credential returns a line of auth.ini: the password hashed 1024 times with a salt,
// as Neo4j's set-initial-password writes it.
func credential(password string) string {
	salt := make([]byte, sha256.Size)
	_, _ = rand.Read(salt) // never fails
	sum := sha256.Sum256(append(slices.Clip(salt), password...))
	for range 1023 {
		sum = sha256.Sum256(sum[:])
	}
	return fmt.Sprintf("%s:SHA-256,%s,%s,1024:\n", user, hex.EncodeToString(sum[:]), hex.EncodeToString(salt))
}
