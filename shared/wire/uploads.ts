import { endpoint, type None } from './endpoint.ts'

/**
 * Multipart: part `file` with its name and type. The body is a stream, so it has no type here. See docs/wire.md 3.10.
 */
export type UploadReply = { file: string; thumb_url?: string; upload_sizes?: readonly WireUploadSize[] }

/** One more size of an image: requested without `url`, returned with it. */
export type WireUploadSize = {
  width: number
  height: number
  resize?: 'clip' | 'crop' | 'scale' | 'fill'
  crop?: 'center' | 'top' | 'bottom' | 'left' | 'right'
  url?: string
}

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

/** Files outside channels. */
export const uploadLooseFile = endpoint('POST', '/uploads/file', 'UploadFile')<None, None, UploadReply>()
export const uploadLooseImage = endpoint('POST', '/uploads/image', 'UploadImage')<None, None, UploadReply>()
export const deleteLooseFile = endpoint('DELETE', '/uploads/file', 'DeleteFile')<{ url: string }, None, object>()
export const deleteLooseImage = endpoint('DELETE', '/uploads/image', 'DeleteImage')<{ url: string }, None, object>()
