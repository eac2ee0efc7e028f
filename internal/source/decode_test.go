package source

import (
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/source/decode"
)

// encoded returns a text in an encoding.
func encoded(t *testing.T, name, text string) string {
	t.Helper()
	e, err := decode.Encoding(name)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := e.NewEncoder().String(text)
	if err != nil {
		t.Fatalf("%s in %s: %v", text, name, err)
	}
	return raw
}

// TestEncodings reads short texts without a declaration, as text and as a record.
func TestEncodings(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ encoding, text string }{
		{"gbk", "王小明在北京大学工作。北京大学位于北京市海淀区。王小明的妻子李华是医生。"},
		{"big5", "陳大文在台北工作。台北是台灣的城市。"},
		{"shift_jis", "田中太郎は東京大学で働いています。東京大学は東京にあります。"},
		{"euc-jp", "田中太郎は東京大学で働いています。"},
		{"euc-kr", "김철수는 서울에서 일한다. 서울은 한국의 수도이다."},
		{"windows-1251", "Иван Петров работает в Москве. Москва — столица России."},
		{"koi8-r", "Иван Петров работает в Москве."},
		{"windows-1250", "Žofie Nováková žije v Brně. Řeka Svratka teče městem."},
		{"windows-1253", "Ο Γιάννης εργάζεται στην Αθήνα."},
		{"windows-1256", "يعمل أحمد في القاهرة."},
		{"macintosh", "Müller lives in Köln – near the café."},
		{"IBM437", "Müller lives in Köln."},
		{"utf-16le", "王小明在北京大学工作。"},
		{"utf-16be", "田中太郎は東京大学で働いています。"},
		{"utf-16le", "Иван Петров работает в Москве. Москва — столица России."},
		{"utf-16be", "Ο Γιάννης εργάζεται στην Αθήνα."},
		{"utf-16le", "يعمل أحمد في القاهرة."},
		{"iso-8859-2", "Łódź jest miastem w środkowej Polsce. Żółw idzie powoli przez łąkę."},
		{"windows-1250", "Kovács Péter Budapesten él. Őszi eső hullik az utcára, és hűvös szél fúj."},
		{"windows-1255", "דוד כהן עובד בירושלים. ירושלים היא בירת ישראל."},
		{"windows-1254", "Ayşe Yılmaz İstanbul’da çalışıyor. İstanbul büyük bir şehirdir."},
		{"windows-874", "สมชายทำงานที่กรุงเทพมหานคร กรุงเทพเป็นเมืองหลวงของประเทศไทย"},
		{"windows-1252", "Hélène a été élue présidente de la région, où elle était déjà conseillère."},
		{"windows-1252", "He said “hello” — and left. It’s a café."},
		{"windows-1252", "The fee is 51 € and the temperature 20 °C."},
		{"windows-1252", "Søren Kierkegaard blev født i København. Æblet er rødt."},
		{"windows-1252", strings.Repeat("=", 78) + "\nGröße ist gut.\n" + strings.Repeat("=", 78) + "\n" + strings.Repeat("-", 78)},
		{"windows-1252", "Größe"},
		{"windows-1252", "François"},
		{"windows-1252", "Søren Müller met Zoë Núñez and François in Malmö."},
		{"windows-1252", "Guðrún and José met Åse in Tromsø."},
		{"windows-1257", "Prašymai dėl leidimų pateikiami iki mėnesio pabaigos, o atsakymai siunčiami paštu."},
		{"windows-1257", "Jānis Bērziņš vada Rīgas ostas biroju. Pieteikumi jāiesniedz līdz mēneša beigām."},
		{"windows-1257", "Jüri Õunapuu juhib kontorit. Šokolaad ja žanr on võõrsõnad."},
		{"iso-8859-4", "Jānis Bērziņš vada Rīgas ostas biroju. Pieteikumi jāiesniedz līdz mēneša beigām."},
		{"windows-1254", "Ayşe İstanbul'da çalışıyor."},
		{"IBM852", "Žofie Nováková řídí přístavní kancelář v Děčíně."},
		{"macintosh", "Jürgen wohnt in Lübeck."},
		{"koi8-u", "Олена Шевченко керує портовою конторою в Одесі. Її заступник працює у Львові."},
		{"iso-8859-15", "Le prix est de 12 € pour un œuf, à côté de l'été."},
		{"IBM866", "Иван Петров работает в Москве. Москва столица."},
		{"windows-1251", "Олена Шевченко живе у Києві. Київ є столицею України."},
		{"gb18030", "上海是中国的一座城市，人口超过两千万。李强在上海的一家公司上班。"},
		{"iso-8859-7", "Η Μαρία Παπαδοπούλου μένει στη Θεσσαλονίκη και διδάσκει μαθηματικά."},
	} {
		raw := encoded(t, tc.encoding, tc.text)
		if doc, err := read(t, "a.txt", raw); err != nil || doc.Text != tc.text {
			t.Errorf("%s: text %q, %v, want %q", tc.encoding, doc.Text, err, tc.text)
		}
		csv := encoded(t, tc.encoding, "text\n\""+tc.text+"\"\n")
		if docs, _, err := readAll(t, "a.csv", csv, map[string]string{"text": "text"}); err != nil || len(docs) != 1 || docs[0].Text != tc.text {
			t.Errorf("%s, as a table: %v, %v, want %q", tc.encoding, brief(docs), err, tc.text)
		}
	}
	for _, mark := range []string{"\xff\xfe\x00\x00M\x00\x00\x00a\x00\x00\x00", "\x00\x00\xfe\xff\x00\x00\x00M\x00\x00\x00a"} {
		if doc, err := read(t, "a.txt", mark); err != nil || doc.Text != "Ma" {
			t.Errorf("UTF-32: %q, %v", doc.Text, err)
		}
	}
}

// TestEncodingOption reads texts that declare no encoding, or a wrong one.
func TestEncodingOption(t *testing.T) {
	t.Parallel()
	const text = "Ein Käse für 5 €"
	raw := encoded(t, "IBM850", "Käse")
	for _, tc := range []struct{ file, encoding, raw, want, wrong string }{
		{"a.txt", "IBM850", raw, "Käse", ""},
		{"a.txt", "windows-1251", "\xca\xee\xf8\xea\xe0", "Кошка", ""},
		{"a.html", "koi8-r", "<meta charset=windows-1251><p>\xeb\xcf\xdb\xcb\xc1", "Кошка", ""},
		{"a.xhtml", "", "<?xml version='1.0' encoding='ISO-8859-2'?><html><body><p>\xaeofie \xbeije v Brn\xec.</p></body></html>", "Žofie žije v Brně.", ""},
		{"a.txt", "koi8-r", text, text, ""}, // it is UTF-8
		{"a.txt", "shift_jis", "\x81\x20\x82\x20 \xa0 \xfd\xfe", "", "its encoding is not recognised"},
		{"a.txt", "klingon", "\xff", "", `encoding "klingon" is not known`},
	} {
		path := folder(t, map[string]string{tc.file: tc.raw})
		docs, _, err := Read(t.Context(), list(t, Options{}, path).Files[0], Options{Encoding: tc.encoding})
		if tc.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), tc.wrong) {
				t.Errorf("%q as %s: %v, %v, want an error with %q", tc.raw, tc.encoding, brief(docs), err, tc.wrong)
			}
		} else if err != nil || len(docs) != 1 || docs[0].Text != tc.want {
			t.Errorf("%q as %s: %v, %v, want %q", tc.raw, tc.encoding, brief(docs), err, tc.want)
		}
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, file, raw, want string }{
		{"utf-8", "a.txt", "Zoë — 長", "Zoë — 長"},
		{"byte order mark", "a.txt", "\xef\xbb\xbfZoë", "Zoë"},
		{"windows-1252", "a.txt", "caf\xe9 \x93x\x94", "café “x”"},
		{"damaged utf-8", "a.txt", "Zoë é ü \x81\x8d", "Zoë é ü \ufffd"},
		{"windows-1252 in utf-8", "a.txt", "Jürgen aus Lübeck\nS\xf8ren \x96 \xc6r\xf8\nZoë", "Jürgen aus Lübeck\nSøren – Ærø\nZoë"},
		{"windows-1252 after a mark", "a.txt", "\xef\xbb\xbfJ\xfcrgen", "Jürgen"},
		{"windows-1258", "a.txt", "Nguy\xea\xden V\xe3n H\xf9ng \xf0i\xea\xccu h\xe0nh v\xe3n pho\xccng ca\xd2ng \xf5\xd2 Ha\xd2i Pho\xccng.", "Nguyễn Văn Hùng điều hành văn phòng cảng ở Hải Phòng."},
		{"iso-2022-jp", "a.txt", "\x1b$B;3ED2V;R\x1b(B.", "山田花子."},
		{"iso-2022-jp in html", "a.html", "<p>\x1b$B;3ED2V;R\x1b(B", "山田花子"},
		{"truncated utf-8", "a.txt", "Zoë 長\xe9\x95", "Zoë 長\ufffd"},
		{"utf-16 le", "a.txt", "\xff\xfeZ\x00o\x00\xeb\x00", "Zoë"},
		{"utf-16 be", "a.txt", "\xfe\xff\x00Z\x00o\x00\xeb", "Zoë"},
		{"utf-16 le without mark", "a.txt", "Z\x00o\x00\xeb\x00\n\x00", "Zoë\n"},
		{"utf-16 be without mark", "a.txt", "\x00Z\x00o\x00\xeb\x00\n", "Zoë\n"},
		{"line ends", "a.txt", "a\r\nb\rc\n", "a\nb\nc\n"},
		{"NUL after the sniffed bytes", "a.txt", strings.Repeat("text ", 2000) + "\x00.", strings.Repeat("text ", 2000) + "."},
		{"html meta", "a.html", "<meta charset=koi8-r><p>\xf0\xd2\xc9\xd7\xc5\xd4", "Привет"},
		{"html shift jis", "a.html", "<meta charset=shift_jis><p>\x93\xfa\x96{", "日本"},
		{"html with a wrong meta element", "a.html", "<meta charset=iso-8859-1><p>Zoë", "Zoë"},
		{"html without meta", "a.html", "<p>caf\xe9", "café"},
		{"unknown extension", "notes", "plain", "plain"},
	} {
		doc, err := read(t, tc.file, tc.raw)
		if err != nil || doc.Text != tc.want {
			t.Errorf("%s: text is %q, %v, want %q", tc.name, doc.Text, err, tc.want)
		}
	}
	for file, raw := range map[string]string{"a.txt": "PK\x03\x04\x00\x00", "prog": "\x7fELF\x02\x01\x01\x00", "b.md": "\xff\xfea\x00\x00\x00"} {
		if _, err := read(t, file, raw); err == nil || err.Error() != "read "+file+": binary data, not text" {
			t.Errorf("%s of %q returned %v, want binary data", file, raw, err)
		}
	}
}
