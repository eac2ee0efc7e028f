package cli

import "testing"

func TestReplaceFolder(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"open /home/me/a.txt: no such file":  "open ~/a.txt: no such file",
		"/home/me":                           "~",
		"/home/me/x /home/me/y":              "~/x ~/y",
		"/home/meg/a, /srv/home/me/a, /home": "/home/meg/a, /srv/home/me/a, /home",
		"in /home/me: nothing":               "in ~: nothing",
	} {
		if got := replaceFolder(text, "/home/me/", "~"); got != want {
			t.Errorf("replaceFolder(%q): got %q, want %q", text, got, want)
		}
	}
	for _, folder := range []string{"", "/", "relative"} {
		if got := replaceFolder("/a/relative/b", folder, "~"); got != "/a/relative/b" {
			t.Errorf("folder %q: got %q", folder, got)
		}
	}
}
