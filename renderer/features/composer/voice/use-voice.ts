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

/** How far a voice message is. Times are seconds. */
export type VoiceState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'refused'; readonly reason: NoMicrophone | 'nothing' }
  | { readonly kind: 'recording'; readonly seconds: number; readonly level: number }
  | { readonly kind: 'review'; readonly recording: Recording; readonly from: number; readonly to: number }

export type Voice = {
  readonly state: VoiceState
  readonly start: () => void
  /** Ends the recording and shows it. */
  readonly stop: () => void
  readonly trim: (from: number, to: number) => void
  readonly discard: () => void
  /** Puts it among the attachments; `send` also sends what stands in the composer. */
  readonly keep: (send: boolean) => void
}

const TICK_MS = 100
/** Less than this is a slip of the finger. */
const LEAST_SECONDS = 0.3

/** Records, and hands what was recorded to the composer. Leaving the channel meanwhile keeps what was said in its draft. */
export function useVoice(place: Place, it: ComposerModel): Voice {
  const t = useTexts('composer')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const [state, setState] = useState<VoiceState>({ kind: 'idle' })
  /** A recording that is sent as soon as it stands among the attachments. */
  const sendOnce = useRef<string>(undefined)
  const recorder = useRef<Recorder>(undefined)
  /** Rises with each start and end, so that a late answer of the microphone is known as late. */
  const turn = useRef(0)

  const attach = async (recording: Recording, from: number, to: number): Promise<string | undefined> => {
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
    // Already ending: the clock ticks on until it has.
    if (recorder.current === undefined) return
    const recording = await finish()
    const enough = recording !== undefined && recording.sound.duration >= LEAST_SECONDS
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
  const latest = useRef({ stop, attach, state, finish })
  useEffect(() => {
    latest.current = { stop, attach, state, finish }
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
      const { state: left, attach: keepIt, finish: end } = latest.current
      if (left.kind === 'review') void keepIt(left.recording, left.from, left.to)
      else void end().then((recording) => recording && keepIt(recording, 0, recording.sound.duration))
    },
    [],
  )

  const { uploads, send } = it
  useEffect(() => {
    const there = uploads.some(({ id, state: at }) => id === sendOnce.current && at !== 'blocked')
    if (!there) return
    sendOnce.current = undefined
    send({ whenReady: true })
  }, [uploads, send])

  return {
    state,
    start: () => {
      if (uploads.length < MAX_FILES_PER_MESSAGE) void start()
    },
    stop: () => void stop(),
    trim: (from, to) => {
      if (state.kind === 'review' && to - from >= LEAST_SECONDS) setState({ ...state, from, to })
    },
    discard: () => {
      void finish()
      setState({ kind: 'idle' })
      it.focus()
    },
    keep: (andSend) => {
      const take = async (): Promise<void> => {
        const done =
          state.kind === 'review'
            ? state
            : await finish().then((recording) => recording && { recording, from: 0, to: recording.sound.duration })
        if (done === undefined) return setState({ kind: 'refused', reason: 'nothing' })
        setState({ kind: 'idle' })
        it.focus()
        const id = await attach(done.recording, done.from, done.to)
        if (!andSend || id === undefined) return
        sendOnce.current = id
        // What waits for it looks again, also when its tile was there before its last byte.
        setState({ kind: 'idle' })
      }
      void take()
    },
  }
}
