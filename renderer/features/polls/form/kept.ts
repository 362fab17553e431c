import { MAX_POLL_OPTIONS } from '#shared/constants.ts'
import { EMPTY_POLL_FORM, isUntouched, type PollForm } from '#shared/rules/poll-form.ts'
import { fieldsOf, keep, readKept } from '../../../lib/kept.ts'

/** A poll begun and not sent is kept on this computer for each person and channel, as a draft is. */
const keyFor = (userId: string, cid: string): string => `parlor.poll.${userId}.${cid}`

const wordsIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What is no form any more starts empty. */
export function readForm(userId: string, cid: string): PollForm {
  const kept = fieldsOf(readKept(keyFor(userId, cid)))
  if (kept === undefined) return EMPTY_POLL_FORM
  const texts = Array.isArray(kept['options'])
    ? kept['options'].map((option) => wordsIn(fieldsOf(option)?.['text']))
    : []
  return {
    options: [...texts.filter((text) => text !== ''), ''].slice(0, MAX_POLL_OPTIONS).map((text, id) => ({ id, text })),
    name: wordsIn(kept['name']),
    description: wordsIn(kept['description']),
    enforceUniqueVote: kept['enforceUniqueVote'] !== false,
    maxVotes: wordsIn(kept['maxVotes']),
    anonymous: kept['anonymous'] === true,
    allowSuggestions: kept['allowSuggestions'] === true,
    allowAnswers: kept['allowAnswers'] === true,
  }
}

export const keepForm = (userId: string, cid: string, form: PollForm): void =>
  keep(keyFor(userId, cid), isUntouched(form) ? undefined : form)
