import { render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { languageOfText, useLanguageMark } from './language-mark.ts'
import { markLanguage } from './language-of.ts'

function Passage({ text, chosen }: { readonly text: string; readonly chosen?: string }) {
  return <p ref={useLanguageMark<HTMLParagraphElement>(text, chosen)}>{text}</p>
}

test('an element is marked with the language of its text, and with that of the next text', async () => {
  const polish = 'Czy możemy przenieść spotkanie na piątek?'
  const russian = 'Давайте встретимся завтра утром'
  const { rerender } = render(<Passage text={polish} chosen="en" />)
  await waitFor(() => expect(screen.getByText(polish).lang).toBe('pl'))
  rerender(<Passage text={russian} chosen="en" />)
  await waitFor(() => expect(screen.getByText(russian).lang).toBe('ru'))
})

test('a text that does not tell has the language its author chose, or none', () => {
  const element = document.createElement('p')
  markLanguage({ current: element }, 'OK 4.2.0', 'de')
  expect(element.lang).toBe('de')
  markLanguage({ current: element }, 'OK 4.2.0', undefined)
  expect(element.hasAttribute('lang')).toBe(false)
})

test('the language of a text is asked for without an element: as it is written, else as its author chose', async () => {
  expect(await languageOfText('Czy możemy przenieść spotkanie na piątek?', 'en')).toBe('pl')
  expect(await languageOfText('OK 4.2.0', 'de')).toBe('de')
})
