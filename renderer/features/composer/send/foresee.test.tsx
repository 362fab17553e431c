import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { asMessageId } from '#shared/lib/brand.ts'
import { aPlaceToWrite, field, RELEASE as cid } from '#kit/a-composer.tsx'
import { addLittleEngine, aMessage, at, aWindow, byId, type FakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { MessageList } from '../../messages/index.ts'
import { Composer } from '../index.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)

const LIST = `timeline:${cid}` as const
const hello = aMessage({ id: 'hello', cid, userId: 'hana', text: 'Hello', createdAt: at(10, 0) })

/** What main does with the messages it is given, when the test says so. */
type Main = { readonly bridge: FakeBridge; readonly take: () => void; readonly refuse: () => void }

async function show(scene: Parameters<typeof aPlaceToWrite>[0] = {}, more: Parameters<typeof aWindow>[2] = {}) {
  const bridge = addLittleEngine(aPlaceToWrite({ ...scene, rows: { messages: byId([hello]) } }))
  let answer: Pick<Main, 'take' | 'refuse'> = { take: () => {}, refuse: () => {} }
  bridge.on('messages.send', ({ id = '' }) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof asMessageId>>()
    answer = {
      take: () => resolve(asMessageId(id)),
      refuse: () => reject(Object.assign(new Error('full'), { code: 'disk/full' })),
    }
    return promise
  })
  await renderInApp(
    <>
      <MessageList cid={cid} />
      <Composer cid={cid} />
    </>,
    bridge,
  )
  await act(async () => bridge.change({}, [aWindow(LIST, ['hello'], more)]))
  return { bridge, take: () => settled(() => answer.take()), refuse: () => settled(() => answer.refuse()) }
}

/** Runs it, and what follows from it. */
const settled = (run: () => void): Promise<void> =>
  act(async () => {
    run()
    await new Promise((resolve) => setImmediate(resolve))
  })

const rows = (): readonly HTMLElement[] => screen.queryAllByRole('article')
const idOf = (row: HTMLElement | undefined): string => row?.dataset['messageId'] ?? ''
const send = (text: string) => userEvent.type(field(), `${text}{Enter}`)

test('a message is in the list before main has answered, and main changes its row without replacing it', async () => {
  const { bridge, take } = await show()
  await send('On my way')
  const own = rows().at(-1)
  expect(own?.textContent).toContain('On my way')
  await take()
  const kept = aMessage({ id: idOf(own), cid, userId: 'ola', text: 'On my way', createdAt: at(10, 5) })
  await act(async () => bridge.change({ messages: byId([kept]) }, [aWindow(LIST, ['hello', kept.id])]))
  expect(rows().map(idOf)).toEqual(['hello', kept.id])
  expect(rows().at(-1)).toBe(own)
})

test('messages keep the order in which they were sent, below what arrives meanwhile', async () => {
  const { bridge } = await show()
  await send('one')
  await send('two')
  const reply = aMessage({ id: 'reply', cid, userId: 'hana', text: 'Hi', createdAt: at(10, 1) })
  await act(async () => bridge.change({ messages: byId([reply]) }, [aWindow(LIST, ['hello', 'reply'])]))
  expect(rows().map((row) => /Hello|Hi|one|two/u.exec(row.textContent)?.[0])).toEqual(['Hello', 'Hi', 'one', 'two'])
})

test('a refused message leaves the list and its text returns to the field', async () => {
  const { refuse } = await show()
  await send('precious words')
  expect(rows()).toHaveLength(2)
  await refuse()
  await waitFor(() => expect(field().value).toBe('precious words'))
  expect(rows().map(idOf)).toEqual(['hello'])
})

test('a message that is taken back before main has shown it leaves the list, and its text returns to the field', async () => {
  const { bridge, take } = await show({ settings: { undoSendSeconds: 10 } })
  bridge.on('outbox.takeBack', () => ({ cid, text: 'too early' }))
  await send('too early')
  await take()
  await userEvent.click(within(rows().at(-1) ?? document.body).getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(field().value).toBe('too early'))
  expect(rows().map(idOf)).toEqual(['hello'])
})

test('offline it is shown as waiting', async () => {
  await show({ offline: true })
  await send('later then')
  expect(rows().at(-1)?.textContent).toContain('later then')
  expect(rows().at(-1)?.querySelector('[data-status="queued"]')).not.toBeNull()
})

test('a list that is not at its end waits for main', async () => {
  await show({}, { hasNext: true })
  await send('down there')
  expect(rows().filter((row) => row.textContent.includes('down there'))).toEqual([])
})
