package main

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/acme"

	"atelier/internal/killable"
)

// authority is a certificate authority as RFC 8555 describes one, as far as a server that proves itself by tls-alpn-01 (RFC 8737) needs
// it: it believes nothing that is not signed with an account's key over a nonce of its own, and issues a certificate for a name when
// who answers at dial proves to know of the order.
type authority struct {
	t     *testing.T
	dial  string        // where every name leads
	life  time.Duration // what is left of the next certificate's
	kept  string        // a file that must be there before the authority issues a certificate; "" = none
	http  *httptest.Server
	root  *x509.Certificate
	key   *ecdsa.PrivateKey
	roots *x509.CertPool

	mu       sync.Mutex
	nonces   map[string]bool
	accounts map[string]*ecdsa.PublicKey // by URL
	orders   []*acmeOrder
}

type acmeOrder struct {
	name, account, token, status string
	chain                        []byte // PEM
}

func newAuthority(t *testing.T, dial string) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority of a test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour * 9000),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	a := &authority{t: t, dial: dial, life: lifetime - time.Hour, key: key, roots: x509.NewCertPool(), nonces: map[string]bool{}, accounts: map[string]*ecdsa.PublicKey{}}
	if a.root, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	a.roots.AddCert(a.root)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /directory", a.directory)
	mux.HandleFunc("HEAD /nonce", a.nonce)
	mux.HandleFunc("POST /account", a.signed(a.account))
	mux.HandleFunc("POST /order", a.signed(a.order))
	for _, what := range []string{"order", "authorization", "challenge", "finalize", "certificate"} {
		mux.HandleFunc("POST /"+what+"/{n}", a.signed(a.about(what)))
	}
	a.http = httptest.NewServer(mux)
	t.Cleanup(a.http.Close)
	return a
}

// client is how the server reaches this authority.
func (a *authority) client() *acme.Client {
	return &acme.Client{DirectoryURL: a.http.URL + "/directory", HTTPClient: a.http.Client()}
}

// issued says how many certificates were made.
func (a *authority) issued() (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, o := range a.orders {
		if o.chain != nil {
			n++
		}
	}
	return n
}

func (a *authority) reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(v); err != nil {
		a.t.Error(err)
	}
}

func (a *authority) directory(w http.ResponseWriter, _ *http.Request) {
	a.reply(w, http.StatusOK, map[string]string{
		"newNonce": a.http.URL + "/nonce", "newAccount": a.http.URL + "/account", "newOrder": a.http.URL + "/order", "revokeCert": a.http.URL + "/none", "keyChange": a.http.URL + "/none",
	})
}

func (a *authority) nonce(w http.ResponseWriter, _ *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := rand.Text()
	a.nonces[n] = true
	w.Header().Set("Replay-Nonce", n)
}

// said is what a request says once its signature is checked.
type said struct {
	account string
	key     *ecdsa.PublicKey
	payload []byte
}

// signed checks the envelope of a request (RFC 8555, section 6.2): nonce, address and signature.
func (a *authority) signed(next func(http.ResponseWriter, *http.Request, said)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Protected, Payload, Signature string }
		var head struct {
			Alg, Nonce, URL, Kid string
			JWK                  *struct{ X, Y string }
		}
		err := json.NewDecoder(r.Body).Decode(&body)
		text := func(s string) []byte {
			raw, derr := base64.RawURLEncoding.DecodeString(s)
			if derr != nil {
				err = derr
			}
			return raw
		}
		if err == nil {
			err = json.Unmarshal(text(body.Protected), &head)
		}
		a.mu.Lock()
		fresh := a.nonces[head.Nonce]
		delete(a.nonces, head.Nonce)
		key := a.accounts[head.Kid]
		a.mu.Unlock()
		if head.JWK != nil {
			given, kerr := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), slices.Concat([]byte{4}, text(head.JWK.X), text(head.JWK.Y)))
			key, err = given, errors.Join(err, kerr)
		}
		sum, sig := sha256.Sum256([]byte(body.Protected+"."+body.Payload)), text(body.Signature)
		a.nonce(w, r)
		if err != nil || !fresh || head.Alg != "ES256" || head.URL != a.http.URL+r.URL.Path || key == nil || len(sig) != 64 ||
			!ecdsa.Verify(key, sum[:], new(big.Int).SetBytes(sig[:32]), new(big.Int).SetBytes(sig[32:])) {
			a.t.Errorf("%s is not signed as it should be: %+v, %v", r.URL.Path, head, err)
			a.reply(w, http.StatusBadRequest, map[string]string{"type": "urn:ietf:params:acme:error:malformed"})
			return
		}
		next(w, r, said{head.Kid, key, text(body.Payload)})
	}
}

func (a *authority) account(w http.ResponseWriter, _ *http.Request, s said) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for url, key := range a.accounts {
		if key.Equal(s.key) {
			w.Header().Set("Location", url)
			a.reply(w, http.StatusOK, map[string]string{"status": "valid"})
			return
		}
	}
	url := fmt.Sprintf("%s/account/%d", a.http.URL, len(a.accounts))
	a.accounts[url] = s.key
	w.Header().Set("Location", url)
	a.reply(w, http.StatusCreated, map[string]string{"status": "valid"})
}

func (a *authority) order(w http.ResponseWriter, _ *http.Request, s said) {
	var body struct {
		Identifiers []struct{ Type, Value string }
	}
	if err := json.Unmarshal(s.payload, &body); err != nil || len(body.Identifiers) != 1 || body.Identifiers[0].Type != "dns" {
		a.t.Errorf("an order is %s, %v", s.payload, err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.orders = append(a.orders, &acmeOrder{name: body.Identifiers[0].Value, account: s.account, token: rand.Text(), status: "pending"})
	n := len(a.orders) - 1
	w.Header().Set("Location", fmt.Sprintf("%s/order/%d", a.http.URL, n))
	a.reply(w, http.StatusCreated, a.shown(n))
}

// shown is an order as its account sees it.
func (a *authority) shown(n int) map[string]any {
	o := a.orders[n]
	at := func(what string) string { return fmt.Sprintf("%s/%s/%d", a.http.URL, what, n) }
	out := map[string]any{
		"status": o.status, "identifiers": []any{map[string]string{"type": "dns", "value": o.name}}, "authorizations": []string{at("authorization")}, "finalize": at("finalize"),
	}
	if o.chain != nil {
		out["certificate"] = at("certificate")
	}
	return out
}

// about answers what is asked about one order.
func (a *authority) about(what string) func(http.ResponseWriter, *http.Request, said) {
	return func(w http.ResponseWriter, r *http.Request, s said) {
		var n int
		_, err := fmt.Sscan(path.Base(r.URL.Path), &n)
		a.mu.Lock()
		defer a.mu.Unlock()
		if err != nil || n >= len(a.orders) || a.orders[n].account != s.account {
			a.t.Errorf("%s is another's", r.URL.Path)
			return
		}
		o := a.orders[n]
		switch what {
		case "challenge":
			if err := a.prove(o, s.key); err != nil {
				a.t.Errorf("%s does not prove itself: %v", o.name, err)
				o.status = "invalid"
			} else {
				o.status = "ready"
			}
			fallthrough
		case "authorization":
			status := map[string]string{"pending": "pending", "invalid": "invalid"}[o.status]
			if status == "" {
				status = "valid"
			}
			challenge := map[string]string{"type": "tls-alpn-01", "url": fmt.Sprintf("%s/challenge/%d", a.http.URL, n), "token": o.token, "status": status}
			if what == "challenge" {
				a.reply(w, http.StatusOK, challenge)
				return
			}
			a.reply(w, http.StatusOK, map[string]any{"status": status, "identifier": map[string]string{"type": "dns", "value": o.name}, "challenges": []any{challenge}})
		case "finalize":
			var body struct{ CSR string }
			if err := json.Unmarshal(s.payload, &body); err != nil || o.status != "ready" {
				a.t.Errorf("an order that is %s is finalized, %v", o.status, err)
				return
			}
			if err := a.issue(o, body.CSR); err != nil {
				a.t.Error(err)
			}
			fallthrough
		case "order":
			w.Header().Set("Location", fmt.Sprintf("%s/order/%d", a.http.URL, n))
			a.reply(w, http.StatusOK, a.shown(n))
		case "certificate":
			w.Header().Set("Content-Type", "application/pem-certificate-chain")
			if _, err := w.Write(o.chain); err != nil {
				a.t.Error(err)
			}
		}
	}
}

// prove looks whether the server at the name shows the proof of the order (RFC 8737, section 3).
func (a *authority) prove(o *acmeOrder, key crypto.PublicKey) error {
	print, err := acme.JWKThumbprint(key)
	if err != nil {
		return err
	}
	conn, err := (&tls.Dialer{NetDialer: &net.Dialer{Timeout: 10 * time.Second}, Config: &tls.Config{
		ServerName: o.name, NextProtos: []string{acme.ALPNProto}, InsecureSkipVerify: true, // the proof stands in a certificate that nobody signed
	}}).DialContext(a.t.Context(), "tcp", a.dial)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	shown, ok := conn.(*tls.Conn)
	if !ok || shown.ConnectionState().NegotiatedProtocol != acme.ALPNProto {
		return fmt.Errorf("it does not speak %s", acme.ALPNProto)
	}
	leaf := shown.ConnectionState().PeerCertificates[0]
	want := sha256.Sum256([]byte(o.token + "." + print))
	for _, e := range leaf.Extensions {
		var got []byte
		if e.Id.Equal(asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 1, 31}) && e.Critical {
			if _, err := asn1.Unmarshal(e.Value, &got); err == nil && string(got) == string(want[:]) && len(leaf.DNSNames) == 1 && leaf.DNSNames[0] == o.name {
				return nil
			}
		}
	}
	return fmt.Errorf("the certificate of %v holds no proof", leaf.DNSNames)
}

func (a *authority) issue(o *acmeOrder, csr string) error {
	raw, err := base64.RawURLEncoding.DecodeString(csr)
	if err != nil {
		return err
	}
	request, err := x509.ParseCertificateRequest(raw)
	if err != nil {
		return err
	}
	if err := request.CheckSignature(); err != nil || len(request.DNSNames) != 1 || request.DNSNames[0] != o.name {
		return fmt.Errorf("the request is for %v, %w", request.DNSNames, err)
	}
	if a.kept != "" && a.life > lifetime/2 { // it is the renewal's
		if err := appears(a.kept); err != nil {
			return err
		}
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), DNSNames: request.DNSNames, NotBefore: time.Now().Add(a.life - lifetime), NotAfter: time.Now().Add(a.life),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.root, request.PublicKey, a.key)
	if err != nil {
		return err
	}
	o.chain = append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.root.Raw})...)
	o.status, a.life = "valid", lifetime-time.Hour
	return nil
}

// appears waits until a file is there, a minute at most.
func appears(path string) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	late := time.After(time.Minute)
	for {
		if _, err := os.Stat(path); err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-late:
			return fmt.Errorf("%s does not appear", path)
		}
	}
}

// lifetime is how long certificates are valid.
const lifetime = 90 * 24 * time.Hour

// secureServer serves with fetched certificates, the address it is told, until the test or stop ends it.
func secureServer(t *testing.T, c config, a *authority) (stop func()) {
	t.Helper()
	secure, err := fetched(c, a.client())
	if err != nil {
		t.Fatal(err)
	}
	l := &listener{address: a.dial, handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }), tls: secure}
	if err := l.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- serveAll(ctx, []*listener{l}, ordinary, func() {}, slog.New(slog.DiscardHandler)) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// presented is the certificate that a browser is shown under a name; nil when the connection is refused.
func presented(t *testing.T, a *authority, name string) *x509.Certificate {
	t.Helper()
	conn, err := (&tls.Dialer{Config: &tls.Config{ServerName: name, RootCAs: a.roots}}).DialContext(t.Context(), "tcp", a.dial)
	if err != nil {
		t.Log(err)
		return nil
	}
	defer func() { _ = conn.Close() }()
	if c, ok := conn.(*tls.Conn); ok {
		return c.ConnectionState().PeerCertificates[0]
	}
	return nil
}

// ATELIER_TLS_AUTO: a certificate is fetched when the first browser comes, is used by the next one and after a restart, and is
// renewed before it ends; nobody else can read the keys.
func TestACertificateIsFetchedKeptAndRenewed(t *testing.T) {
	t.Parallel()
	const name = "studio.example.com"
	a := newAuthority(t, killable.Address(t))
	c := config{TLSAuto: true, PublicURL: "https://" + name, Data: t.TempDir()}
	stop := secureServer(t, c, a)
	first := presented(t, a, name)
	if first == nil || a.issued() != 1 {
		t.Fatalf("no certificate, %d were issued", a.issued())
	}
	if again := presented(t, a, name); again == nil || !again.Equal(first) {
		t.Error("the second browser is shown another certificate")
	}
	for _, other := range []string{"other.example.com", "localhost"} {
		if presented(t, a, other) != nil || a.issued() != 1 {
			t.Errorf("%s has a certificate too", other)
		}
	}
	stop()
	stop = secureServer(t, c, a)
	if kept := presented(t, a, name); kept == nil || !kept.Equal(first) || a.issued() != 1 {
		t.Errorf("after a restart another certificate is shown; %d were issued", a.issued())
	}
	stop()

	folder := filepath.Join(c.Data, "certificates")
	keys := 0
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s can be read by others: %v", path, info.Mode())
		}
		if d.IsDir() {
			return nil
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), "PRIVATE KEY") {
			keys++
		}
		return err
	})
	if err != nil || keys != 2 {
		t.Errorf("%d files hold a key, want the account's and the certificate's: %v", keys, err)
	}

	// One with ten of its ninety days left is renewed at once, without anybody waiting for it.
	if err := os.Remove(filepath.Join(folder, name)); err != nil {
		t.Fatal(err)
	}
	// autocert begins to renew it before it has kept the first one: the authority waits, or the first one would replace the renewed one.
	a.life, a.kept = 10*24*time.Hour, filepath.Join(folder, name)
	stop = secureServer(t, c, a)
	old := presented(t, a, name)
	if old == nil || time.Until(old.NotAfter) > 11*24*time.Hour {
		t.Fatal("the authority did not issue what this test needs")
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	var renewed *x509.Certificate
	for renewed = old; renewed != nil && renewed.Equal(old); renewed = presented(t, a, name) {
		select {
		case <-tick.C:
		case <-time.After(time.Minute):
			t.Fatal("it is not renewed")
		}
	}
	stop()
	secureServer(t, c, a)
	if kept := presented(t, a, name); kept == nil || !kept.Equal(renewed) || a.issued() != 3 {
		t.Errorf("after a restart the renewed certificate is not shown; %d were issued", a.issued())
	}
}
