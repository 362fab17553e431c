import { afterEach, expect, test } from 'vitest'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import { addLittleEngine, cairnMaps, createFakeBridge } from '../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../tests/kit/render-in-app.tsx'
import { panelOpened } from '../../store/ui.ts'
import { ThreadPanel } from './ThreadPanel.tsx'

const CID = asCid('messaging:release-4-2')
const PARENT = asMessageId('m-1')

async function show() {
  const bridge = addLittleEngine(createFakeBridge(cairnMaps()))
  const view = await renderInApp(<ThreadPanel cid={CID} parentId={PARENT} />, bridge)
  view.store.dispatch(panelOpened({ kind: 'thread', cid: CID, parentId: PARENT }))
  await waitFor(() => expect(bridge.inputsOf('threads.open')).toEqual([{ cid: CID, parentId: PARENT }]))
  await act(() => Promise.resolve())
  return { bridge, ...view }
}

afterEach(cleanup)

test('shows the message, how many answered, and the answers', async () => {
  await show()
  expect(screen.getByRole('heading', { name: 'Thread' })).toBeDefined()
  const log = screen.getByRole('log', { name: 'Thread replies' })
  expect(log.dataset['messageList']).toBe(`${CID}/${PARENT}`)
  expect(within(log).getByRole('separator', { name: '5 replies' })).toBeDefined()
  expect(within(log).getAllByRole('article')).toHaveLength(6)
})

test('a thread offers no thread of its own', async () => {
  const { store } = await show()
  document.querySelector<HTMLElement>('[data-message-id="r-1"]')?.focus()
  await userEvent.keyboard('t')
  expect(store.getState().ui.panel).toMatchObject({ parentId: PARENT })
})

test('a quote in a thread goes to the thread’s own composer', async () => {
  const { store } = await show()
  document.querySelector<HTMLElement>('[data-message-id="r-1"]')?.focus()
  await userEvent.keyboard('q')
  expect(store.getState().composers[`${CID}/${PARENT}`]?.quotedId).toBe('r-1')
  expect(store.getState().composers[CID]?.quotedId).toBeUndefined()
})

test('the close button closes the panel, and the window of the engine with it', async () => {
  const { bridge, store, unmount } = await show()
  await userEvent.click(screen.getByRole('button', { name: 'Close thread' }))
  expect(store.getState().ui.panel).toBeUndefined()
  unmount()
  expect(bridge.inputsOf('threads.close')).toEqual([{ parentId: PARENT }])
})

test('Escape inside the panel closes it', async () => {
  const { store } = await show()
  screen.getByRole('button', { name: 'Close thread' }).focus()
  await userEvent.keyboard('{Escape}')
  expect(store.getState().ui.panel).toBeUndefined()
})
