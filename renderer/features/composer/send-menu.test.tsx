import { cleanup, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import { aChannel, aSession, byCid, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { Composer } from './index.ts'

const cid = asCid('messaging:release')

afterEach(cleanup)

async function show() {
  const bridge = createFakeBridge({ rows: { channels: byCid([aChannel({ cid })]), session: { self: aSession() } } })
  bridge.on('messages.send', () => 'm1')
  await renderInApp(<Composer cid={cid} />, bridge)
  const field = screen.getByRole('textbox')
  const ask = () => fireEvent.keyDown(field, { key: 'Enter', code: 'Enter', ctrlKey: true, shiftKey: true })
  return { bridge, field, ask }
}

test('a message is sent without notifying anybody from the menu of the keyboard', async () => {
  const { bridge, field, ask } = await show()
  await userEvent.type(field, 'late night idea')
  ask()
  await userEvent.click(await screen.findByRole('menuitem', { name: /^Send without notifying/ }))
  expect(bridge.inputsOf('messages.send')).toMatchObject([{ text: 'late night idea', silent: true }])
})

test('an empty field has nothing to send either way', async () => {
  const { bridge, ask } = await show()
  ask()
  for (const item of await screen.findAllByRole('menuitem')) {
    expect(item.getAttribute('aria-disabled')).toBe('true')
    await userEvent.click(item)
  }
  expect(bridge.inputsOf('messages.send')).toEqual([])
})
