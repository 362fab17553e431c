import { WAVEFORM_STEPS } from '#shared/constants.ts'

/** Longest recording, in seconds. Ours: a quarter of an hour of Opus is 4 MB, far below the upload limit. */
export const VOICE_MAX_SECONDS = 900
/** Speech is clear at this bit rate. */
export const VOICE_BITS_PER_SECOND = 32_000

/** Metadata of a recording. See docs/wire.md 5.9. */
export type VoiceFacts = {
  /** Seconds. */
  readonly duration: number
  /** Loudness 0..1, at most {@link WAVEFORM_STEPS}. */
  readonly waveform: readonly number[]
}

/**
 * Loudness 0..1 of equal parts of a recording: the loudest sample of each, normalized so that the loudest part is 1
 * unless all is silent.
 */
export function waveformOf(samples: ArrayLike<number>, steps = WAVEFORM_STEPS): readonly number[] {
  const count = Math.min(steps, samples.length)
  const peaks = Array.from({ length: count }, (_, step) => {
    const to = Math.floor(((step + 1) * samples.length) / count)
    let peak = 0
    for (let at = Math.floor((step * samples.length) / count); at < to; at += 1) {
      peak = Math.max(peak, Math.abs(samples[at] ?? 0))
    }
    return peak
  })
  const loudest = Math.max(0, ...peaks)
  // Do not amplify the noise of a silent room.
  const scale = loudest < 0.01 ? 1 : 1 / loudest
  return peaks.map((peak) => Math.round(Math.min(1, peak * scale) * 100) / 100)
}
