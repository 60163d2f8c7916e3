package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"atelier/atelier"
	"atelier/db/gen"
	"atelier/internal/sqldb"
)

// Asset is an atelier.Asset with the facts only the server needs.
type Asset struct {
	atelier.Asset
	UserID atelier.UserID
	Sent   Blob // what goes to the image service: the original, or the same photo with its EXIF turn applied
	// PosterSHA is the picture that stands for a video; "" = there is none.
	PosterSHA string
}

// Blob is a file in the content store.
type Blob struct {
	SHA256 string
	Format string
	Bytes  int64
}

// CreateAsset stores an asset and gives its id, or gives the one the user already has with the same bytes.
func (d *DB) CreateAsset(ctx context.Context, a Asset) (stored Asset, created bool, err error) {
	id, err := newID()
	if err != nil {
		return Asset{}, false, err
	}
	a.ID, a.CreatedAt = atelier.AssetID(id), sqldb.Time(d.millis())
	err = d.change(ctx, "create asset", func(q *gen.Queries) error {
		return q.InsertAsset(ctx, gen.InsertAssetParams{
			ID: id, UserID: string(a.UserID), Kind: a.Kind, Name: a.Name, Width: int64(a.Width), Height: int64(a.Height),
			Format: a.Format, Bytes: a.Bytes, Sha256: a.SHA256, SentFormat: a.Sent.Format, SentBytes: a.Sent.Bytes,
			SentSha256: a.Sent.SHA256, Preview: a.Preview, CreatedAt: sqldb.Millis(a.CreatedAt),
			Millis: millisOf(a.Seconds), PosterSha: a.PosterSHA,
		})
	}, nil)
	if err == nil {
		return withDerived(a), true, nil
	}
	if !sqldb.IsUnique(err) {
		return Asset{}, false, err
	}
	row, err := d.read.AssetByContent(ctx, gen.AssetByContentParams{UserID: string(a.UserID), Sha256: a.SHA256})
	if err != nil {
		return Asset{}, false, fmt.Errorf("find the same asset: %w", err)
	}
	return assetOf(row), false, nil
}

// FindAsset finds one of the user's assets.
func (d *DB) FindAsset(ctx context.Context, user atelier.UserID, id atelier.AssetID) (Asset, error) {
	row, err := d.read.Asset(ctx, gen.AssetParams{ID: string(id), UserID: string(user)})
	if err != nil {
		return Asset{}, missing(err, "find asset", noAsset)
	}
	return assetOf(row), nil
}

// FindAssetOf finds the user's asset of a content, given by its SHA-256 in hex.
func (d *DB) FindAssetOf(ctx context.Context, user atelier.UserID, sha256 string) (Asset, error) {
	row, err := d.read.AssetByContent(ctx, gen.AssetByContentParams{UserID: string(user), Sha256: sha256})
	if err != nil {
		return Asset{}, missing(err, "find asset by content", noContent)
	}
	return assetOf(row), nil
}

// LoadAsset finds an asset whoever owns it.
func (d *DB) LoadAsset(ctx context.Context, id atelier.AssetID) (Asset, error) {
	row, err := d.read.AnyAsset(ctx, string(id))
	if err != nil {
		return Asset{}, missing(err, "load asset", noFile)
	}
	return assetOf(row), nil
}

// namesRead is how many names a search of assets looks at together.
const namesRead = 1000

// ListAssets gives one page of the user's assets, newest first. Names are compared here and not in the database, whose own
// idea of upper and lower case ends with ASCII.
func (d *DB) ListAssets(ctx context.Context, user atelier.UserID, f atelier.AssetFilter) (atelier.AssetPage, error) {
	page := atelier.AssetPage{Assets: []atelier.Asset{}}
	words, batch := strings.Fields(strings.ToLower(f.Query)), f.Limit+1
	if len(words) > 0 {
		batch = max(batch, namesRead)
	}
	var ids []string
	for cursor := f.Cursor; len(ids) <= f.Limit; {
		names, err := d.assetNames(ctx, user, f.Kind, cursor, batch)
		if err != nil {
			return page, fmt.Errorf("list assets: %w", err)
		}
		for _, n := range names {
			cursor = n.id
			if name := strings.ToLower(n.name); !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(name, w) }) {
				ids = append(ids, n.id)
			}
		}
		if len(names) < batch {
			break
		}
	}
	if len(ids) > f.Limit {
		ids = ids[:f.Limit]
		page.NextCursor = ids[f.Limit-1]
	}
	found, err := d.assetsOf(ctx, slices.Clone(ids))
	if err != nil {
		return page, err
	}
	for _, id := range ids {
		if a, ok := found[id]; ok {
			page.Assets = append(page.Assets, a)
		}
	}
	return page, nil
}

type assetName struct{ id, name string }

// assetNames reads the names of up to n of the user's assets of a kind ("" = any) behind a cursor, newest first.
func (d *DB) assetNames(ctx context.Context, user atelier.UserID, kind, cursor string, n int) (names []assetName, err error) {
	q := &query{}
	q.add("user_id = ", string(user))
	if kind != "" {
		q.add("kind = ", kind)
	}
	q.add("id < ", before(cursor))
	//nolint:gosec // the conditions hold placeholders only
	rows, err := d.Read.QueryContext(ctx, "SELECT id, name FROM assets WHERE "+q.where()+" ORDER BY id DESC"+q.limit(n), q.args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var a assetName
		if err := rows.Scan(&a.id, &a.name); err != nil {
			return nil, err
		}
		names = append(names, a)
	}
	return names, rows.Err()
}

// FindUpload gives the URL under which an image service knows a file of ours, "" when it does not.
func (d *DB) FindUpload(ctx context.Context, upstream, sha256 string) (string, error) {
	row, err := d.read.Upload(ctx, gen.UploadParams{Upstream: upstream, Sha256: sha256})
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("find upload: %w", err)
	}
	return row.Url, nil
}

// SaveUpload remembers the URL an image service gave for a file of ours.
func (d *DB) SaveUpload(ctx context.Context, upstream, sha256, url string) error {
	return d.change(ctx, "save upload", func(q *gen.Queries) error {
		return q.SaveUpload(ctx, gen.SaveUploadParams{Upstream: upstream, Sha256: sha256, Url: url, UploadedAt: d.millis()})
	}, nil)
}

// DeleteUpload forgets a URL that the image service no longer takes.
func (d *DB) DeleteUpload(ctx context.Context, upstream, sha256 string) error {
	return d.change(ctx, "forget upload", func(q *gen.Queries) error {
		return q.DeleteUpload(ctx, gen.DeleteUploadParams{Upstream: upstream, Sha256: sha256})
	}, nil)
}

// before is the upper end of a keyset page: the cursor, or past every id there can be.
func before(cursor string) string {
	if cursor == "" {
		return "g"
	}
	return cursor
}

func assetOf(r gen.Asset) Asset {
	return withDerived(Asset{
		Asset: atelier.Asset{
			ID: atelier.AssetID(r.ID), Kind: r.Kind, Name: r.Name, Width: int(r.Width), Height: int(r.Height), Format: r.Format,
			Bytes: r.Bytes, SHA256: r.Sha256, Preview: r.Preview, CreatedAt: sqldb.Time(r.CreatedAt),
			Seconds: secondsOf(r.Millis),
		},
		UserID: atelier.UserID(r.UserID), Sent: Blob{SHA256: r.SentSha256, Format: r.SentFormat, Bytes: r.SentBytes}, PosterSHA: r.PosterSha,
	})
}

// Lengths of videos and sounds are kept in whole milliseconds.
func millisOf(seconds float64) int64 { return int64(math.Round(seconds * 1000)) }
func secondsOf(millis int64) float64 { return float64(millis) / 1000 }

// converted are the formats whose files are kept as they were brought, and stood for by a copy wherever they are shown.
var converted = map[string]bool{"heic": true, "tiff": true}

func withDerived(a Asset) Asset {
	a.File = "/api/assets/" + string(a.ID) + "/file"
	a.Turned = a.Kind == "image" && a.Sent.SHA256 != a.SHA256
	if a.Pixels = a.SHA256; a.Kind == "image" && converted[a.Format] {
		a.Pixels = a.Sent.SHA256
	}
	if a.Kind == "image" || a.PosterSHA != "" {
		a.Thumb = "/api/assets/" + string(a.ID) + "/thumb"
	}
	return a
}
