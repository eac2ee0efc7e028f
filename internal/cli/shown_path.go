package cli

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// withoutFolders shortens the paths in a message or a setting for JSON, which is passed on
// to others: those in the working directory become relative, and those in the home folder
// begin with ~. Other paths stay as they are.
func (env *environment) withoutFolders(text string) string {
	folder := env.Dir
	if folder == "" {
		folder, _ = os.Getwd() // without one nothing is relative
	}
	home := cmp.Or(env.Getenv("HOME"), env.Getenv("USERPROFILE"))
	return replaceFolder(replaceFolder(text, folder, "."), home, "~")
}

// replaceFolder replaces the path of a folder wherever it is the beginning of a path.
func replaceFolder(text, folder, name string) string {
	folder = filepath.Clean(folder)
	if !filepath.IsAbs(folder) || folder == filepath.Dir(folder) || !strings.Contains(text, folder) {
		return text
	}
	whole := regexp.MustCompile(`(^|[^\pL\d._~/\\-])` + regexp.QuoteMeta(folder) + `([/\\]|[^\pL\d._-]|$)`)
	return whole.ReplaceAllString(text, "${1}"+name+"${2}")
}
