import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { languageOf } from './language-of.ts'

describe('the language of a text', () => {
  test.each([
    ['en', 'Lovely light. I’ll use the first one for the store listing.'],
    ['pl', 'Zapytałam zarząd, czy możemy przenieść spotkanie na piątek.'],
    ['ru', 'Красота! Закрытия теперь приходят из ночной выгрузки.'],
    ['de', 'Wir treffen uns morgen früh am Bahnhof und fahren zusammen weiter.'],
    ['fr', 'Nous avons décidé de repousser la réunion à vendredi prochain.'],
  ])('is told from its words: %s', (language, text) => {
    expect(languageOf(text)).toBe(language)
  })

  test.each(['', 'ok', '4.2.0 (1978)', '🎉🎉', 'https://example.org/wszystko/jest/tutaj', '@Ola #release-4-2'])(
    'is not guessed from %j',
    (text) => {
      expect(languageOf(text)).toBeUndefined()
    },
  )

  test('is that of the words around code, links and names', () => {
    expect(languageOf('Sprawdź `const lines = await source.read()` przed jutrzejszym spotkaniem')).toBe('pl')
  })

  test.each([
    ['en', 0.7],
    ['pl', 0.95],
    ['ru', 0.99],
  ] as const)('is right for the own texts in %s, and next to never wrong', (language, share) => {
    const texts = ownTexts(language)
    const found = texts.map((text) => languageOf(text))
    const right = found.filter((each) => each === language).length
    const unknown = found.filter((each) => each === undefined).length
    expect(texts.length).toBeGreaterThan(1_000)
    expect(right / texts.length).toBeGreaterThan(share)
    expect((texts.length - right - unknown) / texts.length).toBeLessThan(0.01)
  })
})

/** The texts of at least four words that the app shows in a language. */
function ownTexts(language: string): string[] {
  const folder = `resources/locales/${language}`
  const leaves = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(leaves)
  return readdirSync(folder)
    .flatMap((file) => leaves(JSON.parse(readFileSync(join(folder, file), 'utf8'))))
    .map((text) => text.replaceAll(/\{\{.*?\}\}|<.*?>/g, ' '))
    .filter((text) => (text.match(/\p{L}{2,}/gu) ?? []).length >= 4)
}
