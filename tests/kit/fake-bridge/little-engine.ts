import { asMessageId, type Cid, type MessageId, type UserId } from '#shared/lib/brand.ts'
import { composerKey, type Draft } from '#shared/domain/draft.ts'
import type { Channel } from '#shared/domain/channel.ts'
import type { PollForm } from '#shared/domain/poll.ts'
import type { Message } from '#shared/domain/message.ts'
import type { SearchHit, SearchPage, SearchPart } from '#shared/domain/search.ts'
import type { Session } from '#shared/domain/session.ts'
import type { Settings } from '#shared/domain/settings.ts'
import type { Window, WindowKey } from '#shared/domain/changes.ts'
import { EMPTY_COMPOSITION } from '#shared/rules/composer/composer.ts'
import { aMessage, aWindow } from './builders.ts'
import type { FakeBridge } from './fake-bridge.ts'

/** Enough behavior behind a fake bridge to click through the app: no rules, no network, nothing stored. */
export function addLittleEngine(fake: FakeBridge): FakeBridge {
  windowsOf(fake)
  channelsOf(fake)
  messagesOf(fake)
  searchOf(fake)
  restOf(fake)
  return fake
}

type Aim = { readonly around?: MessageId; readonly at?: number; readonly unread?: true; readonly visit?: number }

const refuse = (code: string): never => {
  throw { code } as unknown as Error
}

function windowsOf(fake: FakeBridge): void {
  const show = (key: WindowKey): void => {
    const window = fake.world.windows[key] ?? aWindow(key, [])
    queueMicrotask(() => fake.change({}, [window]))
  }
  /** All messages are one page: a place in it is found, any other is missing. */
  const open = (key: WindowKey, { around: wanted, at, unread, visit }: Aim): MessageId | null => {
    const window = fake.world.windows[key] ?? aWindow(key, [])
    const held = fake.world.rows.messages ?? {}
    const place = key.slice(key.indexOf(':') + 1)
    const channel = fake.world.rows.channels?.[place]
    const { lastReadAt = Infinity } = held[place]?.thread ?? channel ?? {}
    const after = window.ids.find((one) => (held[one]?.createdAt ?? 0) > lastReadAt)
    const around = wanted ?? (unread && (channel?.firstUnreadId ?? after))
    if (around === undefined && at === undefined) {
      show(key)
      return null
    }
    const since = window.ids.find((one) => (held[one]?.createdAt ?? 0) >= (at ?? 0))
    const found = around === undefined ? (since ?? window.ids.at(-1)) : window.ids.find((one) => one === around)
    if (around !== undefined && found === undefined) return refuse('message/gone')
    const id = found === undefined ? null : asMessageId(found)
    const landed = visit === undefined ? {} : { landed: { visit, id, ...(unread && { unread: 'first' as const }) } }
    queueMicrotask(() => fake.change({}, [{ ...window, ...landed }]))
    return id
  }
  fake.on('channels.open', ({ cid, ...aim }: { cid: Cid } & Aim) => open(`timeline:${cid}`, aim))
  fake.on('channels.openPinned', ({ cid }: { cid: Cid }) => show(`pinned:${cid}`))
  fake.on('threads.open', ({ parentId, ...aim }: { parentId: MessageId } & Aim) => open(`thread:${parentId}`, aim))
  fake.on('outbox.open', () => show('outbox'))
}

function channelsOf(fake: FakeBridge): void {
  const edit = (cid: Cid, over: Partial<Channel>): void => {
    const channel = fake.world.rows.channels?.[cid]
    if (channel !== undefined) fake.change({ channels: { [cid]: { ...channel, ...over } } })
  }
  fake.on('channels.markRead', ({ cid }: { cid: Cid }) => edit(cid, { unread: 0, unreadMentions: 0 }))
  fake.on('channels.markManyRead', ({ cids }: { cids: readonly Cid[] }) => {
    for (const cid of cids) edit(cid, { unread: 0, unreadMentions: 0 })
    return cids.length
  })
  fake.on('channels.mute', ({ cid, muted }: { cid: Cid; muted: boolean }) => edit(cid, { muted }))
  fake.on('channels.pin', ({ cid, pinned }: { cid: Cid; pinned: boolean }) => {
    const channel = fake.world.rows.channels?.[cid]
    if (channel === undefined) return
    const { pinnedAt: _pinnedAt, ...rest } = channel
    fake.change({ channels: { [cid]: pinned ? { ...rest, pinnedAt: Date.now() } : rest } })
  })
  fake.on('channels.members', ({ cid }: { cid: Cid }) => {
    const faces = fake.world.rows.channels?.[cid]?.faceIds ?? []
    return [...faces, ...Object.keys(fake.world.rows.users ?? {})].filter(
      (id, at, all) => all.indexOf(id as UserId) === at,
    )
  })
  fake.on('channels.direct', ({ userIds }: { userIds: readonly UserId[] }) => {
    const known = Object.values(fake.world.rows.channels ?? {}).find((channel) => channel.directUserId === userIds[0])
    return known?.cid ?? refuse('network/offline')
  })
  fake.on('channels.create', () => refuse('network/offline'))
}

function messagesOf(fake: FakeBridge): void {
  fake.on('messages.nearestMention', () => ({ id: null, isWhole: true }))
  let made = 0
  const place = (message: Message, status: Message['status']): void => {
    const key: WindowKey = message.parentId === undefined ? `timeline:${message.cid}` : `thread:${message.parentId}`
    const window: Window = fake.world.windows[key] ?? aWindow(key, [])
    const ids = window.ids.includes(message.id) ? window.ids : [...window.ids, message.id]
    fake.change({ messages: { [message.id]: { ...message, status } } }, [{ ...window, ids }])
  }
  fake.on('messages.send', (input: { cid: Cid; text: string; parentId?: MessageId }) => {
    made += 1
    const me = fake.world.rows.session?.['self']?.userId ?? 'ola'
    const now = Date.now()
    const message = aMessage({ id: `new-${made}`, userId: me, createdAt: now, updatedAt: now, ...input })
    place(message, 'sending')
    setTimeout(() => place(message, 'received'), 400)
    return asMessageId(message.id)
  })
  fake.on('messages.revisions', () => [])
  fake.on('messages.toggleReaction', ({ messageId, type }: { messageId: MessageId; type: string }) => {
    const message = fake.world.rows.messages?.[messageId]
    if (message !== undefined) fake.change({ messages: { [messageId]: toggled(message, type) } })
  })
  fake.on('messages.scoreReaction', ({ messageId, type, score }: Scored) => {
    const message = fake.world.rows.messages?.[messageId]
    if (message !== undefined) fake.change({ messages: { [messageId]: scored(message, type, score) } })
  })
}

type Scored = { readonly messageId: MessageId; readonly type: string; readonly score: number }

function scored(message: Message, type: string, score: number): Message {
  const given = message.reactions.some((one) => one.type === type && one.own) ? message : toggled(message, type)
  const raised = (one: Message['reactions'][number]) =>
    one.type === type ? { ...one, sumScores: one.sumScores - (one.ownScore ?? 0) + score, ownScore: score } : one
  return { ...given, reactions: given.reactions.map(raised) }
}

function toggled(message: Message, type: string): Message {
  const group = message.reactions.find((reaction) => reaction.type === type)
  const others = message.reactions.filter((reaction) => reaction !== group)
  const now = Date.now()
  if (group === undefined) {
    const added = { type, count: 1, sumScores: 1, firstAt: now, lastAt: now, own: true, userIds: [] }
    return { ...message, reactions: [...others, added] }
  }
  const count = group.count + (group.own ? -1 : 1)
  const changed = { ...group, count, own: !group.own }
  return {
    ...message,
    reactions: count === 0 ? others : message.reactions.map((one) => (one === group ? changed : one)),
  }
}

/** Finds messages that contain the last typed word, and no names except those the page knows already. */
function searchOf(fake: FakeBridge): void {
  fake.on('search.names', () => ({ people: [], channels: [], total: { people: 0, channels: 0 } }))
  fake.on('search.messages', ({ text, cid, ask }: { text: string; cid?: Cid; ask?: string }): SearchPage => {
    const word = text.trim().split(/\s+/).at(-1)?.toLowerCase() ?? ''
    const held = Object.values(fake.world.rows.messages ?? {})
    const found = held.filter((one) => (cid === undefined || one.cid === cid) && one.text.toLowerCase().includes(word))
    return {
      hits: word === '' ? [] : found.toSorted((a, b) => b.createdAt - a.createdAt).map((one) => aHit(one, word)),
      people: [],
      channels: [],
      notes: [],
      indexing: false,
      server: ask === 'server' ? 'asked' : 'not-asked',
    }
  })
}

function aHit(message: Message, word: string): SearchHit {
  const { id, cid, userId, parentId, createdAt, timeUnsure, text } = message
  const at = text.toLowerCase().indexOf(word)
  const part: SearchPart = {
    kind: 'text',
    index: 0,
    excerpt: text.slice(0, 240).replaceAll('\n', ' '),
    marks: at < 240 ? [[at, at + word.length]] : [],
    cutBefore: false,
    cutAfter: text.length > 240,
  }
  return {
    messageId: id,
    cid,
    userId,
    createdAt,
    timeUnsure: timeUnsure === true ? timeUnsure : undefined,
    edited: false,
    pinned: false,
    replyCount: message.thread?.replyCount ?? 0,
    attachmentKinds: message.attachments.map(({ kind }) => kind),
    parts: [part],
    parentId,
  }
}

function restOf(fake: FakeBridge): void {
  fake.on('channels.catchUp', () => ({ items: [], cut: [], total: 0, bars: [], short: [] }))
  fake.on('settings.update', (input: Partial<Settings>) => {
    const now = fake.world.rows.settings?.['self']
    if (now !== undefined) fake.change({ settings: { self: { ...now, ...input } } })
  })
  fake.on('drafts.save', (input: Draft) => {
    const key = composerKey(input.cid, input.parentId)
    fake.change({ drafts: { [key]: { ...input, key, uploads: [], updatedAt: Date.now() } } })
    return { revision: fake.world.rows.draftRevisions?.[key] ?? 0 }
  })
  fake.on('drafts.savePoll', ({ cid, of, form }: { cid: Cid; of: string; form?: PollForm }) => {
    const held = fake.world.rows.drafts?.[cid] ?? { key: cid, cid, ...EMPTY_COMPOSITION, uploads: [], updatedAt: 0 }
    const { [of]: _before, ...others } = held.polls ?? {}
    fake.change({ drafts: { [cid]: { ...held, polls: form === undefined ? others : { ...others, [of]: form } } } })
  })
  fake.on('session.localPeople', () =>
    Object.values(fake.world.rows.users ?? {}).map(({ id, name, image, statusText }) => ({
      id,
      name,
      image,
      title: statusText,
    })),
  )
  fake.on('session.unsentCount', () => Object.keys(fake.world.rows.outbox ?? {}).length)
  const signIn = (): void => {
    const self: Session = {
      state: 'signed-in',
      workspace: { kind: 'local', name: 'Cairn Maps', demo: true, url: '' },
      userId: 'ola' as UserId,
    }
    fake.change({ session: { self } })
  }
  fake.on('session.systemName', () => 'Lena Hoffmann')
  fake.on('session.openDemo', signIn)
  fake.on('session.createWorkspace', signIn)
  fake.on('session.connectHosted', () => refuse('session/unreachable'))
  fake.on('session.signOut', () => fake.change({ session: { self: { state: 'signed-out' } } }))
  fake.on('app.noticeLog', () => Object.values(fake.world.rows.notices ?? {}))
}
