import type { Pieces } from './file-pieces.ts'

/** Larger images are not read or decoded for the clipboard. */
const MAX_PIXELS = 50_000_000
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Puts an image on the clipboard as PNG, the first frame of an animation. Decoded here, in the sandbox, from bytes read
 * through main: the pixels of cross-origin media URLs cannot be read. Rejects when the bytes cannot be loaded, are not an
 * image, or the system refuses. The clipboard is written at once with a promise, while the user gesture is still active.
 */
export async function copyPicture(pieces: Pieces): Promise<void> {
  const picture = asPng(pieces)
  await Promise.all([picture, put(picture)])
}

const put = async (picture: Promise<Blob>): Promise<void> =>
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })])

async function asPng(pieces: Pieces): Promise<Blob> {
  const size = await pieces.sizeBytes()
  if (size > MAX_BYTES) throw new Error('the picture is too large for the clipboard')
  const picture = await createImageBitmap(new Blob([await pieces.read(0, size)]))
  const { width, height } = picture
  if (width * height > MAX_PIXELS) throw new Error('the picture is too large for the clipboard')
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  canvas.getContext('2d')?.drawImage(picture, 0, 0)
  picture.close()
  return await new Promise((resolve, reject) => {
    canvas.toBlob(
      (made) => (made === null ? reject(new Error('the picture has no pixels')) : resolve(made)),
      'image/png',
    )
  })
}
