import { endpoint, type None } from './endpoint.ts'

/** Multipart: part `file` with its name and type. The body is a stream, so it has no type here. Source: wire contract 3.10. */
export type UploadReply = { file: string; thumb_url?: string }

export const uploadFile = endpoint('POST', '/channels/:type/:id/file', 'UploadChannelFile')<None, None, UploadReply>()
export const uploadImage = endpoint('POST', '/channels/:type/:id/image', 'UploadChannelImage')<
  None,
  None,
  UploadReply
>()
export const deleteFile = endpoint('DELETE', '/channels/:type/:id/file', 'DeleteChannelFile')<
  { url: string },
  None,
  object
>()
export const deleteImage = endpoint('DELETE', '/channels/:type/:id/image', 'DeleteChannelImage')<
  { url: string },
  None,
  object
>()
