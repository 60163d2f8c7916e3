package client

import (
	"context"
	"net/url"

	"atelier/atelier"
)

// Entry answers how one gets in, for who is not signed in.
func (a *API) Entry(ctx context.Context) (atelier.Entry, error) {
	var e atelier.Entry
	err := a.call(ctx, "GET", "/api/entry", nil, &e)
	return e, err
}

// SignIn makes a session of a name and a password.
func (a *API) SignIn(ctx context.Context, name, password string) (atelier.Session, error) {
	var s atelier.Session
	err := a.call(ctx, "POST", "/api/session", atelier.Login{Name: name, Password: password}, &s)
	return s, err
}

// SetUp makes the first account and signs in with it.
func (a *API) SetUp(ctx context.Context, in atelier.Setup) (atelier.Session, error) {
	var s atelier.Session
	err := a.call(ctx, "POST", "/api/setup", in, &s)
	return s, err
}

// ChangePassword takes a new password; every other browser is signed out.
func (a *API) ChangePassword(ctx context.Context, current, next string) error {
	return a.call(ctx, "POST", "/api/password", atelier.ChangePassword{Current: current, Password: next}, nil)
}

// Sessions lists where the user is signed in.
func (a *API) Sessions(ctx context.Context) ([]atelier.SignedIn, error) {
	var list atelier.SignedInList
	err := a.call(ctx, "GET", "/api/sessions", nil, &list)
	return list.Sessions, err
}

// EndSession signs one browser out.
func (a *API) EndSession(ctx context.Context, id string) error {
	return a.call(ctx, "DELETE", "/api/sessions/"+url.PathEscape(id), nil, nil)
}

// Accounts lists who may sign in, for administrators.
func (a *API) Accounts(ctx context.Context) ([]atelier.Account, error) {
	var list atelier.AccountList
	err := a.call(ctx, "GET", "/api/users", nil, &list)
	return list.Accounts, err
}

// CreateAccount adds somebody; the answer holds the password to give to them.
func (a *API) CreateAccount(ctx context.Context, name string, role atelier.Role) (atelier.AccountBody, error) {
	var body atelier.AccountBody
	err := a.call(ctx, "POST", "/api/users", atelier.CreateAccount{Name: name, Role: role}, &body)
	return body, err
}

// UpdateAccount changes somebody's account, which signs them out.
func (a *API) UpdateAccount(ctx context.Context, id atelier.UserID, in atelier.UpdateAccount) (atelier.AccountBody, error) {
	var body atelier.AccountBody
	err := a.call(ctx, "PATCH", "/api/users/"+url.PathEscape(string(id)), in, &body)
	return body, err
}
