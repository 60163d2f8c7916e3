package main

import (
	"crypto/tls"
	"fmt"
	"net/url"
	"path/filepath"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"

	"atelier/internal/outbound"
)

// certificates says how we speak TLS: with the operator's files, with a certificate that is fetched for the public name and
// renewed, or not at all (nil).
func certificates(c config) (*tls.Config, error) {
	switch {
	case c.TLSCert != "":
		pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
		if err != nil {
			return nil, fmt.Errorf("read the certificate (ATELIER_TLS_CERT, ATELIER_TLS_KEY): %w", err)
		}
		return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
	case c.TLSAuto:
		return fetched(c, &acme.Client{DirectoryURL: autocert.DefaultACMEDirectory, HTTPClient: outbound.New(outbound.Policy{}).HTTP(), UserAgent: "atelier"})
	}
	return nil, nil //nolint:nilnil // nil is how net/http says that there is no TLS
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
