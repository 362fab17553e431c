import { useRef, useState, type KeyboardEvent } from 'react'
import type { Attachment } from '#shared/domain/attachment.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { cleanName } from '../../lib/clean-name.ts'
import { cx } from '../../lib/cx.ts'
import { useMediaUrl } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon.tsx'
import { barsOf, clockOf } from './boxes.ts'
import { mediaRef } from './media-ref.ts'
import styles from './Attachments.module.css'

type Props = { readonly messageId: MessageId; readonly attachment: Attachment }

const BARS = 46
const SPEEDS = [1, 1.5, 2] as const
/** Source: design reference, section 5 "Voice": arrow keys move 5 s. */
const STEP_S = 5

/** A voice recording or sound: play, waveform, time left, speed. */
export function VoiceCard({ messageId, attachment }: Props) {
  const t = useTexts('messages')
  const audio = useRef<HTMLAudioElement>(null)
  const media = useMediaUrl(mediaRef(messageId, attachment.index), 'full')
  const [playing, setPlaying] = useState(false)
  const [at, setAt] = useState(0)
  const [speed, setSpeed] = useState<number>(1)
  const [measured, setMeasured] = useState(0)
  const length = attachment.duration ?? measured
  const name =
    attachment.kind === 'voiceRecording' ? t('media.voice') : cleanName(attachment.title ?? '') || t('media.audio')
  const seek = (to: number): void => {
    if (audio.current === null) return
    audio.current.currentTime = Math.max(0, Math.min(length, to))
    setAt(audio.current.currentTime)
  }
  const toggle = (): void => {
    const player = audio.current
    if (player === null) return
    if (playing) player.pause()
    else player.play().catch(() => media.onError())
  }
  const faster = (): void => {
    const next = SPEEDS[(SPEEDS.indexOf(speed as (typeof SPEEDS)[number]) + 1) % SPEEDS.length] ?? 1
    setSpeed(next)
    if (audio.current !== null) audio.current.playbackRate = next
  }
  return (
    <div
      className={cx(styles['card'], styles['voice'])}
      role="group"
      aria-label={t('media.timed', { name, length: clockOf(length) })}
    >
      {media.url === undefined ? null : (
        // Spoken words have no caption track in the contract.
        <audio
          ref={audio}
          src={media.url}
          preload="metadata"
          onError={media.onError}
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          onEnded={() => setAt(0)}
          onTimeUpdate={(event) => setAt(event.currentTarget.currentTime)}
          onLoadedMetadata={(event) => setMeasured(finite(event.currentTarget.duration))}
        />
      )}
      <button
        type="button"
        className={styles['playSmall']}
        aria-label={t(playing ? 'media.pause' : 'media.play', { name })}
        aria-disabled={media.url === undefined || undefined}
        onClick={toggle}
      >
        <Icon name={playing ? 'pause' : 'play'} size={18} />
      </button>
      <Wave
        bars={barsOf(attachment.waveform ?? [], BARS)}
        at={at}
        length={length}
        label={t('media.position')}
        onSeek={seek}
      />
      <span className={styles['time']}>{media.failed ? t('media.failed') : clockOf(Math.max(0, length - at))}</span>
      <button type="button" className={styles['speed']} aria-label={t('media.speed', { speed })} onClick={faster}>
        {t('media.times', { speed })}
      </button>
    </div>
  )
}

type WaveProps = {
  readonly bars: readonly number[]
  readonly at: number
  readonly length: number
  readonly label: string
  readonly onSeek: (to: number) => void
}

function Wave({ bars, at, length, label, onSeek }: WaveProps) {
  const played = length > 0 ? at / length : 0
  const onKeyDown = (event: KeyboardEvent): void => {
    const step =
      event.key === 'ArrowRight' || event.key === 'ArrowUp'
        ? STEP_S
        : event.key === 'ArrowLeft' || event.key === 'ArrowDown'
          ? -STEP_S
          : 0
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? length : step === 0 ? undefined : at + step
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onSeek(to)
  }
  return (
    <div
      className={styles['wave']}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.round(length)}
      aria-valuenow={Math.round(at)}
      aria-valuetext={clockOf(at)}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect()
        if (box.width > 0) onSeek(((event.clientX - box.left) / box.width) * length)
      }}
    >
      <svg width={BARS * 5} height={26} aria-hidden="true">
        {bars.map((height, index) => (
          <rect
            // The bars are a fixed sequence: their place is their identity.
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
    </div>
  )
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0)
