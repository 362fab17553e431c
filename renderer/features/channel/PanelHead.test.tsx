import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import { cairnMaps, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { panelOpened } from '../../store/window/ui.ts'
import { ChannelHeader } from './ChannelView.tsx'
import { PanelHead } from './PanelHead.tsx'

const CID = asCid('messaging:release-4-2')

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function show(width: number) {
  vi.stubGlobal('innerWidth', width)
  const { store } = await renderInApp(
    <>
      <ChannelHeader cid={CID} />
      <PanelHead id="panel" title="Details" />
    </>,
    createFakeBridge(cairnMaps()),
  )
  store.dispatch(panelOpened({ kind: 'info', cid: CID }))
  return store
}

test.each([
  [1_440, 'Close', 'Back'],
  [480, 'Back', 'Close'],
])('in a window of %s px a panel is closed by "%s"', async (width, button, other) => {
  const store = await show(width)
  expect(screen.queryByRole('button', { name: other })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: button }))
  expect(store.getState().ui.panel).toBeUndefined()
})

test('in one column the header shows the number of members and of those online instead of the topic', async () => {
  await show(1_440)
  expect(screen.getByText(/^Ship 4\.2/)).toBeTruthy()
  cleanup()
  await show(480)
  expect(screen.queryByText(/^Ship 4\.2/)).toBeNull()
  expect(screen.getByText(/^14 members(, \d+ online)?$/)).toBeTruthy()
})
