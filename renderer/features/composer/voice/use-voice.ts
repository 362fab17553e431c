import { useEffect, useRef, useState } from 'react'
import { MAX_FILES_PER_MESSAGE } from '#shared/constants.ts'
import { VOICE_MAX_SECONDS, waveformOf, VOICE_BITS_PER_SECOND } from '#shared/rules/composer/voice.ts'
import { useTexts, useFormats } from '../../../i18n/index.ts'
import { cutWebm } from '../../../lib/files/webm.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import type { Place } from '../selectors.ts'
import { attachVoice } from '../files/staging.ts'
import type { ComposerModel } from '../use-composer.ts'

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

/** A part of a recording, from and to in seconds. */
type Part = { readonly recording: Recording; readonly from: number; readonly to: number }

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
      const begun = await startRecorder()
      if (mine !== turn.current) return void (await begun.stop())
      recorder.current = begun
      setState({ kind: 'recording', seconds: 0, level: 0 })
    } catch (error) {
      if (mine === turn.current) setState({ kind: 'refused', reason: reasonOf(error) })
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
  return async ({ recording, from, to }) => {
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

/** A recording: the bytes to send, and the decoded sound for the waveform and playback. */
type Recording = { readonly bytes: Uint8Array<ArrayBuffer>; readonly sound: AudioBuffer }

/** A recording in progress. */
type Recorder = {
  /** Current volume, 0..1. */
  readonly level: () => number
  /** Ends the recording; `undefined` if nothing was recorded. Always releases the microphone. */
  readonly stop: () => Promise<Recording | undefined>
}

/** Why recording did not start; each has its own text. */
type NoMicrophone = 'refused' | 'missing' | 'busy' | 'failed'

const VOICE_TYPE = 'audio/webm'
const OPUS = 'audio/webm;codecs=opus'

/** Whether this window can record Opus. */
export const canRecord = (): boolean =>
  typeof MediaRecorder === 'function' &&
  MediaRecorder.isTypeSupported(OPUS) &&
  typeof navigator.mediaDevices?.getUserMedia === 'function'

/** Requests the microphone and starts recording. Errors of `getUserMedia` pass through; see {@link reasonOf}. */
async function startRecorder(): Promise<Recorder> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true },
  })
  const free = (): void => stream.getTracks().forEach((track) => track.stop())
  try {
    const context = new AudioContext()
    const meter = context.createAnalyser()
    meter.fftSize = 1_024
    context.createMediaStreamSource(stream).connect(meter)
    const recorder = new MediaRecorder(stream, { mimeType: OPUS, audioBitsPerSecond: VOICE_BITS_PER_SECOND })
    const pieces: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => void pieces.push(data))
    const ended = new Promise<void>((resolve) => recorder.addEventListener('stop', () => resolve(), { once: true }))
    // In chunks, so that unplugging the microphone does not lose what was recorded.
    recorder.start(1_000)
    return {
      level: () => levelOf(meter),
      stop: async () => {
        if (recorder.state !== 'inactive') recorder.stop()
        await ended
        free()
        await context.close()
        return recordingFrom(new Uint8Array(await new Blob(pieces).arrayBuffer()))
      },
    }
  } catch (error) {
    free()
    throw error
  }
}

async function recordingFrom(recorded: Uint8Array): Promise<Recording | undefined> {
  const bytes = cutWebm(recorded)
  const sound = bytes && (await soundOf(bytes))
  return bytes && sound && { bytes, sound }
}

/** Decodes the bytes. An offline context, because decoding needs no audio device. */
const soundOf = (bytes: Uint8Array<ArrayBuffer>): Promise<AudioBuffer> =>
  new OfflineAudioContext(1, 1, 48_000).decodeAudioData(bytes.slice().buffer)

function levelOf(meter: AnalyserNode): number {
  const samples = new Float32Array(meter.fftSize)
  meter.getFloatTimeDomainData(samples)
  const peak = samples.reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0)
  return Math.min(1, Math.sqrt(peak))
}

/** Maps the error names of `getUserMedia`. Source: Media Capture and Streams, section 10.2. */
function reasonOf(error: unknown): NoMicrophone {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'missing'
  if (name === 'NotReadableError' || name === 'AbortError') return 'busy'
  return 'failed'
}
