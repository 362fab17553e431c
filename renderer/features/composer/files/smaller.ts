/** Pictures that become smaller without becoming something else: what moves would stand still. */
const STILL: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/bmp', 'image/avif'])
/** Shares of the width, tried one after the other until the copy is small enough. */
const SCALES = [1, 0.75, 0.5, 0.35, 0.25, 0.15, 0.1] as const
const QUALITY = 0.85
/** Pixels; above it no canvas answers. */
const MAX_SIDE = 8_192

export const canShrink = (mimeType: string): boolean =>
  STILL.has(mimeType.toLowerCase()) && typeof OffscreenCanvas === 'function' && typeof createImageBitmap === 'function'

/**
 * A copy of a picture with at most `limit` bytes: first the same size, more tightly packed, then smaller and smaller.
 * `undefined` where none is small enough or the picture cannot be read. A photo stays JPEG; what may be see-through is
 * WebP.
 *
 * @param nameOf the copy's name without its ending, from the picture's
 */
export async function smallerCopy(
  file: File,
  limit: number,
  nameOf: (base: string) => string,
): Promise<File | undefined> {
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
