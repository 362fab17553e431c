import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import type { Message } from '#shared/domain/message.ts'
import {
  aChannel,
  aMessage,
  aSession,
  aWindow,
  byCid,
  byId,
  createFakeBridge,
  someSettings,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { Composer } from '../index.ts'

const cid = asCid('messaging:release')

afterEach(cleanup)

async function show(over: { undoSendSeconds?: 0 | 5 | 10; messages?: readonly Message[] } = {}) {
  const { undoSendSeconds = 0, messages = [] } = over
  const bridge = createFakeBridge({
    rows: {
      channels: byCid([aChannel({ cid })]),
      messages: byId(messages),
      session: { self: aSession() },
      settings: { self: someSettings({ undoSendSeconds }) },
    },
    windows: [
      aWindow(
        `timeline:${cid}`,
        messages.map(({ id }) => id),
      ),
    ],
  })
  bridge.on('messages.send', () => 'm1')
  await renderInApp(<Composer cid={cid} />, bridge)
  bridge.change({}, Object.values(bridge.world.windows))
  const field = screen.getByRole('textbox')
  const ask = () => fireEvent.keyDown(field, { key: 'Enter', code: 'Enter', ctrlKey: true, shiftKey: true })
  return { bridge, field, ask }
}

test('a message can be scheduled for tomorrow at nine, and the menu says that Parlor must be open then', async () => {
  const { bridge, field, ask } = await show()
  await userEvent.type(field, 'morning')
  ask()
  expect(screen.getByText('Parlor must be open at that time.')).toBeTruthy()
  await userEvent.click(await screen.findByRole('menuitem', { name: /^Send tomorrow/ }))
  const sent = bridge.inputsOf('messages.send') as { text: string; sendAt: number }[]
  expect(sent[0]?.text).toBe('morning')
  expect(new Date(sent[0]?.sendAt ?? 0).getHours()).toBe(9)
})

test('the ways to send are beside the button, and the other tools behind plus', async () => {
  const { bridge, field } = await show()
  const tools = within(screen.getByRole('group', { name: 'Message tools' })).getAllByRole('button')
  expect(tools.map((tool) => tool.getAttribute('aria-label'))).toEqual([
    'Add files and more',
    'Formatting',
    'Emoji',
    'Mention someone',
  ])
  await userEvent.type(field, 'morning')
  await userEvent.click(screen.getByRole('button', { name: 'Send options' }))
  await userEvent.click(screen.getByRole('menuitem', { name: /^Send tomorrow/ }))
  expect(bridge.inputsOf('messages.send')).toMatchObject([{ text: 'morning', sendAt: expect.any(Number) as number }])
})

test('any other time is chosen in a dialog, which refuses a time in the past', async () => {
  const { bridge, field, ask } = await show()
  await userEvent.type(field, 'later')
  ask()
  await userEvent.click(await screen.findByRole('menuitem', { name: /^Choose a time/ }))
  const [day, time] = [await screen.findByLabelText('Day'), screen.getByLabelText('Time')]
  fireEvent.change(day, { target: { value: '2001-02-03' } })
  await userEvent.click(screen.getByRole('button', { name: 'Send later' }))
  expect(bridge.inputsOf('messages.send')).toEqual([])
  expect(screen.getByText('This time has passed.')).not.toBe(null)
  fireEvent.change(day, { target: { value: '2999-02-03' } })
  fireEvent.change(time, { target: { value: '16:20' } })
  await userEvent.click(screen.getByRole('button', { name: 'Send later' }))
  expect(bridge.inputsOf('messages.send')).toMatchObject([{ sendAt: new Date('2999-02-03T16:20').getTime() }])
})

test('with undo send on, a message is held for the chosen seconds', async () => {
  const { bridge, field } = await show({ undoSendSeconds: 5 })
  await userEvent.type(field, 'oops{Enter}')
  expect(bridge.inputsOf('messages.send')).toMatchObject([{ text: 'oops', undoForMs: 5_000 }])
})

test('Ctrl+Z in an empty field takes the held message back; in a field with text it is the native undo', async () => {
  const held = aMessage({ id: 'm9', cid, userId: asUserId('ola'), text: 'oops', status: 'sending', undoUntil: 9e12 })
  const { bridge, field } = await show({ messages: [held] })
  bridge.on('outbox.takeBack', () => ({ text: 'oops', cid }))
  const undo = () => fireEvent.keyDown(field, { key: 'z', code: 'KeyZ', ctrlKey: true })
  await userEvent.type(field, 'x')
  undo()
  expect(bridge.inputsOf('outbox.takeBack')).toEqual([])
  await userEvent.clear(field)
  undo()
  expect(await screen.findByDisplayValue('oops')).toBe(field)
  expect(bridge.inputsOf('outbox.takeBack')).toEqual([{ id: 'm9' }])
})

test('a message can be sent without notifying anyone from the menu by keyboard', async () => {
  const { bridge, field, ask } = await show()
  await userEvent.type(field, 'late night idea')
  ask()
  await userEvent.click(await screen.findByRole('menuitem', { name: /^Send silently/ }))
  expect(bridge.inputsOf('messages.send')).toMatchObject([{ text: 'late night idea', silent: true }])
})

test('with an empty field every item of the menu is disabled', async () => {
  const { bridge, ask } = await show()
  ask()
  for (const item of await screen.findAllByRole('menuitem')) {
    expect(item.getAttribute('aria-disabled')).toBe('true')
    await userEvent.click(item)
  }
  expect(bridge.inputsOf('messages.send')).toEqual([])
})
