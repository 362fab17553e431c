import type { Attachment } from '#shared/domain/attachment.ts'

/** Whether the viewer shows an attachment: everything that has bytes; a link's picture belongs to its card. */
export const isShown = (attachment: Pick<Attachment, 'kind' | 'hasMedia'>): boolean =>
  attachment.hasMedia && attachment.kind !== 'link'
