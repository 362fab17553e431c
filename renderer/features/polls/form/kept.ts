import * as v from 'valibot'
import { EMPTY_POLL_FORM, isUntouched, type PollForm } from '#shared/rules/poll-form.ts'

/** A poll begun and not sent is kept on this computer for each person and channel, as a draft is. */
const keyFor = (userId: string, cid: string): string => `parlor.poll.${userId}.${cid}`

const form = v.object({
  name: v.string(),
  description: v.string(),
  options: v.pipe(v.array(v.object({ id: v.number(), text: v.string() })), v.minLength(1), v.maxLength(100)),
  enforceUniqueVote: v.boolean(),
  maxVotes: v.string(),
  anonymous: v.boolean(),
  allowSuggestions: v.boolean(),
  allowAnswers: v.boolean(),
})

export function readKept(userId: string, cid: string): PollForm {
  try {
    const stored = v.safeParse(form, JSON.parse(localStorage.getItem(keyFor(userId, cid)) ?? 'null'))
    return stored.success ? stored.output : EMPTY_POLL_FORM
  } catch {
    return EMPTY_POLL_FORM
  }
}

/** Storage can be switched off or full: then the form lives as long as its dialog. */
export function keep(userId: string, cid: string, written: PollForm): void {
  try {
    if (isUntouched(written)) localStorage.removeItem(keyFor(userId, cid))
    else localStorage.setItem(keyFor(userId, cid), JSON.stringify(written))
  } catch (reason) {
    console.debug('poll form not kept', reason)
  }
}

export const forget = (userId: string, cid: string): void => keep(userId, cid, EMPTY_POLL_FORM)
