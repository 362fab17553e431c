import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { addLittleEngine, cairnMaps, createFakeBridge, type FakeBridge } from '../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../tests/kit/render-in-app.tsx'
import { App } from '../../app/App.tsx'
import { registry } from '../../app/features.ts'

beforeEach(() => {
  window.innerWidth = 1440
})
afterEach(cleanup)

async function show(change: (fake: FakeBridge) => void) {
  const bridge = addLittleEngine(createFakeBridge(cairnMaps()))
  change(bridge)
  const view = await renderInApp(<App />, bridge, 'en', registry)
  await act(() => Promise.resolve())
  return { bridge, ...view }
}

const rows = () => within(screen.getByRole('list', { name: 'Results' })).getAllByRole('listitem')

describe('mentions, replies, reactions and invitations', () => {
  const requested = (bridge: FakeBridge) =>
    bridge.inputsOf('search.messages').map((input) => (input as { text: string }).text)
  const open = async (change?: (fake: FakeBridge) => void) => {
    const shown = await show((fake) => {
      fake.on('search.reactions', () => [])
      change?.(fake)
    })
    await userEvent.keyboard('{Control>}{Shift>}m{/Shift}{/Control}')
    const kinds = within(await screen.findByRole('radiogroup', { name: 'Show' }))
    const choose = (name: string) => userEvent.click(kinds.getByRole('radio', { name }))
    return { ...shown, choose }
  }
  const find = () => screen.getByRole('searchbox', { name: 'Find in this list' })

  test('mentions, replies and reactions are separate lists, each searchable', async () => {
    const { bridge, choose } = await open()
    await waitFor(() => expect(requested(bridge).at(-1)).toBe('mentions:me'))
    expect(await screen.findByText('No mentions yet')).toBeDefined()
    await choose('Replies')
    await waitFor(() => expect(requested(bridge).at(-1)).toBe('is:reply'))
    await userEvent.type(find(), 'banner')
    await waitFor(() => expect(requested(bridge).at(-1)).toBe('is:reply banner'))
    await waitFor(() => expect(rows()).toHaveLength(3))
    await choose('Reactions')
    await waitFor(() => expect(requested(bridge).at(-1)).toBe('is:mine has:reaction banner'))
    await userEvent.clear(find())
    expect(await screen.findByText('No reactions yet')).toBeDefined()
  })

  test('a reaction names where the own message is: in a channel, or to a person', async () => {
    const reacted = (messageId: string, cid: string) => ({
      messageId: asMessageId(messageId),
      cid: asCid(cid),
      text: `words of ${messageId}`,
      at: 1,
      reactions: [{ type: 'like', userId: asUserId('jonas'), createdAt: 1 }],
    })
    const { choose } = await open((fake) => {
      fake.on('search.reactions', () => [
        reacted('a', 'messaging:release-4-2'),
        reacted('b', 'messaging:!members-jonas'),
      ])
    })
    await choose('Reactions')
    expect(await screen.findByText('Your message in #release-4-2')).toBeDefined()
    expect(screen.getByText('Your message to Jonas Lindqvist')).toBeDefined()
  })

  test('going to a reply’s channel and back restores the list, the text and the row', async () => {
    const { choose } = await open()
    await choose('Replies')
    await userEvent.type(find(), 'banner{ArrowDown}')
    await waitFor(() => expect(rows()).toHaveLength(3))
    await userEvent.keyboard('{ArrowDown}')
    await userEvent.click(within(rows().at(0) ?? document.body).getByRole('button', { name: 'Jump to message' }))
    expect(await screen.findByRole('main', { name: 'release-4-2' })).toBeDefined()
    await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}')
    expect(await screen.findByRole('radio', { name: 'Replies', checked: true })).toBeDefined()
    expect(find()).toHaveProperty('value', 'banner')
    expect(rows()).toHaveLength(3)
  })

  test('invitations are counted, and can be accepted or declined in the list', async () => {
    const invites = [{ cid: asCid('team:secret'), name: 'secret', memberCount: 3 }]
    const { choose } = await open((fake) => {
      fake.on('channels.invites', () => invites)
      fake.change({ inbox: { self: { unreadThreads: 0, invites } } })
    })
    await choose('Invitations, 1 waiting')
    expect(await screen.findByRole('button', { name: /^Accept/ })).toBeDefined()
  })
})
