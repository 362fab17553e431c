import { useEffect, useRef, useState } from 'react'
import { MAX_FILES_PER_MESSAGE } from '#shared/constants.ts'
import { VOICE_MAX_SECONDS, waveformOf } from '#shared/rules/composer/voice.ts'
import { useTexts, useFormats } from '../../../i18n/index.ts'
import { cutWebm } from '../../../lib/files/webm.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import type { Place } from '../place.ts'
import { attachVoice } from '../files/staging.ts'
import type { ComposerModel } from '../use-composer.ts'
import { reasonOf, startRecorder, VOICE_TYPE, type NoMicrophone, type Recorder, type Recording } from './recorder.ts'

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
  const t = useTexts('composer')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const [state, setState] = useState<VoiceState>({ kind: 'idle' })
  /** Upload id of a recording to send as soon as it is attached. */
  const sendWhenAttached = useRef<string>(undefined)
  const recorder = useRef<Recorder>(undefined)
  /** Incremented at each start and end, to recognize a late response of the microphone. */
  const turn = useRef(0)

  const attachRecording = async (recording: Recording, from: number, to: number): Promise<string | undefined> => {
    const { sound } = recording
    const whole = from <= 0 && to >= sound.duration
    const bytes = whole ? recording.bytes : (cutWebm(recording.bytes, from * 1_000, to * 1_000) ?? recording.bytes)
    const samples = sound
      .getChannelData(0)
      .subarray(Math.floor(from * sound.sampleRate), Math.ceil(to * sound.sampleRate))
    const name = `${t('voice.fileName', { time: formats.time(Date.now()) }).replace(/[:/\\]/g, '.')}.webm`
    const file = new File([bytes], name, { type: VOICE_TYPE })
    return dispatch(attachVoice(place, file, { duration: to - from, waveform: waveformOf(samples) }))
  }

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
    setState(
      enough
        ? { kind: 'review', recording, from: 0, to: recording.sound.duration }
        : { kind: 'refused', reason: 'nothing' },
    )
  }
  const start = async (): Promise<void> => {
    const mine = (turn.current += 1)
    setState({ kind: 'asking' })
    try {
      const begun = await startRecorder()
      if (mine !== turn.current) return void (await begun.stop())
      recorder.current = begun
      setState({ kind: 'recording', seconds: 0, level: 0 })
    } catch (error) {
      if (mine === turn.current) setState({ kind: 'refused', reason: reasonOf(error) })
    }
  }

  const isRecording = state.kind === 'recording'
  const latest = useRef({ stop, attachRecording, state, finish })
  useEffect(() => {
    latest.current = { stop, attachRecording, state, finish }
  })
  useEffect(() => {
    if (!isRecording) return undefined
    const began = performance.now()
    const timer = setInterval(() => {
      const seconds = (performance.now() - began) / 1_000
      if (seconds >= VOICE_MAX_SECONDS) void latest.current.stop()
      else setState({ kind: 'recording', seconds, level: recorder.current?.level() ?? 0 })
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [isRecording])
  useEffect(
    () => () => {
      const { state: last, attachRecording: save, finish: end } = latest.current
      if (last.kind === 'review') void save(last.recording, last.from, last.to)
      else void end().then((recording) => recording && save(recording, 0, recording.sound.duration))
    },
    [],
  )

  const { uploads, send } = model
  useEffect(() => {
    const there = uploads.some(({ id, state: at }) => id === sendWhenAttached.current && at !== 'blocked')
    if (!there) return
    sendWhenAttached.current = undefined
    send({ whenReady: true })
  }, [uploads, send])

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
    attach: (andSend) => {
      const take = async (): Promise<void> => {
        const done =
          state.kind === 'review'
            ? state
            : await finish().then((recording) => recording && { recording, from: 0, to: recording.sound.duration })
        if (done === undefined) return setState({ kind: 'refused', reason: 'nothing' })
        setState({ kind: 'idle' })
        model.focus()
        const id = await attachRecording(done.recording, done.from, done.to)
        if (!andSend || id === undefined) return
        sendWhenAttached.current = id
        // Re-renders, so that the effect above runs even if the tile appeared before the id was stored.
        setState({ kind: 'idle' })
      }
      void take()
    },
  }
}
