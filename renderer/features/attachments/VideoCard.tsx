import { useState } from 'react'
import type { Attachment } from '#shared/domain/attachment.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useMediaUrl } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { clockOf, mediaRef } from './presentation.ts'
import { useBlurred } from './hidden-media.ts'
import { Picture } from './Picture.tsx'
import { pauseOthers } from './use-sound.ts'
import styles from './Attachments.module.css'

type Props = { readonly messageId: MessageId; readonly attachment: Attachment }

/** A video: its thumbnail with a play button; plays in place, with sound, on click. */
export function VideoCard({ messageId, attachment }: Props) {
  const t = useTexts('messages')
  const formats = useFormats()
  const [playing, setPlaying] = useState(false)
  const name = cleanName(attachment.title ?? '') || t('media.video')
  const key = mediaRef(messageId, attachment.index)
  const { isBlurred } = useBlurred(key)
  const length = attachment.duration === undefined ? undefined : clockOf(attachment.duration)
  return (
    <div
      className={styles['video']}
      role="group"
      aria-label={length === undefined ? name : t('media.timed', { name, length })}
    >
      {playing ? <VideoPlayer mediaKey={key} name={name} /> : null}
      {!playing && attachment.hasThumb ? <Picture mediaKey={key} variant="thumb" alt="" blurred={isBlurred} /> : null}
      {playing ? null : (
        <>
          <button
            type="button"
            className={styles['play']}
            aria-label={t('media.play', { name })}
            onClick={() => setPlaying(true)}
          >
            <Icon name="play" size={22} />
          </button>
          <div className={styles['caption']}>
            <bdi className="ellipsis">{name}</bdi>
            {length === undefined ? null : <span className={styles['chip']}>{length}</span>}
            {attachment.sizeBytes === undefined ? null : (
              <span className={styles['chip']}>{formats.bytes(attachment.sizeBytes)}</span>
            )}
          </div>
        </>
      )}
    </div>
  )
}

/** Plays at once, with sound; offers a retry if loading fails. */
export function VideoPlayer({ mediaKey, name }: { readonly mediaKey: string; readonly name: string }) {
  const [attempt, setAttempt] = useState(0)
  return <Film key={attempt} mediaKey={mediaKey} name={name} onRetry={() => setAttempt(attempt + 1)} />
}

type FilmProps = { readonly mediaKey: string; readonly name: string; readonly onRetry: () => void }

function Film({ mediaKey, name, onRetry }: FilmProps) {
  const t = useTexts('messages')
  const { url, failed, onError } = useMediaUrl(mediaKey, 'full')
  if (failed) {
    return (
      <button
        type="button"
        className={styles['broken']}
        aria-label={t('media.failedNamed', { name })}
        onClick={onRetry}
      >
        <Icon name="video" size={20} />
        <span>{t('media.failed')}</span>
        <span className={styles['retry']}>{t('status.retry')}</span>
      </button>
    )
  }
  // No captions: the contract has no field for a track.
  return (
    <video
      className={styles['player']}
      src={url}
      aria-label={name}
      controls
      autoPlay
      onPlay={(event) => pauseOthers(event.currentTarget)}
      onError={onError}
    />
  )
}
