import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { SavedSearch, SearchPage } from '#shared/domain/search.ts'
import type { AccountEntry } from '#shared/domain/session.ts'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import {
  addLittleEngine,
  aChannel,
  aUser,
  byId,
  aConnection,
  aSession,
  cairnMaps,
  createFakeBridge,
  someSettings,
  type FakeBridge,
} from '../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../tests/kit/render-in-app.tsx'
import { App } from '../../app/App.tsx'
import { registry } from '../../app/features.ts'
import { accountKeyOf } from '../../store/accounts.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { Everywhere } from './results/use-results.ts'
import { Marked } from './results/HitList.tsx'

beforeEach(() => {
  window.innerWidth = 1440
})
afterEach(cleanup)

async function show(change: (fake: FakeBridge) => void = () => {}) {
  const bridge = addLittleEngine(createFakeBridge(cairnMaps()))
  change(bridge)
  const view = await renderInApp(<App />, bridge, 'en', registry)
  await act(() => Promise.resolve())
  return { bridge, ...view }
}

const field = () => screen.findByRole('combobox', { name: 'Search messages' })
const everywhere = async (): Promise<HTMLElement> => {
  await userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}')
  return field()
}
const rows = () => within(screen.getByRole('list', { name: 'Results' })).getAllByRole('listitem')

test('Ctrl Shift F searches everywhere while typing, newest first, with matches marked', async () => {
  const { bridge } = await show()
  await userEvent.type(await everywhere(), 'banner')
  await waitFor(() => expect(rows()).toHaveLength(3))
  expect(rows().map((row) => row.querySelector('mark')?.textContent)).toEqual(['banner', 'Banner', 'banner'])
  expect(rows()[1]?.textContent).toContain('Thread in #release-4-2')
  await waitFor(() =>
    expect(bridge.inputsOf('search.messages').at(-1)).toEqual({ text: 'banner', ask: 'server', limit: 20 }),
  )
})

test('a result of unknown time says so instead of a time', async () => {
  await show(({ world: { rows } }) => {
    const found = Object.values(rows.messages ?? {}).find(({ text }) => text.includes('Banner'))
    if (found && rows.messages) rows.messages = { ...rows.messages, [found.id]: { ...found, timeUnsure: true } }
  })
  await userEvent.type(await everywhere(), 'banner')
  await waitFor(() => expect(rows()).toHaveLength(3))
  const unsure = rows().filter((row) => row.textContent.includes('time unknown'))
  expect(unsure).toHaveLength(1)
  expect(unsure[0]?.querySelector('time')).toBeNull()
})

test('custom emoji in a result are shown, and matches stay marked', async () => {
  const parrot = { name: 'parrot', aliases: [], image: 'emoji/parrot.1', moves: false }
  const bridge = createFakeBridge({ rows: { emoji: { parrot } } })
  await renderInApp(<Marked text="Up :parrot: goes the banner" marks={[[21, 27]]} />, bridge)
  expect(document.querySelector('[data-emoji]')?.getAttribute('data-emoji')).toBe('parrot')
  expect(document.querySelector('mark')?.textContent).toBe('banner')
})

test('Ctrl F searches the open channel, and removing the chip searches everywhere', async () => {
  const { bridge } = await show()
  await userEvent.keyboard('{Control>}f{/Control}')
  await userEvent.type(await field(), 'the')
  await waitFor(() =>
    expect(bridge.inputsOf('search.messages').at(-1)).toMatchObject({ cid: 'messaging:release-4-2', text: 'the' }),
  )
  await userEvent.click(screen.getByRole('button', { name: 'In release-4-2, remove' }))
  await waitFor(() => expect(bridge.inputsOf('search.messages').at(-1)).not.toHaveProperty('cid'))
})

test('a filter is completed with known people, becomes a chip, and returns to the field by Backspace', async () => {
  const { bridge } = await show()
  const input = await everywhere()
  await userEvent.type(input, 'from:jona')
  expect(screen.getByRole('option', { selected: true }).textContent).toContain('Jonas Lindqvist')
  await userEvent.keyboard('{Enter}')
  expect(screen.getByRole('button', { name: 'From Jonas Lindqvist, remove' })).toBeDefined()
  await userEvent.keyboard('banner')
  await waitFor(() =>
    expect(bridge.inputsOf('search.messages').at(-1)).toMatchObject({ text: 'from:"Jonas Lindqvist" banner' }),
  )
  await userEvent.clear(input)
  await userEvent.keyboard('{Backspace}')
  expect(screen.queryByRole('button', { name: 'From Jonas Lindqvist, remove' })).toBeNull()
  expect((input as HTMLInputElement).value).toBe('from:"Jonas Lindqvist"')
})

test('people are suggested in the order of the chosen language, the viewer first and apps last', async () => {
  const bridge = addLittleEngine(createFakeBridge(cairnMaps()))
  const named = [
    ['ł', 'Łucja Lis'],
    ['m', 'Maja Lis'],
    ['bot', 'Adam Lis'],
    ['l', 'Luiza Lis'],
  ] as const
  const users = named.map(([id, name]) => aUser({ id, name, bot: id === 'bot' }))
  bridge.change({
    users: byId(users),
    settings: { self: someSettings({ language: 'pl' }) },
  })
  await renderInApp(<App />, bridge, 'pl', registry)
  await act(() => Promise.resolve())
  await userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}')
  const input = await screen.findByRole('combobox', { name: 'Szukaj wiadomości' })
  await userEvent.type(input, 'from:lis')
  const suggested = (): readonly (string | undefined)[] =>
    screen.getAllByRole('option').map(({ textContent }) => /"(.*)"/.exec(textContent)?.[1])
  expect(suggested()).toEqual(['Luiza Lis', 'Łucja Lis', 'Maja Lis', 'Adam Lis'])
  await userEvent.clear(input)
  await userEvent.type(input, 'from:')
  expect(screen.getAllByRole('option')[0]?.textContent).toContain('(ja)')
})

test('filters can be added from the bar', async () => {
  const { store } = await show()
  await everywhere()
  await userEvent.click(screen.getByRole('button', { name: 'Has…' }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'File' }))
  const bar = screen.getByRole('toolbar', { name: 'Search filters' })
  await userEvent.click(within(bar).getByRole('button', { name: 'Pinned' }))
  expect(store.getState().ui.search?.chips).toEqual(['has:file', 'is:pinned'])
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
  expect(store.getState().ui.search?.chips).toEqual([])
})

test('by keyboard: Down enters the results, Enter shows the context, Escape closes it, then leaves', async () => {
  const { bridge } = await show()
  await userEvent.type(await everywhere(), 'banner')
  await waitFor(() => expect(rows()).toHaveLength(3))
  await userEvent.keyboard('{ArrowDown}')
  expect(document.activeElement?.closest('li')).toBe(rows()[0])
  await userEvent.keyboard('{ArrowUp}')
  expect(document.activeElement).toBe(await field())
  await userEvent.keyboard('{ArrowDown}{Enter}')
  const panel = await screen.findByRole('complementary', { name: 'In context' })
  expect(await within(panel).findByRole('log', { name: 'Messages around the result' })).toBeDefined()
  await waitFor(() =>
    expect(bridge.inputsOf('channels.open').at(-1)).toMatchObject({
      cid: 'messaging:release-4-2',
      around: expect.any(String),
    }),
  )
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.getByRole('main', { name: 'release-4-2' })).toBeDefined())
})

test('going to a result’s channel and back restores the text, the filters and the list', async () => {
  const { bridge } = await show()
  const input = await everywhere()
  await userEvent.type(input, 'has:link ')
  await userEvent.type(input, 'banner')
  await waitFor(() => expect(rows()).toHaveLength(3))
  await waitFor(() => expect(bridge.inputsOf('search.messages').at(-1)).toMatchObject({ ask: 'server' }))
  const requested = bridge.inputsOf('search.messages').length
  await userEvent.click(within(rows().at(0) ?? document.body).getByRole('button', { name: 'Jump to message' }))
  expect(await screen.findByRole('main', { name: 'release-4-2' })).toBeDefined()
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}')
  expect(((await field()) as HTMLInputElement).value).toBe('banner')
  expect(screen.getByRole('button', { name: 'Has link, remove' })).toBeDefined()
  expect(rows()).toHaveLength(3)
  expect(bridge.inputsOf('search.messages')).toHaveLength(requested)
})

test('the link to a result can be copied', async () => {
  await show()
  await userEvent.type(await everywhere(), 'banner')
  await waitFor(() => expect(rows()).toHaveLength(3))
  const [first] = rows()
  await userEvent.click(within(first ?? document.body).getByRole('button', { name: 'Copy link to message' }))
  expect(await navigator.clipboard.readText()).toMatch(
    new RegExp(`^parlor://open/.+/message/messaging:release-4-2/${first?.dataset['hit'] ?? ''}$`),
  )
})

test('without results it says so and offers to search everywhere', async () => {
  await show()
  await userEvent.keyboard('{Control>}f{/Control}')
  await userEvent.type(await field(), 'qwertyqwerty')
  expect(await screen.findByText('Nothing found for “qwertyqwerty”')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Search everywhere' }))
  expect(screen.queryByRole('button', { name: 'In release-4-2, remove' })).toBeNull()
})

test('offline a note says that results come from this device, and how old they are', async () => {
  await show((fake) => {
    const knownUntil = new Date().setHours(0, 1)
    fake.change({ connection: { self: aConnection({ state: 'unhealthy', offline: true, knownUntil }) } })
  })
  await userEvent.type(await everywhere(), 'banner')
  const note = await screen.findByText(/^You’re offline\. These results are from this device\./)
  expect(note.textContent).toMatch(/Last updated .*:01/)
  await waitFor(() => expect(rows()).toHaveLength(3))
  expect(screen.queryByText(/^From this device:/)).toBeNull()
})

test('a filter that is still being written is neither searched for nor called missing', async () => {
  const { bridge } = await show()
  await userEvent.type(await everywhere(), 'qwerty in:release')
  expect(screen.getByRole('listbox', { name: 'Suggestions' })).toBeDefined()
  expect(await screen.findByText('Nothing found for “qwerty”')).toBeDefined()
  expect(bridge.inputsOf('search.messages').at(-1)).toMatchObject({ text: 'qwerty ' })
})

/** The answer to “banner”. */
function bannerPage(fake: FakeBridge): SearchPage {
  const found = Object.values(fake.world.rows.messages ?? {}).filter(({ text }) =>
    text.toLowerCase().includes('banner'),
  )
  return {
    hits: found
      .toSorted((a, b) => b.createdAt - a.createdAt)
      .map(({ id, cid, userId, createdAt, text }) => ({
        messageId: id,
        cid,
        userId,
        createdAt,
        edited: false,
        pinned: false,
        replyCount: 0,
        attachmentKinds: [],
        parts: [{ kind: 'text', index: 0, excerpt: text, marks: [], cutBefore: false, cutAfter: false }],
      })),
    people: [],
    channels: [],
    notes: [],
    indexing: false,
    server: 'not-asked',
  }
}

test('results say what was on this device and what the server added, each once', async () => {
  await show((fake) => {
    const local = bannerPage(fake)
    fake.on('search.messages', ({ ask }: { ask: string }) => ({
      ...local,
      hits: local.hits.map((hit, at) => (at === 0 && ask === 'server' ? { ...hit, fromServer: true } : hit)),
      server: ask === 'server' ? 'asked' : 'not-asked',
    }))
  })
  await userEvent.type(await everywhere(), 'banner')
  expect(await screen.findByText('Added by the server: 1')).toBeDefined()
  expect(screen.getByText('From this device: 2')).toBeDefined()
  expect(rows().map((row) => /From (the server|this device)/.exec(row.textContent)?.[1])).toEqual([
    'the server',
    'this device',
    'this device',
  ])
})

test('the order is chosen in a menu, asked for, and remembered for the next search', async () => {
  const { bridge } = await show()
  await userEvent.type(await everywhere(), 'banner')
  await userEvent.click(await screen.findByRole('button', { name: 'Newest first' }))
  expect(screen.getByRole('menuitemradio', { name: 'Newest first' }).getAttribute('aria-checked')).toBe('true')
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'Most relevant' }))
  await waitFor(() => expect(bridge.inputsOf('search.messages').at(-1)).toMatchObject({ order: 'relevance' }))
  expect(bridge.world.rows.settings?.['self']?.searchOrder).toBe('relevance')
  expect(screen.getByRole('button', { name: 'Most relevant' })).toBeDefined()
})

test('a tab without a result is not there; people and channels are counted beyond those listed', async () => {
  await show((fake) =>
    fake.on('search.names', ({ text }: { text: string }) => ({
      people: text === 'banner' ? [] : [fake.world.rows.users?.['tomek']].filter(Boolean),
      channels: [],
      total: { people: text === 'banner' ? 0 : 1_234, channels: 0 },
    })),
  )
  const input = await everywhere()
  await userEvent.type(input, 'banner')
  await waitFor(() => expect(rows()).toHaveLength(3))
  const tabs = () => screen.getAllByRole('tab').map(({ textContent }) => textContent)
  await waitFor(() => expect(tabs()).toEqual(['Messages3']))
  await userEvent.clear(input)
  await userEvent.type(input, 'tom')
  await waitFor(() => expect(tabs().at(-1)).toBe('People1,234'))
  expect(tabs().join(' ')).not.toContain('Channels')
})

describe('in all workspaces', () => {
  const anEntry = (key: string, name: string, more: Partial<AccountEntry> = {}): AccountEntry => ({
    key,
    kind: 'hosted',
    name,
    workspaceName: name,
    userId: asUserId('ola'),
    userName: 'Ola',
    hue: 3,
    muted: false,
    unread: 0,
    mentions: 0,
    connection: 'connected',
    link: `${key}.example`,
    ...more,
  })
  const withTwo = (change: (fake: FakeBridge) => void = () => {}) =>
    show((fake) => {
      const accounts = [anEntry('home', 'Cairn Maps'), anEntry('harbor', 'Harbor')]
      fake.change({ accounts: { self: { accounts, shown: 'home' } } })
      const here = bannerPage(fake)
      const [hit] = here.hits
      fake.on('elsewhere.messages', ({ ask }: { ask: string }) => ({
        ...here,
        hits: hit ? [{ ...hit, cid: asCid('team:docks'), userId: asUserId('jonas') }] : [],
        people: [aUser({ id: 'jonas', name: 'Jonas of the Docks' })],
        channels: [aChannel({ cid: 'team:docks', name: 'docks' })],
        server: ask === 'server' ? 'asked' : 'not-asked',
      }))
      fake.on('elsewhere.names', () => ({
        people: [aUser({ id: 'jonas', name: 'Jonas of the Docks' })],
        channels: [aChannel({ cid: 'team:docks', name: 'docks' })],
        total: { people: 1, channels: 1 },
      }))
      change(fake)
    })
  const chooseAll = async (): Promise<void> => {
    await userEvent.click(screen.getByRole('button', { name: 'This workspace' }))
    await userEvent.click(screen.getByRole('menuitemradio', { name: 'All workspaces' }))
  }
  const elsewhere = () => rows().find((row) => row.dataset['account'] === 'harbor') ?? document.body

  test('results name their workspace, and a click switches to it and jumps to the message', async () => {
    const { bridge, store } = await withTwo()
    await userEvent.type(await everywhere(), 'banner')
    await waitFor(() => expect(rows()).toHaveLength(3))
    expect(bridge.inputsOf('elsewhere.messages')).toEqual([])
    await chooseAll()
    await waitFor(() => expect(rows()).toHaveLength(4))
    expect(within(elsewhere()).getByText('#docks')).toBeDefined()
    expect(elsewhere().textContent).toMatch(/Jonas of the Docks.*#docks.*Harbor/)
    await waitFor(() =>
      expect(bridge.inputsOf('elsewhere.messages').at(-1)).toMatchObject({
        key: 'harbor',
        text: 'banner',
        ask: 'server',
      }),
    )
    expect(store.getState().entities.channels['team:docks']).toBeUndefined()
    await userEvent.click(within(elsewhere()).getByRole('button', { name: /Jonas of the Docks/ }))
    expect(store.getState().ui.leaving).toMatchObject({
      key: 'harbor',
      place: { type: 'focus', cid: 'team:docks', messageId: expect.any(String) },
    })
  })

  test('people and channels of the others are counted and listed too', async () => {
    const { store } = await withTwo()
    await userEvent.type(await everywhere(), 'docks')
    await chooseAll()
    await userEvent.click(await screen.findByRole('tab', { name: /^People\s*1$/ }))
    const people = within(screen.getByRole('list', { name: 'People' }))
    await userEvent.click(people.getByRole('button', { name: /Jonas of the Docks.*Harbor/ }))
    expect(store.getState().ui.leaving).toMatchObject({
      key: 'harbor',
      place: { type: 'link', link: { route: 'user', workspace: 'harbor.example', userId: 'jonas' } },
    })
  })

  test('one that has to sign in again is named, and the others are there', async () => {
    await withTwo((fake) =>
      fake.on('elsewhere.messages', () => {
        throw Object.assign(new Error('no'), { code: 'session/signed-out' })
      }),
    )
    await userEvent.type(await everywhere(), 'banner')
    await chooseAll()
    expect(await screen.findByText('Sign in to Harbor again to search it.')).toBeDefined()
    expect(rows()).toHaveLength(3)
  })

  test('one that failed is named beside the results of the others, and can be asked again', async () => {
    let isBroken = true
    const { bridge } = await withTwo((fake) =>
      fake.on('elsewhere.messages', () => {
        if (isBroken) throw Object.assign(new Error('no'), { code: 'search/unavailable' })
        return { ...bannerPage(fake), hits: [], server: 'asked' }
      }),
    )
    await userEvent.type(await everywhere(), 'banner')
    await chooseAll()
    expect(await screen.findByText('Harbor couldn’t be searched. Try again.')).toBeDefined()
    expect(rows()).toHaveLength(3)
    isBroken = false
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.queryByText(/couldn’t be searched/)).toBeNull())
    expect(bridge.inputsOf('elsewhere.messages').length).toBeGreaterThan(1)
  })

  test('what one found is dropped when it is signed out, whichever view is open', async () => {
    const { bridge, store } = await withTwo()
    await userEvent.type(await everywhere(), 'banner')
    await chooseAll()
    await waitFor(() => expect(rows()).toHaveLength(4))
    act(() => void store.dispatch(routeOpened({ view: 'browse' })))
    act(() => bridge.change({ accounts: { self: { accounts: [anEntry('home', 'Cairn Maps')], shown: 'home' } } }))
    const held = [...store.objects.createdFor(accountKeyOf(store.getState())).values()]
    const lists = held.flatMap((each) => Object.values(each ?? {})).filter((each) => each instanceof Everywhere)
    expect(lists).toHaveLength(2)
    const left = () => lists.flatMap((list) => list.found().hits.flatMap(({ account }) => account ?? []))
    await waitFor(() => expect(left()).toEqual([]))
  })

  test('the quick switcher leads to them', async () => {
    const { store } = await withTwo()
    await userEvent.keyboard('{Control>}k{/Control}')
    await userEvent.type(await screen.findByRole('combobox', { name: 'Search or jump to' }), 'banner')
    await userEvent.click(screen.getByRole('option', { name: /in all workspaces containing “banner”/ }))
    expect(store.getState().ui).toMatchObject({
      route: { view: 'search' },
      search: { text: 'banner', everywhere: true },
    })
    expect(await screen.findByRole('button', { name: 'All workspaces' })).toBeDefined()
  })

  test('with one account there is no choice', async () => {
    await show()
    await userEvent.type(await everywhere(), 'banner')
    expect(screen.queryByRole('button', { name: 'This workspace' })).toBeNull()
  })
})

test('where the next page fails, the results stay, and it is asked for only when the user wants it', async () => {
  let isBroken = true
  const { bridge } = await show((fake) => {
    const page = bannerPage(fake)
    fake.on('search.messages', ({ cursor }: { cursor?: unknown }) => {
      if (cursor === undefined) return { ...page, next: { createdAt: 1, id: 'x' } }
      if (isBroken) throw Object.assign(new Error('no'), { code: 'search/unavailable' })
      return { ...page, hits: [] }
    })
  })
  const pages = () => bridge.inputsOf('search.messages').filter((input) => 'cursor' in (input as object)).length
  await userEvent.type(await everywhere(), 'banner')
  const again = await screen.findByRole('button', { name: 'Try again' })
  expect(rows()).toHaveLength(3)
  expect(pages()).toBe(1)
  isBroken = false
  await userEvent.click(again)
  expect(await screen.findByText('No more results.')).toBeDefined()
  expect(pages()).toBe(2)
})

test('a failed search says so and can be retried', async () => {
  const { bridge } = await show((fake) =>
    fake.on('search.messages', () => {
      throw Object.assign(new Error('no'), { code: 'search/unavailable' })
    }),
  )
  await userEvent.type(await everywhere(), 'banner')
  const again = await screen.findByRole('button', { name: 'Try again' })
  addLittleEngine(bridge)
  await userEvent.click(again)
  await waitFor(() => expect(rows()).toHaveLength(3))
})

test('arrow keys switch tabs; a person opens the direct message', async () => {
  await show((fake) =>
    fake.on('search.names', () => ({
      people: [fake.world.rows.users?.['tomek']].filter(Boolean),
      channels: [],
      total: { people: 1, channels: 0 },
    })),
  )
  await userEvent.type(await everywhere(), 'tom')
  const first = await screen.findByRole('tab', { name: /^Messages/, selected: true })
  await screen.findByRole('tab', { name: /^People/ })
  first.focus()
  await userEvent.keyboard('{ArrowLeft}')
  expect(screen.getByRole('tab', { name: /^People/, selected: true })).toBe(document.activeElement)
})

describe('saved searches', () => {
  const savedNames = (bridge: FakeBridge) =>
    (bridge.world.rows.settings?.['self']?.savedSearches[sidebarKey(aSession())] ?? []).map(({ name }) => name)
  const withSaved = (...names: readonly string[]) =>
    show((fake) => {
      const searches = names.map((name): SavedSearch => ({ name, text: name, chips: ['has:link'], tab: 'messages' }))
      fake.change({ settings: { self: someSettings({ savedSearches: { [sidebarKey(aSession())]: searches } }) } })
    })
  const list = () => within(screen.getByRole('list', { name: 'Saved searches' }))
  const choose = async (name: string): Promise<void> => {
    await userEvent.click(screen.getByRole('button', { name: 'Saved' }))
    await userEvent.click(screen.getByRole('menuitem', { name }))
  }

  test('the current search is saved with its filters under a suggested name, and can be run from the list', async () => {
    const { bridge, store } = await show()
    const input = await everywhere()
    await userEvent.type(input, 'has:link banner')
    await choose('Save this search…')
    const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' })
    expect(name.value).toBe('banner, Has link')
    await userEvent.clear(name)
    await userEvent.keyboard('{Enter}')
    expect(screen.getByText('Enter a name.')).toBeDefined()
    await userEvent.type(name, 'Banners{Enter}')
    await waitFor(() => expect(savedNames(bridge)).toEqual(['Banners']))
    expect(screen.queryByRole('dialog')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Saved' }))
    expect(screen.getByRole('menuitem', { name: /^Save this search…/ }).textContent).toContain('Already saved')
    await userEvent.keyboard('{Escape}')
    await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
    await userEvent.clear(input)
    await userEvent.click(list().getByRole('button', { name: /^Banners/ }))
    expect(store.getState().ui.search).toMatchObject({ text: 'banner', chips: ['has:link'] })
    await waitFor(() => expect(bridge.inputsOf('search.messages').at(-1)).toMatchObject({ text: 'has:link banner' }))
  })

  test('saving under an existing name warns that it is replaced', async () => {
    const { bridge } = await withSaved('plans', 'Łąka')
    await userEvent.type(await everywhere(), 'banner')
    await choose('Save this search…')
    await userEvent.clear(screen.getByRole('textbox', { name: 'Name' }))
    await userEvent.keyboard('laka')
    expect(screen.getByText('This replaces the saved search “Łąka”.')).toBeDefined()
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(savedNames(bridge)).toEqual(['plans', 'laka']))
  })

  test('they can be renamed, moved and removed by keyboard, with undo', async () => {
    const { bridge } = await withSaved('one', 'two', 'three')
    await everywhere()
    list().getByRole('button', { name: /^one/ }).focus()
    await userEvent.keyboard('{ArrowDown}{Control>}{Shift>}{ArrowUp}{/Shift}{/Control}')
    await waitFor(() => expect(savedNames(bridge)).toEqual(['two', 'one', 'three']))
    expect(document.activeElement?.textContent).toContain('two')
    await userEvent.keyboard('{Delete}')
    await waitFor(() => expect(savedNames(bridge)).toEqual(['one', 'three']))
    const undo = screen.getByRole('button', { name: 'Undo' })
    expect(document.activeElement).toBe(undo)
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(savedNames(bridge)).toEqual(['two', 'one', 'three']))
    await userEvent.click(list().getByRole('button', { name: 'Options for “three”' }))
    await userEvent.click(screen.getByRole('menuitem', { name: 'Rename…' }))
    await userEvent.clear(screen.getByRole('textbox', { name: 'Name' }))
    await userEvent.keyboard('One{Enter}')
    expect(screen.getByText('Another saved search has this name. Choose a different one.')).toBeDefined()
    await userEvent.keyboard('{Backspace}{Backspace}{Backspace}last{Enter}')
    await waitFor(() => expect(savedNames(bridge)).toEqual(['two', 'one', 'last']))
  })

  test('the quick switcher finds them by name, and lists all after /', async () => {
    const { store } = await withSaved('one', 'two')
    await userEvent.keyboard('{Control>}k{/Control}')
    await userEvent.type(await screen.findByRole('combobox', { name: 'Search or jump to' }), '/')
    const group = within(screen.getByRole('group', { name: 'Saved searches' }))
    expect(group.getAllByRole('option').map((option) => option.textContent)).toEqual(['one↵', 'two'])
    await userEvent.keyboard('tw{Enter}')
    expect(store.getState().ui).toMatchObject({
      route: { view: 'search' },
      search: { text: 'two', chips: ['has:link'] },
    })
  })
})
