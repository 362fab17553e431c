import type { Attachment } from '#shared/domain/attachment.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { cx } from '../../lib/cx.ts'
import { clockOf } from './boxes.ts'
import { DownloadButton, FileName } from './FileCard.tsx'
import { mediaRef } from './media-ref.ts'
import { PlayButton, Position, SpeedButton } from './Sound.tsx'
import { useDownload } from './use-download.ts'
import { useSound } from './use-sound.ts'
import styles from './Attachments.module.css'

type Props = { readonly messageId: MessageId; readonly attachment: Attachment }

/** A sound file that plays in place; once started, the position replaces its length and size. */
export function AudioCard({ messageId, attachment }: Props) {
  const t = useTexts('messages')
  const formats = useFormats()
  const name = cleanName(attachment.title ?? '') || t('media.audio')
  const key = mediaRef(messageId, attachment.index)
  const sound = useSound(key, attachment.duration)
  const download = useDownload(key, name)
  const { at, length } = sound
  const size = attachment.sizeBytes === undefined ? '' : formats.bytes(attachment.sizeBytes)
  const facts =
    length === 0 ? size : size === '' ? clockOf(length) : t('media.timedSize', { length: clockOf(length), size })
  const failed = sound.failed || download.state === 'failed'
  return (
    <div className={cx(styles['card'], styles['file'])} role="group" aria-label={name} onKeyDown={sound.onKeyDown}>
      {sound.audio === undefined ? null : <audio {...sound.audio} />}
      <PlayButton sound={sound} name={name} />
      <div className={styles['text']}>
        <FileName name={name} />
        {sound.begun && !failed ? (
          <div className={cx(styles['meta'], styles['track'])}>
            <Position sound={sound} className={styles['line']}>
              <span className={styles['lineDone']} style={{ inlineSize: `${length > 0 ? (at / length) * 100 : 0}%` }} />
            </Position>
            <span>{clockOf(Math.max(0, length - at))}</span>
          </div>
        ) : (
          <div className={cx(styles['meta'], failed && styles['failed'])}>
            {failed ? t(sound.failed ? 'media.failed' : 'media.downloadFailed') : facts}
          </div>
        )}
      </div>
      {sound.begun ? <SpeedButton sound={sound} /> : null}
      <DownloadButton download={download} name={name} />
    </div>
  )
}
