import { VOICE_BITS_PER_SECOND, waveformOf } from '#shared/rules/composer/voice.ts'
import { cutWebm } from '../../../lib/files/webm.ts'
import { OPUS } from './use-voice.ts'

/** A recording: the bytes to send, and the decoded sound for the waveform and playback. */
export type Recording = { readonly bytes: Uint8Array<ArrayBuffer>; readonly sound: AudioBuffer }

/** A recording in progress. */
export type Recorder = {
  /** Current volume, 0..1. */
  readonly level: () => number
  /** Ends the recording; `undefined` if nothing was recorded. Always releases the microphone. */
  readonly stop: () => Promise<Recording | undefined>
}

/** Why recording did not start; each has its own text. */
export type NoMicrophone = 'refused' | 'missing' | 'busy' | 'failed'

/** A part of a recording, from and to in seconds. */
export type Part = { readonly recording: Recording; readonly from: number; readonly to: number }

/** Requests the microphone and starts recording. Errors of `getUserMedia` pass through; see {@link reasonOf}. */
export async function startRecorder(): Promise<Recorder> {
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
export function reasonOf(error: unknown): NoMicrophone {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'missing'
  if (name === 'NotReadableError' || name === 'AbortError') return 'busy'
  return 'failed'
}

/** A part of a recording as a file to attach, with its waveform. */
export function fileOf(
  { recording: { bytes, sound }, from, to }: Part,
  name: string,
): { readonly file: File; readonly waveform: ReturnType<typeof waveformOf> } {
  const isWhole = from <= 0 && to >= sound.duration
  const cut = isWhole ? bytes : (cutWebm(bytes, from * 1_000, to * 1_000) ?? bytes)
  const samples = sound
    .getChannelData(0)
    .subarray(Math.floor(from * sound.sampleRate), Math.ceil(to * sound.sampleRate))
  return { file: new File([cut], name, { type: 'audio/webm' }), waveform: waveformOf(samples) }
}
