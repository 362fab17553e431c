import { act, fireEvent, screen } from '@testing-library/react'
import { asCid, asMessageId, asUserId, type MessageId } from '#shared/lib/brand.ts'
import type { Upload } from '#shared/domain/attachment.ts'
import type { Draft } from '#shared/domain/draft.ts'
import type { AppLanguage, Settings } from '#shared/domain/settings.ts'
import { Composer } from '../../renderer/features/composer/index.ts'
import {
  aChannel,
  aConfig,
  aConnection,
  aSession,
  aUser,
  aWindow,
  byCid,
  byId,
  createFakeBridge,
  someSettings,
  type FakeBridge,
  type Rows,
} from './fake-bridge/index.ts'
import { renderInApp } from './render-in-app.tsx'

/** The channel in which the composer of the tests writes: #release. */
export const RELEASE = asCid('messaging:release')

/** Ola writes; Łukasz is in the channel, Hana is not. */
const PEOPLE = [
  aUser({ id: 'ola', name: 'Ola Wiśniewska' }),
  aUser({ id: 'lukasz', name: 'Łukasz Żak' }),
  aUser({ id: 'hana', name: 'Hana Mori' }),
]

type Scene = {
  /** Fields of the channel besides its name. */
  readonly channel?: Parameters<typeof aChannel>[0]
  /** Characters a message may have. */
  readonly maxLength?: number
  readonly settings?: Partial<Settings>
  readonly offline?: boolean
  /** The draft in the composer before. */
  readonly draft?: Partial<Draft>
  readonly uploads?: readonly Upload[]
  /** Rows of tables in addition to these, and replacing them. */
  readonly rows?: Rows
}

/** A window's bridge with one channel, Ola who is signed in, and a server that accepts every message and every file. */
export function aPlaceToWrite(scene: Scene = {}): FakeBridge {
  const { channel = {}, maxLength, settings, offline = false, draft, uploads = [], rows = {} } = scene
  const config = maxLength === undefined ? {} : { config: aConfig({ maxMessageLength: maxLength }) }
  const saved = draft === undefined && uploads.length === 0 ? {} : { drafts: { [RELEASE]: aDraft(draft, uploads) } }
  const messages = Object.keys(rows.messages ?? {})
  const bridge = createFakeBridge({
    rows: {
      users: byId(PEOPLE),
      channels: byCid([aChannel({ cid: RELEASE, name: 'release', ...config, ...channel })]),
      session: { self: aSession({ userId: 'ola' }) },
      connection: { self: aConnection(offline ? { state: 'unhealthy', offline } : {}) },
      settings: { self: someSettings(settings) },
      uploads: byId(uploads),
      ...saved,
      ...rows,
    },
    windows: [aWindow(`timeline:${RELEASE}`, messages)],
  })
  bridge.on('messages.send', () => asMessageId('new'))
  bridge.on('channels.members', () => [asUserId('ola'), asUserId('lukasz')])
  bridge.on('settings.update', (change: Partial<Settings>) => {
    const self = bridge.world.rows.settings?.['self']
    if (self) bridge.change({ settings: { self: { ...self, ...change } } })
  })
  takeFiles(bridge)
  return bridge
}

const aDraft = (over: Partial<Draft> = {}, uploads: readonly Upload[] = []): Draft => ({
  key: RELEASE,
  cid: RELEASE,
  text: '',
  uploads,
  caret: 0,
  showInChannel: false,
  updatedAt: 1,
  ...over,
})

/** A file in the composer. */
export const anUpload = (over: Partial<Upload> & Pick<Upload, 'id' | 'name'>): Upload => ({
  sizeBytes: 8_400_000,
  mimeType: 'text/plain',
  kind: 'file',
  state: 'finished',
  progress: 1,
  ...over,
})

/** Files are accepted one after the other, as `n1`, `n2` and so on, and are uploaded at once. */
function takeFiles(bridge: FakeBridge): void {
  let count = 0
  bridge.on('uploads.begin', (input: { name: string; sizeBytes: number; mimeType: string }) => {
    const upload = anUpload({ ...input, id: `n${(count += 1)}` })
    bridge.change({ uploads: { [upload.id]: upload } })
    return upload
  })
  bridge.on('uploads.finish', ({ id }: { id: string }) => bridge.world.rows.uploads?.[id])
}

/** Renders the composer of the channel, or of a thread in it, and lets it settle. */
export async function showComposer(
  bridge: FakeBridge,
  { parentId, language }: { readonly parentId?: MessageId; readonly language?: AppLanguage } = {},
) {
  const place = parentId === undefined ? { cid: RELEASE } : { cid: RELEASE, parentId }
  const rendered = await renderInApp(<Composer {...place} />, bridge, language)
  bridge.change({}, Object.values(bridge.world.windows))
  await act(async () => {})
  return rendered
}

export const field = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Message #release' })

/**
 * Sets the text as after a paste or many keys: in one step, because single keys are slow where tests share a machine.
 */
export function write(text: string): void {
  field().focus()
  fireEvent.change(field(), { target: { value: text } })
}

type Sent = { readonly text: string; readonly uploadIds: readonly string[]; readonly [key: string]: unknown }
/** What was passed to the engine to be sent, in order. */
export const sentBy = (bridge: FakeBridge): readonly Sent[] => bridge.inputsOf('messages.send') as Sent[]

/** Chooses files as in the dialog of the system. */
export async function choose(...files: readonly File[]): Promise<void> {
  fireEvent.change(document.querySelector('[data-file-field]') ?? document.body, { target: { files } })
  await act(async () => {})
}

/** The files in the composer, as a screen reader reads them. */
export const tiles = (): readonly (string | null)[] =>
  screen.getAllByRole('listitem').map((tile) => tile.getAttribute('aria-label'))
