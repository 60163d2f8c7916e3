package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"atelier/imaging/video"
	"atelier/service"
	"atelier/upstream"
)

// studioAccount owns everything the studio itself makes on the embedded service.
const studioAccount = "studio"

func serviceFolder(cfg config) string { return filepath.Join(cfg.Data, "service") }

// openService opens the embedded image service.
func openService(ctx context.Context, cfg config, tool *video.Tool, panics *atomic.Int64, logger *slog.Logger) (*service.Service, error) {
	return service.Open(ctx, service.Config{
		Folder: serviceFolder(cfg), PublicURL: cfg.PublicURL, Hosts: allowedHosts(cfg), AssetHosts: cfg.AssetHosts, CallbackHosts: cfg.AssetHosts,
		DownloadURL: cfg.DownloadURL, Video: tool, Agents: cfg.Agents, Switches: cfg.Switches, Logger: logger.With("part", "service"),
		Panicked: func() { panics.Add(1) },
	})
}

// studioKey gives the key the studio uses at the embedded service, made at the first start. Lists are scoped to the key
// that created a task, so it must stay the same; it is a file that only this user can read.
func studioKey(folder string) (upstream.Secret, error) {
	key, err := secretFile(filepath.Join(folder, "studio.key"))
	return upstream.Secret(key), err
}

const keysUsage = "usage: atelier keys create NAME | list | revoke ID"

// keys manages the keys of outside clients of the embedded service.
func keys(ctx context.Context, cfg config, logger *slog.Logger, args []string, w io.Writer) (err error) {
	if len(args) == 0 {
		return errors.New(keysUsage)
	}
	if args[0] != "create" && !exists(filepath.Join(serviceFolder(cfg), "service.db")) {
		return fmt.Errorf("there is no image service in %s; ATELIER_DATA says where it is", cfg.Data)
	}
	s, err := openService(ctx, cfg, nil, new(atomic.Int64), logger)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	switch {
	case args[0] == "create" && len(args) == 2:
		return createKey(ctx, s, args[1], w)
	case args[0] == "list" && len(args) == 1:
		return listKeys(ctx, s, w)
	case args[0] == "revoke" && len(args) == 2:
		if err := s.RevokeKey(ctx, args[1]); err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "The key %s is refused from now on. What was made with it stays with its account.\n", args[1])
		return err
	}
	return errors.New(keysUsage)
}

// createKey makes a key for an outside client. A name that is there already is an account with one key more, which sees what the
// others have made.
func createKey(ctx context.Context, s *service.Service, account string, w io.Writer) error {
	if strings.EqualFold(strings.TrimSpace(account), studioAccount) {
		return fmt.Errorf("%q is the account of the studio itself: a key of it could see and delete what everybody in the studio has made. Choose another name", account)
	}
	list, err := s.ListKeys(ctx)
	if err != nil {
		return err
	}
	raw, key, err := s.CreateKey(ctx, account, account)
	if err != nil {
		return err
	}
	whose := fmt.Sprintf("the new account %q", account)
	if slices.ContainsFunc(list, func(k service.Key) bool { return k.Account == account }) {
		whose = fmt.Sprintf("the account %q, which had keys before", account)
	}
	_, err = fmt.Fprintf(w, "%s\n\nThis is the key %s of %s. It is shown this once; send it as it is in the header Authorization.\n", raw, key.ID, whose)
	return err
}

func listKeys(ctx context.Context, s *service.Service, w io.Writer) error {
	list, err := s.ListKeys(ctx)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(t, "ID\tACCOUNT\tNAME\tKEY\tCREATED\tREVOKED"); err != nil {
		return err
	}
	for _, k := range list {
		revoked := ""
		if !k.RevokedAt.IsZero() {
			revoked = k.RevokedAt.Format(time.DateTime)
		}
		if _, err := fmt.Fprintf(t, "%s\t%s\t%s\t…%s\t%s\t%s\n", k.ID, k.Account, k.Name, k.Last4, k.CreatedAt.Format(time.DateTime), revoked); err != nil {
			return err
		}
	}
	return t.Flush()
}
