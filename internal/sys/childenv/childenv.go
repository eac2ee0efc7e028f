// Package childenv chooses what a child process sees of the environment of this one:
// the variables that it needs and no other, so that no key of a model and no password
// goes to a program that does not use it.
package childenv

import (
	"os"
	"runtime"
	"strings"
)

// common are the variables that every program may need.
var common = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TZ", "TMPDIR", "TERM",
	// Windows
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "USERNAME", "USERDOMAIN", "HOMEDRIVE", "HOMEPATH",
	"APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES*", "COMMONPROGRAMFILES*", "NUMBER_OF_PROCESSORS", "PROCESSOR_*", "OS",
}

// proxies are the variables of programs that load something from the internet.
var proxies = []string{"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR"}

// A Program is a kind of child process.
type Program []string

// The variables of each program, in addition to the common ones. A final * matches any
// ending.
var (
	Java   = Program{"JAVA_HOME"}
	Maven  = append(Program{"JAVA_HOME", "MAVEN_*", "M2_HOME", "M2", "XDG_*"}, proxies...)
	Docker = append(Program{"DOCKER_*", "XDG_*", "SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS"}, proxies...)
	// Browser is the program that opens the desktop's browser.
	Browser = append(Program{
		"BROWSER", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_*", "DBUS_SESSION_BUS_ADDRESS", "DESKTOP_SESSION",
		"GNOME_*", "KDE_*", "GTK_*", "QT_*", "MOZ_*", "WSL_*", "WSLENV",
	}, proxies...)
	Other = Program{}
)

// Of returns the environment of a child process.
func Of(p Program) []string { return choose(os.Environ(), p, runtime.GOOS == "windows") }

// choose returns the variables that a program may see. On some systems the case of
// their names does not matter.
func choose(all []string, p Program, anyCase bool) []string {
	kept := []string{} // nil would inherit everything
	for _, v := range all {
		name, _, _ := strings.Cut(v, "=")
		if anyCase {
			name = strings.ToUpper(name)
		}
		if matches(name, common) || matches(name, p) {
			kept = append(kept, v)
		}
	}
	return kept
}

func matches(name string, patterns []string) bool {
	for _, pattern := range patterns {
		prefix, open := strings.CutSuffix(pattern, "*")
		if name == pattern || open && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
