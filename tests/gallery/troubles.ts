import type { Cid } from '#shared/lib/brand.ts'
import type { Notice } from '#shared/domain/notification.ts'
import { aConnection, aWindow, PEOPLE, type FakeBridge } from '#kit/fake-bridge/index.ts'

const LOST = { state: 'unhealthy', offline: true } as const

/**
 * Rare situations: a stopped process, a bad connection, windows that write at the same time, numbers beyond counting.
 */
export const troubles = (cid: Cid): Readonly<Record<string, (fake: FakeBridge) => void>> => ({
  stopped: (fake) => fake.becomeHost('gone'),
  // A call in progress, and a place that was not open.
  'stopped-later': (fake) => Object.assign(window, { stop: () => fake.becomeHost('gone') }),
  shut: (fake) => fake.becomeHost('shut'),
  still: (fake) => fake.change({ connection: { self: aConnection({ stillLoading: ['messages'] }) } }),
  'not-renewed': (fake) =>
    fake.change({ connection: { self: aConnection({ ...LOST, ...soon(), trouble: 'session/not-renewed' }) } }),
  clocks: (fake) =>
    fake.change({ connection: { self: aConnection({ ...LOST, ...soon(), trouble: 'session/clocks-differ' }) } }),
  'signed-out-there': (fake) =>
    fake.change({ connection: { self: aConnection({ ...LOST, blocked: 'server/token-expired' }) } }),
  conflict: (fake) =>
    fake.change({
      drafts: {
        [cid]: {
          key: cid,
          cid,
          text: 'Zostawiam polską wersję banera, jest krótsza.',
          uploads: [],
          caret: 0,
          showInChannel: false,
          updatedAt: Date.now(),
          conflict: { text: 'Taking the Polish banner, it is shorter, and the Russian one fits too', writtenAt: 0 },
        },
      },
    }),
  'just-sent': (fake) =>
    fake.on('messages.send', () => {
      throw { code: 'message/just-sent' }
    }),
  'read-only': (fake) => showNotice(fake, { code: 'store/reading-only', severity: 'warning' }),
  full: (fake) => showNotice(fake, { code: 'disk/full', severity: 'error' }),
  crowded: (fake) => {
    const { channels = {} } = fake.world.rows
    const many = Object.values(channels).map((channel) => ({
      ...channel,
      unread: channel.unread > 0 ? 12_345 : 0,
      unreadMentions: channel.unreadMentions > 0 ? 1_000 : 0,
    }))
    fake.change({ channels: Object.fromEntries(many.map((channel) => [channel.cid, channel])) })
  },
  several: (fake) => {
    const people = PEOPLE.filter(({ id }) => id !== 'ola')
      .slice(0, 10)
      .map(({ id, name }) => ({ id, name }))
    fake.change({ typing: { [cid]: { key: cid, people } } })
  },
  unsure: (fake) => {
    const { messages = {} } = fake.world.rows
    const unsure = Object.entries(messages).map(([id, message], index) => [
      id,
      index % 2 === 0 ? message : { ...message, timeUnsure: true as const },
    ])
    fake.change({ messages: Object.fromEntries(unsure) })
  },
  bones: (fake) =>
    fake.change({}, [
      aWindow(`timeline:${cid}`, [], { loading: 'initial' }),
      aWindow('channels', [], { loading: 'initial' }),
    ]),
})

const soon = (): { nextTryAt: number } => ({ nextTryAt: Date.now() + 12_500 })

/** Notices disappear automatically, so a slow page must have loaded first. */
function showNotice(fake: FakeBridge, { code, severity }: Pick<Notice, 'code' | 'severity'>): void {
  const notice: Notice = { id: code, code, severity, type: 'gallery', createdAt: Date.now() }
  const show = () => setTimeout(() => fake.change({ notices: { [code]: notice } }), 500)
  if (document.readyState === 'complete') show()
  else window.addEventListener('load', show)
}
