import { expect } from 'vitest'
import { refused, type Checks } from './check.ts'
import { at, each, listAt, textAt, type Caller, type Json } from './foreign.ts'
import { must, type Channel } from './stage.ts'

const memberIn = (body: Json, userId: string, list = 'members'): unknown =>
  listAt(body, list).find((member) => at(member, 'user_id') === userId)

/** The channels among these that the user finds by a filter. */
async function found(who: Caller, channel: Channel, filter: Json): Promise<boolean> {
  const body = await must(who.post('/channels', { filter_conditions: { cid: channel.cid, ...filter } }))
  return listAt(body, 'channels').length === 1
}

/** Checks 13 to 25: lists, roles, custom data, moderation of one channel. */
export const channelChecks: Checks = {
  13: {
    async run(stage) {
      const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
      const room = await stage.channel({ members: [bob] })
      const hide = () => must(bob.post(`${room.path}/hide`, { user_id: null, clear_history: false }))
      await hide()
      expect(await found(bob, room, {})).toBe(false)
      expect(await found(bob, room, { hidden: true })).toBe(true)
      await must(ann.post(`${room.path}/message`, { message: { text: 'quiet' }, keep_channel_hidden: true }))
      expect(await found(bob, room, {})).toBe(false)
      await stage.send(ann, room, 'hello')
      expect(await found(bob, room, {})).toBe(true)
    },
  },
  14: {
    async run(stage) {
      const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
      const room = await stage.channel({ members: [bob] })
      await must(stage.serverAs(ann.userId).post(room.path, { add_moderators: [bob.userId] }))
      const roles = async (who: Caller) => {
        const sent = await stage.send(who, room, 'as I am')
        const state = await must(who.post(`${room.path}/query`, { state: true }))
        const listed = listAt(state, 'messages').find((message) => at(message, 'id') === sent.id)
        return [at(sent, 'member.channel_role'), at(listed, 'member.channel_role')]
      }
      expect(await roles(ann)).toEqual(['channel_member', 'channel_member'])
      expect(await roles(bob)).toEqual(['channel_moderator', 'channel_moderator'])
    },
  },
  15: {
    async run(stage) {
      const ann = await stage.person('ann')
      const room = await stage.channel()
      const { id } = await stage.send(ann, room, 'like me')
      const sent = await must(ann.post(`/messages/${id}/reaction`, { reaction: { type: 'love' } }))
      expect(at(sent, 'message.reaction_counts.love')).toBe(1)
      expect(at(sent, 'message.reaction_groups.love.count')).toBe(1)
      expect(each(sent, 'message.latest_reactions', 'type')).toEqual(['love'])
      expect(at(sent, 'reaction')).toMatchObject({ type: 'love', message_id: id, user_id: ann.userId })
      const removed = await must(ann.delete(`/messages/${id}/reaction/love`))
      expect(at(removed, 'message.reaction_counts.love') ?? 0).toBe(0)
      expect(listAt(removed, 'message.latest_reactions')).toEqual([])
    },
  },
  16: {
    async run(stage) {
      const ann = await stage.person('ann')
      const room = await stage.channel()
      const { id } = await stage.send(ann, room, 'like me')
      for (const type of ['one', 'two', 'three'])
        await must(ann.post(`/messages/${id}/reaction`, { reaction: { type } }))
      const types = async (query: Json) =>
        each(await must(ann.get(`/messages/${id}/reactions`, query)), 'reactions', 'type')
      expect(await types({})).toEqual(['three', 'two', 'one'])
      expect(await types({ offset: 1 })).toEqual(['two', 'one'])
      expect(await types({ offset: 1, limit: 1 })).toEqual(['two'])
    },
  },
  17: {
    async run(stage) {
      const ann = await stage.person('ann')
      const server = stage.serverAs(ann.userId)
      const room = await stage.channel({ data: { color: 'green', shape: { sides: 4 } } })
      const shown = await must(ann.post(`${room.path}/query`, {}))
      expect(at(shown, 'channel')).toMatchObject({ color: 'green', shape: { sides: 4 } })
      const changed = await must(server.patch(room.path, { set: { mood: 'good' }, unset: ['color'] }))
      expect(at(changed, 'channel.mood')).toBe('good')
      expect(at(changed, 'channel.color')).toBeUndefined()
      const own = await must(ann.patch(`${room.path}/member`, { set: { badge: 'gold', level: 3 } }))
      expect(own['channel_member']).toMatchObject({ badge: 'gold', level: 3 })
      const less = await must(ann.patch(`${room.path}/member`, { unset: ['badge'] }))
      expect(at(less, 'channel_member.badge')).toBeUndefined()
      expect(at(less, 'channel_member.level')).toBe(3)
      const message = await stage.send(ann, room, 'hello', { priority: 'high', tags: ['a', 'b'] })
      expect(message).toMatchObject({ priority: 'high', tags: ['a', 'b'] })
      const edited = await must(ann.put(`/messages/${message.id}`, { set: { note: 1 }, unset: ['priority'] }))
      expect(at(edited, 'message.note')).toBe(1)
      expect(at(edited, 'message.priority')).toBeUndefined()
      const reacted = await must(
        ann.post(`/messages/${message.id}/reaction`, { reaction: { type: 'like', skin: 'dark', emoji_code: '1f44d' } }),
      )
      expect(reacted['reaction']).toMatchObject({ skin: 'dark', emoji_code: '1f44d' })
    },
  },
  18: {
    async run(stage) {
      const ann = await stage.person('ann')
      const room = await stage.channel()
      const message = { text: 'the channel has a new name', user_id: ann.userId }
      const changed = await must(stage.serverAs(ann.userId).post(room.path, { data: { name: 'New' }, message }))
      expect(at(changed, 'channel.name')).toBe('New')
      expect(at(changed, 'message')).toMatchObject({ text: message.text, type: 'system', user: { id: ann.userId } })
      const state = await must(ann.post(`${room.path}/query`, { state: true }))
      expect(each(state, 'messages', 'text')).toEqual([message.text])
    },
  },
  19: {
    async run(stage) {
      const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
      const room = await stage.channel({ members: [bob] })
      const server = stage.serverAs(ann.userId)
      const raised = await must(server.post(room.path, { add_moderators: [bob.userId] }))
      const bobIn = memberIn(raised, bob.userId)
      expect(bobIn).toMatchObject({ role: 'moderator', channel_role: 'channel_moderator', is_moderator: true })
      const lowered = memberIn(await must(server.post(room.path, { demote_moderators: [bob.userId] })), bob.userId)
      expect(lowered).toMatchObject({ role: 'member', channel_role: 'channel_member' })
      expect(at(lowered, 'is_moderator') ?? false).toBe(false)
    },
  },
  20: {
    async run(stage) {
      const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
      const room = await stage.channel()
      const invited = await must(stage.serverAs(ann.userId).post(room.path, { invites: [bob.userId] }))
      const before = memberIn(invited, bob.userId)
      expect(before).toMatchObject({ invited: true })
      expect(at(before, 'invite_accepted_at') ?? null).toBeNull()
      expect(at(before, 'invite_rejected_at') ?? null).toBeNull()
      const accepted = memberIn(await must(bob.post(room.path, { accept_invite: true })), bob.userId)
      expect(accepted).toMatchObject({ invited: true })
      expect(textAt(accepted, 'invite_accepted_at')).toMatch(/^\d{4}-/)
      expect(at(accepted, 'invite_rejected_at') ?? null).toBeNull()
      const again = memberIn(await must(bob.post(room.path, { accept_invite: true })), bob.userId)
      expect(at(again, 'invite_accepted_at')).toBe(at(accepted, 'invite_accepted_at'))
    },
  },
  21: {
    async run(stage) {
      const ann = await stage.person('ann')
      const room = await stage.channel()
      await stage.send(ann, room, 'one')
      const server = stage.serverAs(ann.userId)
      await must(server.post(`${room.path}/truncate`, {}))
      const texts = async () => each(await must(ann.post(`${room.path}/query`, { state: true })), 'messages', 'text')
      expect(await texts()).toEqual([])
      await stage.send(ann, room, 'two')
      const message = { text: 'cleared', user_id: ann.userId }
      const done = await must(server.post(`${room.path}/truncate`, { message }))
      expect(at(done, 'message.text')).toBe('cleared')
      expect(await texts()).toEqual(['cleared'])
      const state = await must(ann.post(`${room.path}/query`, {}))
      expect(at(state, 'channel.truncated_by.id')).toBe(ann.userId)
      expect(textAt(state, 'channel.truncated_at')).toMatch(/^\d{4}-/)
    },
  },
  22: {
    async run(stage) {
      const ann = await stage.person('ann')
      const room = await stage.channel()
      const muted = await must(ann.post('/moderation/mute/channel', { channel_cid: room.cid }))
      expect(at(muted, 'channel_mute.channel.cid')).toBe(room.cid)
      expect(at(muted, 'channel_mute.expires') ?? null).toBeNull()
      expect(await found(ann, room, { muted: true })).toBe(true)
      expect(await found(ann, room, { muted: false })).toBe(false)
      const timed = await must(ann.post('/moderation/mute/channel', { channel_cid: room.cid, expiration: 600_000 }))
      expect(Date.parse(textAt(timed, 'channel_mute.expires'))).toBeGreaterThan(Date.now())
      await must(ann.post('/moderation/unmute/channel', { channel_cid: room.cid }))
      expect(await found(ann, room, { muted: true })).toBe(false)
      expect(await found(ann, room, { muted: false })).toBe(true)
    },
  },
  23: {
    async run(stage) {
      const ann = await stage.person('ann')
      const room = await stage.channel()
      for (const name of ['pinned', 'archived']) {
        const set = async (value: boolean) => {
          const body = await must(ann.patch(`${room.path}/member`, { set: { [name]: value } }))
          return at(body, `channel_member.${name}_at`) ?? null
        }
        const filters = async () => [
          await found(ann, room, { [name]: true }),
          await found(ann, room, { [name]: false }),
        ]
        expect(await set(true)).toMatch(/^\d{4}-/)
        expect(await filters()).toEqual([true, false])
        expect(await set(false)).toBeNull()
        expect(await filters()).toEqual([false, true])
      }
    },
  },
  24: {
    async run(stage) {
      const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
      const room = await stage.channel({ members: [bob] })
      const target = { target_user_id: bob.userId, type: room.type, id: room.id }
      await must(
        stage.serverAs(ann.userId).post('/moderation/ban', { ...target, shadow: true, banned_by_id: ann.userId }),
      )
      const shadowed = await stage.send(bob, room, 'can you see me')
      const read = await must(stage.serverAs(bob.userId).get(`/messages/${shadowed.id}`))
      expect(shadowed['shadowed']).toBe(true)
      expect(at(read, 'message.shadowed')).toBe(true)
      await must(stage.serverAs(ann.userId).delete('/moderation/ban', { ...target, shadow: true }))
      expect((await stage.send(bob, room, 'and now'))['shadowed']).toBe(false)
    },
  },
  25: {
    async run(stage) {
      const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
      const room = await stage.channel({ members: [bob] })
      const target = { target_user_id: bob.userId, type: room.type, id: room.id }
      const server = stage.serverAs(ann.userId)
      const bans = async () => {
        const payload = { filter_conditions: { channel_cid: room.cid }, sort: [], limit: 10 }
        return listAt(await must(stage.server.get('/query_banned_users', { payload })), 'bans')
      }
      await must(server.post('/moderation/ban', { ...target, reason: 'spam', timeout: 60, banned_by_id: ann.userId }))
      const [ban, ...more] = await bans()
      expect(more).toEqual([])
      expect(ban).toMatchObject({ user: { id: bob.userId }, banned_by: { id: ann.userId }, reason: 'spam' })
      expect(Date.parse(textAt(ban, 'expires'))).toBeGreaterThan(Date.now())
      refused(await bob.post(`${room.path}/message`, { message: { text: 'let me' } }), 403, 17)
      await must(server.delete('/moderation/ban', target))
      expect(await bans()).toEqual([])
    },
  },
}
