import { useEffect, useRef, useState, type DragEvent } from 'react'
import { EMOJI_TYPES, type EmojiTerms, type EmojiType } from '#shared/domain/emoji.ts'
import { useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { filesOf, hasFiles } from '../../../lib/files/dropped-files.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import styles from './Emoji.module.css'
import { toBase64 } from '../../../lib/files/base64.ts'

type Props = { readonly again: boolean; readonly onFile: (file: File) => void }

/** Takes a picture by file picker, drop, or paste anywhere on the page. */
export function PictureDrop({ again, onFile }: Props) {
  const t = useTexts('emoji')
  const field = useRef<HTMLInputElement>(null)
  const [isDraggedOver, setDraggedOver] = useState(false)
  usePastedPicture(onFile)
  const over = (event: DragEvent): void => {
    if (!hasFiles(event.dataTransfer)) return
    event.preventDefault()
    setDraggedOver(true)
  }
  const drop = (event: DragEvent): void => {
    if (!hasFiles(event.dataTransfer)) return
    event.preventDefault()
    setDraggedOver(false)
    void filesOf(event.dataTransfer).then(({ files }) => files[0] && onFile(files[0]))
  }
  return (
    <div
      role="presentation"
      className={cx(styles['drop'], isDraggedOver && styles['draggedOver'])}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setDraggedOver(false)}
      onDrop={drop}
    >
      <Button icon="image" onClick={() => field.current?.click()}>
        {t(again ? 'page.chooseAgain' : 'page.choose')}
      </Button>
      <span className={styles['dropHint']}>{t('page.dropHint')}</span>
      <input
        ref={field}
        type="file"
        hidden
        aria-label={t('page.choose')}
        accept={EMOJI_TYPES.join(',')}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
    </div>
  )
}

/** Pasted text is left to the focused field. */
function usePastedPicture(onFile: (file: File) => void): void {
  const latest = useRef(onFile)
  useEffect(() => {
    latest.current = onFile
  })
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'))
      if (file === undefined || event.defaultPrevented) return
      event.preventDefault()
      latest.current(file)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
}

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
