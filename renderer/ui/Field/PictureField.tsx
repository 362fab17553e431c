import { useId, useRef, useState, type ReactNode, type RefObject } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useRemark } from '../../i18n/index.ts'
import { toBase64 } from '../../lib/files/base64.ts'
import { Button } from '../Button/Button.tsx'
import { Refusal } from '../Dialog/Dialog.tsx'
import styles from './PictureField.module.css'

type Props = {
  readonly label: string
  /** The current picture. */
  readonly picture: ReactNode
  readonly chooseLabel: string
  /** Absent: there is nothing to remove. */
  readonly removeLabel?: string
  /** It cannot be changed now; the caller shows why. */
  readonly disabled: boolean
  /** A file that was chosen, or none: the picture is removed. Returns what went wrong. */
  readonly onSend: (file: File | undefined) => Promise<ErrorBody | undefined>
}

type InputProps = {
  /** A click on it opens the files. */
  readonly ref: RefObject<HTMLInputElement | null>
  readonly onChoose: (file: File) => void
}

/** The invisible field behind a button that chooses a picture. */
export function PictureInput({ ref, onChoose }: InputProps) {
  return (
    <input
      ref={ref}
      type="file"
      accept="image/png,image/jpeg,image/webp"
      className={styles['fileField']}
      tabIndex={-1}
      aria-hidden="true"
      onChange={(event) => {
        const file = event.currentTarget.files?.[0]
        event.currentTarget.value = ''
        if (file !== undefined) onChoose(file)
      }}
    />
  )
}

/** A picture that can be chosen from a file and removed. */
export function PictureField({ label, picture, chooseLabel, removeLabel, disabled, onSend }: Props) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const formMessage = useRemark()
  const [working, setWorking] = useState(false)
  const send = async (file: File | undefined): Promise<void> => {
    setWorking(true)
    formMessage.clear()
    const error = await onSend(file)
    if (error !== undefined) formMessage.refuse(error)
    setWorking(false)
  }
  return (
    <div role="group" aria-labelledby={id}>
      <span id={id} className={styles['label']}>
        {label}
      </span>
      <div className={styles['file']}>
        {picture}
        <div className={styles['buttons']}>
          <Button
            size="small"
            working={working}
            aria-disabled={disabled}
            onClick={() => disabled || field.current?.click()}
          >
            {chooseLabel}
          </Button>
          {removeLabel === undefined || disabled ? null : (
            <Button size="small" variant="quiet" onClick={() => void send(undefined)}>
              {removeLabel}
            </Button>
          )}
        </div>
        <PictureInput ref={field} onChoose={(file) => void send(file)} />
      </div>
      <Refusal text={formMessage.text} />
    </div>
  )
}

type SmallPicture = { readonly base64: string; readonly mimeType: 'image/png' }

/** Sharp at every size at which a picture is shown, and well below the bridge's limit. */
const SIDE = 256

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
