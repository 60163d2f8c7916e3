-- +goose Up
-- How well a result kept what was protected. score is there since the first schema; not_comparable says in a sentence why there is none.
ALTER TABLE results ADD COLUMN delta_e double precision NOT NULL DEFAULT 0;
ALTER TABLE results ADD COLUMN ssim double precision NOT NULL DEFAULT 0;
ALTER TABLE results ADD COLUMN changed boolean NOT NULL DEFAULT false;
ALTER TABLE results ADD COLUMN not_comparable text NOT NULL DEFAULT '';
ALTER TABLE results ADD COLUMN heat_sha text NOT NULL DEFAULT '';
ALTER TABLE results ADD COLUMN locked_from text NOT NULL DEFAULT '';
-- The CRC-32 of the file, which archives need; -1 = nobody has asked yet.
ALTER TABLE results ADD COLUMN crc bigint NOT NULL DEFAULT -1;
ALTER TABLE boards ADD COLUMN notes text NOT NULL DEFAULT '';
ALTER TABLE boards ADD COLUMN cover_id text NOT NULL DEFAULT '';

-- Downloads that were put together: archives (a plan of what is in them) and layered files (sha256).
CREATE TABLE exports (
    id         text PRIMARY KEY,
    user_id    text NOT NULL REFERENCES users (id),
    kind       text NOT NULL,
    name       text NOT NULL,
    plan       text NOT NULL,
    sha256     text NOT NULL,
    bytes      bigint NOT NULL,
    created_at bigint NOT NULL
);
CREATE INDEX exports_age ON exports (created_at);
CREATE INDEX exports_sha ON exports (sha256) WHERE sha256 <> '';

-- What a run was started for is on its board from the first result on; which results are on a board is said here alone.
INSERT INTO board_results (board_id, result_id)
SELECT b.id, s.id FROM boards b JOIN runs r ON r.board_id = b.id JOIN results s ON s.run_id = r.id
WHERE r.board_id <> '' ON CONFLICT (board_id, result_id) DO NOTHING;

-- Lists go through runs in their order, then through the results of each; what few results have is listed by an index of its own.
DROP INDEX runs_list;
CREATE INDEX runs_live ON runs (user_id, id) WHERE trashed_at = 0;
CREATE INDEX runs_live_agent ON runs (user_id, agent, id) WHERE trashed_at = 0;
CREATE INDEX runs_unusual ON runs (user_id, id, status, state) WHERE status <> 'Success' OR state <> 'done';
CREATE INDEX runs_trash ON runs (user_id, id) WHERE trashed_at > 0;
CREATE INDEX runs_board ON runs (board_id) WHERE board_id <> '';
CREATE INDEX runs_trash_age ON runs (trashed_at) WHERE trashed_at > 0;
DROP INDEX results_starred;
CREATE INDEX results_starred ON results (user_id, run_id DESC, idx) WHERE starred;
CREATE INDEX results_picked ON results (user_id, pick, run_id DESC, idx) WHERE pick <> '';
CREATE INDEX results_rated ON results (user_id, run_id DESC, idx, rating) WHERE rating <> 0;
CREATE INDEX results_by_rating ON results (user_id, rating DESC, run_id DESC, idx) WHERE rating > 0;
CREATE INDEX results_changed ON results (user_id, run_id DESC, idx) WHERE changed;
CREATE INDEX results_by_score ON results (user_id, score DESC, run_id DESC, idx) WHERE score IS NOT NULL;
CREATE INDEX results_unusual ON results (user_id, status, run_id DESC, idx) WHERE status <> 'Success';

-- Which rows need a file: one is deleted only when none does.
CREATE INDEX results_sha ON results (sha256, user_id) WHERE sha256 <> '';
CREATE INDEX results_poster ON results (poster_sha) WHERE poster_sha <> '';
CREATE INDEX results_last ON results (last_sha) WHERE last_sha <> '';
CREATE INDEX results_heat ON results (heat_sha) WHERE heat_sha <> '';
CREATE INDEX runs_mask ON runs (mask_sha256) WHERE mask_sha256 <> '';
CREATE INDEX runs_psd_sha ON runs (psd_sha256) WHERE psd_sha256 <> '';
CREATE INDEX assets_sha ON assets (sha256);
CREATE INDEX assets_sent ON assets (sent_sha256);
CREATE INDEX assets_poster ON assets (poster_sha) WHERE poster_sha <> '';
CREATE INDEX masks_sha ON masks (sha256);
CREATE INDEX images_sha ON images (sha256);

-- +goose Down
DROP INDEX images_sha;
DROP INDEX masks_sha;
DROP INDEX assets_poster;
DROP INDEX assets_sent;
DROP INDEX assets_sha;
DROP INDEX runs_psd_sha;
DROP INDEX runs_mask;
DROP INDEX results_heat;
DROP INDEX results_last;
DROP INDEX results_poster;
DROP INDEX results_sha;
DROP INDEX results_unusual;
DROP INDEX results_by_score;
DROP INDEX results_changed;
DROP INDEX results_by_rating;
DROP INDEX results_rated;
DROP INDEX results_picked;
DROP INDEX results_starred;
CREATE INDEX results_starred ON results (user_id, run_id) WHERE starred;
DROP INDEX runs_trash_age;
DROP INDEX runs_board;
DROP INDEX runs_trash;
DROP INDEX runs_unusual;
DROP INDEX runs_live_agent;
DROP INDEX runs_live;
CREATE INDEX runs_list ON runs (user_id, id);
DROP TABLE exports;
ALTER TABLE boards DROP COLUMN cover_id;
ALTER TABLE boards DROP COLUMN notes;
ALTER TABLE results DROP COLUMN crc;
ALTER TABLE results DROP COLUMN locked_from;
ALTER TABLE results DROP COLUMN heat_sha;
ALTER TABLE results DROP COLUMN not_comparable;
ALTER TABLE results DROP COLUMN changed;
ALTER TABLE results DROP COLUMN ssim;
ALTER TABLE results DROP COLUMN delta_e;
