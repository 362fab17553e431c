import { MAX_POLL_OPTIONS } from '#shared/constants.ts'
import { EMPTY_POLL_FORM, isUntouched, type PollForm } from '#shared/rules/poll-form.ts'
import { fieldsOf, keep, readKept } from '../../../lib/kept.ts'

/** A poll begun and not sent is kept on this computer for each person and channel, as a draft is. */
const keyFor = (userId: string, place: string): string => `parlor.poll.${userId}.${place}`

const wordsIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What is no form any more starts anew, empty or with `otherwise`. */
export function readForm(userId: string, place: string, otherwise: PollForm = EMPTY_POLL_FORM): PollForm {
  const kept = fieldsOf(readKept(keyFor(userId, place)))
  if (kept === undefined) return otherwise
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
    ...closesIn(kept['closes']),
  }
}

function closesIn(value: unknown): Pick<PollForm, 'closes'> {
  const fields = fieldsOf(value)
  return fields === undefined ? {} : { closes: { date: wordsIn(fields['date']), time: wordsIn(fields['time']) } }
}

export const keepForm = (userId: string, place: string, form: PollForm): void =>
  keep(keyFor(userId, place), isUntouched(form) ? undefined : form)
