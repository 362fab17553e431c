import { expect, test } from 'vitest'
import { VOICE_BITS_PER_SECOND, VOICE_MAX_SECONDS, waveformOf } from './voice.ts'
import { UPLOAD_LIMIT_BYTES } from '#shared/constants.ts'

test('the longest recording is far below the upload limit', () => {
  expect((VOICE_MAX_SECONDS * VOICE_BITS_PER_SECOND) / 8).toBeLessThan(UPLOAD_LIMIT_BYTES / 20)
})

test('a waveform has a hundred steps, each the loudest of its part, the loudest of all is 1', () => {
  const samples = Array.from({ length: 1_000 }, (_, at) => (at < 500 ? 0.25 : -0.5))
  const waveform = waveformOf(samples)
  expect(waveform.length).toBe(100)
  expect(waveform[0]).toBe(0.5)
  expect(waveform[99]).toBe(1)
})

test('silence stays silent, and a short sound has as many steps as samples', () => {
  expect(waveformOf([0, 0.001, 0])).toEqual([0, 0, 0])
  expect(waveformOf([])).toEqual([])
})
