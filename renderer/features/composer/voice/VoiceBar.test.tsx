import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import {
  aChannel,
  aConnection,
  aSession,
  aUser,
  aWindow,
  byCid,
  byId,
  createFakeBridge,
  someSettings,
  type FakeBridge,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { Composer } from '../index.ts'

const cid = asCid('messaging:release')
const RATE = 1_000
const SECONDS = 4
/** A sound that gets louder halfway. */
const SAMPLES = Float32Array.from({ length: SECONDS * RATE }, (_, at) => (at < 2 * RATE ? 0.25 : 0.5))
/** The shortest WebM with one packet: head, tracks, one cluster. */
const WEBM = Uint8Array.from([
  0x1a, 0x45, 0xdf, 0xa3, 0x80, 0x18, 0x53, 0x80, 0x67, 0xff, 0x16, 0x54, 0xae, 0x6b, 0x83, 0xd7, 0x81, 0x01, 0x1f,
  0x43, 0xb6, 0x75, 0xff, 0xe7, 0x81, 0x00, 0xa3, 0x85, 0x81, 0x00, 0x00, 0x80, 0x07,
])

/** A microphone as the browser exposes it; `refusal` is the name of the error it throws. */
function aMicrophone(refusal?: string): { free: () => boolean } {
  const track = { stopped: false, stop: () => void (track.stopped = true) }
  const sound = { duration: SECONDS, sampleRate: RATE, getChannelData: () => SAMPLES }
  class Recorder extends EventTarget {
    static isTypeSupported = (): boolean => true
    state = 'inactive'
    start(): void {
      this.state = 'recording'
    }
    stop(): void {
      this.state = 'inactive'
      this.dispatchEvent(Object.assign(new Event('dataavailable'), { data: new Blob([WEBM]) }))
      this.dispatchEvent(new Event('stop'))
    }
  }
  class Context {
    createAnalyser = () => ({ fftSize: 0, getFloatTimeDomainData: (into: Float32Array) => into.fill(0.25) })
    createMediaStreamSource = () => ({ connect: () => undefined })
    close = () => Promise.resolve()
    decodeAudioData = () => Promise.resolve(sound)
  }
  const getUserMedia = () =>
    refusal === undefined
      ? Promise.resolve({ getTracks: () => [track] })
      : Promise.reject(Object.assign(new Error('no'), { name: refusal }))
  vi.stubGlobal('MediaRecorder', Recorder)
  vi.stubGlobal('AudioContext', Context)
  vi.stubGlobal('OfflineAudioContext', Context)
  Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia }, configurable: true })
  return { free: () => track.stopped }
}

/** `refusals`: error codes of the calls that are refused. */
function aPlace(refusals: ReadonlyMap<string, string> = new Map()): FakeBridge {
  const bridge = createFakeBridge({
    rows: {
      users: byId([aUser({ id: 'ola', name: 'Ola' })]),
      channels: byCid([aChannel({ cid, name: 'release' })]),
      session: { self: aSession({ userId: 'ola' }) },
      connection: { self: aConnection() },
      settings: { self: someSettings() },
    },
    windows: [aWindow(`timeline:${cid}`, [])],
  })
  const refuse = (call: string): void => {
    const code = refusals.get(call)
    if (code !== undefined) throw new AppError(code)
  }
  bridge.on('uploads.begin', (input: { name: string; sizeBytes: number; mimeType: string; voice: object }) => {
    refuse('uploads.begin')
    const upload = { ...input, ...input.voice, id: 'v1', kind: 'voiceRecording' as const, progress: 0 }
    bridge.change({ uploads: { v1: { ...upload, state: 'uploading' } } })
    return { ...upload, state: 'uploading' }
  })
  bridge.on('uploads.chunk', () => refuse('uploads.chunk'))
  bridge.on('uploads.finish', () => undefined)
  bridge.on('messages.send', () => asMessageId('new'))
  return bridge
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const press = async (name: string) => {
  fireEvent.click(screen.getByRole('button', { name }))
  await pass(1)
}
async function record(bridge: FakeBridge) {
  await renderInApp(<Composer cid={cid} />, bridge)
  await press('Record a voice message')
  await pass(200)
}
const begun = (bridge: FakeBridge) =>
  bridge.inputsOf('uploads.begin')[0] as { name: string; voice: { duration: number; waveform: number[] } }
const bar = () => screen.queryByRole('group', { name: 'Voice message' })

// The recorder comes with the first recording, which takes longer than these tests wait.
beforeAll(async () => void (await import('./recorder.ts')))
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  localStorage.clear()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a recording shows its time and volume, can be reviewed, and is sent with duration and waveform', async () => {
  const microphone = aMicrophone()
  const bridge = aPlace()
  await record(bridge)
  await pass(3_000)
  expect(screen.getByRole('timer').textContent).toBe('0:03')
  expect(screen.getByRole('meter', { name: 'Volume' }).getAttribute('value')).toBe('0.5')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Stop' }))
  await press('Stop')
  expect(microphone.free()).toBe(true)
  expect(bar()?.textContent).toContain('0:04')
  const send = bar()?.querySelector<HTMLElement>('[data-first]')
  expect(send?.textContent).toBe('Send')
  expect(document.activeElement).toEqual(send)
  await act(async () => send?.click())
  await pass(10)
  const { name, voice } = begun(bridge)
  expect(name).toMatch(/^Voice message .*\.webm$/)
  expect(voice.duration).toBe(4)
  expect(voice.waveform.length).toBe(100)
  expect(voice.waveform[0]).toBe(0.5)
  expect(voice.waveform.at(-1)).toBe(1)
  expect(bridge.inputsOf('uploads.finish')).toEqual([{ id: 'v1' }])
  expect(bridge.inputsOf('messages.send')).toEqual([expect.objectContaining({ uploadIds: ['v1'], whenReady: true })])
  expect(bar()).toBeNull()
})

test('a recording can be trimmed at both ends before it is attached', async () => {
  aMicrophone()
  const bridge = aPlace()
  await record(bridge)
  await press('Stop')
  fireEvent.change(screen.getByRole('slider', { name: 'Start' }), { target: { value: '1' } })
  fireEvent.change(screen.getByRole('slider', { name: 'End' }), { target: { value: '1.1' } })
  expect(screen.getByRole('slider', { name: 'End' }).getAttribute('aria-valuetext')).toMatch(/^\d+(\.\d)? s$/)
  fireEvent.change(screen.getByRole('slider', { name: 'End' }), { target: { value: '2' } })
  await press('Attach')
  await pass(10)
  expect(begun(bridge).voice.duration).toBe(1)
  expect(begun(bridge).voice.waveform.every((level) => level === 1)).toBe(true)
  expect(bridge.inputsOf('messages.send')).toEqual([])
})

test.each([
  ['is not accepted', 'uploads.begin', 'outbox/full'],
  ['cannot be copied', 'uploads.chunk', 'disk/full'],
])('a recording that %s is back in its review, and can be sent once there is room', async (_what, call, code) => {
  aMicrophone()
  const refusals = new Map([[call, code]])
  const bridge = aPlace(refusals)
  await record(bridge)
  await press('Stop')
  await press('Attach')
  await pass(10)
  expect(bar()?.textContent).toContain('0:04')
  expect(screen.queryByRole('listitem')).toBeNull()
  refusals.clear()
  await press('Attach')
  await pass(10)
  expect(bar()).toBeNull()
  expect(bridge.inputsOf('uploads.finish')).toEqual([{ id: 'v1' }])
})

test('a recording that is removed while it is copied is not back in its review', async () => {
  aMicrophone()
  const bridge = aPlace()
  const copied = Promise.withResolvers<void>()
  bridge.on('uploads.chunk', () => copied.promise)
  await record(bridge)
  await press('Stop')
  await press('Attach')
  await pass(10)
  fireEvent.click(screen.getByRole('button', { name: /^Remove Voice message/ }))
  copied.reject(new AppError('upload/unknown'))
  await pass(10)
  expect(bar()).toBeNull()
})

test('Escape ends the recording, Delete discards it', async () => {
  aMicrophone()
  const bridge = aPlace()
  await record(bridge)
  fireEvent.keyDown(screen.getByRole('button', { name: 'Stop' }), { key: 'Escape' })
  await pass(10)
  expect(screen.getByRole('button', { name: 'Attach' })).toBeDefined()
  fireEvent.keyDown(screen.getByRole('button', { name: 'Attach' }), { key: 'Delete' })
  await pass(10)
  expect(bar()).toBeNull()
  expect(bridge.inputsOf('uploads.begin')).toEqual([])
})

test('leaving the channel saves the recording as an attachment of the draft', async () => {
  aMicrophone()
  const bridge = aPlace()
  await record(bridge)
  cleanup()
  await pass(10)
  expect(begun(bridge).voice.duration).toBe(4)
})

test('a recording ends after fifteen minutes', async () => {
  aMicrophone()
  const bridge = aPlace()
  await record(bridge)
  await pass(900_100)
  await pass(10)
  expect(screen.getByRole('button', { name: 'Attach' })).toBeDefined()
})

test.each([
  ['NotAllowedError', /^Parlor isn’t allowed to use the microphone\. Allow it in your system or browser settings/],
  ['NotFoundError', /^No microphone was found/],
  ['NotReadableError', /^Another app is using the microphone/],
  ['TypeError', /^Couldn’t start recording/],
])('%s shows a message with a button to try again', async (name, text) => {
  aMicrophone(name)
  const bridge = aPlace()
  await record(bridge)
  expect(screen.getByRole('alert').textContent).toMatch(text)
  aMicrophone()
  await press('Try again')
  await pass(200)
  expect(screen.getByRole('button', { name: 'Stop' })).toBeDefined()
})

test('without recording support there is no button', async () => {
  vi.stubGlobal('MediaRecorder', undefined)
  await renderInApp(<Composer cid={cid} />, aPlace())
  expect(screen.queryByRole('button', { name: 'Record a voice message' })).toBeNull()
})
