import { useEffect, useRef, useState } from 'react'
import { MAX_FILES_PER_MESSAGE } from '#shared/constants.ts'
import { VOICE_MAX_SECONDS } from '#shared/rules/composer/voice.ts'
import { useTexts, useFormats } from '../../../i18n/index.ts'
import { codeOf } from '../../../lib/page/part.tsx'
import { useAppDispatch } from '../../../store/hooks.ts'
import type { Place } from '../selectors.ts'
import { attachVoice } from '../files/staging.ts'
import type { ComposerModel } from '../use-composer.ts'
import type { NoMicrophone, Part, Recorder, Recording } from './recorder.ts'

/** Loaded with the first recording. */
const recorderCode = codeOf(() => import('./recorder.ts'))

/** State of a voice message. Times are seconds. */
export type VoiceState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'refused'; readonly reason: NoMicrophone | 'nothing' }
  | { readonly kind: 'recording'; readonly seconds: number; readonly level: number }
  | { readonly kind: 'review'; readonly recording: Recording; readonly from: number; readonly to: number }

export type Voice = {
  readonly state: VoiceState
  readonly start: () => void
  /** Ends the recording and shows the review. */
  readonly stop: () => void
  readonly trim: (from: number, to: number) => void
  readonly discard: () => void
  /** Attaches the recording; `send` also sends the message. */
  readonly attach: (send: boolean) => void
}

const TICK_MS = 100
/** Shorter recordings are accidental and discarded. */
const MIN_SECONDS = 0.3

/** Records, and attaches the recording to the composer. Leaving the channel saves an unfinished one in the draft. */
export function useVoice(place: Place, model: ComposerModel): Voice {
  const { uploads } = model
  const { state, setState, start, stop, finish } = useRecording()
  const attachRecording = useAttachRecording(place)
  const sendWhenAttached = useSendWhenAttached(model)
  const latest = useRef({ attachRecording, state, finish })
  useEffect(() => {
    latest.current = { attachRecording, state, finish }
  })
  useEffect(
    () => () => {
      const { state: last, attachRecording: save, finish: end } = latest.current
      if (last.kind === 'review') void save(last)
      else void end().then((recording) => recording && save(wholeOf(recording)))
    },
    [],
  )
  const attach = async (andSend: boolean): Promise<void> => {
    const done = state.kind === 'review' ? state : await finish().then((recording) => recording && wholeOf(recording))
    if (done === undefined) return setState({ kind: 'refused', reason: 'nothing' })
    setState({ kind: 'idle' })
    model.focus()
    const id = await attachRecording(done)
    // Nothing else has it: it can be attached again once there is room, or discarded.
    if (id === undefined) setState((now) => (now.kind === 'idle' ? { kind: 'review', ...done } : now))
    if (!andSend || id === undefined) return
    sendWhenAttached(id)
    // Re-renders, so that the message is sent even if the tile appeared before the id was stored.
    setState({ kind: 'idle' })
  }
  return {
    state,
    start: () => {
      if (uploads.length < MAX_FILES_PER_MESSAGE) void start()
    },
    stop: () => void stop(),
    trim: (from, to) => {
      if (state.kind === 'review' && to - from >= MIN_SECONDS) setState({ ...state, from, to })
    },
    discard: () => {
      void finish()
      setState({ kind: 'idle' })
      model.focus()
    },
    attach: (andSend) => void attach(andSend),
  }
}

const wholeOf = (recording: Recording): Part => ({ recording, from: 0, to: recording.sound.duration })

/** The microphone, from the question for permission to the review. */
function useRecording() {
  const [state, setState] = useState<VoiceState>({ kind: 'idle' })
  const recorder = useRef<Recorder>(undefined)
  /** Incremented at each start and end, to recognize a late response of the microphone. */
  const turn = useRef(0)

  const finish = async (): Promise<Recording | undefined> => {
    const running = recorder.current
    recorder.current = undefined
    turn.current += 1
    return running?.stop().catch(() => undefined)
  }
  const stop = async (): Promise<void> => {
    // Already ending; the timer keeps ticking until then.
    if (recorder.current === undefined) return
    const recording = await finish()
    const enough = recording !== undefined && recording.sound.duration >= MIN_SECONDS
    setState(enough ? { kind: 'review', ...wholeOf(recording) } : { kind: 'refused', reason: 'nothing' })
  }
  const start = async (): Promise<void> => {
    const mine = (turn.current += 1)
    setState({ kind: 'asking' })
    try {
      const begun = await (await recorderCode.load()).startRecorder()
      if (mine !== turn.current) return void (await begun.stop())
      recorder.current = begun
      setState({ kind: 'recording', seconds: 0, level: 0 })
    } catch (error) {
      if (mine === turn.current)
        setState({ kind: 'refused', reason: recorderCode.ready()?.reasonOf(error) ?? 'failed' })
    }
  }

  const isRecording = state.kind === 'recording'
  const latestStop = useRef(stop)
  useEffect(() => {
    latestStop.current = stop
  })
  useEffect(() => {
    if (!isRecording) return undefined
    const began = performance.now()
    const timer = setInterval(() => {
      const seconds = (performance.now() - began) / 1_000
      if (seconds >= VOICE_MAX_SECONDS) void latestStop.current()
      else setState({ kind: 'recording', seconds, level: recorder.current?.level() ?? 0 })
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [isRecording])
  return { state, setState, start, stop, finish }
}

/** Attaches a part of a recording to the composer as a file. Returns the id of its upload. */
function useAttachRecording(place: Place): (part: Part) => Promise<string | undefined> {
  const t = useTexts('composer')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  return async (part) => {
    const { fileOf } = await recorderCode.load()
    const name = `${t('voice.fileName', { time: formats.time(Date.now()) }).replace(/[:/\\]/g, '.')}.webm`
    const { file, waveform } = fileOf(part, name)
    return dispatch(attachVoice(place, file, { duration: part.to - part.from, waveform }))
  }
}

/** Sends the message as soon as the upload with the given id is attached to it. */
function useSendWhenAttached({ uploads, send }: ComposerModel): (uploadId: string) => void {
  const waiting = useRef<string>(undefined)
  useEffect(() => {
    const there = uploads.some(({ id, state: at }) => id === waiting.current && at !== 'blocked')
    if (!there) return
    waiting.current = undefined
    send({ whenReady: true })
  }, [uploads, send])
  return (uploadId) => {
    waiting.current = uploadId
  }
}

export const OPUS = 'audio/webm;codecs=opus'

/** Whether this window can record Opus; asking Chromium takes as long as drawing a row. */
export function canRecord(): boolean {
  if (typeof MediaRecorder !== 'function') return false
  recordsOpus ??= MediaRecorder.isTypeSupported(OPUS)
  return recordsOpus && typeof navigator.mediaDevices?.getUserMedia === 'function'
}

let recordsOpus: boolean | undefined
