import { textLength } from '#shared/rules/messages/text.ts'
import { mentionsAt, type Person } from '../suggestions/mentions.ts'

/** A range of the text that is highlighted: a mention, or the part over the limit. */
export type Mark = { readonly from: number; readonly to: number; readonly kind: 'mention' | 'over' }

/** The marks of a text in order. Mentions beyond the limit are not marked separately. */
export function marksIn(text: string, people: readonly Person[], maxLength: number): readonly Mark[] {
  const end = limitIn(text, maxLength)
  const named = mentionsAt(text, people)
    .filter(({ to }) => to <= end)
    .map(({ from, to }) => ({ from, to, kind: 'mention' as const }))
  return end === text.length ? named : [...named, { from: end, to: text.length, kind: 'over' }]
}

/** Index at which the text exceeds the limit; the text's length when it does not. */
export function limitIn(text: string, maxLength: number): number {
  if (text.length <= maxLength || textLength(text) <= maxLength) return text.length
  return Array.from(text).slice(0, maxLength).join('').length
}
