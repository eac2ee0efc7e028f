package report

import (
	"strings"

	"github.com/neorag/neorag/internal/text/language"
)

// ands are the words that join the last two parts of a title.
var ands = map[language.Language]string{
	language.Arabic: " و", language.Danish: " og ", language.Dutch: " en ", language.English: " and ", language.French: " et ", language.German: " und ",
	language.Greek: " και ", language.Hebrew: " ו", language.Hindi: " और ", language.Italian: " e ", language.Norwegian: " og ", language.Portuguese: " e ",
	language.Russian: " и ", language.Spanish: " y ", language.Swedish: " och ", language.Unknown: " and ",
	language.Chinese: "和", language.Japanese: "と", language.Korean: ", ", language.Thai: "และ",
}

// join joins names in the language of the sentences and begins with a capital.
func (sel *selector) join(names []string) string { return upperFirst(sel.joinPlain(names)) }

// joinPlain joins names in the language of the sentences.
func (sel *selector) joinPlain(names []string) string {
	last := len(names) - 1
	and := ands[sel.language]
	switch {
	case last < 1:
		return strings.Join(names, "")
	case and == ands[language.English]:
		return joinEnglish(names)
	case sel.language == language.Chinese || sel.language == language.Japanese:
		return strings.Join(names[:last], "、") + and + names[last]
	}
	return strings.Join(names[:last], ", ") + and + names[last]
}
