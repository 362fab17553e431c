export { Attachments } from './Attachments.tsx'
export { Picture } from './Picture.tsx'
export { mediaRef } from './media-ref.ts'
