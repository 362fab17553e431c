import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import type { Notice } from '#shared/domain/notification.ts'
import { NOTICES } from '#shared/rules/notifications/notices.ts'
import { aSession, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { setLanguage } from '../../i18n/index.ts'
import { commandFailed } from '../../store/command.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { Dialog } from '../../ui/Dialog/Dialog.tsx'
import { Announcer } from '../../ui/Toast/Toast.tsx'
import { NoticeLog } from './NoticeCard.tsx'
import { NoticeRegion } from './index.ts'

const aNotice = (over: Partial<Notice> = {}): Notice => ({
  id: 'n1',
  ...NOTICES.pollFailed,
  createdAt: 1_800_000_000_000,
  ...over,
})
const show = (notice: Notice, log = false) =>
  renderInApp(log ? <NoticeLog /> : <NoticeRegion />, createFakeBridge({ rows: { notices: { [notice.id]: notice } } }))
const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms))

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test.each(['error', 'warning', 'info', 'success'] as const)('AGR-28 %s is shown for 3000 ms', async (severity) => {
  await show(aNotice({ severity }))
  pass(2_999)
  expect(screen.getByText('Failed to create the poll')).toBeTruthy()
  pass(1)
  expect(screen.queryByText('Failed to create the poll')).toBeNull()
})

test.each([
  [8, 7_999],
  [0, 3_600_000],
] as const)(
  'with a setting of %i seconds it is shown that long; with 0 until it is dismissed',
  async (noticeSeconds, stays) => {
    const rows = { notices: { n1: aNotice() }, settings: { self: someSettings({ noticeSeconds }) } }
    await renderInApp(<NoticeRegion />, createFakeBridge({ rows }))
    pass(stays)
    expect(screen.getByText('Failed to create the poll')).toBeTruthy()
    pass(1)
    expect(screen.queryByText('Failed to create the poll') === null).toBe(noticeSeconds === 8)
  },
)

test('a lasting notice is shown until its cause ends, and stays in the log', async () => {
  const lasting = aNotice({ code: 'store/no-room-for-arriving', severity: 'warning', lasting: true })
  const bridge = createFakeBridge({ rows: { notices: { n1: lasting } } })
  await renderInApp(<NoticeRegion />, bridge)
  pass(3_600_000)
  expect(screen.getByRole('group').textContent).toContain('The disk is full.')
  await act(async () => bridge.change({ notices: { n1: { ...lasting, over: true } } }))
  pass(1_000)
  expect(screen.queryByRole('group')).toBeNull()
  cleanup()
  await show({ ...lasting, over: true }, true)
  expect(screen.getByText(/The disk is full\./)).toBeTruthy()
})

test('is announced by the region that was there before it, and the card is none', async () => {
  const bridge = createFakeBridge({ rows: { notices: {} } })
  await renderInApp(
    <>
      <Announcer />
      <NoticeRegion />
    </>,
    bridge,
  )
  const region = screen.getByRole('alert')
  expect(region.textContent).toBe('')
  const params = { name: 'cat.png', reason: 'size_limit' }
  await act(async () => bridge.change({ notices: { n1: aNotice({ ...NOTICES.uploadFailed, params }) } }))
  expect(screen.getAllByRole('alert')).toEqual([region])
  expect(region.textContent).toBe('Error uploading attachment. cat.png: The file is too large. Choose a smaller one.')
})

test('its time stops while the pointer is on it', async () => {
  await show(aNotice())
  const card = screen.getByRole('group')
  pass(2_000)
  fireEvent.pointerEnter(card.parentElement as HTMLElement)
  pass(60_000)
  expect(screen.getByRole('group')).toBe(card)
  fireEvent.pointerLeave(card.parentElement as HTMLElement)
  pass(1_000)
  expect(screen.queryByRole('group')).toBeNull()
})

test('a notice dismissed by keyboard does not stop the time of the next one', async () => {
  const bridge = createFakeBridge({ rows: { notices: { n1: aNotice() } } })
  await renderInApp(<NoticeRegion />, bridge)
  const dismiss = screen.getByRole('button', { name: 'Dismiss' })
  act(() => dismiss.focus())
  fireEvent.click(dismiss)
  await act(async () => bridge.change({ notices: { n2: aNotice({ id: 'n2', createdAt: 1_800_000_000_001 }) } }))
  expect(screen.getByRole('group')).toBeTruthy()
  pass(3_000)
  expect(screen.queryByRole('group')).toBeNull()
})

/** Where the region would be in each place, and the box of the dialog. */
function laidOut(rects: Readonly<Record<string, readonly [top: number, bottom: number]>>): void {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    const [top, bottom] = rects[this.dataset['place'] ?? 'box'] ?? [0, 0]
    return new DOMRect(0, top, 400, bottom - top)
  })
}

test.each([
  ['usual', { usual: [600, 700], top: [20, 120], box: [200, 500] }],
  ['top', { usual: [450, 700], top: [20, 120], box: [200, 500] }],
  ['held', { usual: [450, 700], top: [20, 120], box: [100, 600] }],
] as const)('with a dialog open it is %s, so that it does not cover the dialog', async (place, rects) => {
  laidOut(rects)
  await renderInApp(
    <>
      <NoticeRegion />
      <Dialog title="Forward" onClose={() => undefined}>
        <p>Where to?</p>
      </Dialog>
    </>,
    createFakeBridge({ rows: { notices: { n1: aNotice() } } }),
  )
  expect(document.querySelector<HTMLElement>('[data-region="notices"]')?.dataset['place']).toBe(place)
  pass(3_000)
  // What is held has its whole time when the dialog is closed.
  expect(screen.queryByRole('group', { hidden: true }) !== null).toBe(place === 'held')
  vi.restoreAllMocks()
})

test('the end of a list can be scrolled above what lies over its corner; one above a composer is above it already', async () => {
  laidOut({ usual: [600, 700.4] })
  const room = (): string => document.documentElement.style.getPropertyValue('--notices-room')
  const { store } = await show(aNotice())
  act(() => void store.dispatch(routeOpened({ view: 'later' })))
  expect(room()).toBe('133px')
  act(() => void store.dispatch(routeOpened({ view: 'channel', cid: asCid('team:plans') })))
  expect(room()).toBe('')
  act(() => void store.dispatch(routeOpened({ view: 'later' })))
  cleanup()
  expect(room()).toBe('')
  vi.restoreAllMocks()
})

test.each([
  ['server/payload-too-big', 'cat.png: This is too big for the server. Make it smaller.'],
  ['size_limit', 'cat.png: The file is too large. Choose a smaller one.'],
])('%s is shown with its file, in the notice and in the log', async (reason, text) => {
  const notice = aNotice({ ...NOTICES.uploadFailed, params: { name: 'cat.png', reason } })
  await show(notice)
  expect(screen.getByText('Error uploading attachment')).toBeTruthy()
  expect(screen.getByText(text)).toBeTruthy()
  cleanup()
  await show(notice, true)
  expect(screen.getByText(text)).toBeTruthy()
})

test('a failed upload can be retried from its notice, which is then dismissed', async () => {
  const params = { name: 'cat.png', reason: 'network/timeout', uploadId: 'u1' }
  const bridge = createFakeBridge({ rows: { notices: { n1: aNotice({ ...NOTICES.uploadFailed, params }) } } })
  bridge.on('uploads.retry', () => undefined)
  await renderInApp(<NoticeRegion />, bridge)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await act(async () => {})
  expect(bridge.inputsOf('uploads.retry')).toEqual([{ id: 'u1' }])
  expect(screen.queryByRole('group')).toBeNull()
})

test('the log is in the current language', async () => {
  await show(aNotice({ ...NOTICES.uploadFailed, params: { name: 'cat.png', reason: 'size_limit' } }), true)
  await act(() => setLanguage('ru'))
  expect(screen.getByText('Не удалось загрузить вложение')).toBeTruthy()
  expect(screen.getByText('cat.png: Файл слишком большой. Выберите файл поменьше.')).toBeTruthy()
  await act(() => setLanguage('en'))
})

test('a reason that repeats the notice is not shown', async () => {
  await show(aNotice({ code: 'outbox/parked', params: { kind: 'send-message', reason: 'outbox/refused' } }))
  expect(screen.getAllByText('Something couldn’t be sent. It’s waiting in the outbox.')).toHaveLength(1)
})

test('a failure because of a sign-out raises a notice only if the user is signed in', async () => {
  const bridge = createFakeBridge({ rows: { session: { self: { state: 'signed-out' } } } })
  const { store } = await renderInApp(<NoticeRegion />, bridge)
  const fail = () =>
    act(() => void store.dispatch(commandFailed({ type: 'threads/read', error: { code: 'session/signed-out' } })))
  fail()
  expect(screen.queryByRole('group')).toBeNull()
  act(() => bridge.change({ session: { self: aSession() } }))
  await act(async () => {})
  fail()
  expect(screen.getByText('You’re signed out. Sign in again.')).toBeTruthy()
})
