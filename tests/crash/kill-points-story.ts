import { readdirSync } from 'node:fs'
import type { ChangeSet, Push } from '#shared/domain/changes.ts'
import { compose } from '#main/app/compose.ts'
import { nodePorts } from '#main/hosts/node/ports.ts'
import { fileSecrets } from '#main/hosts/node/secrets-file.ts'
import { Replica } from '#kit/sim/replica.ts'
import type { Stage } from './kill-points.ts'
import { printLine } from './print-line.ts'
import { windowless } from './windowless.ts'

export type Story = {
  readonly data: string
  readonly url: string
  readonly token: string
  /** A channel that only gets a draft, and one that gets a message with a file. */
  readonly quiet: string
  readonly busy: string
  at(moment: 'before' | 'after', deed: string): void
  enter(stage: Stage): void
  reached(): Readonly<Record<string, number>>
}

/** What the next start finds and shows, after all that was queued is sent. */
export type Look = {
  readonly isSignedIn: boolean
  readonly theme: string | undefined
  readonly drafts: Readonly<Record<string, { readonly text: string; readonly uploadIds: readonly string[] }>>
  readonly uploads: readonly { readonly id: string; readonly state: string }[]
  readonly outbox: readonly string[]
}

const PIECE = Buffer.alloc(40_000, 'parlor')
const PIECES = 2
export const FILE_BYTES = PIECE.length * PIECES

class App {
  replica = new Replica()
  readonly #story: Story
  readonly #window: ReturnType<typeof windowless>
  #wake: () => void = () => undefined
  #stop: () => Promise<void> = () => Promise.resolve()

  constructor(story: Story) {
    this.#story = story
    const ports = nodePorts(() => undefined)
    const http: typeof ports.http = {
      ...ports.http,
      download: (...args) => ports.http.download(...args),
      request: async (request) => {
        const deed = `request ${request.method} ${new URL(request.url).pathname}`
        story.at('before', deed)
        const answer = await ports.http.request(request)
        story.at('after', deed)
        return answer
      },
    }
    this.#window = windowless(story.data, (push: Push) => this.#onPush(push), {
      secrets: fileSecrets(story.data),
      ports: { ...ports, http },
    })
  }

  async start(): Promise<void> {
    const composed = await compose(this.#window.host, this.#window.dispatch, {})
    this.#stop = () => composed.stop()
    await this.attach()
  }

  call = (name: string, input?: unknown): Promise<unknown> => this.#window.call(name, input)
  stop = (): Promise<void> => this.#stop()

  async attach(): Promise<void> {
    this.replica = new Replica()
    this.replica.apply((await this.call('app.attach', {})) as ChangeSet)
  }

  async signIn(): Promise<void> {
    const { url, token, quiet, busy } = this.#story
    await this.call('session.connectHosted', { url, apiKey: 'crash', token })
    await this.attach()
    await this.until(() => this.isHealthy() && [quiet, busy].every((cid) => this.replica.get('channels', cid)))
    for (const cid of [quiet, busy]) await this.call('channels.open', { cid })
  }

  isHealthy = (): boolean => this.replica.get('connection', 'self')?.state === 'healthy'

  /** Nothing is queued anymore. */
  async sent(): Promise<void> {
    while (Number(await this.call('session.unsentCount')) > 0) await this.#pushed()
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await this.#pushed()
  }

  #pushed(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve))
  }

  #onPush(push: Push): void {
    if (push.kind === 'changes') this.replica.apply(push.changeSet)
    this.#wake()
  }
}

/** A session of a user: every stage ends with a promise, which is printed. */
export async function live(story: Story): Promise<void> {
  const app = new App(story)
  await app.start()
  story.enter('sign in')
  await app.signIn()
  printLine('reported signed-in')
  story.enter('settings')
  await app.call('settings.update', { theme: 'dark' })
  printLine('reported theme')
  story.enter('draft')
  await app.call('drafts.save', { cid: story.quiet, text: 'draft words' })
  printLine('reported draft')
  story.enter('stage')
  const { id } = (await app.call('uploads.begin', {
    cid: story.busy,
    name: 'map.txt',
    sizeBytes: FILE_BYTES,
    mimeType: 'text/plain',
  })) as { id: string }
  for (let piece = 0; piece < PIECES; piece++) await app.call('uploads.chunk', { id, base64: PIECE.toString('base64') })
  await app.call('uploads.finish', { id })
  await app.call('drafts.save', { cid: story.busy, text: 'with a file', uploadIds: [id] })
  printLine('reported attached')
  story.enter('send')
  await app.call('messages.send', { cid: story.busy, text: 'with a file', uploadIds: [id], whenReady: true })
  printLine('reported sent')
  await app.sent()
  story.enter('sign out')
  await app.call('session.signOut', { wipe: false })
  printLine('reported signed-out')
  story.enter('sign in again')
  await app.signIn()
  printLine('reported signed-in')
  story.enter('wipe')
  await app.call('session.signOut', { wipe: true })
  printLine('reported wiped')
  printLine(`reached ${JSON.stringify(story.reached())}`)
  process.exit(0)
}

/** The start after the kill: everything queued is sent, and then the app exits normally. */
export async function look(story: Story): Promise<void> {
  const app = new App(story)
  await app.start()
  const isSignedIn = app.replica.get('session', 'self')?.state === 'signed-in'
  if (isSignedIn) {
    await app.until(app.isHealthy)
    await app.sent()
  }
  await app.attach()
  const { replica } = app
  await tidied(story.data, replica.all('uploads').length)
  const found: Look = {
    isSignedIn,
    theme: replica.get('settings', 'self')?.theme,
    drafts: Object.fromEntries(
      replica.all('drafts').map(({ cid, text, uploads }) => [cid, { text, uploadIds: uploads.map(({ id }) => id) }]),
    ),
    uploads: replica.all('uploads').map(({ id, state }) => ({ id, state })),
    outbox: replica.all('outbox').map(({ kind, state }) => `${kind} ${state}`),
  }
  await app.stop()
  printLine(`look ${JSON.stringify(found)}`)
  process.exit(0)
}

/** Turns of the event loop in which unused files are deleted: this is done in the background. */
const TURNS = 5_000

async function tidied(data: string, wanted: number): Promise<void> {
  const files = (): number =>
    readdirSync(data, { recursive: true }).filter((path) => /staging.[^/\\]+$/.test(String(path))).length
  for (let turn = 0; turn < TURNS && files() > wanted; turn++) await new Promise((resolve) => setImmediate(resolve))
}
