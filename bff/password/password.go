// Package password keeps passwords as Argon2id hashes, says which ones are too easy, and makes some up.
package password

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/crypto/argon2"
)

// The cost of a hash: the least that the OWASP Password Storage Cheat Sheet recommends for Argon2id.
const (
	memory  = 19 << 10 // KiB
	passes  = 2
	threads = 1
	saltLen = 16 // bytes
	keyLen  = 32 // bytes
)

// What a stored hash may ask for at most: a damaged row must not take the memory of the machine.
const (
	maxMemory = 256 << 10 // KiB
	maxPasses = 16
)

// atOnce is how many hashes are computed at the same time: each takes 19 MiB.
const atOnce = 2

// Hasher computes and compares hashes, two at a time. It is safe for concurrent use.
type Hasher struct{ slots chan struct{} }

// NewHasher makes a Hasher.
func NewHasher() *Hasher { return &Hasher{slots: make(chan struct{}, atOnce)} }

// ErrHash is in the chain of every error about a stored hash that cannot be read.
var ErrHash = errors.New("not an Argon2id hash")

// Hash gives the hash of a password with a fresh salt, in PHC form. It waits for a free place as long as ctx lets it.
func (h *Hasher) Hash(ctx context.Context, plain string) (string, error) {
	var salt [saltLen]byte
	if _, err := rand.Read(salt[:]); err != nil {
		return "", fmt.Errorf("make a salt: %w", err)
	}
	key, err := h.key(ctx, plain, cost{memory, passes, threads, salt[:], keyLen})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, memory, passes, threads,
		base64.RawStdEncoding.EncodeToString(salt[:]), base64.RawStdEncoding.EncodeToString(key)), nil
}

// Matches says whether a password belongs to a hash. With hash "", for a name that nobody has, it takes just as long and says
// no.
func (h *Hasher) Matches(ctx context.Context, hash, plain string) (bool, error) {
	c, want := cost{memory, passes, threads, make([]byte, saltLen), keyLen}, []byte(nil)
	if hash != "" {
		var err error
		if c, want, err = parse(hash); err != nil {
			return false, err
		}
	}
	got, err := h.key(ctx, plain, c)
	if err != nil {
		return false, err
	}
	return hash != "" && subtle.ConstantTimeCompare(got, want) == 1, nil
}

type cost struct {
	memory, passes uint32
	threads        uint8
	salt           []byte
	length         uint32
}

func (h *Hasher) key(ctx context.Context, plain string, c cost) ([]byte, error) {
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to hash a password: %w", ctx.Err())
	}
	defer func() { <-h.slots }()
	return argon2.IDKey([]byte(plain), c.salt, c.passes, c.memory, c.threads, c.length), nil
}

// parse reads a hash in PHC form.
func parse(hash string) (cost, []byte, error) {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != "v="+strconv.Itoa(argon2.Version) {
		return cost{}, nil, ErrHash
	}
	var c cost
	if n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &c.memory, &c.passes, &c.threads); err != nil || n != 3 {
		return cost{}, nil, fmt.Errorf("%w: its cost cannot be read", ErrHash)
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return cost{}, nil, fmt.Errorf("%w: its salt cannot be read", ErrHash)
	}
	key, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil {
		return cost{}, nil, fmt.Errorf("%w: its key cannot be read", ErrHash)
	}
	if c.memory < 8 || c.memory > maxMemory || c.passes < 1 || c.passes > maxPasses || c.threads < 1 || c.threads > 16 || len(salt) < 8 || len(key) < 16 || len(key) > 64 {
		return cost{}, nil, fmt.Errorf("%w: its cost is out of bounds", ErrHash)
	}
	c.salt, c.length = salt, uint32(len(key))
	return c, key, nil
}
