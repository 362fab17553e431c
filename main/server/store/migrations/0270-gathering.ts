/** The people of a campaign are gathered in slices, which a restart continues: see `campaigns/campaigns.ts`. */
export const gathering = `
ALTER TABLE campaigns ADD COLUMN gathering TEXT;
CREATE INDEX campaigns_gathering ON campaigns (gathering) WHERE gathering > '';
`
