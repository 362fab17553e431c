import { useRef, useState, type ComponentProps, type KeyboardEvent } from 'react'
import { sendCommand, useCommand } from '../../store/commands.ts'
import { useAppDispatch, useMediaUrl } from '../../store/hooks.ts'

/** A sound that plays in place. Times are seconds. */
export type Sound = {
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
export function useSound(ref: string, duration: number | undefined): Sound {
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
export function pauseOthers(playing: HTMLMediaElement): void {
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
