package db

import (
	"context"
	"errors"
	"fmt"

	"atelier/atelier"
	"atelier/db/gen"
	"atelier/internal/sqldb"
)

// CreateBoard makes a board of the user's; its name must be new.
func (d *DB) CreateBoard(ctx context.Context, user atelier.UserID, b atelier.CreateBoard) (atelier.Board, error) {
	id, err := newID()
	if err != nil {
		return atelier.Board{}, err
	}
	row := gen.Board{ID: id, UserID: string(user), Name: b.Name, Notes: b.Notes, CreatedAt: d.millis()}
	err = d.change(ctx, "create board", func(q *gen.Queries) error { return q.InsertBoard(ctx, gen.InsertBoardParams(row)) }, nil)
	if sqldb.IsUnique(err) {
		return atelier.Board{}, boardNameTaken(b.Name)
	}
	return boardOf(row), err
}

func boardNameTaken(name string) error {
	return atelier.Refuse(atelier.Conflict, boardTaken(name))
}

// UpdateBoard renames one of the user's boards, changes its notes or its cover, which must be a result on it, or shows it to everybody.
func (d *DB) UpdateBoard(ctx context.Context, user atelier.UserID, id atelier.BoardID, u atelier.UpdateBoard) (atelier.Board, error) {
	name := ""
	err := d.change(ctx, "update board", func(q *gen.Queries) error {
		row, err := q.Board(ctx, gen.BoardParams{ID: string(id), UserID: string(user)})
		if err != nil {
			return missing(err, "find board", noBoard)
		}
		if u.Name != nil {
			row.Name = *u.Name
		}
		if u.Notes != nil {
			row.Notes = *u.Notes
		}
		if u.Cover != nil {
			row.CoverID = string(*u.Cover)
		}
		if u.Cover != nil && *u.Cover != "" {
			if on, err := q.OnBoard(ctx, gen.OnBoardParams{BoardID: row.ID, ResultID: row.CoverID}); err != nil || on == 0 {
				return errors.Join(err, atelier.FieldError("cover", coverOff))
			}
		}
		name = row.Name
		if u.Shared != nil {
			row.Shared = *u.Shared
		}
		_, err = q.SetBoard(ctx, gen.SetBoardParams{ID: row.ID, UserID: row.UserID, Name: row.Name, Notes: row.Notes, CoverID: row.CoverID, Shared: row.Shared})
		return err
	}, nil)
	if sqldb.IsUnique(err) {
		return atelier.Board{}, boardNameTaken(name)
	}
	if err != nil {
		return atelier.Board{}, err
	}
	return d.FindBoard(ctx, user, id)
}

// FindBoard finds one of the user's boards.
func (d *DB) FindBoard(ctx context.Context, user atelier.UserID, id atelier.BoardID) (atelier.Board, error) {
	row, err := d.read.Board(ctx, gen.BoardParams{ID: string(id), UserID: string(user)})
	if err != nil {
		return atelier.Board{}, missing(err, "find board", noBoard)
	}
	boards, err := d.withPictures(ctx, user, boardOf(row))
	if err != nil {
		return atelier.Board{}, err
	}
	return boards[0], nil
}

// ListBoards gives the user's boards by name, with what is on them.
func (d *DB) ListBoards(ctx context.Context, user atelier.UserID) ([]atelier.Board, error) {
	rows, err := d.read.Boards(ctx, string(user))
	if err != nil {
		return nil, fmt.Errorf("list boards: %w", err)
	}
	boards := make([]atelier.Board, len(rows))
	for i, row := range rows {
		boards[i] = boardOf(row)
	}
	return d.withPictures(ctx, user, boards...)
}

// withPictures adds counts and thumbnails to boards of the user's.
func (d *DB) withPictures(ctx context.Context, user atelier.UserID, boards ...atelier.Board) ([]atelier.Board, error) {
	counts := map[string]int64{}
	counted, err := d.read.BoardCounts(ctx, string(user))
	if err != nil {
		return nil, fmt.Errorf("count what is on boards: %w", err)
	}
	for _, c := range counted {
		counts[c.BoardID] = c.Results
	}
	return d.pictured(ctx, boards, counts)
}

// pictured puts counts and thumbnails on boards.
func (d *DB) pictured(ctx context.Context, boards []atelier.Board, counts map[string]int64) ([]atelier.Board, error) {
	for i := range boards {
		b := &boards[i]
		if b.Count = int(counts[string(b.ID)]); b.Count == 0 {
			continue
		}
		pictures, err := d.read.BoardPictures(ctx, gen.BoardPicturesParams{BoardID: string(b.ID), CoverID: string(b.Cover)})
		if err != nil {
			return nil, fmt.Errorf("find the pictures of a board: %w", err)
		}
		for _, p := range pictures {
			b.Thumbs = append(b.Thumbs, resultOf(p).Thumb)
		}
	}
	return boards, nil
}

// DeleteBoard deletes one of the user's boards; the pictures on it stay.
func (d *DB) DeleteBoard(ctx context.Context, user atelier.UserID, id atelier.BoardID) error {
	return d.change(ctx, "delete board", func(q *gen.Queries) error {
		if _, err := q.Board(ctx, gen.BoardParams{ID: string(id), UserID: string(user)}); err != nil {
			return missing(err, "find board", noBoard)
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
	return atelier.Board{
		ID: atelier.BoardID(r.ID), Name: r.Name, Notes: r.Notes, Cover: atelier.ResultID(r.CoverID), Thumbs: []string{}, CreatedAt: sqldb.Time(r.CreatedAt),
		Shared: r.Shared,
	}
}
