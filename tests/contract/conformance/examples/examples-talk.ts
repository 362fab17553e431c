import * as v from 'valibot'
import { nothing, wrapped, type Example, type Kind } from '../example.ts'
import { textAt, type Json } from '../foreign.ts'
import { PAGE_URL } from '../one-page.ts'
import * as s from '../shapes.ts'
import { must, type Stage } from '../stage.ts'

const cursor: Readonly<Record<string, Kind>> = {
  filter: 'object',
  sort: 'list',
  limit: 'number',
  next: 'text',
  prev: 'text',
}
const atLeastOne = <S extends v.GenericSchema>(schema: S) => v.pipe(s.list(schema), v.minLength(1))

/** Ann's message, to which Bob replied. */
async function aThread(stage: Stage) {
  const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
  const room = await stage.channel({ as: ann, members: [bob] })
  const parent = await stage.send(ann, room, 'a question')
  await stage.send(bob, room, 'an answer', { parent_id: parent.id })
  return { as: ann, params: { messageId: parent.id }, room, bob }
}

/** A channel where everything is enabled, whatever the server's defaults. */
async function aRoom(stage: Stage) {
  const ann = await stage.person('ann')
  const on = { polls: true, user_message_reminders: true, shared_locations: true }
  const data = stage.target.isLocal ? {} : { config_overrides: on }
  const room = await stage.channel({ as: ann, members: [await stage.person('bob')], data })
  return { ann, room, params: { type: room.type, id: room.id } }
}

async function aPoll(stage: Stage, more: Json = {}) {
  const { ann, room } = await aRoom(stage)
  const options = [{ text: 'tea', origin: 'Assam' }, { text: 'coffee' }]
  const made = await must(ann.post('/polls', { id: stage.id('poll'), name: 'What to drink?', options, ...more }))
  const poll = made['poll'] as Json & { readonly id: string; readonly options: readonly { readonly id: string }[] }
  return { ann, room, poll, pollId: poll.id, optionId: poll.options[0]?.id ?? '' }
}

/** A poll on a message, with Ann's vote. */
async function aVote(stage: Stage) {
  const made = await aPoll(stage)
  const { id: messageId } = await stage.send(made.ann, made.room, '', { poll_id: made.pollId })
  const path = `/messages/${messageId}/polls/${made.pollId}/vote`
  const cast = await must(made.ann.post(path, { vote: { option_id: made.optionId } }))
  return { ...made, messageId, voteId: textAt(cast, 'vote.id') }
}

async function aReminder(stage: Stage) {
  const { ann, room } = await aRoom(stage)
  const { id } = await stage.send(ann, room, 'do it')
  const remind_at = new Date(stage.target.now() + 3_600_000).toISOString()
  return { ann, id, remind_at }
}

const onePoll = wrapped({ poll: s.poll })
const pollRequest: Readonly<Record<string, Kind>> = {
  description: 'text',
  max_votes_allowed: 'number',
  enforce_unique_vote: 'flag',
  allow_answers: 'flag',
  allow_user_suggested_options: 'flag',
  voting_visibility: 'text',
  is_closed: 'flag',
  user_id: 'text',
}

const reminderAnswer = wrapped({ ...s.bareReminder.entries, reminder: s.reminder })

const withReminder = (body: (remindAt: string) => Json | undefined) => async (stage: Stage) => {
  const { ann, id, remind_at } = await aReminder(stage)
  await must(ann.post(`/messages/${id}/reminders`, { remind_at }))
  const wanted = body(remind_at)
  return { as: ann, params: { id }, ...(wanted ? { body: wanted } : {}) }
}

const withDraft = async (stage: Stage) => {
  const { ann, room, params } = await aRoom(stage)
  await must(ann.post(`${room.path}/draft`, { message: { id: stage.id('draft'), text: 'unfinished' } }))
  return { as: ann, params }
}

const liveShare = async (stage: Stage) => {
  const { ann, room } = await aRoom(stage)
  const end_at = new Date(stage.target.now() + 3_600_000).toISOString()
  const place = { latitude: 52.2, longitude: 21, created_by_device_id: 'phone', end_at }
  const { id } = await stage.send(ann, room, '', { shared_location: place })
  return { ann, id }
}

/** docs/wire.md 3.1 `/og`, 3.5 to 3.9. */
export const talkExamples: readonly Example[] = [
  {
    route: 'GET /og',
    make: async (stage) => ({ as: await stage.person('ann'), query: { url: PAGE_URL } }),
    reply: wrapped({ og_scrape_url: s.id, title: s.id, type: v.optional(s.text) }),
    localOnly: 'the page is of the test',
  },
  {
    route: 'POST /threads',
    async make(stage) {
      const { as, params } = await aThread(stage)
      return { as, body: { filter: { parent_message_id: params.messageId }, reply_limit: 3, participant_limit: 10 } }
    },
    reply: wrapped({ threads: v.pipe(s.list(s.threadState), v.length(1)) }),
    optional: { watch: 'flag', member_limit: 'number', sort: 'list', limit: 'number', next: 'text', prev: 'text' },
  },
  {
    route: 'GET /threads/:messageId',
    make: aThread,
    reply: wrapped({ thread: s.threadState }),
    optional: { watch: 'flag', reply_limit: 'number', participant_limit: 'number', member_limit: 'number' },
  },
  {
    route: 'PATCH /threads/:messageId',
    make: async (stage) => ({ ...(await aThread(stage)), body: { set: { title: 'Named', mood: 'good' } } }),
    reply: wrapped({ thread: s.thread }),
    optional: { unset: 'list' },
    also: (body) => {
      if ((body['thread'] as Json)['mood'] !== 'good') throw new Error('custom data is not flat')
    },
  },
  {
    route: 'POST /channels/:type/:id/draft',
    async make(stage) {
      const { ann, params } = await aRoom(stage)
      return { as: ann, params, body: { message: { id: stage.id('draft'), text: 'unfinished', mood: 'good' } } }
    },
    reply: wrapped({ draft: s.placedDraft }),
    optional: {
      'message.parent_id': 'text',
      'message.quoted_message_id': 'text',
      'message.poll_id': 'text',
      'message.attachments': 'list',
      'message.mentioned_users': 'list',
      'message.silent': 'flag',
      'message.type': 'text',
      'message.html': 'text',
    },
  },
  {
    route: 'GET /channels/:type/:id/draft',
    make: withDraft,
    reply: wrapped({ draft: s.placedDraft }),
    optional: { parent_id: 'text' },
  },
  { route: 'DELETE /channels/:type/:id/draft', make: withDraft, reply: nothing, optional: { parent_id: 'text' } },
  {
    route: 'POST /drafts/query',
    make: async (stage) => ({ as: (await withDraft(stage)).as, body: { limit: 5 } }),
    reply: wrapped({ drafts: atLeastOne(s.placedDraft) }),
    optional: cursor,
  },
  {
    route: 'POST /polls',
    make: async (stage) => ({
      as: await stage.person('ann'),
      body: { name: 'What to drink?', options: [{ text: 'tea', origin: 'Assam' }], mood: 'good' },
    }),
    reply: onePoll,
    optional: { ...pollRequest, id: 'text' },
    also: (body) => {
      const poll = body['poll'] as Json
      const [option] = poll['options'] as Json[]
      if (poll['mood'] !== 'good' || option?.['origin'] !== 'Assam') throw new Error('custom data is not flat')
    },
  },
  {
    route: 'PUT /polls',
    async make(stage) {
      const { ann, poll } = await aPoll(stage)
      return { as: ann, body: { id: poll.id, name: 'What to eat?', options: poll.options } }
    },
    reply: onePoll,
    optional: pollRequest,
  },
  {
    route: 'GET /polls/:pollId',
    make: async (stage) => {
      const { ann, pollId } = await aPoll(stage)
      return { as: ann, params: { pollId } }
    },
    reply: onePoll,
  },
  {
    route: 'PATCH /polls/:pollId',
    make: async (stage) => {
      const { ann, pollId } = await aPoll(stage)
      return { as: ann, params: { pollId }, body: { set: { name: 'Tea?', is_closed: true } } }
    },
    reply: onePoll,
    optional: { unset: 'list' },
  },
  {
    route: 'DELETE /polls/:pollId',
    make: async (stage) => {
      const { ann, pollId } = await aPoll(stage)
      return { as: ann, params: { pollId } }
    },
    reply: nothing,
  },
  {
    route: 'POST /polls/query',
    make: async (stage) => {
      const { ann, pollId } = await aPoll(stage)
      return { as: ann, body: { filter: { id: pollId }, sort: [] } }
    },
    reply: wrapped({ polls: v.pipe(s.list(s.poll), v.length(1)) }),
    optional: { limit: 'number', next: 'text', prev: 'text' },
  },
  {
    route: 'POST /polls/:pollId/options',
    make: async (stage) => {
      const { ann, pollId } = await aPoll(stage)
      return { as: ann, params: { pollId }, body: { text: 'water', origin: 'tap' } }
    },
    reply: wrapped({ poll_option: s.object({ ...s.pollOption.entries, origin: v.literal('tap') }) }),
    optional: { user_id: 'text' },
  },
  {
    route: 'PUT /polls/:pollId/options',
    make: async (stage) => {
      const { ann, pollId, optionId } = await aPoll(stage)
      return { as: ann, params: { pollId }, body: { id: optionId, text: 'green tea' } }
    },
    reply: wrapped({ poll_option: s.pollOption }),
    optional: { user_id: 'text' },
  },
  {
    route: 'GET /polls/:pollId/options/:optionId',
    make: async (stage) => {
      const { ann, pollId, optionId } = await aPoll(stage)
      return { as: ann, params: { pollId, optionId } }
    },
    reply: wrapped({ poll_option: s.pollOption }),
  },
  {
    route: 'DELETE /polls/:pollId/options/:optionId',
    make: async (stage) => {
      const { ann, pollId, optionId } = await aPoll(stage)
      return { as: ann, params: { pollId, optionId } }
    },
    reply: nothing,
  },
  {
    route: 'POST /messages/:messageId/polls/:pollId/vote',
    make: async (stage) => {
      const { pollId, messageId, optionId } = await aVote(stage)
      return { as: await stage.person('bob'), params: { messageId, pollId }, body: { vote: { option_id: optionId } } }
    },
    reply: wrapped({ vote: s.object({ ...s.vote.entries, user_id: s.id, user: s.user }), poll: s.poll }),
    optional: { 'vote.answer_text': 'text', user_id: 'text' },
  },
  {
    route: 'DELETE /messages/:messageId/polls/:pollId/vote/:voteId',
    make: async (stage) => {
      const { ann, pollId, messageId, voteId } = await aVote(stage)
      return { as: ann, params: { messageId, pollId, voteId } }
    },
    reply: wrapped({ vote: s.vote, poll: s.poll }),
  },
  {
    route: 'POST /polls/:pollId/votes',
    make: async (stage) => {
      const { ann, pollId, optionId } = await aVote(stage)
      return { as: ann, params: { pollId }, body: { filter: { option_id: optionId }, sort: [] } }
    },
    reply: wrapped({ votes: v.pipe(s.list(s.vote), v.length(1)) }),
    optional: { limit: 'number', next: 'text', prev: 'text' },
  },
  {
    route: 'POST /messages/:id/reminders',
    async make(stage) {
      const { ann, id, remind_at } = await aReminder(stage)
      return { as: ann, params: { id }, body: { remind_at } }
    },
    reply: reminderAnswer,
  },
  { route: 'PATCH /messages/:id/reminders', make: withReminder((remind_at) => ({ remind_at })), reply: reminderAnswer },
  { route: 'DELETE /messages/:id/reminders', make: withReminder(() => undefined), reply: nothing },
  {
    route: 'POST /reminders/query',
    async make(stage) {
      const { as } = await withReminder(() => undefined)(stage)
      return { as, body: { limit: 5 } }
    },
    reply: wrapped({ reminders: atLeastOne(s.reminder) }),
    optional: cursor,
  },
  {
    route: 'GET /users/live_locations',
    make: async (stage) => ({ as: (await liveShare(stage)).ann }),
    reply: wrapped({ active_live_locations: atLeastOne(s.location) }),
  },
  {
    route: 'PUT /users/live_locations',
    async make(stage) {
      const { ann, id } = await liveShare(stage)
      return { as: ann, body: { message_id: id, created_by_device_id: 'phone', latitude: 1, longitude: -1 } }
    },
    reply: s.location,
    optional: { end_at: 'time' },
  },
]
