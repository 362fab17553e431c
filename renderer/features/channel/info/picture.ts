import { toBase64 } from '../../../lib/files/base64.ts'

/** Size of a channel's picture in pixels: sharp at every size it is shown, and well below the bridge's limit. */
const SIDE = 256

export type SmallPicture = { readonly base64: string; readonly mimeType: 'image/png' }

/** Crops a picture to its center square and scales it down. Rejects when the file is not a picture. */
export async function pictureFrom(file: Blob, pixels = SIDE): Promise<SmallPicture> {
  const bitmap = await createImageBitmap(file)
  const side = Math.min(bitmap.width, bitmap.height)
  const canvas = document.createElement('canvas')
  canvas.width = pixels
  canvas.height = pixels
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2]
  canvas.getContext('2d')?.drawImage(bitmap, left, top, side, side, 0, 0, pixels, pixels)
  bitmap.close()
  const blob = await new Promise<Blob>((resolve, reject) => {
    canvas.toBlob((made) => (made === null ? reject(new Error('no picture')) : resolve(made)), 'image/png')
  })
  return { base64: toBase64(new Uint8Array(await blob.arrayBuffer())), mimeType: 'image/png' }
}
