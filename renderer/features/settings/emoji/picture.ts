import { EMOJI_TYPES, type EmojiTerms, type EmojiType } from '#shared/domain/emoji.ts'
import { toBase64 } from '../../../lib/files/base64.ts'

/** Size in pixels to which a large picture is scaled down: sharp at every size an emoji is shown. */
const SMALL_SIDE = 128

export type EmojiPicture = {
  readonly base64: string
  readonly mimeType: EmojiType
  /** The picture, or the first frame of an animated one. */
  readonly bitmap: ImageBitmap
}

/** Why a file cannot be an emoji; `large`: animated and over the limit. */
export type PictureFault = 'type' | 'unreadable' | 'large'

/** Prepares a chosen picture for upload. One within the limits is unchanged; a larger still one is scaled down. */
export async function readPicture(
  file: Blob,
  { maxBytes, maxSide }: Pick<EmojiTerms, 'maxBytes' | 'maxSide'>,
): Promise<EmojiPicture | { readonly fault: PictureFault }> {
  const mimeType = EMOJI_TYPES.find((type) => type === file.type)
  if (mimeType === undefined) return { fault: 'type' }
  try {
    const bitmap = await createImageBitmap(file)
    const fits = file.size <= maxBytes && Math.max(bitmap.width, bitmap.height) <= maxSide
    if (fits) return { base64: await base64Of(file), mimeType, bitmap }
    if (mimeType === 'image/gif') return { fault: 'large' }
    const small = await smaller(bitmap)
    return { base64: await base64Of(small), mimeType: 'image/png', bitmap }
  } catch {
    // The browser could not decode the picture.
    return { fault: 'unreadable' }
  }
}

const base64Of = async (blob: Blob): Promise<string> => toBase64(new Uint8Array(await blob.arrayBuffer()))

async function smaller(bitmap: ImageBitmap): Promise<Blob> {
  const canvas = document.createElement('canvas')
  drawInto(canvas, bitmap, SMALL_SIDE)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('no picture')) : resolve(blob)), 'image/png')
  })
}

/** Draws a picture with its longer side scaled to `side` pixels. */
export function drawInto(canvas: HTMLCanvasElement, bitmap: ImageBitmap, side: number): void {
  const scale = side / Math.max(bitmap.width, bitmap.height)
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
}
