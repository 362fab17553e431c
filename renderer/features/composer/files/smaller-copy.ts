import { isAnimated } from '../../../lib/files/animated.ts'

/** Scale factors, tried in order until the copy is small enough. */
const SCALES = [1, 0.75, 0.5, 0.35, 0.25, 0.15, 0.1] as const
const QUALITY = 0.85
/** Pixels; a larger canvas fails to draw. */
const MAX_SIDE = 8_192

/**
 * A copy of a picture with at most `limit` bytes: first re-encoded at the same size, then scaled down step by step.
 * `undefined` if no copy is small enough, or the picture is animated or cannot be read. JPEG stays JPEG; formats that may
 * be transparent become WebP.
 *
 * @param nameOf makes the copy's name, without extension, from the picture's
 */
export async function smallerCopy(
  file: File,
  limit: number,
  nameOf: (base: string) => string,
): Promise<File | undefined> {
  if (await isAnimated(file)) return undefined
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (bitmap === undefined) return undefined
  const photo = file.type.toLowerCase() === 'image/jpeg'
  const type = photo ? 'image/jpeg' : 'image/webp'
  const name = `${nameOf(file.name.replace(/\.[^.]*$/, ''))}${photo ? '.jpg' : '.webp'}`
  const most = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height))
  try {
    for (const scale of SCALES) {
      const blob = await drawn(bitmap, scale * most, type)
      if (blob.type === type && blob.size <= limit && blob.size < file.size) return new File([blob], name, { type })
    }
    return undefined
  } finally {
    bitmap.close()
  }
}

async function drawn(bitmap: ImageBitmap, scale: number, type: string): Promise<Blob> {
  const width = Math.max(1, Math.round(bitmap.width * scale))
  const height = Math.max(1, Math.round(bitmap.height * scale))
  const canvas = new OffscreenCanvas(width, height)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, width, height)
  return canvas.convertToBlob({ type, quality: QUALITY })
}
