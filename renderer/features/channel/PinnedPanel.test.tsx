import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import {
  addLittleEngine,
  aMessage,
  aWindow,
  byId,
  cairnMaps,
  createFakeBridge,
  type Rows,
} from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { richText } from '../../lib/text/rich.tsx'
import { PinnedPanel } from './PinnedPanel.tsx'

afterEach(cleanup)

const CID = asCid('messaging:release-4-2')

async function show(texts: readonly string[], rows: Rows = {}) {
  const world = cairnMaps()
  const messages = texts.map((text, at) => aMessage({ id: `p${at}`, cid: CID, userId: 'jonas', text, pinned: true }))
  const bridge = addLittleEngine(
    createFakeBridge({
      ...world,
      media: () => 'blob:x',
      rows: { ...world.rows, messages: byId(messages), ...rows },
      windows: [],
    }),
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

test('pinned messages are filtered by text, ignoring diacritics', async () => {
  await show(['Plan for Łódź', 'Tiles', 'Release notes', 'Budget'])
  const field = screen.getByRole('searchbox', { name: 'Find a pinned message' })
  await userEvent.type(field, 'lodz')
  expect(shown()).toEqual(['Plan for Łódź'])
  await userEvent.type(field, 'x')
  expect(shown()).toEqual([])
  await userEvent.keyboard('{Escape}')
  expect(shown()).toHaveLength(4)
})

test('a short list has no search field', async () => {
  await show(['One', 'Two'])
  expect(screen.queryByRole('searchbox')).toBeNull()
})

test('custom emoji are shown in the text of a message, also inside a translated sentence', async () => {
  const parrot = { name: 'parrot', aliases: [], image: 'emoji/parrot.1', moves: false }
  await show(['It flies :parrot: and :nobody_has_this:'], { emoji: { parrot } })
  const line = screen.getByRole('listitem').querySelector('p')
  expect(line?.querySelector('[data-emoji="parrot"]')).toBeTruthy()
  expect(line?.textContent).toBe('It flies :parrot: and :nobody_has_this:')
  cleanup()
  render(richText((values) => `<b>${values.name}</b>: ${values.text}!`, { name: '<b>Ola</b>', text: <i>words</i> }))
  expect(document.body.textContent).toBe('<b>Ola</b>: words!')
  expect(document.querySelectorAll('b').length).toBe(1)
  expect(document.querySelector('i')?.textContent).toBe('words')
})
