package main

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"

	"atelier/internal/outbound"
)

// certificates says how we speak TLS: with the operator's files, with a certificate that is fetched for the public name and
// renewed, or not at all (nil).
func certificates(c config, logger *slog.Logger) (*tls.Config, error) {
	switch {
	case c.TLSCert != "":
		p := &pair{cert: c.TLSCert, key: c.TLSKey, logger: logger}
		if err := p.load(p.written()); err != nil {
			return nil, err
		}
		return &tls.Config{GetCertificate: p.current, MinVersion: tls.VersionTLS12}, nil
	case c.TLSAuto:
		return fetched(c, &acme.Client{DirectoryURL: autocert.DefaultACMEDirectory, HTTPClient: outbound.New(outbound.Policy{}).HTTP(), UserAgent: "atelier"})
	}
	return nil, nil //nolint:nilnil // nil is how net/http says that there is no TLS
}

// pair is a certificate and its key in the operator's files. Whoever renews them need not start the server again.
type pair struct {
	cert, key string
	logger    *slog.Logger

	mu     sync.Mutex
	loaded [2]fileState // of the files, when they were last read
	tls    *tls.Certificate
}

// fileState tells one content of a file from the next.
type fileState struct {
	at   time.Time
	size int64
}

// written says how the files are now; a file that is not there is as the zero one.
func (p *pair) written() (now [2]fileState) {
	for i, name := range []string{p.cert, p.key} {
		if info, err := os.Stat(name); err == nil {
			now[i] = fileState{info.ModTime(), info.Size()}
		}
	}
	return now
}

// load reads the files.
func (p *pair) load(state [2]fileState) error {
	p.loaded = state
	read, err := tls.LoadX509KeyPair(p.cert, p.key)
	if err != nil {
		return fmt.Errorf("read the certificate (ATELIER_TLS_CERT, ATELIER_TLS_KEY): %w", err)
	}
	p.tls = &read
	return nil
}

// current gives the certificate for a connection. The last good one serves while the files are being renewed, or are broken.
func (p *pair) current(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.written(); now != p.loaded {
		if err := p.load(now); err != nil {
			p.logger.Error("the certificate has changed and cannot be used; the one before goes on serving", "error", err)
		} else {
			p.logger.Info("the certificate has changed and is used from now on")
		}
	}
	return p.tls, nil
}

// fetched has certificates for the public name, and no other, fetched from an authority and renewed; they and their keys are kept in the
// data folder, where only this user can read them.
func fetched(c config, authority *acme.Client) (*tls.Config, error) {
	public, err := url.Parse(c.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("read the public address: %w", err)
	}
	m := &autocert.Manager{
		Prompt: autocert.AcceptTOS, Cache: autocert.DirCache(filepath.Join(c.Data, "certificates")), HostPolicy: autocert.HostWhitelist(public.Hostname()), Client: authority,
	}
	config := m.TLSConfig()
	config.MinVersion = tls.VersionTLS12
	return config, nil
}
