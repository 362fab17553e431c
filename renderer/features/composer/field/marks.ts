import { textLength } from '#shared/rules/messages/text.ts'
import { mentionsAt, type Person } from '../suggestions/mentions.ts'

/** A stretch of the text that is drawn differently: a person who is named, or what is too much. */
export type Mark = { readonly from: number; readonly to: number; readonly kind: 'mention' | 'over' }

/** The stretches of a text in their order; what is beyond the limit is that alone. */
export function marksIn(text: string, people: readonly Person[], maxLength: number): readonly Mark[] {
  const end = limitIn(text, maxLength)
  const named = mentionsAt(text, people)
    .filter(({ to }) => to <= end)
    .map(({ from, to }) => ({ from, to, kind: 'mention' as const }))
  return end === text.length ? named : [...named, { from: end, to: text.length, kind: 'over' }]
}

/** Where the text reaches its limit; its length when it does not. */
export function limitIn(text: string, maxLength: number): number {
  if (text.length <= maxLength || textLength(text) <= maxLength) return text.length
  return Array.from(text).slice(0, maxLength).join('').length
}
