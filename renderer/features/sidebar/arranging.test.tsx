import { afterEach, expect, test, vi } from 'vitest'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { EMPTY_PLAN, type SidebarPlan } from '#shared/domain/settings.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import {
  addLittleEngine,
  aSession,
  cairnMaps,
  createFakeBridge,
  someSettings,
} from '../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../tests/kit/render-in-app.tsx'
import { onAnnouncement } from '../../lib/page/announce.ts'
import { COMPOSER_FILES } from '../../store/composers/files.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { undoLast } from '../../store/window/recent.ts'
import { HideDialog } from '../channel/questions/ChannelQuestions.tsx'
import { NoticeRegion } from '../notices/index.ts'
import { DeleteFolderDialog, FolderDialog } from './dialogs/FolderDialog.tsx'
import { setLanguage } from '../../i18n/index.ts'
import { Sidebar } from './Sidebar.tsx'

const CHANNELS = [
  'announcements',
  'design-crit',
  'field-trips',
  'map-data',
  'support-triage',
  'biuro-krakow',
  'almaty',
  'random',
]

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** The sidebar's dialogs, as the app renders them. */
function Dialogs() {
  const dialog = useAppSelector((state) => state.ui.dialog)
  if (dialog?.kind === 'folder') return <FolderDialog {...dialog} />
  if (dialog?.kind === 'channel' && dialog.what === 'hide') return <HideDialog cid={dialog.cid} />
  return dialog?.kind === 'delete-folder' ? <DeleteFolderDialog id={dialog.id} /> : null
}

async function show(plan: Partial<SidebarPlan> = {}) {
  const world = cairnMaps()
  const sidebars = { [sidebarKey(aSession())]: { ...EMPTY_PLAN, ...plan } }
  const bridge = addLittleEngine(
    createFakeBridge({ ...world, rows: { ...world.rows, settings: { self: someSettings({ sidebars }) } } }),
  )
  const view = await renderInApp(
    <>
      <Sidebar />
      <Dialogs />
      <NoticeRegion />
    </>,
    bridge,
  )
  await act(() => Promise.resolve())
  const planNow = () => bridge.world.rows.settings?.['self']?.sidebars[sidebarKey(aSession())] ?? EMPTY_PLAN
  /** Sends the engine's order with this channel first. */
  const move = async (first: string) => {
    const ids = bridge.world.windows['channels']?.ids ?? []
    const next = [first, ...ids.filter((id) => id !== first)]
    const window = bridge.world.windows['channels']
    if (window !== undefined) bridge.change({}, [{ ...window, ids: next }])
    await act(() => Promise.resolve())
  }
  return { bridge, planNow, move, ...view }
}

const rowsOf = (heading: string): string[] => {
  const section = screen.getByRole('heading', { name: heading }).closest('section')
  return [...(section?.querySelectorAll('[data-channel-item]') ?? [])].map(
    (row) => row.getAttribute('data-channel-item')?.replace('messaging:', '') ?? '',
  )
}
const row = (name: string) => screen.getByRole('link', { name: new RegExp(`^${name}`) })

test('the list does not move while the pointer is on it, and is sorted a second after it leaves', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { move } = await show()
  const list = row('announcements').closest('[role="presentation"]')
  if (list === null) throw new Error('no list')
  expect(rowsOf('Channels')).toEqual(CHANNELS)
  fireEvent.pointerEnter(list)
  await move('messaging:random')
  act(() => void vi.advanceTimersByTime(60_000))
  expect(rowsOf('Channels')).toEqual(CHANNELS)
  fireEvent.pointerLeave(list)
  act(() => void vi.advanceTimersByTime(999))
  expect(rowsOf('Channels')[0]).toBe('announcements')
  act(() => void vi.advanceTimersByTime(1))
  expect(rowsOf('Channels')[0]).toBe('random')
})

test('Ctrl+Shift and an arrow move a conversation, announce its position, and save the order', async () => {
  const { planNow } = await show()
  const shown: string[] = []
  const stop = onAnnouncement(({ text }) => shown.push(text))
  act(() => row('design-crit').focus())
  await userEvent.keyboard('{Control>}{Shift>}{ArrowUp}{/Shift}{/Control}')
  await act(() => Promise.resolve())
  stop()
  expect(rowsOf('Channels').slice(0, 2)).toEqual(['design-crit', 'announcements'])
  expect(planNow().sort['channels']).toBe('manual')
  expect(shown).toContain('design-crit: 1 of 8 in Channels')
})

test('a custom section is created from a row, renamed and deleted; its conversations move back', async () => {
  const { planNow } = await show()
  fireEvent.contextMenu(row('map-data'), { clientX: 10, clientY: 10 })
  await userEvent.click(screen.getByRole('menuitem', { name: 'Move to a new section…' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Release week{Enter}')
  await act(() => Promise.resolve())
  expect(rowsOf('Release week')).toEqual(['map-data'])
  expect(rowsOf('Channels')).not.toContain('map-data')
  await userEvent.click(screen.getByRole('button', { name: 'Options for Release week' }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Delete section…' }))
  await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete section' }))
  await act(() => Promise.resolve())
  expect(rowsOf('Channels')).toContain('map-data')
  expect(planNow()).toEqual({ ...EMPTY_PLAN, order: {}, sort: {} })
})

test('a section can be sorted by name, and the list limited to unread conversations', async () => {
  await show()
  await userEvent.click(screen.getByRole('button', { name: 'Options for Channels' }))
  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'By name' }))
  await act(() => Promise.resolve())
  expect(rowsOf('Channels').slice(0, 3)).toEqual(['announcements', 'biuro-krakow', 'design-crit'])
  await userEvent.click(screen.getByRole('button', { name: 'Options for Channels' }))
  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Only unread' }))
  await act(() => Promise.resolve())
  expect(rowsOf('Channels')).toEqual(['design-crit', 'field-trips', 'support-triage', 'almaty'])
  await userEvent.click(screen.getByRole('button', { name: 'Only unread', pressed: true }))
  await act(() => Promise.resolve())
  expect(rowsOf('Channels')).toHaveLength(CHANNELS.length)
})

test('sorting by name puts 2 before 10 and follows the alphabet of the language', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { bridge } = await show({ sort: { channels: 'name' } })
  const channels = bridge.world.rows.channels ?? {}
  const called = ['release-10', 'release-2', 'lwy', 'łąka', 'mapa']
  const renamed = called.flatMap((name, at) => {
    const channel = channels[`messaging:${CHANNELS[at]}`]
    return channel === undefined ? [] : [[channel.cid, { ...channel, name }]]
  })
  await act(async () => bridge.change({ channels: Object.fromEntries(renamed) }))
  const titles = (heading: string) => rowsOf(heading).flatMap((id) => called[CHANNELS.indexOf(id)] ?? [])
  const settle = () => act(() => void vi.advanceTimersByTime(1_000))
  settle()
  expect(titles('Channels')).toEqual(['łąka', 'lwy', 'mapa', 'release-2', 'release-10'])
  await act(() => setLanguage('pl'))
  settle()
  expect(titles('Kanały')).toEqual(['lwy', 'łąka', 'mapa', 'release-2', 'release-10'])
})

test('files dropped on a row are attached in the composer of that conversation', async () => {
  const { store } = await show()
  const file = new File(['x'], 'x.txt')
  const dataTransfer = { types: ['Files'], files: [file], items: [], dropEffect: 'none' }
  const item = row('field-trips').closest('li')
  if (item === null) throw new Error('no row')
  fireEvent.dragOver(item, { dataTransfer })
  expect(item.dataset['over']).toBe('files')
  fireEvent.drop(item, { dataTransfer })
  await act(() => Promise.resolve())
  const got: File[] = []
  store.objects.of(COMPOSER_FILES).receive('messaging:field-trips', ({ files }) => got.push(...files))()
  expect(got).toEqual([file])
  expect(store.getState().ui.route).toEqual({ view: 'channel', cid: 'messaging:field-trips' })
})

test('a row dragged onto another section moves there, and back by Undo', async () => {
  const { bridge, store } = await show({ folders: [{ id: 'f', name: 'Work' }] })
  const before = rowsOf('Channels')
  const dataTransfer = { types: ['text/x-parlor-conversation'], setData: () => undefined, files: [], items: [] }
  const item = row('random').closest('li')
  const target = screen.getByRole('heading', { name: 'Work' }).closest('section')
  if (item === null || target === null) throw new Error('no row')
  fireEvent.dragStart(item, { dataTransfer })
  fireEvent.dragOver(target, { dataTransfer })
  fireEvent.drop(target, { dataTransfer })
  await act(() => Promise.resolve())
  await act(() => Promise.resolve())
  expect(rowsOf('Work')).toEqual(['random'])
  expect(bridge.inputsOf('channels.pin')).toEqual([])
  await act(async () => store.dispatch(undoLast()))
  expect(rowsOf('Work')).toEqual([])
  expect(rowsOf('Channels')).toEqual(before)
})

test('the menu of a row pins, archives and unarchives it, and opens dialogs to mute or hide it', async () => {
  const { bridge, store } = await show()
  const cid = 'messaging:announcements' as Cid
  const archive = (over: object): void => {
    const channel = bridge.world.rows.channels?.[cid]
    if (channel !== undefined) bridge.change({ channels: { [cid]: { ...channel, ...over } } })
  }
  bridge.on('channels.archive', () => archive({ archivedAt: 1 }))
  const choose = async (name: string): Promise<void> => {
    fireEvent.contextMenu(row('announcements'))
    await userEvent.click(screen.getByRole('menuitem', { name }))
    await act(() => Promise.resolve())
  }
  await choose('Pin to the top')
  expect(rowsOf('Pinned')).toContain('announcements')
  await choose('Unpin')
  await choose('Archive for me')
  expect(bridge.inputsOf('channels.archive')).toEqual([{ cid, archived: true }])
  expect(rowsOf('Channels')).not.toContain('announcements')
  expect(rowsOf('Archived')).toEqual(['announcements'])
  await choose('Unarchive')
  expect(bridge.inputsOf('channels.archive').at(-1)).toEqual({ cid, archived: false })
  await choose('Mute…')
  expect(store.getState().ui.dialog).toEqual({ kind: 'mute', target: { cid } })
  await choose('Hide until the next message…')
  expect(store.getState().ui.dialog).toEqual({ kind: 'channel', what: 'hide', cid })
})

test('hiding a channel can be undone: it returns to its section and position, unread as before, and opens again', async () => {
  const cid = 'messaging:field-trips' as Cid
  const { bridge, store } = await show({
    folders: [{ id: 'f', name: 'Work' }],
    placed: { [cid]: 'f', 'messaging:random': 'f' },
  })
  const unread = (): number | undefined => store.getState().entities.channels[cid]?.unread
  bridge.on('channels.hide', ({ hidden }: { hidden: boolean }) => {
    const channel = bridge.world.rows.channels?.[cid]
    if (channel !== undefined) bridge.change({ channels: { [cid]: { ...channel, hidden } } })
  })
  await userEvent.click(row('field-trips'))
  const [before, unreadBefore] = [rowsOf('Work'), unread()]
  expect(before.includes('field-trips')).toBe(true)
  expect(store.getState().ui.route).toEqual({ view: 'channel', cid })
  fireEvent.contextMenu(row('field-trips'))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Hide until the next message…' }))
  await userEvent.click(screen.getByRole('button', { name: 'Hide' }))
  expect(await screen.findByText('field-trips is hidden until the next message.')).toBeDefined()
  expect(rowsOf('Work')).not.toContain('field-trips')
  expect(store.getState().ui.route).not.toMatchObject({ cid })
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await act(() => Promise.resolve())
  expect(bridge.inputsOf('channels.hide').at(-1)).toEqual({ cid, hidden: false })
  expect(rowsOf('Work')).toEqual(before)
  expect(unread()).toEqual(unreadBefore)
  expect(store.getState().ui.route).toEqual({ view: 'channel', cid })
})

test('hiding a channel with its history cannot be undone', async () => {
  await show()
  fireEvent.contextMenu(row('random'))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Hide until the next message…' }))
  await userEvent.click(screen.getByRole('switch'))
  await userEvent.click(screen.getByRole('button', { name: 'Hide' }))
  expect(await screen.findByText('random is hidden until the next message.')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})
