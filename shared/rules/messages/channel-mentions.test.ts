import { expect, test } from 'vitest'
import { isMentionableChannel, splitChannelMentions } from './channel-mentions.ts'

test.each([
  ['see #map-data, please', ['see ', '#map-data', ', please']],
  ['#команда-алматы and (#łódź_1)', ['#команда-алматы', ' and (', '#łódź_1', ')']],
  ['C# and a#b and ## and # x', ['C# and a#b and ## and # x']],
  ['', ['']],
])('%j is split at possible channel mentions', (text, parts) => {
  expect(splitChannelMentions(text).map((part) => part.text)).toEqual(parts)
  expect(splitChannelMentions(text).every((part) => (part.name === undefined) === !/^#[^\s#]/.test(part.text))).toBe(
    true,
  )
})

test('only a one-word channel name can be mentioned, and a direct conversation has none', () => {
  const named = (name: string, directUserIds: string[] = []) => isMentionableChannel({ name, directUserIds } as never)
  expect(named('release-4-2')).toBe(true)
  expect(named('Field trips')).toBe(false)
  expect(named('')).toBe(false)
  expect(named('ola', ['ola'])).toBe(false)
})
