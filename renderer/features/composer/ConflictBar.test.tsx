import { act, cleanup, screen } from '@testing-library/react'
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
  await renderInApp(<Composer cid={cid} />, bridge)
  await userEvent.type(screen.getByRole('textbox'), 'mine')
  const conflict = { text: 'mine', writtenAt: 1 }
  const draft = { key: cid, cid, text: 'newer', uploads: [], caret: 0, showInChannel: false, updatedAt: 2, conflict }
  await act(async () => bridge.change({ drafts: { [cid]: draft } }))
  return { bridge, words: () => screen.getByRole<HTMLTextAreaElement>('textbox').value }
}

test('a newer draft of another computer is offered, and used when wanted', async () => {
  const { bridge, words } = await show()
  expect([words(), screen.getByText('Newer words from another computer: newer') !== null]).toEqual(['mine', true])
  await userEvent.click(screen.getByRole('button', { name: 'Use newer' }))
  expect([words(), bridge.inputsOf('drafts.dismissConflict')]).toEqual(['newer', [{ key: cid }]])
})

test('or the own words are kept, and saved as the newest', async () => {
  const { bridge, words } = await show()
  await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }))
  expect([words(), bridge.inputsOf('drafts.dismissConflict')]).toEqual(['mine', [{ key: cid }]])
  expect(bridge.inputsOf('drafts.save').at(-1)).toMatchObject({ cid, text: 'mine' })
})
