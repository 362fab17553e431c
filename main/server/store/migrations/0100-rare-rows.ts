/** Looked for by every message sent, and almost never there: hidden memberships. */
export const rareRows = `
CREATE INDEX members_hidden ON members (cid) WHERE hidden = 1;
`
