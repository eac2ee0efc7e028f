package plain

import (
	"strings"
	"testing"
)

func TestNumerals(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{
		"decimal": "1 3 12 21 40", "decimalZero": "01 03 12 21 40", "ordinal": "1st 3rd 12th 21st 40th", "cardinalText": "One Three Twelve 21 40", "ordinalText": "First Third Twelfth 21 40",
		"lowerLetter": "a c l u nn", "lowerRoman": "i iii xii xxi xl", "chineseCounting": "一 三 十二 二十一 四十", "koreanCounting": "일 삼 십이 이십일 사십", "ideographTraditional": "甲 丙 乙乙 甲甲甲 癸癸癸癸", "hex": "1 3 12 21 40",
	} {
		var got []string
		for _, n := range []int{1, 3, 12, 21, 40} {
			got = append(got, Numeral(n, format))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", format, s, want)
		}
	}
}
