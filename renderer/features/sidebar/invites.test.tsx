import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { asCid } from '#shared/lib/brand.ts'
import { addLittleEngine, cairnMaps, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { createRegistry } from '../../registry/registry.ts'
import { browseFeature } from '../browse/feature.ts'
import { Sidebar } from './Sidebar.tsx'

afterEach(cleanup)

const SECRET = { cid: asCid('team:secret'), name: 'secret', memberCount: 3 }

test('the sidebar shows pending invitations and opens their list', async () => {
  const bridge = addLittleEngine(createFakeBridge(cairnMaps()))
  const { store } = await renderInApp(<Sidebar />, bridge, 'en', createRegistry([browseFeature]))
  await waitFor(() => expect(bridge.inputsOf('channels.invites')).not.toEqual([]))
  expect(screen.queryByRole('link', { name: /^Invitations/ })).toBeNull()
  act(() => bridge.change({ inbox: { self: { unreadThreads: 0, invites: [SECRET] } } }))
  await userEvent.click(await screen.findByRole('link', { name: 'Invitations, 1' }))
  expect(store.getState().ui.route).toEqual({ view: 'browse' })
  act(() => bridge.change({ inbox: { self: { unreadThreads: 0, invites: [] } } }))
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Invitations/ })).toBeNull())
})
