package source

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const letter = "From: =?utf-8?q?Zo=C3=AB?= Hale <zoe@example.org>\r\nTo: tobias@example.org\r\nSubject: =?utf-8?b?RMO8bmUgMTI=?=\r\nDate: Fri, 01 Mar 2024 09:15:00 +0100\r\n"

func TestReadEmail(t *testing.T) {
	t.Parallel()
	const head = "From: Zoë Hale <zoe@example.org>\nTo: tobias@example.org\nDate: 2024-03-01 09:15\nSubject: Düne 12\n\n"
	for _, tc := range []struct{ name, body, want string }{
		{"text", "\r\nThe ship sails at noon.\r\n", "The ship sails at noon."},
		{"encoded text in another character set", "Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nCaf=E9 at=\r\n noon.\r\n", "Café at noon."},
		{"UTF-8 with few letters that are not ASCII", "Content-Type: text/plain; charset=utf-8\r\n\r\n" + strings.Repeat("The ferry is late. ", 10) + "It’s café.", strings.Repeat("The ferry is late. ", 10) + "It’s café."},
		{"UTF-8 without a character set", "\r\nGröße in Köln.", "Größe in Köln."},
		{"UTF-8 as ASCII", "Content-Type: text/plain; charset=us-ascii\r\n\r\nGröße in Köln.", "Größe in Köln."},
		{"windows-1252 as UTF-8", "Content-Type: text/plain; charset=utf-8\r\n\r\nGr\xf6\xdfe in K\xf6ln.", "Größe in Köln."},
		{"windows-1252 as ISO 8859-1", "Content-Type: text/plain; charset=iso-8859-1\r\n\r\nPreis \x845 \x80\x93 \x96 gut.", "Preis „5 €“ – gut."},
		{"an unknown character set", "Content-Type: text/plain; charset=unknown-8bit\r\n\r\nGr\xf6\xdfe in K\xf6ln.", "Größe in Köln."},
		{"a character set for Japanese", "Content-Type: text/plain; charset=iso-2022-jp\r\n\r\n\x1b$BF|K\\\x1b(B", "日本"},
		{"a type without a subtype", "Content-Type: text\r\n\r\nThe ship.", "The ship."},
		{"HTML in UTF-8", "Content-Type: text/html; charset=utf-8\r\n\r\n<meta charset=iso-8859-2><p>" + strings.Repeat("The ferry is late. ", 10) + "It’s café.", strings.Repeat("The ferry is late. ", 10) + "It’s café."},
		{
			"texts one after another",
			"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nFirst.\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Second.</p>\r\n--b\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nCaf\xe9.\r\n--b--\r\n",
			"First.\n\nSecond.\n\nCafé.",
		},
		{"HTML alone", "Content-Type: text/html\r\n\r\n<p>The <b>ship</b></p><ul><li>sails</li></ul>", "The **ship**\n\n- sails"},
		{
			"alternatives and attachments", "Content-Type: multipart/mixed; boundary=A\r\n\r\n--A\r\nContent-Type: multipart/alternative; boundary=B\r\n\r\n--B\r\nContent-Type: text/plain\r\n\r\nPlain.\r\n--B\r\nContent-Type: text/html\r\n\r\n<p>Rich.</p>\r\n--B--\r\n" +
				"--A\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=\"plan.pdf\"\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERg==\r\n" +
				"--A\r\nContent-Type: message/rfc822\r\nContent-Disposition: attachment; filename=\"old.eml\"\r\n\r\nFrom: Anna Berg <anna@example.org>\r\nSubject: Old\r\n\r\nInner words.\r\n--A--\r\n",
			"Plain.\n\nFrom: Anna Berg <anna@example.org>\nSubject: Old\n\nInner words.\n\nAttachments: plan.pdf, old.eml",
		},
	} {
		doc, err := read(t, "a.eml", letter+tc.body)
		if diff := cmp.Diff(head+tc.want, doc.Text); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", tc.name, err, diff)
		}
		if doc.Title != "Düne 12" || doc.Date != "2024-03-01T09:15" || !strings.Contains(doc.Metadata["author"], "Zoë Hale") {
			t.Errorf("%s: title %q, date %q, metadata %v", tc.name, doc.Title, doc.Date, doc.Metadata)
		}
	}
	doc, err := read(t, "a.eml", "From: =?iso-8859-1?Q?Caf=E9_=80?= <a@b>\r\nTo: Andr\xe9\r\nSubject: Größe =?gb2312?B?1tDOxA==?=\r\n\r\nx")
	if want := "From: Café € <a@b>\nTo: André\nSubject: Größe 中文\n\nx"; err != nil || doc.Text != want {
		t.Errorf("headers: %q, %v, want %q", doc.Text, err, want)
	}
	if _, err := read(t, "a.eml", "hello\n"); err == nil || !strings.Contains(err.Error(), "not an email") {
		t.Errorf("no email: %v", err)
	}
}

func TestReadMailbox(t *testing.T) {
	t.Parallel()
	docs, failures, err := readAll(t, "a.mbox", "From zoe Fri Mar  1 09:15:00 2024\r\n"+letter+"\r\nOne.\r\n>From the sea.\r\nFrom here on.\r\n\r\nFrom there it sails at 10:00 in 2024.\r\n\r\nFrom x Sat Mar  2 09:15:00 2024\r\nnot a message\r\n\r\nFrom zoe\n"+letter+"\nTwo.\n", nil)
	var got []string
	for _, d := range docs {
		_, text, _ := strings.Cut(d.Text, "\n\n")
		got = append(got, fmt.Sprintf("%d|%s|%s|%s", d.Places.Row, d.Title, d.Date, text))
	}
	want := []string{"1|Düne 12|2024-03-01T09:15|One.\nFrom the sea.\nFrom here on.\n\nFrom there it sails at 10:00 in 2024.", "3|Düne 12|2024-03-01T09:15|Two."}
	if diff := cmp.Diff(want, got); diff != "" || err != nil || len(failures) != 1 || !strings.Contains(failures[0], "message 2: not an email") {
		t.Errorf("%v, %v (-want +got):\n%s", failures, err, diff)
	}
	if _, _, err := readAll(t, "a.mbox", "hello", nil); err == nil || !strings.Contains(err.Error(), "not a mailbox") {
		t.Errorf("no mailbox: %v", err)
	}
}

// Messages in messages, and parts in parts, end.
func TestNestedEmail(t *testing.T) {
	t.Parallel()
	var parts, messages strings.Builder
	parts.WriteString(letter)
	messages.WriteString(letter)
	for i := range 501 {
		fmt.Fprintf(&parts, "Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n", i, i)
		messages.WriteString("Content-Type: message/rfc822\r\n\r\nSubject: x\r\n")
	}
	if _, err := read(t, "a.eml", parts.String()+"\r\nwords\r\n"); err == nil || !strings.Contains(err.Error(), "more than 500") {
		t.Errorf("parts: %v", err)
	}
	if doc, err := read(t, "a.eml", messages.String()+"\r\nwords\r\n"); err != nil || len(doc.Text) > 1000 {
		t.Errorf("messages: %d bytes, %v", len(doc.Text), err)
	}
}
