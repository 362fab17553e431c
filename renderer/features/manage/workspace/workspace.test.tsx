import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import {
  CHANNEL_SWITCHES,
  type ChannelKind,
  type ListedPoll,
  type WorkspaceLimits,
} from '#shared/domain/manage/workspace.ts'
import { asPollId, asUserId } from '#shared/lib/brand.ts'
import { aConnection, aUser, byId, createFakeBridge, type FakeBridge } from '../../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { CommandsPage } from './CommandsPage.tsx'
import { LimitsPage } from './LimitsPage.tsx'
import { PollsPage } from './PollsPage.tsx'
import { TypesPage } from './TypesPage.tsx'

const MANAGE = { rights: ['settings' as const], source: 'owner' as const, changes: {} }

function aBridge(): FakeBridge {
  return createFakeBridge({ rows: { users: byId([aUser({ id: 'bo', name: 'Bo' })]), manage: { self: MANAGE } } })
}

const refuse = (code: string) => () => {
  throw { code } as unknown as Error
}
const offline = (bridge: FakeBridge) =>
  act(async () => bridge.change({ connection: { self: aConnection({ state: 'unhealthy', offline: true }) } }))

afterEach(cleanup)

describe('channel types', () => {
  const aKind = (over: Partial<ChannelKind> = {}): ChannelKind => ({
    name: 'team',
    builtIn: true,
    on: ['replies'],
    switches: CHANNEL_SWITCHES,
    maxLength: 5_000,
    commands: ['ban'],
    ...over,
  })
  async function opened(types: readonly ChannelKind[], prepare: (bridge: FakeBridge) => void = () => undefined) {
    const bridge = aBridge()
    bridge.on('workspace.types', () => types)
    bridge.on('workspace.commands', () => ({
      runs: false,
      commands: ['ban', 'roll'].map((name) => ({ name, description: name, args: '', builtIn: name === 'ban' })),
    }))
    prepare(bridge)
    await renderInApp(<TypesPage />, bridge)
    await screen.findByRole('switch', { name: 'Threads' })
    return bridge
  }

  test('every switch says in a sentence what it does, and acts at once', async () => {
    const bridge = await opened([aKind()])
    const features = within(screen.getByRole('region', { name: 'Features' })).getAllByRole('switch')
    expect(features).toHaveLength(CHANNEL_SWITCHES.length)
    for (const each of features) expect(each.getAttribute('aria-describedby')).toBeTruthy()
    fireEvent.click(screen.getByRole('switch', { name: 'Polls' }))
    await waitFor(() =>
      expect(bridge.inputsOf('workspace.changeType')).toEqual([{ name: 'team', switches: { polls: true } }]),
    )
  })

  test('a wrong length stays in its field with the reason, a right one is saved', async () => {
    const bridge = await opened([aKind()])
    const field = screen.getByRole('textbox', { name: 'Longest message' })
    const limits = screen.getByRole('region', { name: 'Limits' })
    fireEvent.change(field, { target: { value: '30000' } })
    fireEvent.click(within(limits).getByRole('button', { name: 'Save' }))
    expect(screen.getByRole('alert').textContent).toContain('from 1 to 20,000')
    fireEvent.change(field, { target: { value: '300' } })
    fireEvent.click(within(limits).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(bridge.inputsOf('workspace.changeType')).toEqual([{ name: 'team', maxLength: 300 }]))
  })

  test('deleting by age is offered only where the server does it', async () => {
    await opened([aKind()])
    expect(screen.queryByRole('textbox', { name: 'Delete messages after' })).toBeNull()
    cleanup()
    const bridge = await opened([aKind({ retention: 'infinite' })])
    const field = screen.getByRole('textbox', { name: 'Delete messages after' })
    fireEvent.change(field, { target: { value: '30' } })
    fireEvent.submit(field)
    await waitFor(() => expect(bridge.inputsOf('workspace.changeType')).toEqual([{ name: 'team', retention: '30' }]))
  })

  test('offering every command means also those to come', async () => {
    const bridge = await opened([aKind()])
    fireEvent.click(await screen.findByRole('switch', { name: '/roll' }))
    await waitFor(() => expect(bridge.inputsOf('workspace.changeType')).toEqual([{ name: 'team', commands: ['all'] }]))
  })

  test('two commands switched one right after the other are both offered', async () => {
    const bridge = await opened([aKind({ commands: [] })], (prepared) =>
      prepared.on('workspace.commands', () => ({
        runs: false,
        commands: ['ban', 'mute', 'roll'].map((name) => ({ name, description: name, args: '', builtIn: true })),
      })),
    )
    fireEvent.click(await screen.findByRole('switch', { name: '/ban' }))
    fireEvent.click(screen.getByRole('switch', { name: '/roll' }))
    await waitFor(() =>
      expect(bridge.inputsOf('workspace.changeType').at(-1)).toEqual({ name: 'team', commands: ['ban', 'roll'] }),
    )
  })

  test('a type with channels is not deleted, and the question says why', async () => {
    await opened([aKind({ name: 'forum', builtIn: false })], (bridge) =>
      bridge.on('workspace.removeType', refuse('workspace/in-use')),
    )
    fireEvent.click(screen.getByRole('button', { name: 'Delete type…' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Delete type' }))
    expect((await screen.findByRole('alert')).textContent).toContain('still channels')
  })

  test('a new type needs a name of its own', async () => {
    const bridge = await opened([aKind()])
    fireEvent.click(screen.getByRole('button', { name: 'New channel type' }))
    const dialog = await screen.findByRole('dialog')
    const field = within(dialog).getByRole('textbox', { name: 'Name' })
    for (const wrong of ['two words', 'team']) {
      fireEvent.change(field, { target: { value: wrong } })
      fireEvent.submit(field)
      expect(within(dialog).getByRole('alert')).toBeTruthy()
    }
    fireEvent.change(field, { target: { value: 'forum' } })
    fireEvent.submit(field)
    await waitFor(() => expect(bridge.inputsOf('workspace.createType')).toEqual([{ name: 'forum' }]))
  })

  test('without a connection nothing can be switched', async () => {
    const bridge = await opened([aKind()])
    await offline(bridge)
    fireEvent.click(screen.getByRole('switch', { name: 'Polls' }))
    expect(bridge.inputsOf('workspace.changeType')).toEqual([])
  })
})

describe('commands', () => {
  async function opened(runs: boolean) {
    const bridge = aBridge()
    bridge.on('workspace.commands', () => ({
      runs,
      commands: [
        { name: 'ban', description: 'Ban a user', args: '[@username]', builtIn: true },
        { name: 'roll', description: 'Roll a die', args: '', builtIn: false },
      ],
    }))
    await renderInApp(<CommandsPage />, bridge)
    await screen.findByRole('table', { name: 'Commands' })
    return bridge
  }

  test('what the server does with own and unknown commands is said plainly', async () => {
    await opened(false)
    expect(screen.getByText(/can’t run custom commands.*isn’t a known command is sent as text/)).toBeTruthy()
    cleanup()
    await opened(true)
    expect(screen.getByText(/passes custom commands to the program/)).toBeTruthy()
  })

  test('an own command is changed and deleted; one of the server is not deleted', async () => {
    const bridge = await opened(false)
    expect(screen.queryByRole('button', { name: 'Delete /ban' })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Change /roll' }))
    const field = await screen.findByRole('textbox', { name: 'Description' })
    fireEvent.change(field, { target: { value: ' ' } })
    fireEvent.submit(field)
    expect(screen.getByRole('alert').textContent).toContain('Enter a description')
    fireEvent.change(field, { target: { value: 'Roll two dice' } })
    fireEvent.submit(field)
    await waitFor(() =>
      expect(bridge.inputsOf('workspace.saveCommand')).toEqual([
        { name: 'roll', description: 'Roll two dice', args: '', isNew: false },
      ]),
    )
    fireEvent.click(screen.getByRole('button', { name: 'Delete /roll' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Delete command' }))
    await waitFor(() => expect(bridge.inputsOf('workspace.removeCommand')).toEqual([{ name: 'roll' }]))
  })
})

describe('polls', () => {
  const aPoll = (over: Partial<ListedPoll> = {}): ListedPoll => ({
    id: asPollId('p1'),
    name: 'Lunch?',
    byId: asUserId('bo'),
    createdAt: Date.now(),
    closed: false,
    options: 2,
    votes: 5,
    ...over,
  })

  test('all polls of the server are listed page by page, closed and deleted', async () => {
    const bridge = aBridge()
    const pages: Record<string, { polls: readonly ListedPoll[]; next?: string }> = {
      first: { polls: [aPoll()], next: 'second' },
      second: { polls: [aPoll({ id: asPollId('p2'), name: '<b>Tea</b>\u202E', closed: true })] },
    }
    bridge.on('workspace.polls', ({ next = 'first' }: { next?: string }) => pages[next])
    const { container } = await renderInApp(<PollsPage />, bridge)
    await screen.findByText('<b>Tea</b>', { exact: false })
    expect(container.querySelector('td b')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Actions for “Lunch?”' }))
    fireEvent.click(screen.getByRole('menuitem', { name: 'Close poll' }))
    await waitFor(() => expect(bridge.inputsOf('workspace.closePoll')).toEqual([{ pollId: 'p1' }]))
    fireEvent.click(screen.getByRole('button', { name: 'Actions for “Lunch?”' }))
    fireEvent.click(screen.getByRole('menuitem', { name: 'Delete poll…' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Delete poll' }))
    await waitFor(() => expect(bridge.inputsOf('workspace.removePoll')).toEqual([{ pollId: 'p1' }]))
  })

  test('a late answer about all polls does not say where the next page of the open ones begins', async () => {
    const bridge = aBridge()
    const [all, open] = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()]
    bridge.on('workspace.polls', ({ closed, next }: { closed?: boolean; next?: string }) =>
      next === undefined ? (closed === undefined ? all : open).promise : { polls: [] },
    )
    await renderInApp(<PollsPage />, bridge)
    fireEvent.click(screen.getByRole('radio', { name: 'Open' }))
    await act(async () => {
      open.resolve({ polls: [aPoll()], next: 'second-open' })
      all.resolve({ polls: [aPoll()], next: 'second-of-all' })
    })
    await waitFor(() =>
      expect(bridge.inputsOf('workspace.polls').at(-1)).toEqual({ closed: false, next: 'second-open' }),
    )
  })

  test('a failure is said, and can be tried again', async () => {
    const bridge = aBridge()
    bridge.on('workspace.polls', refuse('server/unavailable'))
    await renderInApp(<PollsPage />, bridge)
    await screen.findByText('Couldn’t load the list')
    bridge.on('workspace.polls', () => ({ polls: [] }))
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('There are no polls')).toBeTruthy()
  })
})

describe('uploads and limits', () => {
  const UPLOADS = {
    maxBytes: 104_857_600,
    allowedExtensions: [],
    blockedExtensions: [],
    allowedTypes: [],
    blockedTypes: [],
  }
  const LIMITS: WorkspaceLimits = { image: UPLOADS, file: UPLOADS, guests: true, uniqueNames: 'no' }

  test('sizes are in megabytes, lists are written with commas, and only what is changed is sent', async () => {
    const bridge = aBridge()
    bridge.on('workspace.limits', () => LIMITS)
    await renderInApp(<LimitsPage />, bridge)
    const files = within(await screen.findByRole('region', { name: 'Other files' }))
    const size = files.getByRole('textbox', { name: 'Maximum file size' })
    expect((size as HTMLInputElement).value).toBe('100')
    fireEvent.change(size, { target: { value: '0' } })
    fireEvent.submit(size)
    expect(files.getByRole('alert').textContent).toContain('from 1 to 4,096')
    fireEvent.change(size, { target: { value: '5' } })
    fireEvent.submit(size)
    const list = files.getByRole('textbox', { name: 'Blocked extensions' })
    fireEvent.change(list, { target: { value: ' .exe, .bat , .exe' } })
    fireEvent.submit(list)
    fireEvent.click(screen.getByRole('switch', { name: 'Guests' }))
    await waitFor(() =>
      expect(bridge.inputsOf('workspace.changeLimits')).toEqual([
        { file: { maxBytes: 5_242_880 } },
        { file: { blockedExtensions: ['.exe', '.bat'] } },
        { guests: false },
      ]),
    )
  })

  test('a saved field keeps the focus, and what is typed into another one stays', async () => {
    const bridge = aBridge()
    bridge.on('workspace.limits', () => LIMITS)
    await renderInApp(<LimitsPage />, bridge)
    const [sizeOf, files] = [(name: string) => within(screen.getByRole('region', { name })), 'Other files']
    await screen.findByRole('region', { name: files })
    const field = (name: string) => sizeOf(name).getByRole<HTMLInputElement>('textbox', { name: 'Maximum file size' })
    fireEvent.change(field('Images'), { target: { value: '7' } })
    fireEvent.change(field(files), { target: { value: '5' } })
    field(files).focus()
    fireEvent.submit(field(files))
    await waitFor(() => expect(bridge.inputsOf('workspace.changeLimits')).toHaveLength(1))
    const saved = { ...UPLOADS, maxBytes: 5_242_880 }
    bridge.on('workspace.limits', () => ({ ...LIMITS, file: saved, image: { ...saved, maxBytes: 9_437_184 } }))
    const asked = bridge.inputsOf('workspace.limits').length
    await act(async () => bridge.change({ manage: { self: { ...MANAGE, changes: { settings: 1 } } } }))
    await waitFor(() => expect(bridge.inputsOf('workspace.limits').length).toBeGreaterThan(asked))
    await waitFor(() =>
      expect(sizeOf(files).getAllByRole('button', { name: 'Save' })[0]?.getAttribute('aria-disabled')).toBe('true'),
    )
    expect(field(files).value).toBe('5')
    expect(document.activeElement).toBe(field(files))
    expect(field('Images').value).toBe('7')
  })

  test('where the server runs commands elsewhere, the encrypted address of their handler is changed', async () => {
    const bridge = aBridge()
    bridge.on('workspace.limits', () => ({ ...LIMITS, actionHandler: '' }))
    await renderInApp(<LimitsPage />, bridge)
    const field = await screen.findByRole('textbox', { name: 'Address of the command handler' })
    fireEvent.change(field, { target: { value: 'http://bots.test/run' } })
    fireEvent.submit(field)
    expect(screen.getByRole('alert').textContent).toContain('begins with https://')
    fireEvent.change(field, { target: { value: 'https://bots.test/run/{type}' } })
    fireEvent.submit(field)
    await waitFor(() =>
      expect(bridge.inputsOf('workspace.changeLimits')).toEqual([{ actionHandler: 'https://bots.test/run/{type}' }]),
    )
  })

  test('a setting that the server does not have is not shown', async () => {
    const bridge = aBridge()
    bridge.on('workspace.limits', () => LIMITS)
    await renderInApp(<LimitsPage />, bridge)
    await screen.findByRole('switch', { name: 'Guests' })
    expect(screen.queryByRole('switch', { name: 'Visitors without an account' })).toBeNull()
    expect(screen.queryByRole('textbox', { name: 'Address of the command handler' })).toBeNull()
    expect(screen.queryByRole('textbox', { name: 'Time between reminders' })).toBeNull()
  })
})
