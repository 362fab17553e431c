import * as v from 'valibot'
import { createPollOption, deletePollOption, getPollOption, updatePollOption } from '#shared/wire/polls.ts'
import type { WirePollOption } from '#shared/wire/objects.ts'
import type { Identity } from '../http/auth/identify.ts'
import {
  encodeOption,
  deleteOption,
  deleteVote,
  optionById,
  optionsOf,
  putOption,
  putPoll,
  putVote,
  votesOf,
  type OptionRow,
} from './poll-tables.ts'
import { refuse } from '../http/refusal.ts'
import { route, type Route } from '../http/router.ts'
import { idText, line } from '../http/shapes.ts'
import { need } from '../channels/access.ts'
import type { Work } from '../work.ts'
import { announceVote } from './poll-votes.ts'
import { announcePoll, mayChange, openPoll, type OpenPoll } from './poll-state.ts'
import { optionCustom } from './poll-routes.ts'

const MAX_OPTIONS = 100
const optionText = line(500)

export const pollOptionRoutes: readonly Route[] = [
  route(
    createPollOption,
    { body: v.looseObject({ id: idText(), text: optionText }) },
    ({ params, body, raw, who }, work) => {
      const open = openPoll(work, params.pollId, who)
      maySuggest(open, who)
      const options = optionsOf(work.db, open.poll.id)
      if (options.length >= MAX_OPTIONS) refuse('input', `a poll has at most ${MAX_OPTIONS} options`)
      const id = body.id ?? work.ids.uuid()
      if (options.some((option) => option.id === id)) refuse('input', `an option with ID ${id} already exists`)
      refuseDuplicate(options, body.text)
      const place = (options.at(-1)?.position ?? -1) + 1
      const by = open.poll.created_by === who.userId ? null : who.userId
      putOption(work.db, open.poll.id, { id, text: body.text, custom: optionCustom(raw), created_by: by }, place)
      changed(work, open, who)
      return { poll_option: encodeOption(found(work, open, id)) }
    },
  ),
  route(
    updatePollOption,
    { body: v.looseObject({ id: v.pipe(v.string(), v.minLength(1)), text: optionText, merged_into: idText() }) },
    ({ params, body, raw, who }, work) => {
      const open = openPoll(work, params.pollId, who)
      mayChange(open, who)
      const known = found(work, open, body.id)
      if (body.merged_into !== undefined) return { poll_option: merge(work, open, who, known, body.merged_into) }
      refuseDuplicate(
        optionsOf(work.db, open.poll.id).filter((option) => option.id !== known.id),
        body.text,
      )
      putOption(work.db, open.poll.id, { id: known.id, text: body.text, custom: optionCustom(raw) }, known.position)
      changed(work, open, who)
      return { poll_option: encodeOption(found(work, open, known.id)) }
    },
  ),
  route(getPollOption, {}, ({ params, who }, work) => ({
    poll_option: encodeOption(found(work, openPoll(work, params.pollId, who), params.optionId)),
  })),
  route(deletePollOption, {}, ({ params, who }, work) => {
    const open = openPoll(work, params.pollId, who)
    mayChange(open, who)
    deleteOption(work.db, open.poll.id, found(work, open, params.optionId).id)
    changed(work, open, who)
    return {}
  }),
]

/** Merges one option with its votes into another; a user who chose both keeps one vote. */
function merge(work: Work, open: OpenPoll, who: Identity, from: OptionRow, intoId: string): WirePollOption {
  const into = found(work, open, intoId)
  if (into.id === from.id) refuse('input', 'an option cannot be merged into itself')
  const votes = votesOf(work.db, open.poll.id)
  const voters = new Set(votes.filter((vote) => vote.option_id === into.id).map((vote) => vote.user_id))
  for (const vote of votes.filter((each) => each.option_id === from.id)) {
    const moved = { ...vote, option_id: into.id, updated_at: work.now }
    const isDuplicate = voters.has(vote.user_id)
    if (isDuplicate) deleteVote(work.db, vote.id)
    else putVote(work.db, moved)
    if (open.place) {
      const announced = isDuplicate ? vote : moved
      announceVote(work, open.place, open.poll, announced, isDuplicate ? 'poll.vote_removed' : 'poll.vote_changed')
    }
  }
  deleteOption(work.db, open.poll.id, from.id)
  changed(work, open, who)
  return encodeOption(found(work, open, into.id))
}

/** Changing an option changes the poll. */
function changed(work: Work, open: OpenPoll, who: Identity): void {
  const poll = { ...open.poll, updated_at: work.now }
  putPoll(work.db, poll)
  announcePoll(work, { ...open, poll }, who, 'poll.updated')
}

/** The creator always; others while the poll is open and accepts suggestions. See docs/wire.md 8.12. */
function maySuggest({ poll, place }: OpenPoll, who: Identity): void {
  if (poll.closed) refuse('input', 'the poll is closed')
  if (poll.created_by === who.userId || who.server) return
  if (!poll.allow_suggestions) refuse('notAllowed', 'the poll takes no suggested options')
  if (place) need(place.access, who, 'cast-poll-vote', 'SuggestPollOption')
}

function found(work: Work, { poll }: OpenPoll, id: string): OptionRow {
  return optionById(work.db, poll.id, id) ?? refuse('doesNotExist', `option ${id} does not exist`)
}

function refuseDuplicate(options: readonly OptionRow[], text: string): void {
  if (options.some((option) => option.text === text)) refuse('input', 'the option already exists')
}
