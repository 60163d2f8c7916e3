package db

import (
	"context"
	"fmt"

	"atelier/atelier"
	"atelier/db/gen"
	"atelier/internal/sqldb"
)

// CreateBoard makes a board of the user's; its name must be new.
func (d *DB) CreateBoard(ctx context.Context, user atelier.UserID, name string) (atelier.Board, error) {
	id, err := newID()
	if err != nil {
		return atelier.Board{}, err
	}
	row := gen.Board{ID: id, UserID: string(user), Name: name, CreatedAt: d.millis()}
	err = d.change(ctx, "create board", func(q *gen.Queries) error { return q.InsertBoard(ctx, gen.InsertBoardParams(row)) }, nil)
	if sqldb.IsUnique(err) {
		return atelier.Board{}, atelier.Errorf(atelier.Conflict, "There is already a board named %q.", name)
	}
	return boardOf(row), err
}

// FindBoard finds one of the user's boards.
func (d *DB) FindBoard(ctx context.Context, user atelier.UserID, id atelier.BoardID) (atelier.Board, error) {
	row, err := d.read.Board(ctx, gen.BoardParams{ID: string(id), UserID: string(user)})
	if err != nil {
		return atelier.Board{}, missing(err, "find board", "This board no longer exists.")
	}
	return boardOf(row), nil
}

// ListBoards gives the user's boards by name.
func (d *DB) ListBoards(ctx context.Context, user atelier.UserID) ([]atelier.Board, error) {
	rows, err := d.read.Boards(ctx, string(user))
	if err != nil {
		return nil, fmt.Errorf("list boards: %w", err)
	}
	boards := make([]atelier.Board, 0, len(rows))
	for _, r := range rows {
		boards = append(boards, boardOf(r))
	}
	return boards, nil
}

// DeleteBoard deletes one of the user's boards; the pictures on it stay.
func (d *DB) DeleteBoard(ctx context.Context, user atelier.UserID, id atelier.BoardID) error {
	return d.change(ctx, "delete board", func(q *gen.Queries) error {
		if _, err := q.Board(ctx, gen.BoardParams{ID: string(id), UserID: string(user)}); err != nil {
			return missing(err, "find board", "This board no longer exists.")
		}
		if err := q.EmptyBoard(ctx, string(id)); err != nil {
			return err
		}
		if err := q.ForgetBoard(ctx, gen.ForgetBoardParams{BoardID: string(id), UserID: string(user)}); err != nil {
			return err
		}
		_, err := q.DeleteBoard(ctx, gen.DeleteBoardParams{ID: string(id), UserID: string(user)})
		return err
	}, nil)
}

func boardOf(r gen.Board) atelier.Board {
	return atelier.Board{ID: atelier.BoardID(r.ID), Name: r.Name, CreatedAt: sqldb.Time(r.CreatedAt)}
}
