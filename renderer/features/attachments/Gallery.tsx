import { useCallback, useState } from 'react'
import type { Attachment } from '#shared/domain/attachment.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { boxOf, mediaRef, altOf, ownName } from './presentation.ts'
import { Picture } from './Picture.tsx'
import { useAppStore } from '../../store/hooks.ts'
import { viewerOpened } from '../../store/window/overlays.ts'
import styles from './Attachments.module.css'

type Props = { readonly messageId: MessageId; readonly pictures: readonly Attachment[] }

/** One image in its own aspect ratio, two side by side, three and more as one large and two small ones. */
export function Gallery({ messageId, pictures }: Props) {
  const t = useTexts('messages')
  const openViewer = useOpenViewer(messageId)
  const [single] = pictures
  const shown = pictures.slice(0, 3)
  const hidden = pictures.length - shown.length
  const only = pictures.length === 1 && single !== undefined ? boxOf(single) : undefined
  const nameOf = (picture: Attachment, index: number): string => {
    const name = altOf(picture) || ownName(picture)
    const place = { index: index + 1, total: pictures.length }
    if (pictures.length > 1)
      return name === '' ? t('media.photoOf', place) : t('media.photoOfNamed', { ...place, name })
    return name === '' ? t('media.photo') : t('media.photoNamed', { name })
  }
  return (
    <div
      className={cx(styles['gallery'], only === undefined && styles[pictures.length === 2 ? 'two' : 'three'])}
      style={only === undefined ? undefined : { width: only.width, aspectRatio: `${only.width} / ${only.height}` }}
    >
      {shown.map((picture, index) => (
        <Tile
          key={picture.index}
          mediaKey={mediaRef(messageId, picture.index)}
          variant={picture.hasThumb ? 'thumb' : 'full'}
          label={nameOf(picture, index)}
          hidden={index === 2 ? hidden : 0}
          onOpen={() => openViewer(picture.index)}
        />
      ))}
    </div>
  )
}

type TileProps = {
  readonly mediaKey: string
  readonly variant: 'full' | 'thumb'
  readonly label: string
  /** Number of images not shown, as "+n" on this one. */
  readonly hidden: number
  readonly onOpen: () => void
}

/** One image as a button: opens the viewer, or retries if it failed to load. */
function Tile({ mediaKey, variant, label, hidden, onOpen }: TileProps) {
  const t = useTexts('messages')
  const [attempt, setAttempt] = useState(0)
  const [failed, setFailed] = useState(false)
  const onFail = useCallback(() => setFailed(true), [])
  const retry = (): void => {
    setFailed(false)
    setAttempt((now) => now + 1)
  }
  return (
    <button
      type="button"
      className={styles['tile']}
      aria-label={failed ? t('media.failedNamed', { name: label }) : label}
      aria-haspopup={failed ? undefined : 'dialog'}
      onClick={failed ? retry : onOpen}
    >
      <Picture key={attempt} mediaKey={mediaKey} variant={variant} alt="" onFail={onFail} />
      {hidden > 0 ? <span className={styles['more']}>{t('media.more', { count: hidden })}</span> : null}
    </button>
  )
}

/** Opens the viewer at one attachment of a message. */
function useOpenViewer(messageId: MessageId): (index: number) => void {
  const store = useAppStore()
  return useCallback(
    (index) => {
      const cid = store.getState().entities.messages[messageId]?.cid
      if (cid !== undefined) store.dispatch(viewerOpened({ cid, messageId, index }))
    },
    [store, messageId],
  )
}
