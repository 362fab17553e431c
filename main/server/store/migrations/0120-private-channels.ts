/**
 * Whether a channel is its members' alone, as a column that cannot stray from the field it is read from: lists and
 * searches leave such channels out for everyone else.
 */
export const privateChannels = `
ALTER TABLE channels ADD COLUMN private INTEGER NOT NULL
  GENERATED ALWAYS AS (coalesce(json_type(custom, '$.private') = 'true', 0)) VIRTUAL;
`
