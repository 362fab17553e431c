import { createRouter } from '#main/server/http/router.ts'
import { routes } from '#main/server/routes.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import { asUserId, type MessageId } from '#shared/lib/brand.ts'
import { createWorld } from '#kit/world.ts'
import { DRIVES, type Stage } from './drives.ts'

export type Json = Readonly<Record<string, unknown>>
export type Recorded = {
  /** Responses of the real server, by operation. */
  readonly answers: ReadonlyMap<string, Json>
  /** Events it sent over the connection, by type. */
  readonly events: ReadonlyMap<string, Json>
  /** Drives that the real server refused. */
  readonly problems: readonly string[]
}

const find = createRouter(routes)
const FILE: Json = { file: 'http://127.0.0.1:9999/files/a.txt', thumb_url: '', duration: '1ms' }
const PAGE: Json = {
  og_scrape_url: 'https://site.example/1',
  type: 'image',
  title: 'A page',
  text: 'What it says',
  image_url: 'https://site.example/a.png',
  author_name: 'Site',
  duration: '1ms',
}

const EMOJI: Json = {
  name: 'parrot',
  aliases: ['bird'],
  url: 'http://127.0.0.1:9999/files/0123456789abcdef0123456789abcdef/a.png?sig=a&exp=1',
  mime_type: 'image/png',
  width: 64,
  height: 64,
  created_by: 'me',
  created_at: '2026-03-02T09:00:00.000000Z',
  updated_at: '2026-03-02T09:00:00.000000Z',
}
const CHANGED_EMOJI: Json = { emoji: EMOJI, former_name: 'kakadu', created_at: '2026-03-02T09:00:00.000000Z' }

/** Drives that the simulated world cannot handle: files, what is created from them, and a message that is not cached. */
const NOT_RECORDED = new Set([
  'UploadChannelFile',
  'UploadChannelImage',
  'UploadImage',
  'CreateEmoji',
  'UpdateEmoji',
  'GetMessage',
  'GetOG',
])

/** Runs every drive once against the real server: its responses and events are what the broken ones are made from. */
export async function record(): Promise<Recorded> {
  const world = await createWorld({ people: ['me', 'ana'], channels: ['general'] })
  const me = world.person('me')
  const answers = new Map<string, Json>([
    ['UploadChannelFile', FILE],
    ['UploadChannelImage', FILE],
    ['UploadImage', FILE],
    ['CreateEmoji', { emoji: EMOJI, duration: '1ms' }],
    ['UpdateEmoji', { emoji: EMOJI, duration: '1ms' }],
    // Another version than that of the app’s settings, so that they are loaded each time.
    ['ListEmoji', { emoji: [EMOJI], version: '1.1', duration: '1ms' }],
    ['GetOG', PAGE],
  ])
  const events = new Map<string, Json>([
    ['emoji.created', CHANGED_EMOJI],
    ['emoji.updated', CHANGED_EMOJI],
    ['emoji.deleted', CHANGED_EMOJI],
  ])
  me.link.tamper = {
    answer(request, answer) {
      const operation = find(request.method, new URL(request.url).pathname)?.route.operation
      const body = JSON.parse(answer.text) as Json
      if (operation !== undefined && answer.status < 300 && size(body) >= size(answers.get(operation)))
        answers.set(operation, body)
      return answer
    },
    losesFrame(text) {
      const event = JSON.parse(text) as Json & { type?: string }
      if (event.type !== undefined && event.type !== 'health.check') events.set(event.type, event)
      return false
    },
  }
  /** Waits for time that only the outermost loop moves. */
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => void world.clock.after(ms, resolve))
  const settle = (): Promise<void> => sleep(3_000)
  const publish = (change: object): void => me.account.engine.publish({ settings: { ...DEFAULT_SETTINGS, ...change } })
  publish({ syncDrafts: true })
  await me.open(world.cid)
  await world.pass(3_000)
  const problems: string[] = []
  let count = 0
  const send = async (userId: string) => {
    const id = await world.person(userId).ui.messages.send({ cid: world.cid, text: `text ${(count += 1)}` })
    await sleep(1_000)
    return id
  }
  const stage: Stage = {
    ui: me.ui,
    cid: world.cid,
    other: asUserId('ana'),
    stranger: () => asUserId('ana'),
    own: () => send('me'),
    theirs: () => send('ana'),
    async poll() {
      const messageId = (await DRIVES['CreatePoll']?.(stage)) as MessageId
      await settle()
      const poll = me.replica.all('polls').at(-1)
      const optionId = String(poll?.options[0]?.id)
      return { messageId, optionId }
    },
    next: () => (count += 1),
    async reconnect() {
      me.link.cut()
      await sleep(10_000)
    },
    setPrivacy: (hidden) => publish({ syncDrafts: true, publishReads: !hidden }),
    settle,
  }
  for (const [operation, drive] of Object.entries(DRIVES)) {
    if (NOT_RECORDED.has(operation)) continue
    const done = drive(stage).then(settle)
    await world.done(done).catch((error: unknown) => problems.push(`${operation}: ${String(error)}`))
  }
  await world.stop()
  answers.set('GetMessage', answers.get('SendMessage') ?? {})
  return { answers, events, problems }
}

const size = (value: Json | undefined): number => (value === undefined ? 0 : JSON.stringify(value).length)
