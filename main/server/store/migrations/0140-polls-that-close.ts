/** When a poll closes by itself, if someone chose so (`closes_at` of the poll, microseconds). */
export const pollsThatClose = `
ALTER TABLE polls ADD COLUMN closes_at INTEGER;
CREATE INDEX polls_that_close ON polls (closes_at) WHERE closed = 0 AND closes_at IS NOT NULL;
`
