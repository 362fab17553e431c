import { expect, test } from 'vitest'
import { passphraseStrength } from './Passphrase.tsx'

test('fewer than eight characters are refused, whatever they are', () => {
  for (const text of ['', 'a', 'kO9!xZ7', '🙂🙂🙂🙂🙂🙂🙂']) expect(passphraseStrength(text)).toBe('short')
})

test('a single word, repetitions and runs are weak', () => {
  for (const text of [
    'password',
    'aaaaaaaaaaaaaaaaaaaaaa',
    '1234567890123',
    'abcdefghijklmnop',
    'księżyc!',
    '20261128',
  ])
    expect(passphraseStrength(text), text).toBe('weak')
})

test('four unrelated words are fair, and six are strong, in any script', () => {
  expect(passphraseStrength('correct horse battery staple')).toBe('fair')
  expect(passphraseStrength('gęś lampa cegła mrok')).toBe('fair')
  expect(passphraseStrength('correct horse battery staple window amber')).toBe('strong')
  expect(passphraseStrength('окно роза берег камень тигр лампа')).toBe('strong')
})

test('a sentence is its words, whatever stands between them', () => {
  for (const text of ['I love my dog, always!', 'Don’t panic, please.', 'winter holidays', '«Снег идёт» — «снег идёт»'])
    expect(passphraseStrength(text), text).toBe('weak')
  expect(passphraseStrength('correct, horse: battery… staple!')).toBe('fair')
})

test('the same word again adds nothing', () => {
  expect(passphraseStrength('horse horse horse horse horse horse')).toBe('weak')
})

test('long random characters are strong', () => {
  expect(passphraseStrength('vK3!qPz8#mTw2Lr')).toBe('strong')
})
