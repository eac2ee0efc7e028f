package plain

import (
	"strconv"
	"strings"
)

// letters are the formats that count with letters, which are repeated after the last one.
var letters = map[string]string{
	"lowerLetter": "abcdefghijklmnopqrstuvwxyz", "upperLetter": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	"russianLower": "абвгдежзиклмнопрстуфхцчшщэюя", "russianUpper": "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ",
	"ganada": "가나다라마바사아자차카타파하", "chosung": "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
	"ideographTraditional": "甲乙丙丁戊己庚辛壬癸", "ideographZodiac": "子丑寅卯辰巳午未申酉戌亥",
	"decimalEnclosedCircle": "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳", "hebrew2": "אבגדהוזחטיכלמנסעפצקרשת",
}

// tens are the digits from 1 to 10 of the formats that write 21 as two, ten, one.
var tens = map[string][]rune{
	"chineseCounting": []rune("一二三四五六七八九十"), "chineseCountingThousand": []rune("一二三四五六七八九十"), "taiwaneseCounting": []rune("一二三四五六七八九十"),
	"taiwaneseCountingThousand": []rune("一二三四五六七八九十"), "japaneseCounting": []rune("一二三四五六七八九十"), "koreanCounting": []rune("일이삼사오육칠팔구십"),
}

var (
	cardinals = strings.Fields("One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen Twenty")
	ordinals  = strings.Fields("First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth Eleventh Twelfth Thirteenth Fourteenth Fifteenth Sixteenth Seventeenth Eighteenth Nineteenth Twentieth")
)

// Numeral writes a number in a format of Word, in digits if the format is not known.
func Numeral(n int, format string) string {
	digits := strconv.Itoa(n)
	if n < 1 {
		return digits
	}
	if alphabet := []rune(letters[format]); len(alphabet) > 0 {
		return strings.Repeat(string(alphabet[(n-1)%len(alphabet)]), min(4, 1+(n-1)/len(alphabet)))
	}
	if ten := tens[format]; ten != nil && n < 100 {
		var b strings.Builder
		if n >= 20 {
			b.WriteRune(ten[n/10-1])
		}
		if n >= 10 {
			b.WriteRune(ten[9])
		}
		if n%10 > 0 {
			b.WriteRune(ten[n%10-1])
		}
		return b.String()
	}
	switch {
	case format == "decimalZero" && n < 10:
		return "0" + digits
	case format == "ordinal":
		return digits + ordinalEnding(n)
	case format == "cardinalText" && n <= len(cardinals):
		return cardinals[n-1]
	case format == "ordinalText" && n <= len(ordinals):
		return ordinals[n-1]
	case format == "upperRoman" && n < 4000:
		return roman(n)
	case format == "lowerRoman" && n < 4000:
		return strings.ToLower(roman(n))
	}
	return digits
}

// ordinalEnding returns the letters after an English number: "st" after 1.
func ordinalEnding(n int) string {
	if n%100/10 == 1 || n%10 < 1 || n%10 > 3 {
		return "th"
	}
	return []string{"st", "nd", "rd"}[n%10-1]
}

func roman(n int) string {
	var b strings.Builder
	for _, r := range []struct {
		value int
		text  string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for ; n >= r.value; n -= r.value {
			b.WriteString(r.text)
		}
	}
	return b.String()
}
