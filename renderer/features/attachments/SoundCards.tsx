import type { Attachment } from '#shared/domain/attachment.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { cx } from '../../lib/cx.ts'
import { clockOf, mediaRef, barsOf } from './presentation.ts'
import { DownloadButton } from './FileCard.tsx'
import { FileName } from './FileName.tsx'
import { useDownload } from './use-download.ts'
import { useSound, seekOfKey, type Sound } from './use-sound.ts'
import styles from './Attachments.module.css'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/Icon/Icon.tsx'

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

type VoiceCardProps = { readonly messageId: MessageId; readonly attachment: Attachment }

const BARS = 46

/** A voice recording: play, waveform, time left, speed. */
export function VoiceCard({ messageId, attachment }: VoiceCardProps) {
  const t = useTexts('messages')
  const sound = useSound(mediaRef(messageId, attachment.index), attachment.duration)
  const { at, length } = sound
  const name = t('media.voice')
  return (
    <div
      className={cx(styles['card'], styles['voice'])}
      role="group"
      aria-label={t('media.timed', { name, length: clockOf(length) })}
      onKeyDown={sound.onKeyDown}
    >
      {/* No captions: the contract has no field for a track. */}
      {sound.audio === undefined ? null : <audio {...sound.audio} data-voice="" />}
      <PlayButton sound={sound} name={name} />
      <Position sound={sound} className={styles['wave']}>
        <Wave bars={barsOf(attachment.waveform ?? [], BARS)} played={length > 0 ? at / length : 0} />
      </Position>
      <span className={styles['time']}>{sound.failed ? t('media.failed') : clockOf(Math.max(0, length - at))}</span>
      <SpeedButton sound={sound} />
    </div>
  )
}

function Wave({ bars, played }: { readonly bars: readonly number[]; readonly played: number }) {
  return (
    <svg width={BARS * 5} height={26} aria-hidden="true">
      {bars.map((height, index) => (
        <rect
          // The bars are a fixed sequence, so the index is a stable key.
          key={index}
          className={index / BARS < played ? styles['barPlayed'] : styles['bar']}
          x={index * 5}
          y={13 - height * 12}
          width={2.5}
          height={height * 24}
          rx={1.25}
        />
      ))}
    </svg>
  )
}

/** The round button that plays and pauses. */
function PlayButton({ sound, name }: { readonly sound: Sound; readonly name: string }) {
  const t = useTexts('messages')
  return (
    <button
      type="button"
      className={styles['playSmall']}
      aria-label={t(sound.playing ? 'media.pause' : 'media.play', { name })}
      aria-disabled={sound.audio === undefined || undefined}
      onClick={sound.toggle}
    >
      <Icon name={sound.playing ? 'pause' : 'play'} size={18} />
    </button>
  )
}

type SoundProps = { readonly sound: Sound; readonly className: string | undefined; readonly children: ReactNode }

/** The position of the sound as a slider: arrows move 5 s, a click moves there. */
function Position({ sound: { at, length, seek }, className, children }: SoundProps) {
  const t = useTexts('messages')
  return (
    <div
      className={className}
      role="slider"
      tabIndex={0}
      aria-label={t('media.position')}
      aria-valuemin={0}
      aria-valuemax={Math.round(length)}
      aria-valuenow={Math.round(at)}
      aria-valuetext={clockOf(at)}
      onKeyDown={(event) => {
        const to = event.ctrlKey || event.altKey || event.metaKey ? undefined : seekOfKey(event.key, at, length)
        if (to === undefined) return
        event.preventDefault()
        event.stopPropagation()
        seek(to)
      }}
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect()
        if (box.width > 0) seek(((event.clientX - box.left) / box.width) * length)
      }}
    >
      {children}
    </div>
  )
}

/** The playback speed; a click selects the next one. */
function SpeedButton({ sound: { speed, faster } }: { readonly sound: Sound }) {
  const t = useTexts('messages')
  return (
    <button
      type="button"
      className={styles['speed']}
      aria-label={t('media.speed', { speed })}
      aria-keyshortcuts="Shift+. Shift+,"
      onClick={faster}
    >
      {t('media.times', { speed })}
    </button>
  )
}
