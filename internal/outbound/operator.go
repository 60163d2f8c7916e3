package outbound

import (
	"crypto/tls"
	"net"
	"net/http"
	"time"

	"github.com/gorilla/websocket"
)

// Operator gives a client for a server whose address the operator configures, wherever it lies. It uses no proxy and
// follows no redirects. A request lasts as long as its context lets it, the wait for the answer's header included: a
// synchronous server answers when its work is done.
func Operator() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                  nil,
			DialContext:            operatorDialer().DialContext,
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout:    10 * time.Second,
			ForceAttemptHTTP2:      true,
			MaxIdleConnsPerHost:    8,
			IdleConnTimeout:        30 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// OperatorSocket gives a dialer for websockets of such a server, under the same rules.
func OperatorSocket() *websocket.Dialer {
	return &websocket.Dialer{
		NetDialContext:   operatorDialer().DialContext,
		TLSClientConfig:  &tls.Config{MinVersion: tls.VersionTLS12},
		HandshakeTimeout: 10 * time.Second,
	}
}

func operatorDialer() *net.Dialer {
	return &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
}
