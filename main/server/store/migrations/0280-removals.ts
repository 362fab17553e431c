/** Campaigns and segments are removed in slices, which a restart continues: see `campaigns/removal.ts`. */
export const removals = `
ALTER TABLE campaigns ADD COLUMN removed_at INTEGER;
ALTER TABLE segments ADD COLUMN removed_at INTEGER;
CREATE INDEX campaigns_removed ON campaigns (removed_at) WHERE removed_at IS NOT NULL;
CREATE INDEX segments_removed ON segments (removed_at) WHERE removed_at IS NOT NULL;
`
