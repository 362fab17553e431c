/** Smaller versions of an uploaded picture are deleted with it. */
export const pictureSizes = `
ALTER TABLE uploads ADD COLUMN original TEXT;
CREATE INDEX uploads_of_original ON uploads (original) WHERE original IS NOT NULL;
`
