package db

import (
	"context"
	"fmt"
	"time"

	"atelier/atelier"
	"atelier/db/gen"
	"atelier/internal/sqldb"
)

// CreateReviewLink remembers which of the user's results a client is asked about. All of them must be here, and none in the trash.
func (d *DB) CreateReviewLink(ctx context.Context, user atelier.UserID, c atelier.CreateReviewLink) (atelier.ReviewLinkID, error) {
	if _, err := d.FindListed(ctx, user, c.IDs); err != nil {
		return "", err
	}
	live, err := d.liveOf(ctx, user, c.IDs)
	if err != nil {
		return "", err
	}
	if len(live) < len(c.IDs) {
		return "", atelier.FieldError("ids", reviewedGone)
	}
	id, err := newID()
	if err != nil {
		return "", err
	}
	now := d.now()
	return atelier.ReviewLinkID(id), d.change(ctx, "create review link", func(q *gen.Queries) error {
		n, err := q.CountReviewLinks(ctx, string(user))
		if err != nil {
			return err
		}
		if n >= atelier.MaxReviewLinks {
			return atelier.Refuse(atelier.Conflict, reviewLinksFull(atelier.MaxReviewLinks))
		}
		err = q.InsertReviewLink(ctx, gen.InsertReviewLinkParams{
			ID: id, UserID: string(user), Title: c.Title, Note: c.Note, Downloads: c.Downloads,
			CreatedAt: sqldb.Millis(now), ExpiresAt: sqldb.Millis(endOfReview(now, c.Days)),
		})
		if err != nil {
			return err
		}
		for i, result := range c.IDs {
			if err := q.InsertReviewAnswer(ctx, gen.InsertReviewAnswerParams{LinkID: id, Idx: int64(i + 1), ResultID: string(result)}); err != nil {
				return err
			}
		}
		return nil
	}, nil)
}

func endOfReview(now time.Time, days int) time.Time { return now.AddDate(0, 0, days) }

// liveOf finds those of the user's results that are here and not in the trash.
func (d *DB) liveOf(ctx context.Context, user atelier.UserID, ids []atelier.ResultID) (map[atelier.ResultID]ListedResult, error) {
	return d.listedWhere(ctx, user, ids, " AND s.trashed_at = 0 AND r.trashed_at = 0 AND s.sha256 <> ''")
}

// ListReviewLinks gives the user's review links, the newest first, without their addresses.
func (d *DB) ListReviewLinks(ctx context.Context, user atelier.UserID) ([]atelier.ReviewLink, error) {
	rows, err := d.read.ReviewLinks(ctx, string(user))
	if err != nil {
		return nil, fmt.Errorf("list review links: %w", err)
	}
	counts, err := d.read.ReviewCounts(ctx, string(user))
	if err != nil {
		return nil, fmt.Errorf("count what clients said: %w", err)
	}
	of := make(map[string]gen.ReviewCountsRow, len(counts))
	for _, c := range counts {
		of[c.LinkID] = c
	}
	faces, err := d.read.ReviewFaces(ctx, string(user))
	if err != nil {
		return nil, fmt.Errorf("find the pictures of review links: %w", err)
	}
	thumbs := map[string][]string{}
	for _, f := range faces {
		thumbs[f.LinkID] = append(thumbs[f.LinkID], resultPath(f.ResultID)+thumbEnd)
	}
	links := make([]atelier.ReviewLink, len(rows))
	for i, r := range rows {
		links[i] = reviewLinkOf(r)
		c := of[r.ID]
		links[i].Results, links[i].Picked, links[i].Rejected, links[i].Comments = int(c.Results), int(c.Picked), int(c.Rejected), int(c.Comments)
		links[i].Thumbs = thumbs[r.ID]
	}
	return links, nil
}

func reviewLinkOf(r gen.ReviewLink) atelier.ReviewLink {
	l := atelier.ReviewLink{
		ID: atelier.ReviewLinkID(r.ID), Title: r.Title, Note: r.Note, Downloads: r.Downloads, CreatedAt: sqldb.Time(r.CreatedAt), ExpiresAt: sqldb.Time(r.ExpiresAt),
		DoneName: r.DoneName, DoneWords: r.DoneWords,
	}
	if r.DoneAt > 0 {
		at := sqldb.Time(r.DoneAt)
		l.DoneAt = &at
	}
	return l
}

// Reviewed is a review link with what is behind it, and whose it is.
type Reviewed struct {
	User    atelier.UserID
	Link    atelier.ReviewLink
	Answers []Reviewing // of what is here and not in the trash
}

// Reviewing is a result behind a link, and what the client says of it.
type Reviewing struct {
	Number  int
	Pick    string
	Comment string
	Result  ListedResult
}

// FindReviewLink finds one of the user's review links, ended ones too.
func (d *DB) FindReviewLink(ctx context.Context, user atelier.UserID, id atelier.ReviewLinkID) (Reviewed, error) {
	row, err := d.read.ReviewLink(ctx, gen.ReviewLinkParams{ID: string(id), UserID: string(user)})
	if err != nil {
		return Reviewed{}, missing(err, "find review link", noReviewLink)
	}
	return d.reviewed(ctx, row)
}

// OpenReviewLink finds a review link for a client: while it works, and while its owner may show things.
func (d *DB) OpenReviewLink(ctx context.Context, id atelier.ReviewLinkID) (Reviewed, error) {
	row, err := d.read.OpenReviewLink(ctx, gen.OpenReviewLinkParams{ID: string(id), ExpiresAt: d.millis()})
	if err != nil {
		return Reviewed{}, missing(err, "open review link", noReviewLink)
	}
	return d.reviewed(ctx, row)
}

func (d *DB) reviewed(ctx context.Context, row gen.ReviewLink) (Reviewed, error) {
	out := Reviewed{User: atelier.UserID(row.UserID), Link: reviewLinkOf(row)}
	rows, err := d.read.ReviewAnswers(ctx, row.ID)
	if err != nil {
		return out, fmt.Errorf("find what a client said: %w", err)
	}
	ids := make([]atelier.ResultID, len(rows))
	for i, r := range rows {
		ids[i] = atelier.ResultID(r.ResultID)
	}
	live, err := d.liveOf(ctx, out.User, ids)
	if err != nil {
		return out, err
	}
	for i, r := range rows {
		l, here := live[ids[i]]
		if !here {
			continue
		}
		out.Answers = append(out.Answers, Reviewing{Number: int(r.Idx), Pick: r.Pick, Comment: r.Comment, Result: l})
		out.Link.Results++
		out.Link.Picked += one(r.Pick == atelier.PickYes)
		out.Link.Rejected += one(r.Pick == atelier.PickNo)
		out.Link.Comments += one(r.Comment != "")
		if l.Thumb != "" && r.Idx <= linkFaces {
			out.Link.Thumbs = append(out.Link.Thumbs, l.Thumb)
		}
	}
	return out, nil
}

// linkFaces is how many of the first results stand for a link, as in ReviewFaces.
const linkFaces = 4

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// AnswerReview keeps what a client says of a result behind a link; nil leaves what was said.
func (d *DB) AnswerReview(ctx context.Context, id atelier.ReviewLinkID, number int, pick, comment *string) error {
	return d.change(ctx, "answer review", func(q *gen.Queries) error {
		if pick != nil {
			if err := changedOne(q.SetReviewPick(ctx, gen.SetReviewPickParams{LinkID: string(id), Idx: int64(number), Pick: *pick})); err != nil {
				return err
			}
		}
		if comment != nil {
			return changedOne(q.SetReviewComment(ctx, gen.SetReviewCommentParams{LinkID: string(id), Idx: int64(number), Comment: *comment}))
		}
		return nil
	}, nil)
}

// FinishReview keeps that a client is done, and their last word.
func (d *DB) FinishReview(ctx context.Context, id atelier.ReviewLinkID, name, words string) error {
	return d.change(ctx, "finish review", func(q *gen.Queries) error {
		return q.FinishReview(ctx, gen.FinishReviewParams{ID: string(id), DoneAt: d.millis(), DoneName: name, DoneWords: words})
	}, nil)
}

// SetReviewEnd lets one of the user's links work for so many days from now, and with 0 days ends it; until, where it is given, is the end
// instead, and lies ahead.
func (d *DB) SetReviewEnd(ctx context.Context, user atelier.UserID, id atelier.ReviewLinkID, u atelier.UpdateReviewLink) error {
	return d.change(ctx, "set the end of a review link", func(q *gen.Queries) error {
		now := d.now()
		end := sqldb.Millis(endOfReview(now, u.Days))
		if u.Until != nil {
			if !u.Until.After(now) || u.Until.After(endOfReview(now, atelier.MaxReviewDays)) {
				return atelier.FieldError("until", reviewEnd(atelier.MaxReviewDays))
			}
			end = sqldb.Millis(*u.Until)
		}
		n, err := q.SetReviewLinkEnd(ctx, gen.SetReviewLinkEndParams{ID: string(id), UserID: string(user), ExpiresAt: end})
		return changedOne(n, err)
	}, nil)
}

// DeleteReviewLink forgets one of the user's links and what was said; the results stay.
func (d *DB) DeleteReviewLink(ctx context.Context, user atelier.UserID, id atelier.ReviewLinkID) error {
	return d.change(ctx, "delete review link", func(q *gen.Queries) error {
		return changedOne(q.DeleteReviewLink(ctx, gen.DeleteReviewLinkParams{ID: string(id), UserID: string(user)}))
	}, nil)
}

func changedOne(n int64, err error) error {
	if err == nil && n == 0 {
		return atelier.Refuse(atelier.NotFound, noReviewLink)
	}
	return err
}
