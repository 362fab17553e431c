import { expect } from 'vitest'
import { refused, type Checks } from './check.ts'
import { at, each, listAt, textAt, type Json } from './foreign.ts'
import { must } from './stage.ts'

/** Checks 26 to 33: drafts, reminders, threads, counts, searches, users. */
export const peopleChecks: Checks = {
  26: {
    async run(stage) {
      const ann = await stage.stranger()
      const [room, other] = [await stage.channel({ as: ann }), await stage.channel({ as: ann })]
      const parent = await stage.send(ann, room, 'parent')
      const draft = { id: stage.id('draft'), text: 'unfinished' }
      const made = await must(ann.post(`${room.path}/draft`, { message: draft }))
      expect(at(made, 'draft.message')).toMatchObject(draft)
      const inThread = { id: stage.id('draft'), text: 'in the thread', parent_id: parent.id }
      await must(ann.post(`${room.path}/draft`, { message: inThread }))
      await must(ann.post(`${other.path}/draft`, { message: { id: stage.id('draft'), text: 'elsewhere' } }))
      const read = async (query: Json = {}) => at(await must(ann.get(`${room.path}/draft`, query)), 'draft.message.id')
      expect(await read()).toEqual(draft.id)
      expect(await read({ parent_id: parent.id })).toEqual(inThread.id)
      const page = async (more: Json) => must(ann.post('/drafts/query', { limit: 2, ...more }))
      const first = await page({})
      expect(listAt(first, 'drafts').map((each) => at(each, 'message.text'))).toEqual(['elsewhere', 'in the thread'])
      const second = await page({ next: first['next'] })
      expect(listAt(second, 'drafts').map((each) => at(each, 'message.text'))).toEqual(['unfinished'])
      await must(ann.delete(`${room.path}/draft`))
      refused(await ann.get(`${room.path}/draft`), 404, 16)
      expect(await read({ parent_id: parent.id })).toBe(inThread.id)
    },
  },
  27: {
    async run(stage) {
      const ann = await stage.person('ann')
      const room = await stage.channel({
        data: stage.target.isLocal ? {} : { config_overrides: { user_message_reminders: true } },
      })
      const { id } = await stage.send(ann, room, 'do it')
      const remind_at = new Date(stage.target.now() + 3_600_000).toISOString()
      const made = await must(ann.post(`/messages/${id}/reminders`, { remind_at }))
      expect(at(made, 'reminder')).toMatchObject({ message_id: id, user_id: ann.userId, channel_cid: room.cid })
      const duplicate = await ann.post(`/messages/${id}/reminders`, { remind_at })
      refused(duplicate, 400, 4, /already has reminder created for this message_id/)
      const found = await must(ann.post('/reminders/query', { filter: { message_id: id } }))
      expect(each(found, 'reminders', 'message_id')).toEqual([id])
      await must(ann.delete(`/messages/${id}/reminders`))
      const missing = await ann.patch(`/messages/${id}/reminders`, { remind_at })
      refused(missing, 404, 16, /messages reminder does not exist/)
    },
  },
  28: {
    async run(stage) {
      const ann = await stage.person('ann')
      const room = await stage.channel()
      const parent = await stage.send(ann, room, 'the question')
      const reply = await stage.send(ann, room, 'the answer', { parent_id: parent.id })
      const body = await must(ann.post('/threads', { filter: { parent_message_id: parent.id } }))
      expect(body['next'] ?? '').toBe('')
      expect(body['prev'] ?? '').toBe('')
      const [thread, ...more] = listAt(body, 'threads')
      expect(more).toEqual([])
      expect(thread).toMatchObject({
        parent_message_id: parent.id,
        channel_cid: room.cid,
        title: 'the question',
        created_by_user_id: ann.userId,
        reply_count: 1,
        participant_count: 1,
        created_at: reply['created_at'],
        updated_at: reply['created_at'],
        last_message_at: reply['created_at'],
      })
      expect(each(thread, 'latest_replies', 'id')).toEqual([reply.id])
    },
  },
  29: {
    async run(stage) {
      const [ann, bob] = [await stage.person('ann'), await stage.stranger()]
      const room = await stage.channel({ members: [bob] })
      for (const word of ['one', 'two', 'three']) await stage.send(ann, room, word)
      const counts = await must(bob.get('/unread'))
      expect(counts).toMatchObject({
        total_unread_count: 3,
        channels: [{ channel_id: room.cid, unread_count: 3 }],
        channel_type: [{ channel_type: 'messaging', channel_count: 1, unread_count: 3 }],
        threads: [],
      })
      const parent = await stage.send(bob, room, 'a question')
      await stage.send(bob, room, 'and more', { parent_id: parent.id })
      await stage.send(ann, room, 'an answer', { parent_id: parent.id })
      const after = await must(bob.get('/unread'))
      expect(each(after, 'threads', 'parent_message_id')).toEqual([parent.id])
      expect(at(after, 'threads.0.unread_count')).toBe(1)
      expect(after['total_unread_threads_count']).toBe(1)
    },
  },
  30: {
    async run(stage) {
      const ann = await stage.person('ann')
      const room = await stage.channel()
      const word = stage.id('needle').replaceAll('-', '')
      for (const text of [`${word} first`, `${word} second`, `${word} third`, `${word}s plural`]) {
        await stage.send(ann, room, text)
      }
      const ask = (payload: Json) =>
        ann.get('/search', { payload: { filter_conditions: { cid: room.cid }, ...payload } })
      const byText = { message_filter_conditions: { text: { $q: word } } }
      refused(await ask({ query: word, ...byText }), 400, 4)
      refused(await ask({}), 400, 4)
      const sort = [{ field: 'created_at', direction: -1 }]
      refused(await ask({ query: word, sort, offset: 1 }), 400, 4)
      const textsOf = (body: Json) => listAt(body, 'results').map((each) => textAt(each, 'message.text'))
      const first = await must(ask({ query: word, sort, limit: 2 }))
      expect(textsOf(first)).toEqual([`${word} third`, `${word} second`])
      refused(await ask({ query: word, next: first['next'], offset: 1 }), 400, 4)
      const second = await must(ask({ query: word, sort, limit: 2, next: first['next'] }))
      expect(textsOf(second)).toEqual([`${word} first`])
      expect(second['next'] ?? '').toBe('')
      const back = await must(ask({ query: word, sort, limit: 2, next: second['previous'] }))
      expect(textsOf(back)).toEqual(textsOf(first))
      expect(textsOf(await must(ask({ query: word.slice(0, -1) })))).toEqual([])
      expect(textsOf(await must(ask({ ...byText, sort })))).toEqual([
        `${word} third`,
        `${word} second`,
        `${word} first`,
      ])
    },
  },
  31: {
    async run(stage) {
      const names = ['Robin One', 'Roberta Two', 'Rowan Three', 'Sam Four']
      const people: string[] = []
      for (const name of names) people.push((await stage.stranger({ name })).userId)
      const ann = await stage.stranger({ name: 'Ann' })
      const room = await stage.channel({ as: ann })
      for (const id of people) await must(stage.serverAs(ann.userId).post(room.path, { add_members: [id] }))
      const ask = async (offset: number) => {
        const payload = {
          type: room.type,
          id: room.id,
          filter_conditions: { name: { $autocomplete: 'ro' } },
          sort: [{ field: 'created_at', direction: 1 }],
          limit: 2,
          offset,
        }
        return each(await must(ann.get('/members', { payload })), 'members', 'user_id')
      }
      expect(await ask(0)).toEqual(people.slice(0, 2))
      expect(await ask(2)).toEqual(people.slice(2, 3))
    },
  },
  32: {
    async run(stage) {
      const ann = await stage.person('ann')
      const strangerId = (await stage.stranger()).userId
      const ask = async (more: Json = {}) => {
        const payload = { filter_conditions: { id: { $in: [ann.userId, strangerId] } }, sort: [], ...more }
        return each(await must(stage.server.get('/users', { payload })), 'users', 'id').toSorted()
      }
      await must(stage.server.post(`/users/${strangerId}/deactivate`))
      expect(await ask()).toEqual([ann.userId])
      expect(await ask({ include_deactivated_users: true })).toEqual([ann.userId, strangerId].toSorted())
      await must(stage.server.post(`/users/${strangerId}/reactivate`))
      expect(await ask()).toEqual([ann.userId, strangerId].toSorted())
    },
  },
  33: {
    async run(stage) {
      const ann = await stage.person('ann')
      const room = await stage.channel({ type: 'team' })
      await stage.send(ann, room, 'one')
      const count = async () => at(await must(ann.post(`${room.path}/query`, {})), 'channel.message_count')
      expect(await count()).toBe(1)
      await must(stage.serverAs(ann.userId).patch(room.path, { set: { config_overrides: { count_messages: false } } }))
      expect(await count()).toBeUndefined()
    },
  },
}
