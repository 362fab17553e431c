import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import { addLittleEngine, aMessage, aWindow, byId, cairnMaps, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { PinnedPanel } from './PinnedPanel.tsx'

afterEach(cleanup)

const CID = asCid('messaging:release-4-2')

async function show(texts: readonly string[]) {
  const world = cairnMaps()
  const messages = texts.map((text, at) => aMessage({ id: `p${at}`, cid: CID, userId: 'jonas', text, pinned: true }))
  const bridge = addLittleEngine(
    createFakeBridge({ ...world, rows: { ...world.rows, messages: byId(messages) }, windows: [] }),
  )
  await renderInApp(<PinnedPanel cid={CID} />, bridge)
  await act(async () => {
    bridge.change({}, [
      aWindow(
        `pinned:${CID}`,
        messages.map(({ id }) => id),
      ),
    ])
    await Promise.resolve()
  })
}

const shown = (): readonly (string | null)[] =>
  screen.queryAllByRole('listitem').map((item) => item.querySelector('p')?.textContent ?? null)

test('many pins are narrowed by words, however they are spelled', async () => {
  await show(['Plan for Łódź', 'Tiles', 'Release notes', 'Budget'])
  const field = screen.getByRole('searchbox', { name: 'Find a pinned message' })
  await userEvent.type(field, 'lodz')
  expect(shown()).toEqual(['Plan for Łódź'])
  await userEvent.type(field, 'x')
  expect(shown()).toEqual([])
  await userEvent.keyboard('{Escape}')
  expect(shown()).toHaveLength(4)
})

test('a few need no field', async () => {
  await show(['One', 'Two'])
  expect(screen.queryByRole('searchbox')).toBeNull()
})
