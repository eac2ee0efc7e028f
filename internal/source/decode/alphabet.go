package decode

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// vietnamese is windows-1258, with each letter and its mark as one character.
var vietnamese encoding.Encoding = composed{charmap.Windows1258}

type composed struct{ encoding.Encoding }

func (c composed) NewDecoder() *encoding.Decoder {
	return &encoding.Decoder{Transformer: transform.Chain(c.Encoding.NewDecoder(), norm.NFC)}
}

// Encodings of the same languages. Of those that explain a text equally well, the first one is taken.
var (
	western  = []encoding.Encoding{charmap.Windows1252, charmap.ISO8859_15, charmap.CodePage850, charmap.Macintosh, charmap.CodePage437}
	central  = []encoding.Encoding{charmap.Windows1250, charmap.ISO8859_2, charmap.CodePage852}
	baltic   = []encoding.Encoding{charmap.Windows1257, charmap.ISO8859_13, charmap.ISO8859_4}
	turkish  = []encoding.Encoding{charmap.Windows1254}
	greek    = []encoding.Encoding{charmap.Windows1253, charmap.ISO8859_7}
	hebrew   = []encoding.Encoding{charmap.Windows1255}
	arabic   = []encoding.Encoding{charmap.Windows1256}
	vietnam  = []encoding.Encoding{vietnamese}
	cyrillic = []encoding.Encoding{charmap.Windows1251, charmap.KOI8R, charmap.KOI8U, charmap.ISO8859_5, charmap.CodePage866, charmap.MacintoshCyrillic}

	withAlphabet = slices.Concat(western, central, baltic, turkish, greek, hebrew, arabic, vietnam, cyrillic)
)

const (
	russian   = "абвгдежзийклмнопрстуфхцчшщъыьэюяё"
	icelandic = "áðéíóúýþæö"
)

// alphabets are the letters of languages that are not ASCII, in lower case, with the encodings of
// texts in them.
var alphabets = []struct {
	letters   string
	encodings []encoding.Encoding
}{
	{"äöüßéèàêç", western},                          // German
	{"àâæçéèêëîïôœùûüÿñ", western},                  // French
	{"áéíóúüñçàèòïºª", western},                     // Spanish, Catalan
	{"áâãàçéêíóôõúüñºª", western},                   // Portuguese
	{"àèéìíîòóùúç", western},                        // Italian
	{"åäöæøéèüáàôò", western},                       // languages of the North
	{icelandic, western},                            // Icelandic
	{"éëïöüèêáóíàûôâç", western},                    // Dutch, Albanian
	{"äöõüšžå", western},                            // Estonian, Finnish
	{"áčďéěíňóřšťúůýžäľĺŕôöü", central},             // Czech, Slovak
	{"ąćęłńóśźżöü", central},                        // Polish
	{"áéíóöőúüű", central},                          // Hungarian
	{"čćđšžăâîșțşţ", central},                       // Croatian, Slovene, Romanian
	{"ąčęėįšųūžö", baltic},                          // Lithuanian
	{"āčēģīķļņšūžōŗ", baltic},                       // Latvian
	{"äöõüšžå", baltic},                             // Estonian
	{"çğıöşüâîûi\u0307", turkish},                   // Turkish
	{russian, cyrillic},                             // Russian, Bulgarian
	{russian + "ґєіїў", cyrillic},                   // Ukrainian, Belarusian
	{"абвгдежзиклмнопрстуфхцчшђјљњћџѓќѕ", cyrillic}, // Serbian, Macedonian
	{"αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ", greek},
	{"אבגדהוזחטיךכלםמןנסעףפץצקרשת", hebrew},
	{"ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگ", arabic},
	{"ăâđêôơưàảãáạằẳẵắặầẩẫấậèẻẽéẹềểễếệìỉĩíịòỏõóọồổỗốộờởỡớợùủũúụừửữứựỳỷỹýỵ", vietnam},
}

// usualSigns are the signs that are not ASCII in texts of any language.
const usualSigns = "“”‘’„‚‹›«»–—…•·°§©®™€£¥½¼¾¹²³µ×±¡¿ªº¨´№\u00a0\u00ad"

// fewLetters is the number of letters below which a text may be in one language with names of others.
const fewLetters = 20

// fit returns how many of the characters of a text in an encoding are not ASCII, and how many of
// them do not belong to the alphabet that explains most of them. Letters of an encoding that has no
// alphabet all belong. With names of other languages in a short text, its alphabets are one.
func fit(e encoding.Encoding, sample []byte, names bool) (high, misfits int) {
	counts := map[rune]int{}
	low := 0
	text := decoded(e, sample)
	for _, r := range text {
		if r > unicode.MaxASCII && !strings.ContainsRune(usualSigns, r) {
			counts[unicode.ToLower(r)]++
			high++
		} else if unicode.IsLetter(r) {
			low++
		}
	}
	var letters []string
	for _, a := range alphabets {
		if slices.Contains(a.encodings, e) {
			letters = append(letters, a.letters)
		}
	}
	if names && high < fewLetters && high < low {
		letters = append(letters, strings.ReplaceAll(strings.Join(letters, ""), icelandic, "")) // whose letters are Turkish elsewhere
	}
	for i, known := range letters {
		n := high
		for r, count := range counts {
			if strings.ContainsRune(known, r) {
				n -= count
			}
		}
		if i == 0 || n < misfits {
			misfits = n
		}
	}
	return high, misfits + anomalies(text)
}

// byAlphabet returns the encoding whose alphabet explains a text, if it explains nearly all of it, and
// the best one of the detector does not; else nil.
func byAlphabet(best encoding.Encoding, sample []byte) encoding.Encoding {
	high, least := fit(best, sample, true)
	if least*8 < high || least == 0 {
		return nil
	}
	var found encoding.Encoding
	least /= 2
	for _, e := range withAlphabet {
		if high, n := fit(e, sample, false); n*20 <= high && high > 0 && (n < least || found == nil && n == least) {
			found, least = e, n
		}
	}
	return found
}
