import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'

/**
 * A small server of the contract that shares no code with Parlor's: written from the text of the contract alone, in
 * memory, with its own habits. It leaves out what is empty or false, writes `null` for unset times, counts in whole
 * seconds, uses other names for its objects, sends unknown fields and refuses with other texts.
 */
type Row = Record<string, unknown>
type Call = { readonly body: Row; readonly query: URLSearchParams; readonly me: string; readonly names: string[] }
type Answer = { readonly status: number; readonly body: Row }
type Route = readonly [method: string, path: RegExp, answer: (call: Call) => Row | Answer]

const NEVER = '0001-01-01T00:00:00Z'

export type SecondServer = {
  readonly url: string
  readonly cid: string
  /** Calls that it cannot handle. */
  readonly unknown: string[]
  /** Another user writes. */
  send(text: string, more?: Row): string
  /** Every connection is cut without a close frame. */
  cut(): void
  message(id: string): Row | undefined
  /** The newest message that the user has read. */
  readUpTo(): string
  stop(): Promise<void>
}

/** @param me the one user who signs in; `otto` exists, too */
export async function startSecondServer(me: string): Promise<SecondServer> {
  const world = createWorld(me)
  const http = createServer((request, response) => void serve(world, request, response))
  const sockets = new WebSocketServer({ server: http, path: '/connect' })
  sockets.on('connection', (socket, request) => greet(world, socket, request))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    cid: CID,
    unknown: world.unknown,
    send: (text, more = {}) => String(world.post('otto', { text, ...more })['id']),
    cut: () => world.lines.forEach((line) => line.terminate()),
    message: (id) => world.messages.find((each) => each['id'] === id),
    readUpTo: () => world.read.id,
    stop: () => stop(http, world),
  }
}

const CID = 'team:lobby'

async function stop(http: Server, world: World): Promise<void> {
  for (const line of world.lines) line.terminate()
  http.closeAllConnections()
  await new Promise<void>((resolve) => http.close(() => resolve()))
}

type World = ReturnType<typeof createWorld>

function createWorld(me: string) {
  let count = 0
  // The server's own clock, as every server has, but not years away from the time in its HTTP headers.
  let clock = Math.floor(Date.now() / 1_000) * 1_000
  const lines = new Set<WebSocket>()
  const messages: Row[] = []
  const polls = new Map<string, Row>()
  const votes: Row[] = []
  const reminders = new Map<string, Row>()
  const read = { at: NEVER, id: '' }
  /** Whole seconds, a new one each time. */
  const now = (): string => new Date((clock += 1_000)).toISOString().replace('.000Z', 'Z')
  const newId = (): string => `01J${String((count += 1)).padStart(6, '0')}.${me}`
  const user = (id: string): Row => ({
    updated_at: NEVER,
    role: id === me ? 'Worker' : 'user',
    id,
    name: id.toUpperCase(),
  })
  const broadcast = (event: Row): void => {
    for (const line of lines) line.send(JSON.stringify({ trace: { span: 7 }, created_at: now(), ...event }))
  }
  const place = { channel_type: 'team', channel_id: 'lobby', cid: CID }

  /** A message as this user gets it: counts only where there are any. */
  const shown = (message: Row, viewer?: string): Row => {
    const replies = messages.filter((each) => each['parent_id'] === message['id'])
    const given = (message['given'] as Row[]).map((each): Row => ({ ...each, message_id: message['id'] }))
    const groups = Object.groupBy(given, (each) => String(each['type']))
    const poll = polls.get(String(message['poll_id']))
    const { given: _given, ...rest } = message
    return {
      ...rest,
      ...(replies.length > 0 ? { reply_count: replies.length, thread_participants: [user(me), user('otto')] } : {}),
      ...(given.length > 0
        ? {
            latest_reactions: given,
            reaction_groups: Object.fromEntries(
              Object.entries(groups).map(([type, list = []]) => [
                type,
                { sum_scores: list.length, count: list.length, first_reaction_at: list[0]?.['created_at'] },
              ]),
            ),
          }
        : { reaction_groups: null }),
      ...(viewer === undefined ? {} : { own_reactions: given.filter((each) => each['user_id'] === viewer) }),
      ...(poll ? { poll: pollFor(poll, viewer) } : {}),
      reading_age: 12,
    }
  }
  const pollFor = (poll: Row, viewer?: string): Row => {
    const cast = votes.filter((vote) => vote['poll_id'] === poll['id'])
    const byOption = Object.groupBy(cast, (vote) => String(vote['option_id']))
    return {
      vote_counts_by_option: Object.fromEntries(Object.entries(byOption).map(([id, list = []]) => [id, list.length])),
      latest_votes_by_option: byOption,
      vote_count: cast.length,
      answers_count: 0,
      ...poll,
      ...(viewer === undefined ? {} : { own_votes: cast.filter((vote) => vote['user_id'] === viewer) }),
    }
  }
  const post = (author: string, input: Row): Row => {
    const at = now()
    const { id = newId(), mentioned_users: _mentions, user: _user, ...rest } = input
    const type = rest['parent_id'] === undefined ? 'regular' : 'reply'
    const message: Row = {
      ...rest,
      type,
      cid: CID,
      html: '<p/>',
      created_at: at,
      updated_at: at,
      id,
      user: user(author),
      given: [],
    }
    messages.push(message)
    broadcast({ type: 'message.new', watcher_count: lines.size, ...place, user: user(author), message: shown(message) })
    const parent = messages.find((each) => each['id'] === message['parent_id'])
    if (parent) broadcast({ type: 'message.updated', ...place, user: user(author), message: shown(parent) })
    return message
  }
  return {
    me,
    lines,
    messages,
    polls,
    votes,
    reminders,
    read,
    unknown: [] as string[],
    now,
    newId,
    user,
    broadcast,
    place,
    shown,
    pollFor,
    post,
  }
}

function channelOf(world: World): Row {
  return {
    own_capabilities: [
      'send-message',
      'send-reply',
      'read-events',
      'send-reaction',
      'update-own-message',
      'delete-own-message',
      'send-poll',
      'cast-poll-vote',
      'search-messages',
      'pin-message',
      'quote-message',
      'fly',
    ],
    config: {
      commands: [],
      name: 'team',
      replies: true,
      reactions: true,
      read_events: true,
      polls: true,
      quotes: true,
      user_message_reminders: true,
      search: true,
      flights: true,
    },
    created_at: '2020-01-01T00:00:00Z',
    updated_at: '2030-01-01T00:00:00Z',
    ...world.place,
    type: 'team',
    id: 'lobby',
    name: 'Lobby',
    altitude: 3,
    last_message_at: world.messages.at(-1)?.['created_at'] ?? null,
  }
}

function stateOf(world: World): Row {
  const members = [world.me, 'otto'].map((id) => ({
    user: world.user(id),
    user_id: id,
    created_at: NEVER,
    channel_role: 'channel_member',
  }))
  const top = world.messages.filter((each) => each['parent_id'] === undefined && each['deleted_at'] === undefined)
  return {
    messages: top.map((message) => world.shown(message, world.me)),
    read: [
      {
        last_read: world.read.at,
        user: world.user(world.me),
        unread_messages: world.read.id === '' ? top.length : 0,
        ...(world.read.id === '' ? {} : { last_read_message_id: world.read.id }),
      },
    ],
    membership: members[0],
    channel: channelOf(world),
    members,
    pinned_messages: null,
    threads: null,
  }
}

const missing = (what: string): Answer => ({
  status: 404,
  body: { code: 16, StatusCode: 404, message: `no ${what} around here` },
})
const isAnswer = (value: Row | Answer): value is Answer => typeof value['status'] === 'number' && 'body' in value

function messageNamed(world: World, id: string | undefined): Row | undefined {
  return world.messages.find((each) => each['id'] === id && each['deleted_at'] === undefined)
}

/** Finds the message, changes it, sends the event and returns it. */
function change(world: World, id: string | undefined, patch: Row, type = 'message.updated'): Row | Answer {
  const message = messageNamed(world, id)
  if (!message) return missing('message')
  Object.assign(message, patch, { updated_at: world.now() })
  world.broadcast({
    type,
    ...world.place,
    user: world.user(world.me),
    message: world.shown(message),
    hard_delete: false,
  })
  return { message: world.shown(message, world.me) }
}

const ROUTES = (world: World): readonly Route[] => [
  [
    'GET',
    /^\/app$/,
    () => ({ app: { file_upload_config: { size_limit: 0 }, image_upload_config: {}, name: 'Second' } }),
  ],
  ['POST', /^\/channels$/, () => ({ channels: [stateOf(world)] })],
  ['POST', /^\/channels\/team\/lobby\/query$/, () => stateOf(world)],
  ['GET', /^\/channels\/team\/lobby$/, () => stateOf(world)],
  ['POST', /^\/sync$/, () => ({ events: null })],
  [
    'POST',
    /^\/channels\/team\/lobby\/message$/,
    ({ body, me }) => ({ message: world.shown(world.post(me, body['message'] as Row), me) }),
  ],
  [
    'GET',
    /^\/messages\/([^/]+)$/,
    ({ names: [id], me }) => {
      const message = messageNamed(world, id)
      return message ? { message: { ...world.shown(message, me), channel: channelOf(world) } } : missing('message')
    },
  ],
  [
    'POST',
    /^\/messages\/([^/]+)$/,
    ({ names: [id], body }) => {
      const { text } = body['message'] as Row
      return change(world, id, { text, message_text_updated_at: world.now() })
    },
  ],
  ['PUT', /^\/messages\/([^/]+)$/, ({ names: [id], body }) => change(world, id, body['set'] as Row)],
  [
    'DELETE',
    /^\/messages\/([^/]+)$/,
    ({ names: [id] }) => change(world, id, { type: 'deleted', text: '', deleted_at: world.now() }, 'message.deleted'),
  ],
  [
    'GET',
    /^\/messages\/([^/]+)\/replies$/,
    ({ names: [id], me }) => ({
      messages: world.messages.filter((each) => each['parent_id'] === id).map((each) => world.shown(each, me)),
    }),
  ],
  [
    'POST',
    /^\/messages\/([^/]+)\/reaction$/,
    ({ names: [id], body, me }) => {
      const message = messageNamed(world, id)
      if (!message) return missing('message')
      const reaction = {
        created_at: world.now(),
        ...(body['reaction'] as Row),
        user_id: me,
        user: world.user(me),
        message_id: id,
      }
      ;(message['given'] as Row[]).push(reaction)
      world.broadcast({
        type: 'reaction.new',
        ...world.place,
        reaction,
        user: world.user(me),
        message: world.shown(message),
      })
      return { reaction, message: world.shown(message, me) }
    },
  ],
  [
    'DELETE',
    /^\/messages\/([^/]+)\/reaction\/([^/]+)$/,
    ({ names: [id, type], me }) => {
      const message = messageNamed(world, id)
      if (!message) return missing('message')
      message['given'] = (message['given'] as Row[]).filter((each) => each['type'] !== type)
      const reaction = { type, user_id: me, user: world.user(me), message_id: id }
      world.broadcast({
        type: 'reaction.deleted',
        ...world.place,
        reaction,
        user: world.user(me),
        message: world.shown(message),
      })
      return { reaction, message: world.shown(message, me) }
    },
  ],
  [
    'POST',
    /^\/threads$/,
    () => {
      const parents = world.messages.filter((each) => world.messages.some((reply) => reply['parent_id'] === each['id']))
      return { threads: parents.map((parent) => threadOf(world, parent)) }
    },
  ],
  [
    'GET',
    /^\/threads\/([^/]+)$/,
    ({ names: [id] }) => {
      const parent = messageNamed(world, id)
      return parent ? { thread: threadOf(world, parent) } : missing('thread')
    },
  ],
  [
    'POST',
    /^\/polls$/,
    ({ body, me }) => {
      const { id = world.newId(), options = [], ...rest } = body
      const named = (options as Row[]).map((option) => ({ position: 1, id: world.newId(), ...option }))
      const at = world.now()
      const poll = {
        ...rest,
        id,
        options: named,
        created_by: world.user(me),
        created_by_id: me,
        created_at: at,
        updated_at: at,
      }
      world.polls.set(String(id), poll)
      return { poll: world.pollFor(poll, me) }
    },
  ],
  [
    'GET',
    /^\/polls\/([^/]+)$/,
    ({ names: [id = ''], me }) => {
      const poll = world.polls.get(id)
      return poll ? { poll: world.pollFor(poll, me) } : missing('poll')
    },
  ],
  [
    'POST',
    /^\/messages\/([^/]+)\/polls\/([^/]+)\/vote$/,
    ({ names: [messageId, pollId = ''], body, me }) => {
      const poll = world.polls.get(pollId)
      if (!poll) return missing('poll')
      const at = world.now()
      const vote = {
        ...(body['vote'] as Row),
        id: world.newId(),
        poll_id: pollId,
        user_id: me,
        user: world.user(me),
        created_at: at,
        updated_at: at,
      }
      world.votes.push(vote)
      world.broadcast({
        type: 'poll.vote_casted',
        ...world.place,
        message_id: messageId,
        poll_vote: vote,
        poll: { ...world.pollFor(poll), updated_at: at },
      })
      return { vote }
    },
  ],
  [
    'POST',
    /^\/channels\/team\/lobby\/read$/,
    ({ me }) => {
      const last = world.messages.findLast((each) => each['parent_id'] === undefined)
      Object.assign(world.read, { at: world.now(), id: last?.['id'] ?? '' })
      world.broadcast({
        type: 'message.read',
        ...world.place,
        user: world.user(me),
        last_read_message_id: world.read.id,
      })
      return {}
    },
  ],
  ['POST', /^\/channels\/delivered$/, () => ({})],
  ['POST', /^\/channels\/team\/lobby\/event$/, ({ body }) => ({ event: body['event'] })],
  [
    'GET',
    /^\/search$/,
    ({ query, me }) => {
      const { query: text = '' } = JSON.parse(query.get('payload') ?? '{}') as { query?: string }
      const found = world.messages.filter((each) => String(each['text']).toLowerCase().includes(text.toLowerCase()))
      return {
        results: found.map((each) => ({ message: { ...world.shown(each, me), channel: channelOf(world) } })),
        next: '',
      }
    },
  ],
  [
    'POST',
    /^\/messages\/([^/]+)\/reminders$/,
    ({ names: [id = ''], body, me }) => {
      const at = world.now()
      const reminder = {
        user_id: me,
        channel_cid: CID,
        message_id: id,
        created_at: at,
        updated_at: at,
        remind_at: body['remind_at'],
      }
      world.reminders.set(id, reminder)
      world.broadcast({ type: 'reminder.created', ...world.place, message_id: id, reminder })
      // At the top level alone, as in the newer description of the contract
      return reminder
    },
  ],
  [
    'DELETE',
    /^\/messages\/([^/]+)\/reminders$/,
    ({ names: [id = ''] }) => (world.reminders.delete(id) ? {} : missing('reminder')),
  ],
  ['POST', /^\/reminders\/query$/, () => ({ reminders: [...world.reminders.values()], next: '' })],
  ['POST', /^\/drafts\/query$/, () => ({ drafts: null })],
  ['GET', /^\/members$/, () => ({ members: stateOf(world)['members'] })],
  ['GET', /^\/users$/, () => ({ users: [world.me, 'otto'].map(world.user) })],
  [
    'GET',
    /^\/unread$/,
    () => ({ channels: [], threads: null, channel_type: [], total_unread_count: 0, total_unread_threads_count: 0 }),
  ],
]

function threadOf(world: World, parent: Row): Row {
  const replies = world.messages.filter((each) => each['parent_id'] === parent['id'])
  return {
    latest_replies: replies.map((each) => world.shown(each, world.me)),
    parent_message: world.shown(parent, world.me),
    parent_message_id: parent['id'],
    channel_cid: CID,
    channel: channelOf(world),
    title: parent['text'],
    reply_count: replies.length,
    created_at: replies[0]?.['created_at'],
    updated_at: replies[0]?.['created_at'],
    last_message_at: replies.at(-1)?.['created_at'],
    created_by_user_id: 'otto',
  }
}

async function serve(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://second.example')
  let text = ''
  for await (const part of request) text += String(part)
  const found = answerTo(world, request.method ?? 'GET', url, text === '' ? {} : (JSON.parse(text) as Row))
  const status = found.status === 0 ? (request.method === 'POST' || request.method === 'PUT' ? 201 : 200) : found.status
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ duration: '1.0ms', ...found.body }))
}

function answerTo(world: World, method: string, url: URL, body: Row): Answer {
  for (const [verb, path, answer] of ROUTES(world)) {
    const match = verb === method ? path.exec(url.pathname) : null
    if (!match) continue
    const names = match.slice(1).map(decodeURIComponent)
    const made = answer({ body, query: url.searchParams, me: world.me, names })
    return isAnswer(made) ? made : { status: 0, body: made }
  }
  world.unknown.push(`${method} ${url.pathname}`)
  return missing(url.pathname)
}

/** The first frame, then a response to each ping: an array with one object. */
function greet(world: World, socket: WebSocket, request: IncomingMessage): void {
  const { me } = world
  const line = new URL(request.url ?? '/', 'http://second.example').searchParams.get('api_key')
  const health = { connection_id: `${line}/${world.newId()}`, type: 'health.check' }
  world.lines.add(socket)
  socket.on('close', () => world.lines.delete(socket))
  socket.on('error', () => socket.terminate())
  socket.on('message', () => socket.send(JSON.stringify({ ...health, created_at: world.now() })))
  const own = {
    ...world.user(me),
    devices: [],
    mutes: [],
    channel_mutes: [],
    total_unread_count: 0,
    unread_channels: 0,
  }
  socket.send(JSON.stringify({ ...health, created_at: world.now(), me: own }))
}
