import * as v from 'valibot'
import { fileForm, pictureForm } from '../checks-transport.ts'
import { nothing, wrapped, type Example, type Kind } from '../example.ts'
import { textAt, type Caller, type Json } from '../foreign.ts'
import * as s from '../shapes.ts'
import * as running from '../shapes-running.ts'
import { must, type Channel, type Stage } from '../stage.ts'

type SentMessage = {
  readonly ann: Caller
  readonly bob: Caller
  readonly room: Channel
  readonly id: string
  readonly message: Json
}

/** Ann has sent a message to Bob. */
async function sendMessage(stage: Stage, more: Json = {}): Promise<SentMessage> {
  const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
  const room = await stage.channel({ as: ann, members: [bob] })
  const message = await stage.send(ann, room, 'hello', more)
  return { ann, bob, room, id: message.id, message }
}

const aboutMessage =
  (body: (made: SentMessage) => Json = () => ({}), query?: Json) =>
  async (stage: Stage) => {
    const made = await sendMessage(stage)
    return { as: made.ann, params: { id: made.id }, body: body(made), ...(query ? { query } : {}) }
  }

/** The same for the server token alone. */
const byServer =
  (body: (made: SentMessage) => Json = () => ({})) =>
  async (stage: Stage) => ({
    ...(await aboutMessage(body)(stage)),
    as: stage.server,
  })

const oneMessage = wrapped({ message: s.message })

const messageRequest: Readonly<Record<string, Kind>> = {
  'message.id': 'text',
  'message.attachments': 'list',
  'message.parent_id': 'text',
  'message.show_in_channel': 'flag',
  'message.quoted_message_id': 'text',
  'message.mentioned_users': 'list',
  'message.mentioned_roles': 'list',
  'message.mentioned_group_ids': 'list',
  'message.silent': 'flag',
  'message.pinned': 'flag',
  'message.pinned_at': 'time',
  'message.pin_expires': 'time',
  'message.poll_id': 'text',
  'message.shared_location': 'object',
  'message.restricted_visibility': 'list',
  'message.type': 'text',
  'message.mml': 'text',
  'message.html': 'text',
  'message.user_id': 'text',
  skip_push: 'flag',
  skip_enrich_url: 'flag',
  keep_channel_hidden: 'flag',
  pending: 'flag',
  pending_message_metadata: 'object',
  force_moderation: 'flag',
}

const cursor: Readonly<Record<string, Kind>> = {
  filter: 'object',
  sort: 'list',
  limit: 'number',
  next: 'text',
  prev: 'text',
}

const pageCursors: Readonly<Record<string, Kind>> = {
  limit: 'number',
  id_gt: 'text',
  id_gte: 'text',
  id_lt: 'text',
  id_lte: 'text',
  id_around: 'text',
  created_at_after: 'time',
  created_at_before_or_equal: 'time',
  created_at_around: 'time',
}

const exactly = <S extends v.GenericSchema>(schema: S, length: number) => v.pipe(s.list(schema), v.length(length))

const upload = (kind: 'file' | 'image', form: () => FormData) => async (stage: Stage) => {
  const ann = await stage.person('ann')
  const room = await stage.channel({ as: ann })
  return { as: ann, params: { type: room.type, id: room.id }, form: form(), path: `${room.path}/${kind}` }
}

const uploaded = (kind: 'file' | 'image', form: () => FormData) => async (stage: Stage) => {
  const { as, params, path } = await upload(kind, form)(stage)
  const done = await must(as.send({ method: 'POST', path, form: form() }))
  return { as, params, query: { url: textAt(done, 'file') } }
}

const looseUpload = (form: () => FormData) => async (stage: Stage) => ({
  as: await stage.person('ann'),
  form: form(),
})

const looseUploaded = (kind: 'file' | 'image', form: () => FormData) => async (stage: Stage) => {
  const as = await stage.person('ann')
  const done = await must(as.send({ method: 'POST', path: `/uploads/${kind}`, form: form() }))
  return { as, query: { url: textAt(done, 'file') } }
}

const text = (): FormData => fileForm('notes.txt', 'text/plain')
const picture = (): FormData => pictureForm('picture.png')
const fileAnswer = wrapped({ file: v.pipe(s.id, v.regex(/^https?:\/\//)) })

/** docs/wire.md 3.3, 3.4 and 3.10. */
export const messageExamples: readonly Example[] = [
  {
    route: 'POST /channels/:type/:id/message',
    async make(stage) {
      const { ann, room } = await sendMessage(stage)
      const message = {
        text: 'hi',
        attachments: [{ type: 'file', title: 'a.txt', asset_url: 'https://x.example/a', size: 'XL' }],
        mood: 'good',
      }
      return { as: ann, params: { type: room.type, id: room.id }, body: { message } }
    },
    reply: oneMessage,
    optional: messageRequest,
    also: (body) => {
      const message = body['message'] as Json
      const [attachment] = message['attachments'] as Json[]
      if (message['mood'] !== 'good' || attachment?.['size'] !== 'XL') throw new Error('custom data is not flat')
    },
  },
  {
    route: 'GET /messages/:id',
    make: aboutMessage(),
    reply: wrapped({ message: s.placedMessage }),
    optional: { show_deleted_message: 'flag' },
  },
  {
    route: 'POST /messages/:id',
    make: aboutMessage(({ id }) => ({ message: { id, text: 'hello again', mood: 'better' } })),
    reply: wrapped({ message: s.object({ ...s.message.entries, message_text_updated_at: s.time }) }),
    optional: {
      'message.attachments': 'list',
      'message.mentioned_users': 'list',
      'message.pin_expires': 'time',
      'message.quoted_message_id': 'text',
      skip_push: 'flag',
      skip_enrich_url: 'flag',
    },
  },
  {
    route: 'PUT /messages/:id',
    make: aboutMessage(() => ({ set: { mood: 'good', pinned: true } })),
    reply: wrapped({ message: s.object({ ...s.message.entries, pinned_at: s.time, pinned_by: s.user }) }),
    optional: {
      unset: 'list',
      skip_enrich_url: 'flag',
      skip_push: 'flag',
      'set.pin_expires': 'time',
      'set.pinned_at': 'time',
    },
  },
  {
    route: 'PATCH /messages/:id/ephemeral',
    make: byServer(() => ({ set: { text: 'thinking' } })),
    reply: oneMessage,
    optional: { unset: 'list', user_id: 'text' },
  },
  {
    route: 'DELETE /messages/:id',
    make: aboutMessage(),
    reply: wrapped({ message: s.object({ ...s.message.entries, type: v.literal('deleted'), deleted_at: s.time }) }),
    optional: { hard: 'flag', delete_for_me: 'flag' },
  },
  {
    route: 'POST /messages/:id/undelete',
    async make(stage) {
      const made = await sendMessage(stage)
      await must(made.ann.delete(`/messages/${made.id}`))
      return { as: stage.server, params: { id: made.id }, body: { undeleted_by: made.ann.userId } }
    },
    reply: oneMessage,
  },
  {
    route: 'POST /messages/:id/commit',
    async make(stage) {
      const { ann, room } = await sendMessage(stage)
      const body = { message: { text: 'wait', user_id: ann.userId }, pending: true, is_pending_message: true }
      const sent = await must(stage.server.post(`${room.path}/message`, body))
      return { as: stage.server, params: { id: textAt(sent, 'message.id') } }
    },
    reply: oneMessage,
  },
  {
    route: 'POST /messages/:id/action',
    async make(stage) {
      const { ann, room } = await sendMessage(stage)
      const sent = await must(ann.post(`${room.path}/message`, { message: { text: '/giphy tea' } }))
      const message_id = textAt(sent, 'message.id')
      const body = { message_id, form_data: { image_action: 'cancel' }, id: room.id, type: room.type }
      return { as: ann, params: { id: message_id }, body }
    },
    reply: nothing,
    localOnly: 'needs pictures for /giphy, which a hosted application may have none of',
  },
  {
    route: 'POST /messages/:id/translate',
    make: aboutMessage(() => ({ language: 'pl' })),
    reply: running.refusal,
    refused: { status: 400, code: 19 },
    localOnly: 'hosted translates; the local server has no translator',
  },
  {
    route: 'GET /messages/:id/replies',
    async make(stage) {
      const { ann, room, id } = await sendMessage(stage)
      await stage.send(ann, room, 'reply', { parent_id: id })
      return { as: ann, params: { id }, query: { limit: 5 } }
    },
    reply: wrapped({
      messages: exactly(s.object({ ...s.message.entries, type: v.literal('reply'), parent_id: s.id }), 1),
    }),
    optional: pageCursors,
  },
  {
    route: 'POST /messages/history',
    async make(stage) {
      const { ann, id } = await sendMessage(stage)
      await must(ann.post(`/messages/${id}`, { message: { id, text: 'changed' } }))
      return { as: stage.server, body: { filter: { message_id: id }, sort: [] } }
    },
    reply: wrapped({
      message_history: exactly(
        s.object({
          message_id: s.id,
          message_updated_at: s.time,
          message_updated_by_id: s.id,
          text: s.text,
          attachments: s.list(s.attachment),
          is_deleted: s.flag,
        }),
        1,
      ),
    }),
    optional: { limit: 'number', next: 'text', prev: 'text' },
  },
  {
    route: 'POST /messages/:id/reaction',
    make: aboutMessage(() => ({ reaction: { type: 'like', skin: 'dark' } })),
    reply: wrapped({ message: s.message, reaction: s.reaction }),
    optional: { 'reaction.score': 'number', 'reaction.emoji_code': 'text', enforce_unique: 'flag', skip_push: 'flag' },
    also: (body) => {
      if ((body['reaction'] as Json)['skin'] !== 'dark') throw new Error('custom data is not flat')
    },
  },
  {
    route: 'DELETE /messages/:id/reaction/:type',
    async make(stage) {
      const { ann, id } = await sendMessage(stage)
      await must(ann.post(`/messages/${id}/reaction`, { reaction: { type: 'like' } }))
      return { as: ann, params: { id, type: 'like' } }
    },
    reply: wrapped({ message: s.message, reaction: s.reaction }),
  },
  {
    route: 'GET /messages/:id/reactions',
    async make(stage) {
      const { ann, id } = await sendMessage(stage)
      await must(ann.post(`/messages/${id}/reaction`, { reaction: { type: 'like' } }))
      return { as: ann, params: { id } }
    },
    reply: wrapped({ reactions: exactly(s.reaction, 1) }),
    optional: { limit: 'number', offset: 'number' },
  },
  {
    route: 'POST /messages/:id/reactions',
    async make(stage) {
      const { ann, id } = await sendMessage(stage)
      await must(ann.post(`/messages/${id}/reaction`, { reaction: { type: 'like' } }))
      return { as: ann, params: { id }, body: { filter: { type: 'like' } } }
    },
    reply: wrapped({ reactions: exactly(s.reaction, 1) }),
    optional: cursor,
  },
  { route: 'POST /channels/:type/:id/file', make: upload('file', text), reply: fileAnswer },
  { route: 'POST /channels/:type/:id/image', make: upload('image', picture), reply: fileAnswer },
  { route: 'DELETE /channels/:type/:id/file', make: uploaded('file', text), reply: nothing },
  { route: 'DELETE /channels/:type/:id/image', make: uploaded('image', picture), reply: nothing },
  { route: 'POST /uploads/file', make: looseUpload(text), reply: fileAnswer },
  { route: 'POST /uploads/image', make: looseUpload(picture), reply: fileAnswer },
  { route: 'DELETE /uploads/file', make: looseUploaded('file', text), reply: nothing },
  { route: 'DELETE /uploads/image', make: looseUploaded('image', picture), reply: nothing },
]
