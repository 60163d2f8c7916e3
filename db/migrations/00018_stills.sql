-- +goose Up
-- Films that came while nothing here could take pictures out of them; they get theirs later.
CREATE INDEX results_without_stills ON results (id) WHERE kind = 'video' AND sha256 <> '' AND (poster_sha = '' OR last_sha = '');

-- +goose Down
DROP INDEX results_without_stills;
