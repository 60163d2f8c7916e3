package service

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strconv"

	"atelier/service/gen"
)

// stored is JSON that stands in a row, initParams or params, as an answer holds it: what is short is at hand; what is long,
// such as a mask, stays in its row until the answer is sent.
type stored struct {
	text  string // "" for what is long
	bytes int64
	long  *longTexts
	// read gives at most so many characters from the first on, which is counted from 1.
	read func(ctx context.Context, q *gen.Queries, first, characters int32) (string, error)
}

// MarshalJSON is part of json.Marshaler.
func (t stored) MarshalJSON() ([]byte, error) {
	if int64(len(t.text)) == t.bytes {
		return []byte(t.text), nil
	}
	return t.long.leave(t), nil
}

// input is what a task was created with.
func (v view) input(t taskHead) stored {
	return stored{text: t.Input, bytes: t.InputBytes, long: v.long, read: func(ctx context.Context, q *gen.Queries, first, characters int32) (string, error) {
		return q.ReadTaskInput(ctx, gen.ReadTaskInputParams{ID: t.ID, First: first, Characters: characters})
	}}
}

// params is what an execution was asked for with.
func (v view) params(e executionHead) stored {
	return stored{text: e.Params, bytes: e.ParamsBytes, long: v.long, read: func(ctx context.Context, q *gen.Queries, first, characters int32) (string, error) {
		return q.ReadParams(ctx, gen.ReadParamsParams{ID: e.ID, First: first, Characters: characters})
	}}
}

// longTexts are the long texts of one answer. While the answer is encoded a mark stands in the place of each, and only when it
// is sent they are read, piece by piece: so an answer takes the memory of its short parts and of one piece, whatever its rows
// hold. The texts of a row never change.
type longTexts struct {
	mark  string // that nothing which came in can hold
	texts []stored
}

// leave gives what stands for a text in the encoded answer.
func (l *longTexts) leave(t stored) []byte {
	if l.mark == "" {
		l.mark = rand.Text()
	}
	l.texts = append(l.texts, t)
	return strconv.AppendQuote(nil, l.mark)
}

// outgoing is an encoded answer, ready to be sent.
type outgoing struct {
	between [][]byte // what stands before, between and after the texts
	texts   []stored
	bytes   int64 // of all
}

// encodeAnswer encodes an answer whose long texts are left in their rows; long may be nil.
func encodeAnswer(body any, long *longTexts) (outgoing, error) {
	data, err := encodeJSON(body)
	if err != nil {
		return outgoing{}, err
	}
	if long == nil || len(long.texts) == 0 {
		return outgoing{between: [][]byte{data}, bytes: int64(len(data))}, nil
	}
	o := outgoing{between: bytes.Split(data, strconv.AppendQuote(nil, long.mark)), texts: long.texts}
	if len(o.between) != len(o.texts)+1 {
		return outgoing{}, errors.New("encode an answer: its long texts do not stand where they were left")
	}
	for _, b := range o.between {
		o.bytes += int64(len(b))
	}
	for _, t := range o.texts {
		o.bytes += t.bytes
	}
	return o, nil
}

// reader gives the answer's bytes. It fails when a row whose text is still to come is deleted meanwhile.
func (o outgoing) reader(ctx context.Context, q *gen.Queries) io.Reader {
	parts := make([]io.Reader, 0, 2*len(o.between))
	for i, b := range o.between {
		parts = append(parts, bytes.NewReader(b))
		if i < len(o.texts) {
			parts = append(parts, &textReader{ctx: ctx, q: q, text: o.texts[i]})
		}
	}
	return io.MultiReader(parts...)
}

// send writes what the answer's reader gives. Texts go out in large blocks: of a string that is handed to it, a response of
// net/http writes four kilobytes at a time.
func (o outgoing) send(w io.Writer, from io.Reader) error {
	if len(o.texts) == 0 {
		_, err := io.Copy(w, from)
		return err
	}
	blocks := bufio.NewWriterSize(struct{ io.Writer }{w}, 64<<10)
	_, err := io.Copy(blocks, from)
	return errors.Join(err, blocks.Flush())
}

// pieceCharacters is how much of a long text is in memory at once.
const pieceCharacters = 1 << 20

// textReader reads a long text out of its row.
type textReader struct {
	ctx   context.Context
	q     *gen.Queries
	text  stored
	piece string // what is left of the last one
	asked int32  // characters
	got   int64  // bytes
}

// Read is part of io.Reader.
func (r *textReader) Read(p []byte) (int, error) {
	if err := r.fetch(); err != nil {
		return 0, err
	}
	n := copy(p, r.piece)
	r.piece = r.piece[n:]
	return n, nil
}

// WriteTo is part of io.WriterTo: pieces go out as they are read.
func (r *textReader) WriteTo(w io.Writer) (sent int64, err error) {
	for {
		if err := r.fetch(); errors.Is(err, io.EOF) {
			return sent, nil
		} else if err != nil {
			return sent, err
		}
		n, err := io.WriteString(w, r.piece)
		r.piece, sent = r.piece[n:], sent+int64(n)
		if err != nil {
			return sent, fmt.Errorf("send a long text: %w", err)
		}
	}
}

// fetch sees that there is something to give; io.EOF says that all was given.
func (r *textReader) fetch() error {
	switch {
	case r.piece != "":
		return nil
	case r.got == r.text.bytes:
		return io.EOF
	}
	piece, err := r.text.read(r.ctx, r.q, r.asked+1, pieceCharacters)
	if err == nil && piece == "" {
		err = errors.New("it is shorter than it was")
	}
	if err != nil {
		return fmt.Errorf("read a long text: %w", err)
	}
	r.piece, r.asked, r.got = piece, r.asked+pieceCharacters, r.got+int64(len(piece))
	return nil
}
