import type { Attachment } from '#shared/domain/attachment.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { cx } from '../../lib/cx.ts'
import { ExternalLink, safeLink } from '../links/index.ts'
import { mediaRef } from './media-ref.ts'
import { ownName } from './names.ts'
import { Picture } from './Picture.tsx'
import styles from './Attachments.module.css'

/** The link of a preview; `undefined` if the preview is empty or the link is unsafe. */
export function previewOf(attachment: Attachment): ReturnType<typeof safeLink> {
  const link = safeLink(attachment.linkUrl ?? '')
  return ownName(attachment) === '' && attachment.text === undefined ? undefined : link
}

type Props = { readonly messageId: MessageId; readonly attachment: Attachment }

/** The preview of a link: site, title, two lines, an image. Nothing if the link is unsafe. */
export function LinkCard({ messageId, attachment }: Props) {
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
