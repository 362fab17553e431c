import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { aChannel, aSession, aUser, byCid, byId, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { setLanguage } from '../i18n/index.ts'
import type { Dialog } from '../store/window/kinds.ts'
import { dialogOpened } from '../store/window/ui.ts'
import { registry } from './features.ts'
import { DialogHost } from './App.tsx'

const cid = asCid('team:plans')
const userId = asUserId('bob')

afterEach(cleanup)

type Row = readonly [dialog: Dialog, press: string | undefined, english: string, polish: string]

const OFFLINE = ['You’re offline', 'Brak połączenia'] as const
/** The calls that the dialogs below make; each fails as offline. */
const REFUSING = [
  'channels.leave',
  'channels.direct',
  'data.exportMessages',
  'moderation.ban',
  'people.flag',
  'people.mute',
  'session.deleteDemo',
]

/** Each dialog is submitted by its main button, or by Enter where that is disabled, and fails validation or is refused. */
const DIALOGS: readonly Row[] = [
  [{ kind: 'new-channel' }, 'Create channel', 'Type a name for the channel', 'Wpisz nazwę kanału'],
  [{ kind: 'new-direct' }, 'Open conversation', 'Choose at least one person', 'co najmniej jedną osobę'],
  [{ kind: 'channel', what: 'people', cid }, undefined, 'Choose at least one person', 'co najmniej jedną osobę'],
  [{ kind: 'channel', what: 'delete', cid }, undefined, 'The name doesn’t match', 'Nazwa się nie zgadza'],
  [{ kind: 'channel', what: 'leave', cid }, 'Leave channel', ...OFFLINE],
  [{ kind: 'mute', target: { userId } }, 'Mute', ...OFFLINE],
  [{ kind: 'ban', cid, userId }, 'Ban Bob', ...OFFLINE],
  [{ kind: 'report', target: { userId } }, 'Send report', ...OFFLINE],
  [{ kind: 'person', userId }, 'Message', ...OFFLINE],
  [{ kind: 'delete-demo' }, 'Delete demo', ...OFFLINE],
  [{ kind: 'export', cid }, 'Export', ...OFFLINE],
]

test.each(DIALOGS)('the error in %o follows the language', async (dialog, press, english, polish) => {
  const rows = {
    session: { self: aSession() },
    channels: byCid([aChannel({ cid, name: 'Plans' })]),
    users: byId([aUser({ id: 'bob', name: 'Bob' })]),
  }
  const bridge = createFakeBridge({ rows })
  const refuse = (): never => {
    throw { code: 'network/offline' } as unknown as Error
  }
  bridge.on('details.members', () => ({ entries: [] }))
  for (const call of REFUSING) bridge.on(call, refuse)
  const { store } = await renderInApp(<DialogHost />, bridge, 'en', registry)
  await act(async () => void store.dispatch(dialogOpened(dialog)))
  const shown = await vi.waitUntil(() => document.querySelector<HTMLElement>('dialog'))
  await act(async () => {
    if (press === undefined) fireEvent.submit(shown.querySelector('form') ?? shown)
    else fireEvent.click(screen.getByRole('button', { name: press }))
  })
  expect(shown.textContent).toContain(english)
  await act(() => setLanguage('pl'))
  expect(shown.textContent).toContain(polish)
  expect(shown.textContent).not.toContain(english)
})
