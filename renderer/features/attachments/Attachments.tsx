import { memo, useCallback, useState, type ReactNode } from 'react'
import type { Attachment, Upload } from '#shared/domain/attachment.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useAppSelector, useAppStore, useObject } from '../../store/hooks.ts'
import { cx } from '../../lib/cx.ts'
import { useTexts, useFormats } from '../../i18n/index.ts'
import { viewerOpened } from '../../store/window/overlays.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { safeLink } from '#shared/rules/markdown/safe-link.ts'
import { ExternalLink } from '../links/index.ts'
import { AudioCard, VoiceCard, VideoCard } from './MediaCards.tsx'
import { FileCard, UploadCard, FileName } from './FileCard.tsx'
import {
  mayMove,
  mediaRef,
  ownName,
  boxOf,
  altOf,
  iconOf,
  isPicture,
  labelKeyOf,
  useBlurred,
  useHidesMedia,
  UNFOLDED,
} from './presentation.ts'
import { Picture } from './Picture.tsx'
import styles from './Attachments.module.css'

type Props = {
  readonly messageId: MessageId
  readonly attachments: readonly Attachment[]
  /** Files still being uploaded, on own unsent messages. */
  readonly uploads: readonly Upload[]
}

/** All attachments of a message: images first, then sound and video, then files, then link previews. */
export const Attachments = memo(function Attachments({ messageId, attachments, uploads }: Props) {
  const cid = useAppSelector((state) => state.entities.messages[messageId]?.cid)
  const isFolded = useHidesMedia(cid)
  const pictures = attachments.filter((one) => (one.kind === 'image' || one.kind === 'giphy') && one.hasMedia)
  const rest = attachments.filter((one) => !pictures.includes(one) && one.kind !== 'link')
  const links = attachments.filter((one) => one.kind === 'link')
  return (
    <>
      {isFolded ? (
        pictures.map((picture) => (
          <Folded key={picture.index} messageId={messageId} attachment={picture}>
            <Gallery messageId={messageId} pictures={[picture]} />
          </Folded>
        ))
      ) : pictures.length === 0 ? null : (
        <Gallery messageId={messageId} pictures={pictures} />
      )}
      {rest.length === 0 && uploads.length === 0 ? null : (
        <div className={styles['cards']}>
          {rest.map((attachment) => (
            <Card key={attachment.index} messageId={messageId} attachment={attachment} isFolded={isFolded} />
          ))}
          {uploads.map((upload) => (
            <UploadCard key={upload.id} upload={upload} />
          ))}
        </div>
      )}
      {links.map((attachment) =>
        isFolded && previewOf(attachment) !== undefined ? (
          <Folded key={attachment.index} messageId={messageId} attachment={attachment}>
            <LinkCard messageId={messageId} attachment={attachment} />
          </Folded>
        ) : (
          <LinkCard key={attachment.index} messageId={messageId} attachment={attachment} />
        ),
      )}
    </>
  )
})

type CardProps = { readonly messageId: MessageId; readonly attachment: Attachment; readonly isFolded: boolean }

function Card({ messageId, attachment, isFolded }: CardProps) {
  if (attachment.kind === 'video' && attachment.hasMedia) {
    const video = <VideoCard messageId={messageId} attachment={attachment} />
    return isFolded ? (
      <Folded messageId={messageId} attachment={attachment}>
        {video}
      </Folded>
    ) : (
      video
    )
  }
  if (attachment.kind === 'voiceRecording' && attachment.hasMedia)
    return <VoiceCard messageId={messageId} attachment={attachment} />
  if (attachment.kind === 'audio' && attachment.hasMedia)
    return <AudioCard messageId={messageId} attachment={attachment} />
  return <FileCard messageId={messageId} attachment={attachment} />
}

/** The link of a preview; `undefined` if the preview is empty or the link is unsafe. */
function previewOf(attachment: Attachment): ReturnType<typeof safeLink> {
  const link = safeLink(attachment.linkUrl ?? '')
  return ownName(attachment) === '' && attachment.text === undefined ? undefined : link
}

type LinkCardProps = { readonly messageId: MessageId; readonly attachment: Attachment }

/** The preview of a link: site, title, two lines, an image. Nothing if the link is unsafe. */
function LinkCard({ messageId, attachment }: LinkCardProps) {
  const link = previewOf(attachment)
  const title = ownName(attachment)
  const picture = attachment.hasThumb || attachment.hasMedia
  const t = useTexts('messages')
  const { isBlurred, show } = useBlurred(mediaRef(messageId, attachment.index))
  if (link === undefined) return null
  const site = link.host.replace(/^www\./, '')
  return (
    <div className={cx(styles['card'], styles['link'], !picture && styles['plain'])}>
      <div className={styles['linkBody']}>
        <div className={styles['site']}>
          <b aria-hidden="true">{site.charAt(0).toUpperCase()}</b>
          <bdi className="ellipsis">{site}</bdi>
        </div>
        <div className={styles['linkTitle']} dir="auto">
          <ExternalLink href={link.href}>{title === '' ? site : title}</ExternalLink>
        </div>
        {attachment.text === undefined ? null : (
          <p className={styles['linkText']} dir="auto">
            {cleanName(attachment.text)}
          </p>
        )}
      </div>
      {picture ? (
        <span className={styles['linkPicture']}>
          <Picture
            mediaKey={mediaRef(messageId, attachment.index)}
            variant={attachment.hasThumb ? 'thumb' : 'full'}
            alt=""
            blurred={isBlurred}
            moves
          />
          {isBlurred ? (
            <button
              type="button"
              className={styles['veil']}
              aria-label={t('media.blurred', { name: title === '' ? site : title })}
              onClick={show}
            >
              <Icon name="eye" size={18} />
            </button>
          ) : null}
        </span>
      ) : null}
    </div>
  )
}

type GalleryProps = { readonly messageId: MessageId; readonly pictures: readonly Attachment[] }

/** One image in its own aspect ratio, two side by side, three and more as one large and two small ones, then how many more. */
function Gallery({ messageId, pictures }: GalleryProps) {
  const t = useTexts('messages')
  const openViewer = useOpenViewer(messageId)
  const [single] = pictures
  const shown = pictures.slice(0, 3)
  const hidden = pictures.slice(shown.length)
  const [first] = hidden
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
          moves={mayMove(picture)}
          onOpen={() => openViewer(picture.index)}
        />
      ))}
      {first === undefined ? null : (
        <button
          type="button"
          className={styles['more']}
          aria-label={t('media.moreNamed', { count: hidden.length })}
          aria-haspopup="dialog"
          onClick={() => openViewer(first.index)}
        >
          {t('media.more', { count: hidden.length })}
        </button>
      )}
    </div>
  )
}

type TileProps = {
  readonly mediaKey: string
  readonly variant: 'full' | 'thumb'
  readonly label: string
  readonly moves: boolean
  readonly onOpen: () => void
}

/** One image as a button: shows it if it is blurred, opens the viewer, or retries if it failed to load. */
function Tile({ mediaKey, variant, label, moves, onOpen }: TileProps) {
  const t = useTexts('messages')
  const [attempt, setAttempt] = useState(0)
  const [failed, setFailed] = useState(false)
  const { isBlurred, show } = useBlurred(mediaKey)
  const onFail = useCallback(() => setFailed(true), [])
  const retry = (): void => {
    setFailed(false)
    setAttempt((now) => now + 1)
  }
  return (
    <button
      type="button"
      className={styles['tile']}
      aria-label={
        failed ? t('media.failedNamed', { name: label }) : isBlurred ? t('media.blurred', { name: label }) : label
      }
      aria-haspopup={failed || isBlurred ? undefined : 'dialog'}
      onClick={failed ? retry : isBlurred ? show : onOpen}
    >
      <Picture
        key={attempt}
        mediaKey={mediaKey}
        variant={variant}
        alt=""
        blurred={isBlurred}
        moves={moves}
        onFail={onFail}
      />
      {isBlurred && !failed ? (
        <span className={styles['veil']}>
          <Icon name="eye" size={20} />
        </span>
      ) : null}
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

type FoldedProps = {
  readonly messageId: MessageId
  readonly attachment: Attachment
  /** Rendered, and so loaded, once it is unfolded. */
  readonly children: ReactNode
}

/** One attachment in a channel with hidden media: a button with its name and size that unfolds and folds it. */
function Folded({ messageId, attachment, children }: FoldedProps) {
  const t = useTexts('messages')
  const formats = useFormats()
  const ref = mediaRef(messageId, attachment.index)
  const unfolded = useObject(UNFOLDED)
  const [isOpen, setOpen] = useState(() => unfolded.has(ref))
  const what = t(labelKeyOf(attachment))
  const name = ownName(attachment)
  // Labelled like the row: an image by its alt text, if its sender wrote one.
  const shown = (isPicture(attachment) && altOf(attachment)) || name
  const label = shown === '' ? what : t('row.named', { what, name: shown })
  const size = attachment.sizeBytes === undefined ? undefined : formats.bytes(attachment.sizeBytes)
  const turn = (): void => {
    unfolded.set(ref, !isOpen)
    setOpen(!isOpen)
  }
  return (
    <>
      <button
        type="button"
        className={styles['folded']}
        aria-expanded={isOpen}
        aria-label={size === undefined ? label : t('media.sized', { name: label, size })}
        onClick={turn}
      >
        <Icon name={attachment.kind === 'link' ? 'link' : iconOf(attachment)} size={16} />
        <FileName name={name === '' ? what : name} />
        {size === undefined ? null : <span className={styles['meta']}>{size}</span>}
        <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} size={14} />
      </button>
      {isOpen ? children : null}
    </>
  )
}
