/** Finds administrators and moderators among many people: they see what is hidden from others. */
export const staff = `
CREATE INDEX users_staff ON users (id) WHERE role IN ('admin', 'moderator');
`
