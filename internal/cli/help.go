package cli

import (
	"fmt"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
)

// Groups of flags that are not settings. Flags without a group, the everyday ones, come first.
const (
	filterGroup = "Filters"
	savedGroup  = "Parameters of saved queries"
	outputGroup = "Output and settings"
)

// helpGroups are the groups in the order of the help.
var helpGroups = []string{
	filterGroup, config.GroupDocuments, config.GroupExtraction, config.GroupCommunities, config.GroupPairs, config.GroupRetrieval,
	savedGroup, config.GroupModels, config.GroupServer, outputGroup,
}

// helpTemplate returns the library's template for a command's help, with examples and
// with the flags by group. The flag --help, which the library adds, belongs to the last group.
// path is the name of the command after the names of the commands that it belongs to.
func helpTemplate(cmd *ucli.Command, path string) string {
	head, _, _ := strings.Cut(ucli.CommandHelpTemplate, "{{if .VisibleFlagCategories}}")
	var b strings.Builder
	b.WriteString(head)
	if given := examples[path]; len(given) > 0 {
		b.WriteString("\n\nEXAMPLES:\n   " + strings.Join(given, "\n   "))
	}
	if slices.ContainsFunc(cmd.Flags, func(f ucli.Flag) bool { return groupOf(f) == "" }) {
		writeGroup(&b, "OPTIONS", `and (eq .GetCategory "") (ne (index .Names 0) "help")`)
	}
	for _, group := range helpGroups {
		if slices.ContainsFunc(cmd.Flags, func(f ucli.Flag) bool { return groupOf(f) == group }) {
			condition := fmt.Sprintf("eq .GetCategory %q", group)
			if group == outputGroup {
				condition = fmt.Sprintf(`or (%s) (eq (index .Names 0) "help")`, condition)
			}
			writeGroup(&b, strings.ToUpper(group), condition)
		}
	}
	return b.String() + "\n"
}

// hide hides flags of settings, which still work, from the help.
func hide(flags []ucli.Flag, names ...string) []ucli.Flag {
	for _, f := range flags {
		if !slices.Contains(names, f.Names()[0]) {
			continue
		}
		switch f := f.(type) {
		case textFlag:
			f.Hidden = true
		case itemsFlag:
			f.Hidden = true
		}
	}
	return flags
}

// writeGroup writes the template for the flags that meet a condition.
func writeGroup(b *strings.Builder, heading, condition string) {
	fmt.Fprintf(b, "\n\n%s:{{range .VisibleFlags}}{{if %s}}\n   {{.}}{{end}}{{end}}", heading, condition)
}

// groupOf returns the group of a visible flag, and "hidden" for a hidden one.
func groupOf(f ucli.Flag) string {
	c, ok := f.(ucli.CategorizableFlag)
	if !ok || !c.IsVisible() {
		return "hidden"
	}
	return c.GetCategory()
}
