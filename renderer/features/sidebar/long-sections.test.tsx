import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { asCid, asUserId, type Cid } from '#shared/lib/brand.ts'
import { aChannel, addLittleEngine, aWindow, byCid, cairnMaps, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { Rail } from './rail/Rail.tsx'
import { Sidebar } from './Sidebar.tsx'

afterEach(cleanup)

const cidOf = (n: number): Cid => asCid(`messaging:d${n}`)

/** The newest first; `unread` has a new message, and `draft` a text that was begun. */
async function show(list: 'sidebar' | 'rail', count: number, { unread = -1, draft = -1 } = {}) {
  const world = cairnMaps()
  const direct = Array.from({ length: count }, (_, n) =>
    aChannel({
      cid: cidOf(n),
      name: `Person ${n}`,
      directUserIds: [asUserId(`p${n}`)],
      lastMessageAt: 1_000_000 - n,
      unread: n === unread ? 1 : 0,
      hasDraft: n === draft,
    }),
  )
  const rows = { ...world.rows, channels: byCid(direct) }
  const windows = [
    aWindow(
      'channels',
      direct.map(({ cid }) => cid),
    ),
  ]
  const bridge = addLittleEngine(createFakeBridge({ ...world, rows, windows }))
  await renderInApp(list === 'sidebar' ? <Sidebar /> : <Rail />, bridge)
}

const listed = (): readonly string[] =>
  [...document.querySelectorAll<HTMLElement>('[data-channel-item]')].map((row) => row.dataset['channelItem'] ?? '')
const more = () => screen.queryByRole('button', { name: /^Show .* more$/ })

test.each(['sidebar', 'rail'] as const)('the %s lists two hundred conversations, and more when asked', async (list) => {
  await show(list, 450)
  expect(listed()).toHaveLength(200)
  expect(listed()[0]).toBe(cidOf(0))
  await userEvent.click(screen.getByRole('button', { name: 'Show 250 more' }))
  expect(listed()).toHaveLength(400)
  await userEvent.click(screen.getByRole('button', { name: 'Show 50 more' }))
  expect(listed()).toHaveLength(450)
  expect(more()).toBeNull()
})

test('a conversation with a new message or a draft is listed wherever it stands', async () => {
  await show('sidebar', 300, { unread: 280, draft: 290 })
  expect(listed()).toHaveLength(202)
  expect(listed()).toContain(cidOf(280))
  expect(listed()).toContain(cidOf(290))
})

test('two hundred conversations need no row for more', async () => {
  await show('sidebar', 200)
  expect(listed()).toHaveLength(200)
  expect(more()).toBeNull()
})
