/** For "pictures and files of this channel": few messages have any, and only they are looked at. */
export const attachments = `
CREATE INDEX messages_with_attachments ON messages (cid, doc) WHERE attachments <> '[]';
`
