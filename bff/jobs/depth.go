package jobs

import (
	"context"
	"errors"
	"fmt"
)

// Depth is how many jobs of one kind are in one state.
type Depth struct {
	Kind, State string
	Jobs        int
}

// Depth looks at the jobs that are not finished.
func (e *Engine) Depth(ctx context.Context) (depths []Depth, err error) {
	rows, err := e.o.DB.Read.QueryContext(ctx, `SELECT kind, state, count(*) FROM river_job
		WHERE state IN ('available', 'running', 'retryable', 'scheduled') GROUP BY kind, state ORDER BY kind, state`)
	if err != nil {
		return nil, fmt.Errorf("look at the job queue: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var d Depth
		if err := rows.Scan(&d.Kind, &d.State, &d.Jobs); err != nil {
			return nil, fmt.Errorf("look at the job queue: %w", err)
		}
		depths = append(depths, d)
	}
	return depths, rows.Err()
}
