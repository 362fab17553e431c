import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { VOICE_MAX_SECONDS, waveformOf } from '#shared/rules/composer/voice.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { clockOf } from '../../attachments/index.ts'
import type { Voice, VoiceState } from './use-voice.ts'
import styles from './Voice.module.css'

/** Records, plays and trims a voice message. Escape ends the recording, Delete discards it, Enter sends. */
export function VoiceBar({ voice }: { readonly voice: Voice }) {
  const t = useTexts('composer')
  const bar = useRef<HTMLDivElement>(null)
  const { state } = voice
  const { kind } = state
  // Each step focuses its first button, so that a message can be recorded, played and sent without the mouse.
  useEffect(() => {
    if (kind !== 'idle') bar.current?.querySelector<HTMLElement>('[data-first]')?.focus()
  }, [kind])
  if (kind === 'idle') return null
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      if (kind === 'recording') voice.stop()
      else if (kind !== 'review') voice.discard()
    }
    if (event.key === 'Delete' && (kind === 'recording' || kind === 'review')) {
      event.preventDefault()
      voice.discard()
    }
  }
  return (
    <div ref={bar} className={styles['bar']} role="group" aria-label={t('voice.label')} onKeyDown={onKeyDown}>
      <Step state={state} voice={voice} />
      <output className="sr-only">{kind === 'recording' ? t('voice.recordingNow') : ''}</output>
    </div>
  )
}

function Step({ state, voice }: { readonly state: VoiceState; readonly voice: Voice }) {
  const t = useTexts('composer')
  switch (state.kind) {
    case 'idle':
      return null
    case 'asking':
      return (
        <>
          <Icon name="mic" size={16} />
          <span className={styles['message']}>{t('voice.asking')}</span>
          <Button size="small" variant="quiet" data-first="" onClick={voice.discard}>
            {t('cancel')}
          </Button>
        </>
      )
    case 'refused':
      return (
        <>
          <Icon name="alert-circle" size={16} />
          <span className={styles['message']} role="alert">
            {t(`voice.reasons.${state.reason}`)}
          </span>
          <Button size="small" data-first="" onClick={voice.start}>
            {t('tryAgain')}
          </Button>
          <Button size="small" variant="quiet" onClick={voice.discard}>
            {t('voice.close')}
          </Button>
        </>
      )
    case 'recording':
      return <Recording seconds={state.seconds} level={state.level} voice={voice} />
    case 'review':
      return <Review state={state} voice={voice} />
  }
}

type RecordingProps = { readonly seconds: number; readonly level: number; readonly voice: Voice }

function Recording({ seconds, level, voice }: RecordingProps) {
  const t = useTexts('composer')
  return (
    <>
      <span className={styles['dot']} aria-hidden="true" />
      <span className={styles['clock']} role="timer" aria-label={t('voice.length')}>
        {clockOf(seconds)}
      </span>
      <meter className={styles['level']} aria-label={t('voice.level')} min={0} max={1} value={level} />
      <span className={styles['faint']}>{t('voice.longest', { time: clockOf(VOICE_MAX_SECONDS) })}</span>
      <span className={styles['message']} />
      <IconButton icon="trash" size="small" label={t('voice.discard')} tooltipSide="above" onClick={voice.discard} />
      <Button size="small" icon="stop" data-first="" onClick={voice.stop}>
        {t('voice.stop')}
      </Button>
      <Button size="small" variant="primary" onClick={() => voice.attach(true)}>
        {t('send')}
      </Button>
    </>
  )
}

type ReviewProps = { readonly state: Extract<VoiceState, { kind: 'review' }>; readonly voice: Voice }

function Review({ state: { recording, from, to }, voice }: ReviewProps) {
  const t = useTexts('composer')
  const { sound } = recording
  const { playing, toggle } = usePlayback(sound, from, to)
  return (
    <>
      <IconButton
        icon={playing ? 'pause' : 'play'}
        size="small"
        label={playing ? t('voice.pause') : t('voice.play')}
        tooltipSide="above"
        onClick={toggle}
      />
      <span className={styles['cut']}>
        <Bars sound={sound} from={from} to={to} />
        <Edge label={t('voice.from')} value={from} length={sound.duration} onChange={(at) => voice.trim(at, to)} />
        <Edge label={t('voice.to')} value={to} length={sound.duration} onChange={(at) => voice.trim(from, at)} />
      </span>
      <span className={styles['clock']}>{clockOf(to - from)}</span>
      <span className={styles['message']} />
      <IconButton icon="trash" size="small" label={t('voice.discard')} tooltipSide="above" onClick={voice.discard} />
      <IconButton icon="refresh" size="small" label={t('voice.again')} tooltipSide="above" onClick={voice.start} />
      <Button size="small" onClick={() => voice.attach(false)}>
        {t('voice.attach')}
      </Button>
      <Button size="small" variant="primary" data-first="" onClick={() => voice.attach(true)}>
        {t('send')}
      </Button>
    </>
  )
}

const BARS = 60

function Bars({ sound, from, to }: { readonly sound: AudioBuffer; readonly from: number; readonly to: number }) {
  const bars = waveformOf(sound.getChannelData(0), BARS)
  return (
    <svg className={styles['wave']} viewBox={`0 0 ${BARS * 4} 24`} preserveAspectRatio="none" aria-hidden="true">
      {bars.map((height, index) => {
        const at = (index / bars.length) * sound.duration
        return (
          <rect
            // The bars are a fixed sequence, so the index identifies them.
            key={index}
            className={at >= from && at < to ? styles['selected'] : styles['cutOff']}
            x={index * 4}
            y={12 - Math.max(0.1, height) * 11}
            width={2.5}
            height={Math.max(0.1, height) * 22}
            rx={1.25}
          />
        )
      })}
    </svg>
  )
}

type EdgeProps = {
  readonly label: string
  readonly value: number
  readonly length: number
  readonly onChange: (at: number) => void
}

/** Start or end of the selected part; arrow keys move it by a tenth of a second. */
function Edge({ label, value, length, onChange }: EdgeProps) {
  const t = useTexts('composer')
  const { number } = useFormats()
  return (
    <input
      type="range"
      className={styles['edge']}
      aria-label={label}
      aria-valuetext={t('voice.second', { seconds: number(Math.round(value * 10) / 10) })}
      min={0}
      max={length}
      step={0.1}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
    />
  )
}

/** Plays a part of a recorded sound. Times are seconds. */
function usePlayback(
  sound: AudioBuffer,
  from: number,
  to: number,
): { readonly playing: boolean; readonly toggle: () => void } {
  const [playing, setPlaying] = useState(false)
  const running = useRef<{ readonly context: AudioContext; readonly source: AudioBufferSourceNode }>(undefined)
  const end = (): void => {
    const now = running.current
    running.current = undefined
    now?.source.stop()
    now?.context.close().catch(() => console.debug('already closed'))
    setPlaying(false)
  }
  const latest = useRef(end)
  useEffect(() => {
    latest.current = end
  })
  const part = `${from} ${to}`
  const previousPart = useRef(part)
  // Playback stops when the part changes, and when the bar unmounts.
  useEffect(() => {
    if (previousPart.current !== part) latest.current()
    previousPart.current = part
  }, [part])
  useEffect(() => () => latest.current(), [])
  const toggle = (): void => {
    if (playing) return end()
    const context = new AudioContext()
    const source = context.createBufferSource()
    source.buffer = sound
    source.connect(context.destination)
    source.addEventListener('ended', () => {
      if (running.current?.source === source) end()
    })
    running.current = { context, source }
    source.start(0, from, to - from)
    setPlaying(true)
  }
  return { playing, toggle }
}
