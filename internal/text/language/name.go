package language

import "strings"

var names = map[Language]string{
	Arabic: "Arabic", Chinese: "Chinese", Danish: "Danish", Dutch: "Dutch", English: "English", French: "French", German: "German",
	Greek: "Greek", Hebrew: "Hebrew", Hindi: "Hindi", Italian: "Italian", Japanese: "Japanese", Korean: "Korean", Norwegian: "Norwegian",
	Portuguese: "Portuguese", Russian: "Russian", Spanish: "Spanish", Swedish: "Swedish", Thai: "Thai",
}

// Name returns the English name of a language that is detected, "" for another one.
func (l Language) Name() string { return names[l] }

// NameOf returns the English name for the ISO 639-1 code of a language that is detected, in any
// case; every other text is returned as it is.
func NameOf(code string) string {
	if name := Language(strings.ToLower(code)).Name(); name != "" {
		return name
	}
	return code
}
