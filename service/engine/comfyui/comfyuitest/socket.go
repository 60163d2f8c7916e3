package comfyuitest

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/gorilla/websocket"
)

// patience bounds how long one message may take to be written.
const patience = 10 * time.Second

// socket is a client's websocket. It is written to under the server's lock.
type socket struct{ conn *websocket.Conn }

// shut closes the socket; one that is closed already stays so.
func (c *socket) shut() { _ = c.conn.Close() }

// socket opens the events of a client. A second one with the same id takes over.
func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	conn, err := s.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	id, own := r.URL.Query().Get("clientId"), &socket{conn}
	defer own.shut()
	s.mu.Lock()
	s.sockets[id] = own
	s.send(id, "status", map[string]any{"status": s.remaining(), "sid": id})
	s.mu.Unlock()
	select {
	case s.Opened <- struct{}{}:
	default:
	}
	for {
		if _, _, err := conn.ReadMessage(); err != nil {
			break
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sockets[id] == own {
		delete(s.sockets, id)
	}
}

// Listeners is how many websockets are open.
func (s *Server) Listeners() int { s.mu.Lock(); defer s.mu.Unlock(); return len(s.sockets) }

func (s *Server) remaining() map[string]any {
	n := len(s.pending)
	if s.running != nil {
		n++
	}
	return map[string]any{"exec_info": map[string]any{"queue_remaining": n}}
}

// status tells every client the length of the queue. The caller holds the lock.
func (s *Server) status() {
	for id := range s.sockets {
		s.send(id, "status", map[string]any{"status": s.remaining()})
	}
}

// send writes an event to a client, if it listens. The caller holds the lock.
func (s *Server) send(client, kind string, data map[string]any) {
	text, err := json.Marshal(map[string]any{"type": kind, "data": data})
	if err == nil {
		s.write(client, websocket.TextMessage, text)
	}
}

// preview writes a binary frame: four bytes of its kind, then a picture.
func (s *Server) preview(client string) {
	s.write(client, websocket.BinaryMessage, []byte{0, 0, 0, 1, 0, 0, 0, 1, 0xff, 0xd8})
}

func (s *Server) write(client string, kind int, data []byte) {
	c, ok := s.sockets[client]
	if !ok {
		return
	}
	if c.conn.SetWriteDeadline(time.Now().Add(patience)) != nil || c.conn.WriteMessage(kind, data) != nil {
		s.drop(client)
	}
}

// drop closes a client's websocket. The caller holds the lock.
func (s *Server) drop(client string) {
	if c, ok := s.sockets[client]; ok {
		c.shut()
		delete(s.sockets, client)
	}
}
