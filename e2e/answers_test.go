package e2e

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// answer is what the page hears in place of the server's answer.
type answer struct {
	Match string `json:"match"` // regular expression of the method and the address, as in "GET /api/tasks"
	How   string `json:"how"`   // hold: none ever; fail: 500; merge: its own with what Body has; "": Body
	Body  any    `json:"body,omitempty"`
}

// answering stands before fetch.
const answering = `(() => {
	const real = window.fetch;
	const answer = (status, body) => new Response(JSON.stringify(body), {status, headers: {"Content-Type": "application/json"}});
	window.fetch = async (address, options) => {
		const asked = (options?.method || "GET") + " " + address;
		const a = JSON.parse(sessionStorage.getItem("answers") || "[]").find(a => new RegExp(a.match).test(asked));
		switch (a?.how) {
		case undefined: return real(address, options);
		case "hold": return new Promise(() => {});
		case "fail": return answer(500, {error: {code: "internal", message: "Something went wrong in the studio.", requestId: "1"}});
		case "merge": return answer(200, {...await (await real(address, options)).json(), ...a.body});
		}
		return answer(200, a.body);
	};
})()`

// answered makes every page that is loaded from now on hear what answers says.
func (b *tab) answered() {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: answering}); err != nil {
		b.t.Fatal(err)
	}
}

// answers sets what is heard in place of the server's answers, by this page and those after it. The first that matches counts.
func (b *tab) answers(list ...answer) {
	b.t.Helper()
	data, err := json.Marshal(append([]answer{}, list...))
	if err != nil {
		b.t.Fatal(err)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`sessionStorage.setItem("answers", ` + strconv.Quote(string(data)) + `)`))
}

// Every page while its lists are on their way, and when they cannot be had.
func TestPagesThatWaitOrFailCanBeUsedByEverybody(t *testing.T) {
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.answered()
	b.signIn(s)
	for how, shown := range map[string]string{"hold": ".skeleton", "fail": ":is(.empty, .field__note)"} {
		b.answers(answer{Match: "GET /api/(agents|runs|results|boards|tasks|assets|months|fashion-models)", How: how})
		b.open(s, "/")
		for _, page := range []struct{ name, in string }{{"studio", ".inspector"}, {"gallery", ".gallery"}, {"boards", ".boards"}, {"library", ".library"}, {"tasks", ".tasks"}} {
			b.click("nav-" + page.name)
			b.waitFor(page.in + " " + shown)
			b.audited("access-" + page.name + "-" + how)
		}
	}
	b.answers(answer{Match: "GET /api/session$", How: "fail"})
	b.do(chromedp.Reload())
	b.waitFor(sel("trouble"))
	b.audited("access-trouble")
}
