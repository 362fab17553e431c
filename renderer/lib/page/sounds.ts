/** The names used in the settings. */
type Made = 'knock' | 'drop' | 'chime' | 'bell'
type Name = Made | 'file'

/** One tone of a sound: hertz, start in seconds, seconds until it has faded, and its share of the volume. */
type Tone = { readonly hertz: number; readonly at: number; readonly fades: number; readonly gain: number }

/** Short sounds synthesized from a few tones, so that no file is needed. */
const SOUNDS: Readonly<Record<Made, readonly Tone[]>> = {
  knock: [
    { hertz: 190, at: 0, fades: 0.09, gain: 1 },
    { hertz: 160, at: 0.13, fades: 0.11, gain: 0.9 },
  ],
  drop: [
    { hertz: 880, at: 0, fades: 0.12, gain: 0.5 },
    { hertz: 1_320, at: 0.06, fades: 0.16, gain: 0.35 },
  ],
  chime: [
    { hertz: 660, at: 0, fades: 0.5, gain: 0.5 },
    { hertz: 990, at: 0.12, fades: 0.6, gain: 0.4 },
  ],
  bell: [
    { hertz: 523, at: 0, fades: 1.1, gain: 0.5 },
    { hertz: 1_046, at: 0, fades: 0.8, gain: 0.2 },
    { hertz: 1_568, at: 0, fades: 0.5, gain: 0.1 },
  ],
}

let output: AudioContext | undefined

/** Whether the page may play a sound now: browsers require a click or key press first. */
export const canSound = (): boolean =>
  typeof AudioContext === 'function' && (output?.state === 'running' || navigator.userActivation.hasBeenActive)

/** The bytes of the custom sound file; `undefined`: missing or unreadable. */
type SoundFile = () => Promise<Uint8Array<ArrayBuffer> | undefined>

/** Maximum length of a custom sound. */
const LONGEST_S = 10

/** Checks whether a custom sound file can be used. */
export async function checkSound(bytes: Uint8Array<ArrayBuffer>): Promise<'good' | 'long' | 'unreadable'> {
  output ??= new AudioContext()
  const buffer = await decoded(output, bytes)
  return buffer === undefined ? 'unreadable' : buffer.duration > LONGEST_S ? 'long' : 'good'
}

/** Decoding detaches the buffer, so it gets a copy. */
const decoded = (context: AudioContext, bytes: Uint8Array<ArrayBuffer>): Promise<AudioBuffer | undefined> =>
  context.decodeAudioData(bytes.slice().buffer).catch(() => undefined)

/**
 * Plays a sound. If the custom file cannot be read, plays `drop`, so that the notification is not silent.
 *
 * @param volume 0 to 100
 */
export async function playSound(name: Name, volume: number, file: SoundFile): Promise<void> {
  if (typeof AudioContext !== 'function') return
  output ??= new AudioContext()
  // Suspended since the last sound, or created before a user gesture.
  if (output.state === 'suspended') await output.resume()
  if (name === 'file') {
    const bytes = await file()
    const buffer = bytes && (await decoded(output, bytes))
    if (buffer !== undefined) return soundFile(output, buffer, volume / 100)
  }
  for (const tone of SOUNDS[name === 'file' ? 'drop' : name]) soundTone(output, tone, volume / 100)
}

function soundTone(context: AudioContext, { hertz, at, fades, gain }: Tone, volume: number): void {
  const start = context.currentTime + at
  const tone = context.createOscillator()
  const loudness = context.createGain()
  tone.frequency.value = hertz
  loudness.gain.setValueAtTime(gain * volume * 0.4, start)
  loudness.gain.exponentialRampToValueAtTime(0.000_1, start + fades)
  tone.connect(loudness).connect(context.destination)
  tone.start(start)
  tone.stop(start + fades)
}

function soundFile(context: AudioContext, buffer: AudioBuffer, volume: number): void {
  const source = context.createBufferSource()
  const loudness = context.createGain()
  source.buffer = buffer
  loudness.gain.value = volume
  source.connect(loudness).connect(context.destination)
  source.start(0, 0, LONGEST_S)
}
