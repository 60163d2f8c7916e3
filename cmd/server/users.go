package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"atelier/atelier"
	"atelier/bff"
	"atelier/bff/password"
	"atelier/db"
)

const usersUsage = "usage: atelier users list | create NAME [viewer|designer|admin] | role NAME ROLE | password NAME | disable NAME | enable NAME | allow NAME RESULTS-A-MONTH|any"

// users manages accounts from the terminal of the server, also while it runs: sockets of sessions that end close within two
// seconds.
func users(ctx context.Context, cfg config, args []string, w io.Writer) (err error) {
	if len(args) == 0 || args[0] != "list" && len(args) < 2 {
		return errors.New(usersUsage)
	}
	if args[0] != "create" && !exists(filepath.Join(cfg.Data, "studio.db")) {
		return fmt.Errorf("there is no studio in %s; ATELIER_DATA says where it is", cfg.Data)
	}
	data, err := db.Open(ctx, filepath.Join(cfg.Data, "studio.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, data.Close()) }()
	command, rest := args[0], args[1:]
	switch {
	case command == "list" && len(rest) == 0:
		return listUsers(ctx, data, w)
	case command == "create" && len(rest) <= 2:
		return createUser(ctx, data, rest[0], rest[1:], w)
	case command == "role" && len(rest) == 2:
		role, err := roleOf(rest[1])
		if err != nil {
			return err
		}
		return changeUser(ctx, data, rest[0], db.AccountChange{Role: &role}, w)
	case command == "disable" && len(rest) == 1, command == "enable" && len(rest) == 1:
		disabled := command == "disable"
		return changeUser(ctx, data, rest[0], db.AccountChange{Disabled: &disabled}, w)
	case command == "allow" && len(rest) == 2:
		return allowUser(ctx, data, rest[0], rest[1], w)
	case command == "password" && len(rest) == 1:
		plain := password.Make()
		hash, err := password.NewHasher().Hash(ctx, plain)
		if err != nil {
			return err
		}
		if err := changeUser(ctx, data, rest[0], db.AccountChange{Password: &hash}, w); err != nil {
			return err
		}
		_, err = fmt.Fprintln(w, "new password:", plain)
		return err
	}
	return errors.New(usersUsage)
}

func roleOf(word string) (atelier.Role, error) {
	role := atelier.Role(word)
	if !slices.Contains(atelier.Roles(), role) {
		return "", fmt.Errorf("%q is no role; there are viewer, designer and admin", word)
	}
	return role, nil
}

// createUser makes an account with that role, a designer's when none is given. The first account is the administrator's whom the setup link
// would have made: what was done here without accounts is theirs.
func createUser(ctx context.Context, data *db.DB, name string, roles []string, w io.Writer) error {
	there, err := data.CountAccounts(ctx)
	if err != nil {
		return err
	}
	role := atelier.Designer
	if there == 0 {
		role = atelier.Admin
	}
	if len(roles) > 0 {
		if role, err = roleOf(roles[0]); err != nil {
			return err
		}
	}
	if there == 0 && role != atelier.Admin {
		return errors.New("the first account is an administrator's: make that one first, with `users create NAME`")
	}
	if name, err = bff.AccountName(name); err != nil {
		return err
	}
	plain := password.Make()
	hash, err := password.NewHasher().Hash(ctx, plain)
	if err != nil {
		return err
	}
	if there == 0 {
		_, err = data.FirstAccount(ctx, bff.FirstUser, name, hash)
	} else {
		_, err = data.CreateAccount(ctx, name, role, hash)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s is a %s now\npassword: %s\n", name, role, plain)
	return err
}

func changeUser(ctx context.Context, data *db.DB, name string, change db.AccountChange, w io.Writer) error {
	user, err := data.FindAccount(ctx, name)
	if err != nil {
		return err
	}
	if user, err = data.UpdateAccount(ctx, user.ID, change); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s: %s, %s; all sessions have ended\n", user.Name, user.Role, standing(user))
	return err
}

// allowUser says how many results somebody may ask for in a month, "any" for as many as they like. It holds at once, and nobody is signed out.
func allowUser(ctx context.Context, data *db.DB, name, number string, w io.Writer) error {
	results := atelier.AnyNumber
	if number != anyNumber {
		var err error
		if results, err = strconv.Atoi(number); err != nil || results < 0 || results > atelier.MaxMonthly {
			return fmt.Errorf("%q is no number of results a month: 0 to %d, or %s", number, atelier.MaxMonthly, anyNumber)
		}
	}
	user, err := data.FindAccount(ctx, name)
	if err != nil {
		return err
	}
	if user, err = data.SetMonthly(ctx, user.ID, results); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s: %s results a month\n", user.Name, monthly(user))
	return err
}

// anyNumber is how any number of results a month is written.
const anyNumber = "any"

func monthly(u db.User) string {
	if u.Monthly == atelier.AnyNumber {
		return anyNumber
	}
	return strconv.Itoa(u.Monthly)
}

func standing(u db.User) string {
	if u.DisabledAt.IsZero() {
		return "may sign in"
	}
	return "disabled"
}

func listUsers(ctx context.Context, data *db.DB, w io.Writer) error {
	list, err := data.ListAccounts(ctx)
	if err != nil {
		return err
	}
	asked, err := data.AskedThisMonth(ctx)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	rows := [][]string{{"NAME", "ROLE", "STANDING", "LAST SIGN-IN", "ASKED THIS MONTH", "OF"}}
	for _, u := range list {
		seen := "never"
		if !u.SeenAt.IsZero() {
			seen = u.SeenAt.Format(time.RFC3339)
		}
		rows = append(rows, []string{u.Name, string(u.Role), standing(u), seen, strconv.Itoa(asked[u.ID]), monthly(u)})
	}
	for _, row := range rows {
		if _, err := fmt.Fprintln(t, strings.Join(row, "\t")); err != nil {
			return err
		}
	}
	return t.Flush()
}

// welcome says how to get in.
func welcome(ctx context.Context, cfg config, s *bff.Server) (string, error) {
	if !cfg.team() {
		return "Open " + s.LaunchLink() + " (good for one visit within five minutes)", nil
	}
	link, fresh, err := s.SetupLink(ctx)
	if err != nil || !fresh {
		return "Sign in at " + linkBase(cfg), err
	}
	return "Open " + link + " to make the first account, an administrator's (good until it is made or the server ends)", nil
}
