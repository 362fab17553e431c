import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import type { HostInfo } from '#shared/bridge/transport.ts'
import type { Notice } from '#shared/domain/notification.ts'
import type { OutboxItem } from '#shared/domain/intent.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import {
  aSession,
  aConnection,
  addLittleEngine,
  at,
  aWindow,
  byId,
  cairnMaps,
  createFakeBridge,
  demoMedia,
  SHAPE_NAMES,
  shapeOf,
  someSettings,
  type FakeBridge,
} from '#kit/fake-bridge/index.ts'
import { troubles } from './troubles.ts'

const RELEASE = asCid('messaging:release-4-2')

type Scene = { readonly bridge: FakeBridge; readonly after: () => void }

/** A bridge in a named situation, and what to do once the app is rendered. */
export function createScene(query: URLSearchParams): Scene {
  const { rows, windows } = cairnMaps()
  const settings = someSettings({ lastChannels: { [sidebarKey(aSession())]: RELEASE }, ...settingsOf(query) })
  const fake: FakeBridge = addLittleEngine(
    createFakeBridge({
      rows: { ...rows, settings: { self: settings } },
      windows,
      host: hostOf(query),
      media: (ref) => demoMedia(ref) ?? heldMedia(fake, ref),
    }),
  )
  const after = SCENES[query.get('scene') ?? 'main'] ?? (() => {})
  return { bridge: fake, after: () => after(fake) }
}

/** Pictures of messages that a scene or a test adds: demo pictures by their names. */
function heldMedia({ world }: FakeBridge, ref: string): string | undefined {
  const [, messageId = '', index] = /^att\/(.+)\.(\d+)$/.exec(ref) ?? []
  const title = world.rows.messages?.[messageId]?.attachments[Number(index)]?.title
  return title?.endsWith('.png') === true ? `/${title}` : undefined
}

function settingsOf(query: URLSearchParams): Partial<Settings> {
  const theme = query.get('theme')
  const density = query.get('density')
  const language = query.get('lang')
  return {
    ...(theme === null ? {} : { theme: theme as Settings['theme'] }),
    ...(density === null ? {} : { density: density as Settings['density'] }),
    ...(language === null ? {} : { language: language as Settings['language'] }),
    ...(query.has('text') ? { textScale: Number(query.get('text')) } : {}),
    ...(query.has('rail') ? { sidebarCollapsed: true } : {}),
  }
}

function hostOf(query: URLSearchParams): Partial<HostInfo> {
  const titleBar = query.get('titlebar')
  if (titleBar === null) return {}
  const os = titleBar === 'none' ? 'linux' : (titleBar as HostInfo['os'])
  return { kind: 'electron', os, titleBar: titleBar as HostInfo['titleBar'] }
}

const SCENES: Readonly<Record<string, (fake: FakeBridge) => void>> = {
  main: () => {},
  start: (fake) => fake.change({ session: { self: { state: 'signed-out' } } }),
  offline: (fake) => {
    fake.change({
      connection: { self: aConnection({ state: 'unhealthy', offline: true, nextTryAt: Date.now() + 12_500 }) },
    })
    fake.change({ outbox: Object.fromEntries(OUTBOX.map((item) => [item.id, item])) }, [
      aWindow(
        'outbox',
        OUTBOX.map((item) => item.id),
      ),
    ])
  },
  connecting: (fake) => fake.change({ connection: { self: aConnection({ state: 'connecting' }) } }),
  frozen: (fake) => {
    const channel = fake.world.rows.channels?.[RELEASE]
    if (channel !== undefined) fake.change({ channels: { [RELEASE]: { ...channel, frozen: true } } })
  },
  // They disappear after 3 s, so a slow page must have loaded first.
  notices: (fake) => {
    const showNotices = () =>
      setTimeout(() => fake.change({ notices: Object.fromEntries(NOTICES.map((one) => [one.id, one])) }), 500)
    if (document.readyState === 'complete') showNotices()
    else window.addEventListener('load', showNotices)
  },
  loading: (fake) => fake.change({}, [aWindow('channels', [], { loading: 'initial' })]),
  failed: (fake) => fake.change({}, [aWindow('channels', [], { error: 'channels/load-failed' })]),
  // Every kind of row, under the divider of a cleared history, with a gap and a run of deleted messages.
  rows: (fake) => {
    const shown = SHAPE_NAMES.map((name, index) => shapeOf(name, index * 6))
    const deleted = [0, 1, 2].map((n) => ({
      ...shapeOf('deleted', 4 * 60 + n),
      id: asMessageId(`gone-${n}`),
    }))
    const channel = fake.world.rows.channels?.[RELEASE]
    const cleared = { truncatedAt: at(9, 0, 2), truncatedBy: asUserId('priya') }
    const saved = { messageId: asMessageId('shape-saved'), cid: RELEASE, pending: false, createdAt: 0, updatedAt: 0 }
    const messages = [...shown, ...deleted]
    fake.change(
      {
        messages: byId(messages),
        reminders: { 'shape-saved': saved },
        channels: channel === undefined ? undefined : { [RELEASE]: { ...channel, ...cleared, unread: 0 } },
      },
      [
        aWindow(
          `timeline:${RELEASE}`,
          messages.map(({ id }) => id),
          { gapsBefore: ['shape-file'] },
        ),
      ],
    )
  },
  empty: (fake) => fake.change({}, [aWindow(`timeline:${RELEASE}`, [])]),
  ...troubles(RELEASE),
}

const item = (over: Partial<OutboxItem>): OutboxItem => ({
  id: 'o-1',
  kind: 'send-message',
  cid: RELEASE,
  state: 'waiting',
  summary: 'And the dark variants.',
  fileCount: 0,
  retryable: true,
  createdAt: at(11, 19),
  ...over,
})

const OUTBOX: readonly OutboxItem[] = [
  item({}),
  item({ id: 'o-2', summary: '', fileCount: 3, cid: asCid('messaging:design-crit'), createdAt: at(11, 22) }),
  item({ id: 'o-3', kind: 'send-reaction', summary: 'heart', messageId: asMessageId('m-1'), createdAt: at(11, 24) }),
  item({
    id: 'o-4',
    state: 'parked',
    summary: 'Full changelog pasted below, 212 lines…',
    retryable: false,
    reason: { code: 'composer/too-long' },
    createdAt: at(11, 16),
  }),
]

const notice = (id: string, code: string, severity: Notice['severity']): Notice => ({
  id,
  code,
  severity,
  type: 'gallery',
  createdAt: Date.now(),
})

const NOTICES: readonly Notice[] = [
  {
    ...notice('n-1', 'upload/failed', 'error'),
    params: { name: 'route.gpx', reason: 'server/payload-too-big', uploadId: 'u1' },
  },
  notice('n-2', 'composer/uploads-in-progress', 'warning'),
  { ...notice('n-3', 'session/clock-skew', 'info'), params: { minutes: 7 } },
]
