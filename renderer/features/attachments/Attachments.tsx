import { memo } from 'react'
import type { Attachment, Upload } from '#shared/domain/attachment.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { AudioCard, VoiceCard } from './SoundCards.tsx'
import { FileCard, UploadCard } from './FileCard.tsx'
import { Folded, useHidesMedia } from './Folded.tsx'
import { Gallery } from './Gallery.tsx'
import { VideoCard } from './VideoCard.tsx'
import styles from './Attachments.module.css'
import { cleanName } from '#shared/lib/clean-text.ts'
import { cx } from '../../lib/cx.ts'
import { ExternalLink, safeLink } from '../links/index.ts'
import { mediaRef, ownName } from './presentation.ts'
import { Picture } from './Picture.tsx'

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
  if (link === undefined) return null
  const title = ownName(attachment)
  const site = link.host.replace(/^www\./, '')
  const picture = attachment.hasThumb || attachment.hasMedia
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
          />
        </span>
      ) : null}
    </div>
  )
}
