import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { canSound, checkSound, playSound } from './sounds.ts'

type Sound = {
  readonly hertz?: number
  readonly from: number
  readonly until?: number | undefined
  readonly gain: number
}

/** What was started on the fake output. */
let played: { hertz: { value: number }; loudness: { value: number }; at: number; until?: number | undefined }[] = []
let decodes: () => Promise<{ duration: number }>
let state: 'running' | 'suspended'

class FakeAudio {
  currentTime = 100
  destination = {}
  get state() {
    return state
  }
  async resume() {
    state = 'running'
  }
  decodeAudioData = () => decodes()
  createGain() {
    const gain = {
      value: 0,
      setValueAtTime: (value: number) => void (gain.value = value),
      exponentialRampToValueAtTime: () => undefined,
    }
    return { gain, connect: () => undefined }
  }
  createOscillator = () => this.#source()
  createBufferSource = () => this.#source()
  #source() {
    const sound = { hertz: { value: 0 }, loudness: { value: 0 }, at: 0, until: undefined as number | undefined }
    return {
      frequency: sound.hertz,
      connect: (to: { gain: { value: number } }) => {
        sound.loudness = to.gain
        return to
      },
      start: (at: number) => {
        sound.at = at
        played.push(sound)
      },
      stop: (at: number) => void (sound.until = at),
    }
  }
}

const heard = (): Sound[] =>
  played.map(({ hertz, loudness, at, until }) => ({ hertz: hertz.value, from: at, until, gain: loudness.value }))

beforeEach(() => {
  played = []
  state = 'running'
  decodes = async () => ({ duration: 2 })
  vi.stubGlobal('AudioContext', FakeAudio)
})
afterEach(() => void vi.unstubAllGlobals())

const bytes = new Uint8Array([1, 2, 3])

test('a sound is a few tones, at the volume of the setting', async () => {
  await playSound('knock', 50, async () => undefined)
  expect(heard()).toMatchObject([
    { hertz: 190, from: 100, until: 100.09, gain: 0.2 },
    { hertz: 160, from: 100.13, gain: 0.9 * 0.5 * 0.4 },
  ])
})

test('a custom file is played instead of tones, and tones if it is missing or broken', async () => {
  await playSound('file', 70, async () => bytes)
  expect(heard()).toEqual([{ hertz: 0, from: 0, until: undefined, gain: 0.7 }])
  played = []
  await playSound('file', 70, async () => undefined)
  expect(heard().map(({ hertz }) => hertz)).toEqual([880, 1_320])
  played = []
  decodes = () => Promise.reject(new Error('no sound'))
  await playSound('file', 70, async () => bytes)
  expect(heard().map(({ hertz }) => hertz)).toEqual([880, 1_320])
})

test('an output that the system suspended is resumed first', async () => {
  state = 'suspended'
  await playSound('bell', 100, async () => undefined)
  expect(state).toBe('running')
  expect(heard()).toHaveLength(3)
})

test('a page may play sounds once the user has acted, or while its output runs', async () => {
  state = 'suspended'
  const acted = { hasBeenActive: false }
  Object.defineProperty(navigator, 'userActivation', { value: acted, configurable: true })
  expect(canSound()).toBe(false)
  acted.hasBeenActive = true
  expect(canSound()).toBe(true)
  acted.hasBeenActive = false
  await playSound('drop', 10, async () => undefined)
  expect(canSound()).toBe(true)
})

test('without an output nothing is played and nothing fails', async () => {
  vi.stubGlobal('AudioContext', undefined)
  await playSound('drop', 10, async () => undefined)
  expect(canSound()).toBe(false)
  expect(played).toEqual([])
})

test('a custom file of up to ten seconds can be used', async () => {
  decodes = async () => ({ duration: 10 })
  expect(await checkSound(bytes)).toBe('good')
  decodes = async () => ({ duration: 10.1 })
  expect(await checkSound(bytes)).toBe('long')
  decodes = () => Promise.reject(new Error('no sound'))
  expect(await checkSound(bytes)).toBe('unreadable')
})
