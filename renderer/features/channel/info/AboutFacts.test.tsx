import { afterEach, expect, test } from 'vitest'
import { act, cleanup, screen } from '@testing-library/react'
import { asCid } from '#shared/lib/brand.ts'
import { aChannel, aUser, byId, createFakeBridge } from '../../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { AboutFacts } from './AboutFacts.tsx'

const cid = asCid('team:plans')
afterEach(cleanup)

async function opened(here: readonly string[], watcherCount: number) {
  const bridge = createFakeBridge({
    rows: { users: byId([aUser({ id: 'ola', name: 'Ola' }), aUser({ id: 'jan', name: 'Jan' })]) },
  })
  bridge.on('details.here', () => here)
  await renderInApp(<AboutFacts channel={aChannel({ cid, watcherCount })} about={undefined} />, bridge)
  await act(() => Promise.resolve())
}
const hereNow = () => screen.getByText('Here now').nextElementSibling?.textContent

test('who is here now stands by name', async () => {
  await opened(['ola', 'jan'], 2)
  expect(hereNow()).toBe('Ola and Jan')
})

test('those beyond the names are counted', async () => {
  await opened(['ola', 'jan'], 7)
  expect(hereNow()).toBe('Ola, Jan, and 5 more')
})

test('where the names cannot be had, the number stands', async () => {
  await opened([], 3)
  expect(hereNow()).toBe('3')
})
