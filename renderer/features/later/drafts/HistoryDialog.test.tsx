import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import type { Draft, DraftVersion } from '#shared/domain/draft.ts'
import { aChannel, aSession, byCid, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { dialogOpened } from '../../../store/window/ui.ts'
import { HistoryDialog } from './HistoryDialog.tsx'

const cid = asCid('messaging:map-data')
const inChannel: DraftVersion = { id: 2, key: cid, cid, text: 'Heights are checked', at: 2 }
const inThread: DraftVersion = { id: 1, key: `${cid}/p1`, cid, parentId: asMessageId('p1'), text: 'two lines', at: 1 }
const held: Draft = {
  key: cid,
  cid,
  text: 'the current text',
  uploads: [],
  caret: 0,
  showInChannel: false,
  updatedAt: 3,
  quotedId: asMessageId('q1'),
}

afterEach(cleanup)

async function show(of?: string) {
  const bridge = createFakeBridge({
    rows: {
      channels: byCid([aChannel({ cid, name: 'map-data' })]),
      session: { self: aSession() },
      drafts: { [cid]: held },
    },
  })
  bridge.on('drafts.history', () => [inChannel, inThread])
  const { store } = await renderInApp(<HistoryDialog of={of} />, bridge)
  act(() => void store.dispatch(dialogOpened({ kind: 'draft-history' })))
  await screen.findByRole('button', { name: /Heights are checked/ })
  return { bridge, store }
}

test('an earlier draft is shown with place and time, and restoring it saves the current one first', async () => {
  const { bridge, store } = await show(cid)
  expect(bridge.inputsOf('drafts.history').at(-1)).toEqual({ key: cid })
  await userEvent.click(screen.getByRole('button', { name: /map-data.*Heights are checked/ }))
  await waitFor(() =>
    expect(bridge.inputsOf('drafts.save')).toMatchObject([
      { text: 'the current text', quotedId: 'q1' },
      { text: 'Heights are checked', quotedId: 'q1' },
    ]),
  )
  expect(store.getState().ui.route).toEqual({ view: 'channel', cid })
  expect(store.getState().ui.dialog).toBeUndefined()
})

test('a draft of a thread is restored in the thread', async () => {
  const { store } = await show()
  await userEvent.click(screen.getByRole('button', { name: /in a thread.*two lines/ }))
  await waitFor(() => expect(store.getState().ui.panel).toEqual({ kind: 'thread', cid, parentId: 'p1' }))
  expect(store.getState().composers[`${cid}/p1`]?.text).toBe('two lines')
})

test('the history can be deleted with a second click', async () => {
  const { bridge } = await show()
  await userEvent.click(screen.getByRole('button', { name: 'Delete all' }))
  expect(bridge.inputsOf('drafts.forgetHistory')).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Delete permanently' }))
  expect(bridge.inputsOf('drafts.forgetHistory')).toHaveLength(1)
  expect(await screen.findByText('No recent drafts.')).toBeTruthy()
})
