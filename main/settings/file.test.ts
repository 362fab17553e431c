import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { asMessageId } from '#shared/lib/brand.ts'
import { readSettingsFile } from './store.ts'

test('a file that an older version exported is imported unchanged, except for positions', () => {
  const { lastChannels: _place, leftPlaces: _left, places: own, ...requests } = DEFAULT_SETTINGS
  const savedSearches = { 'demo ola': [{ name: 'Links', text: '', chips: ['has:link'], tab: 'files' }] } as const
  const chosen = { ...requests, theme: 'dark', keys: { search: ['F3'] }, savedSearches } as const
  const left = { messageId: asMessageId('m-1'), at: 1, offset: 0, leftAt: 2 }
  const leftPlaces = { 'demo-1': { 'team:a': left } }
  const settings = { ...chosen, lastChannels: { 'demo-1': 'team:a' }, leftPlaces, places: own }
  const made = JSON.stringify({ kind: 'parlor-settings', version: 1, settings })
  expect(readSettingsFile(made)).toEqual({ changes: chosen, refused: [] })
})

test('invalid fields are listed, and do not affect the others', () => {
  const settings = { theme: 'pink', textScale: 120, fromTheFuture: 1, lastChannels: { 'demo-1': 'team:b' } }
  const text = JSON.stringify({ kind: 'parlor-settings', version: 1, settings })
  const { changes, refused } = readSettingsFile(text)
  expect(changes).toEqual({ textScale: 120 })
  expect(refused.toSorted()).toEqual(['fromTheFuture', 'theme'])
})

test.each([
  ['', 'empty'],
  ['{"kind":', 'cut off'],
  ['[1,2]', 'another JSON'],
  ['{"kind":"parlor-settings","version":2,"settings":{}}', 'of a later version'],
  ['{"kind":"parlor-settings","version":1,"settings":null}', 'without settings'],
])('a text that is not a settings file is refused: %j (%s)', (text) => {
  expect(() => readSettingsFile(text)).toThrow(expect.objectContaining({ code: 'settings/not-a-file' }))
})
