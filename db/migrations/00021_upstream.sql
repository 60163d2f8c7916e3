-- +goose Up
-- Which account or service made a run (uploads.upstream), so that its pictures go on telling how they came to be when the studio has
-- another one. Of older runs it is read off the addresses of their results; '' = not known.
ALTER TABLE runs ADD COLUMN upstream text NOT NULL DEFAULT '';
UPDATE runs SET upstream = CASE
    WHEN EXISTS (SELECT 1 FROM results s WHERE s.run_id = runs.id AND s.url LIKE 'http://embedded.atelier.internal/%') THEN 'embedded' ELSE 'remote' END
WHERE EXISTS (SELECT 1 FROM results s WHERE s.run_id = runs.id AND s.url <> '');

-- +goose Down
ALTER TABLE runs DROP COLUMN upstream;
