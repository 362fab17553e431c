import type { Attachment } from '#shared/domain/attachment.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { cx } from '../../lib/cx.ts'
import { clockOf, mediaRef, barsOf, useBlurred } from './presentation.ts'
import { DownloadButton, FileName, useDownload } from './FileCard.tsx'
import styles from './Attachments.module.css'
import { type ReactNode, useRef, useState, type ComponentProps, type KeyboardEvent } from 'react'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { sendCommand, useCommand } from '../../store/commands.ts'
import { useAppDispatch, useMediaUrl } from '../../store/hooks.ts'
import { Picture } from './Picture.tsx'

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

/** A sound that plays in place. Times are seconds. */
type Sound = {
  /** Spread on an `audio` element; `undefined` until its URL is known. */
  readonly audio: ComponentProps<'audio'> | undefined
  readonly playing: boolean
  /** Was played or moved, so that there is a position to show. */
  readonly begun: boolean
  readonly failed: boolean
  readonly at: number
  /** 0 while unknown. */
  readonly length: number
  readonly speed: number
  readonly toggle: () => void
  readonly seek: (to: number) => void
  /** Selects the next speed; after the fastest the first. */
  readonly faster: () => void
  /** Keys handled anywhere on the player. */
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

const SPEEDS = [1, 1.5, 2] as const

/** Plays the media of a reference; `duration` as the message has it. */
function useSound(ref: string, duration: number | undefined): Sound {
  const player = useRef<HTMLAudioElement>(null)
  const media = useMediaUrl(ref, 'full')
  const [playing, setPlaying] = useState(false)
  const [at, setAt] = useState(0)
  const [begun, setBegun] = useState(false)
  const [speed, setSpeed] = useState<number>(1)
  const [measured, setMeasured] = useState(0)
  const length = duration ?? measured
  const seek = (to: number): void => {
    if (player.current === null) return
    player.current.currentTime = Math.max(0, Math.min(length, to))
    setBegun(true)
    setAt(player.current.currentTime)
  }
  const toggle = (): void => {
    setBegun(true)
    if (playing) player.current?.pause()
    else player.current?.play().catch(() => media.onError())
  }
  const goAt = (next: number): void => {
    setSpeed(next)
    if (player.current !== null) player.current.playbackRate = next
  }
  const place = SPEEDS.findIndex((one) => one === speed)
  const faster = (): void => goAt(SPEEDS[(place + 1) % SPEEDS.length] ?? 1)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const act = actOfKey(event)
    if (act === undefined) return
    event.preventDefault()
    event.stopPropagation()
    if (act === 'toggle') toggle()
    else goAt(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, place + (act === 'faster' ? 1 : -1)))] ?? speed)
  }
  const dispatch = useAppDispatch()
  useCommand('playSound', (asked) => {
    if (player.current === null || player.current !== asked.player) return
    goAt(asked.speed)
    setBegun(true)
    player.current.play().catch(() => media.onError())
  })
  const audio: Sound['audio'] = {
    ref: player,
    src: media.url,
    preload: 'metadata',
    onError: media.onError,
    onPlay: (event) => {
      pauseOthers(event.currentTarget)
      setPlaying(true)
    },
    onPause: () => setPlaying(false),
    onEnded: (event) => {
      setAt(0)
      // After a voice recording, the next one below plays at the same speed.
      const next = nextVoice(event.currentTarget)
      if (next !== undefined)
        dispatch(sendCommand('playSound', { player: next, speed: event.currentTarget.playbackRate }))
    },
    onTimeUpdate: (event) => setAt(event.currentTarget.currentTime),
    onLoadedMetadata: (event) => setMeasured(finite(event.currentTarget.duration)),
  }
  return {
    audio: media.url === undefined ? undefined : audio,
    failed: media.failed,
    playing,
    begun,
    at,
    length,
    speed,
    toggle,
    seek,
    faster,
    onKeyDown,
  }
}

/** Space on the slider plays and pauses, as on the button; Shift with period or comma is faster or slower. */
function actOfKey(event: KeyboardEvent<HTMLElement>): 'toggle' | 'faster' | 'slower' | undefined {
  if (event.ctrlKey || event.altKey || event.metaKey) return undefined
  const onSlider = event.target instanceof Element && event.target.getAttribute('role') === 'slider'
  if (event.key === ' ' && onSlider) return 'toggle'
  if (!event.shiftKey) return undefined
  return event.code === 'Period' ? 'faster' : event.code === 'Comma' ? 'slower' : undefined
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0)

/** Pauses everything else that plays in this window. */
function pauseOthers(playing: HTMLMediaElement): void {
  for (const other of document.querySelectorAll<HTMLMediaElement>('audio, video')) if (other !== playing) other.pause()
}

/** The voice recording below another one in its list. */
function nextVoice(ended: HTMLMediaElement): HTMLMediaElement | undefined {
  if (!ended.matches(VOICES)) return undefined
  const voices = [...(ended.closest('[data-message-list]') ?? document).querySelectorAll<HTMLMediaElement>(VOICES)]
  return voices[voices.indexOf(ended) + 1]
}
const VOICES = 'audio[data-voice]'

/** Arrow keys move 5 s. */
const STEP_S = 5

/** The position that a key on the slider moves to; `undefined` for other keys. */
export function seekOfKey(key: string, at: number, length: number): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return length
  if (key === 'ArrowRight' || key === 'ArrowUp') return at + STEP_S
  if (key === 'ArrowLeft' || key === 'ArrowDown') return at - STEP_S
  return undefined
}

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
