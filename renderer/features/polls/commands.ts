import { composerKey } from '#shared/domain/draft.ts'
import type { ListedPoll, PollDefinition, PollForm, PollView, PollVoter } from '#shared/domain/poll.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { ok } from '#shared/lib/app-error.ts'
import { command, type Command } from '../../store/command.ts'
import type { Thunk } from '../../store/store.ts'
import { focusRequested, quoteChosen, typed } from '../../store/composers/composers.ts'
import { dialogClosed, panelOpened, placeOpened } from '../../store/window/ui.ts'

type One = { readonly messageId: MessageId }
type Vote = One & { readonly optionId: string }
type Worded = One & { readonly text: string }
type Paged = One & { readonly cursor?: string }

const MOST_PAGES = 200

/** Errors are shown in the card or the dialog. */
const quiet = { quiet: true }

export const castVote = command('polls/voteCast', (vote: Vote, engine) => engine.polls.castVote(vote), quiet)
export const removeVote = command('polls/voteRemoved', (vote: Vote, engine) => engine.polls.removeVote(vote), quiet)
export const createPoll = command(
  'polls/created',
  (
    poll: PollDefinition & {
      readonly cid: Cid
      readonly options: string[]
      readonly replaces?: string
      readonly again?: boolean
    },
    engine,
  ) => engine.polls.create(poll),
  quiet,
)
/** Saves an unfinished poll; without a form it is deleted. */
export const savePoll = command(
  'polls/formSaved',
  ({ cid, of, form }: { readonly cid: Cid; readonly of: string; readonly form?: PollForm }, engine) =>
    engine.drafts.savePoll({
      cid,
      of,
      form: form === undefined ? undefined : { ...form, options: [...form.options] },
    }),
)
export const closePoll = command('polls/closed', (poll: One, engine) => engine.polls.close(poll), quiet)
type Edit = One & {
  readonly name?: string
  readonly description?: string
  readonly renamed: { id: string; text: string }[]
  readonly merged: { id: string; into: string }[]
  readonly removed: string[]
  readonly added: string[]
}
export const editPoll = command('polls/edited', (edit: Edit, engine) => engine.polls.edit(edit), quiet)
export const readNonVoters = command('polls/nonVotersAsked', (it: One, engine) => engine.polls.nonVoters(it), quiet)
export const suggestOption = command('polls/optionAdded', (it: Worded, engine) => engine.polls.addOption(it), quiet)
export const answerPoll = command('polls/answered', (answer: Worded, engine) => engine.polls.answer(answer), quiet)
export const removeAnswer = command(
  'polls/answerRemoved',
  (poll: One, engine) => engine.polls.removeAnswer(poll),
  quiet,
)
export const readAnswers = command('polls/answersAsked', (page: Paged, engine) => engine.polls.answers(page), quiet)
export const readVoters = command(
  'polls/votersAsked',
  (page: Paged & { readonly optionId: string }, engine) => engine.polls.voters(page),
  quiet,
)
export const readPolls = command('polls/listed', (view: PollView, engine) => engine.polls.list({ view }), quiet)

/** All voters of an option, page by page, up to a limit in case the server's list never ends. */
export function readAllVoters(input: One & { readonly optionId: string }): Command<readonly PollVoter[]> {
  return async (dispatch) => {
    const voters: PollVoter[] = []
    let cursor: string | undefined
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const read = await dispatch(readVoters({ ...input, cursor }))
      if (!read.ok) return read
      voters.push(...read.value.voters)
      cursor = read.value.next
      if (cursor === undefined) break
    }
    return ok(voters)
  }
}

/** Inserts a text about a poll into the composer with the poll as quote; the user sends it. */
export function writeAbout({ messageId, text }: Worded): Thunk {
  return (dispatch, getState) => {
    const message = getState().entities.messages[messageId]
    if (message === undefined) return
    const key = composerKey(message.cid, message.parentId)
    const before = (getState().composers[key]?.text ?? '').trimEnd()
    const whole = before === '' ? text : `${before}\n\n${text}`
    dispatch(quoteChosen({ key, messageId }))
    dispatch(typed({ key, text: whole, caret: whole.length }))
    dispatch(focusRequested({ key }))
  }
}

/**
 * A reply to a comment is posted in the thread of the poll and quotes the comment, because a comment cannot have replies
 * (docs/wire.md 5.12: VOTE has no parent).
 */
export function replyToComment({ messageId, text, name }: Worded & { readonly name?: string }): Thunk {
  return (dispatch, getState) => {
    const message = getState().entities.messages[messageId]
    if (message === undefined) return
    const { cid } = message
    const parentId = message.parentId ?? messageId
    const key = composerKey(cid, parentId)
    const quoted = text.split('\n').map((line) => `> ${line}`)
    const whole = [
      (getState().composers[key]?.text ?? '').trimEnd(),
      `${quoted.join('\n')}\n\n${name === undefined ? '' : `@${name} `}`,
    ]
      .filter((part) => part !== '')
      .join('\n\n')
    dispatch(dialogClosed())
    dispatch(panelOpened({ kind: 'thread', cid, parentId }))
    dispatch(typed({ key, text: whole, caret: whole.length }))
    dispatch(focusRequested({ key }))
  }
}

/** Deletes a poll with its votes; errors are shown in the dialog. */
export const removePoll = command(
  'polls/removed',
  (input: { readonly messageId: MessageId }, engine) => engine.polls.remove(input),
  { quiet: true },
)

/** Jumps to the message of a poll, in its thread if it is in one. */
export function goToPoll({ messageId, cid, parentId }: Pick<ListedPoll, 'messageId' | 'cid' | 'parentId'>): Thunk {
  return (dispatch) => {
    dispatch(dialogClosed())
    dispatch(placeOpened({ cid, parentId, messageId }))
  }
}
