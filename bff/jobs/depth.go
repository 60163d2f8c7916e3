package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Depth is how many jobs of one kind are in one state, and how long the oldest of them that is due has waited.
type Depth struct {
	Kind, State string
	Jobs        int
	Waited      time.Duration
}

// Depth looks at the jobs that are not finished.
func (e *Engine) Depth(ctx context.Context) (depths []Depth, err error) {
	rows, err := e.o.DB.Read.QueryContext(ctx, `SELECT kind, state, count(*),
		CAST(max(0, max(CASE WHEN state IN ('available', 'scheduled', 'retryable') THEN (julianday('now') - julianday(scheduled_at)) * 86400000 ELSE 0 END)) AS integer)
		FROM river_job WHERE state IN ('available', 'running', 'retryable', 'scheduled') GROUP BY kind, state ORDER BY kind, state`)
	if err != nil {
		return nil, fmt.Errorf("look at the job queue: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var d Depth
		var waited int64
		if err := rows.Scan(&d.Kind, &d.State, &d.Jobs, &waited); err != nil {
			return nil, fmt.Errorf("look at the job queue: %w", err)
		}
		d.Waited = time.Duration(waited) * time.Millisecond
		depths = append(depths, d)
	}
	return depths, rows.Err()
}
