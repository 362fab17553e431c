import { useEffect, useState } from 'react'
import { FILE_PIECE_BYTES } from '#shared/constants.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useDelayed } from '../../lib/time/clocks.ts'
import { useMediaUrl, useStill } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Still } from '../../ui/View/Still.tsx'
import styles from './Attachments.module.css'

/** No skeleton if the image loads sooner. */
const SKELETON_DELAY_MS = 150

type Props = {
  readonly mediaKey: string
  readonly variant: 'full' | 'thumb'
  readonly alt: string
  readonly blurred?: boolean
  /** It may be animated: with reduced motion its first frame is shown. */
  readonly moves?: boolean
  /** Called when loading fails, so that the control around can offer a retry. */
  readonly onFail?: () => void
}

/**
 * An image in a frame of known size: a skeleton while it loads, a text if it fails. The parent retries with a new key.
 */
export function Picture({ mediaKey, variant, alt, blurred = false, moves = false, onFail }: Props) {
  const t = useTexts('messages')
  const { url, failed, onError } = useMediaUrl(mediaKey, variant)
  const isStill = useStill(moves)
  const [shown, setShown] = useState(false)
  const waiting = useDelayed(!shown, SKELETON_DELAY_MS)
  useEffect(() => {
    if (failed) onFail?.()
  }, [failed, onFail])
  if (failed) {
    return (
      <span className={styles['broken']}>
        <Icon name="image" size={20} />
        <span>{t('media.failed')}</span>
        {onFail === undefined ? null : <span className={styles['retry']}>{t('status.retry')}</span>}
      </span>
    )
  }
  const className = cx(styles['picture'], blurred && styles['blurred'], !shown && styles['hidden'])
  const onLoad = (): void => setShown(true)
  return (
    <>
      {waiting ? <span className={styles['skeleton']} /> : null}
      {url === undefined ? null : isStill ? (
        <Still src={url} alt={alt} className={className} onLoad={onLoad} onError={onError} />
      ) : (
        <img
          className={className}
          src={url}
          alt={alt}
          draggable={false}
          decoding="async"
          onLoad={onLoad}
          onError={onError}
        />
      )}
    </>
  )
}

/** Larger images are not read or decoded for the clipboard. */
const MAX_PIXELS = 50_000_000
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Puts an image on the clipboard as PNG, the first frame of an animation. Decoded here, in the sandbox, from bytes read
 * through main: the pixels of cross-origin media URLs cannot be read. Rejects when the bytes cannot be loaded, are not an
 * image, or the system refuses. The clipboard is written at once with a promise, while the user gesture is still active.
 */
export async function copyPicture(pieces: Pieces, isWanted: () => boolean = () => true): Promise<void> {
  const picture = asPng(pieces).then((made) => {
    if (!isWanted()) throw new Error('something else was copied meanwhile')
    return made
  })
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

/** Bytes of an attachment, read through main, because pages have no network access. Both methods reject on failure. */
export type Pieces = {
  /** From `start` to `end`, exclusive. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>
  sizeBytes(): Promise<number>
}

export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))

export function piecesOf({ data }: EngineClient, file: { messageId: MessageId; index: number }): Pieces {
  const ask = (start: number, length: number) => data.fileBytes({ ...file, start, length })
  return {
    sizeBytes: async () => (await ask(0, 1)).sizeBytes,
    async read(start, end) {
      const whole = new Uint8Array(end - start)
      for (let at = start; at < end; at += FILE_PIECE_BYTES) {
        const { base64 } = await ask(at, Math.min(FILE_PIECE_BYTES, end - at))
        whole.set(bytesOf(base64), at - start)
      }
      return whole
    },
  }
}
