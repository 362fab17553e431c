import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DryRunStep, ListedRule, Rules } from '#shared/domain/manage/rules.ts'
import { asCid } from '#shared/lib/brand.ts'
import { aChannel, aUser, byCid, byId, createFakeBridge, NOON } from '../../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { RulesPage } from './RulesPage.tsx'

const cid = asCid('team:plans')
const aRule = (id: string, over: Partial<ListedRule> = {}): ListedRule => ({
  id,
  name: `Rule ${id}`,
  enabled: true,
  conditions: [{ kind: 'words', words: ['half price'] }],
  action: 'flag',
  version: 'v1',
  position: Number(id),
  ...over,
})
const SUPPORT = {
  actions: ['flag', 'block', 'bounce', 'shadow', 'mask'],
  conditions: ['list', 'words', 'has', 'joined', 'role', 'channel'],
  full: true,
} as const
const LISTS = [{ name: 'Ads', kind: 'word', words: ['promo*', 'sale'], version: 'l1' }] as const
const someRules = (rules: readonly ListedRule[], over: Partial<Rules> = {}): Rules => ({
  rules,
  lists: LISTS,
  support: SUPPORT,
  ...over,
})

const width = window.innerWidth
beforeEach(() => void (window.innerWidth = 1440))
afterEach(() => {
  cleanup()
  window.innerWidth = width
})
const settled = () => act(() => new Promise((resolve) => void setTimeout(resolve, 0)))

const MANAGE = { rights: ['rules', 'review'], source: 'owner', changes: {} } as const

async function opened(rules: Rules, onBack?: () => void) {
  const bridge = createFakeBridge({
    rows: {
      manage: { self: MANAGE },
      channels: byCid([aChannel({ cid, name: 'plans' })]),
      users: byId([aUser({ id: 'bob', name: 'Bob' })]),
    },
  })
  let current = rules
  bridge.on('rules.list', () => current)
  const rendered = await renderInApp(<RulesPage onBack={onBack} />, bridge)
  await settled()
  const change = async (next: Rules, rev: number): Promise<void> => {
    current = next
    await act(async () => bridge.change({ manage: { self: { ...MANAGE, changes: { rules: rev } } } }))
    await settled()
  }
  return { bridge, change, ...rendered }
}
const press = async (name: string | RegExp): Promise<void> => {
  fireEvent.click(screen.getByRole('button', { name }))
  await settled()
}
const write = (name: string | RegExp, value: string): void =>
  void fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } })

test('a rule is made, tried at every key, and saved', async () => {
  const { bridge } = await opened(someRules([]))
  expect(screen.getByText('No rules yet')).toBeTruthy()
  await press('New rule')
  expect(screen.getByText('The rule needs a name.')).toBeTruthy()
  write('Name', 'Advertising')
  write('Text contains', 'half price, deal*')
  fireEvent.click(screen.getByRole('radio', { name: /^Block/ }))
  write('Message to the sender', 'Ask first.')
  write('Try on a text', 'GPS at Half Price')
  const verdict = (): string => within(screen.getByRole('region', { name: 'Test' })).getByRole('status').textContent
  expect(verdict()).toContain('Blocked for a guest who joined today.Rule 1, “Advertising”. It matches “Half Price”.')
  write('Try on a text', 'GPS at full price')
  expect(verdict()).toContain('No rule applies')
  bridge.on('rules.save', ({ rule }) => aRule('9', rule))
  await press('Save rule')
  expect(bridge.inputsOf('rules.save')).toMatchObject([
    {
      rule: {
        name: 'Advertising',
        enabled: true,
        action: 'block',
        text: 'Ask first.',
        conditions: [{ kind: 'words', words: ['half price', 'deal*'] }],
      },
    },
  ])
})

test('a refused change keeps what was typed and says why', async () => {
  const { bridge } = await opened(someRules([aRule('1')]))
  bridge.on('rules.save', () => {
    throw { code: 'rules/changed' } as unknown as Error
  })
  write('Name', 'Other name')
  await press('Save rule')
  expect(screen.getByRole('alert').textContent).toContain('Someone else has changed this')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Other name')
})

test('a rule that somebody else changes meanwhile is not overwritten: theirs, or mine', async () => {
  const { bridge, change } = await opened(someRules([aRule('1')]))
  write('Name', 'Mine')
  await change(someRules([aRule('1', { name: 'Theirs', version: 'v2' })]), 2)
  expect(screen.getByText('Someone else has changed this rule.')).toBeTruthy()
  await press('Save rule')
  expect(bridge.inputsOf('rules.save')).toEqual([])
  await press('Use my version')
  bridge.on('rules.save', () => aRule('1', { name: 'Mine', version: 'v3' }))
  await press('Save rule')
  expect(bridge.inputsOf('rules.save')).toMatchObject([{ version: 'v2', rule: { name: 'Mine' } }])
})

test('what they changed is shown beside what is being changed here', async () => {
  const { change } = await opened(someRules([aRule('1')]))
  write('Name', 'Mine')
  const theirs = { name: 'Theirs', version: 'v2', action: 'mask', conditions: [{ kind: 'has', what: 'link' }] } as const
  await change(someRules([aRule('1', theirs)]), 2)
  expect(screen.queryByRole('table', { name: 'Changes' })).toBeNull()
  await press('Show changes')
  const rows = within(screen.getByRole('table', { name: 'Changes' })).getAllByRole('row')
  const cells = rows.map((row) => [...row.children].map(({ textContent }) => textContent))
  expect(cells).toEqual([
    ['Changes', 'Their version', 'Your version'],
    ['Name', 'Theirs', 'Mine'],
    ['When all of these are true', 'Text contains a link', 'Text contains half price'],
    ['Then', 'Mask and send to review', 'Send to review'],
  ])
  await press('Hide changes')
  expect(screen.queryByRole('table', { name: 'Changes' })).toBeNull()
  await press('Use their version')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Theirs')
})

test('of a block list that somebody else changed the entries that differ are shown', async () => {
  const { change } = await opened(someRules([]))
  await press(/^Ads/)
  write(/^Phrases/, 'promo*\nsale\nmine')
  await change(someRules([], { lists: [{ ...LISTS[0], words: ['promo*', '<b>theirs</b>'], version: 'l2' }] }), 2)
  await press('Show changes')
  const table = screen.getByRole('table', { name: 'Changes' })
  expect(
    within(table)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['<b>theirs</b>', 'sale, mine'])
})

test('what is being changed stays while another rule is looked at, and can be discarded', async () => {
  await opened(someRules([aRule('1'), aRule('2')]))
  write('Name', 'Changed')
  await press(/^Rule 2/)
  await press(/^Rule 1/)
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Changed')
  await press('Discard')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Rule 1')
})

test('rules are switched and moved by key, and the new place is announced', async () => {
  const { bridge } = await opened(someRules([aRule('1'), aRule('2'), aRule('3')]))
  bridge.on('rules.save', ({ rule }) => aRule((rule as ListedRule).id, rule))
  fireEvent.click(screen.getByRole('switch', { name: 'Rule 2' }))
  await settled()
  fireEvent.keyDown(screen.getByRole('button', { name: /^Rule 3/ }), { key: 'ArrowUp', ctrlKey: true })
  await settled()
  expect(bridge.inputsOf('rules.save')).toMatchObject([
    { rule: { id: '2', enabled: false }, version: 'v1' },
    { rule: { id: '3', position: 1.5 }, version: 'v1' },
  ])
})

test('a dry run goes on by itself, counts, can be stopped, and is out of date after a change', async () => {
  const { bridge } = await opened(someRules([aRule('1')]))
  const hit = { cid, userId: 'bob', text: 'at half price', at: NOON, ranges: [{ start: 3, end: 13 }] }
  const steps: DryRunStep[] = [
    { hits: [{ ...hit, messageId: 'a', reported: true }], checked: 400, unreadable: 2, cids: [cid], next: 'p' },
    { hits: [{ ...hit, messageId: 'b', reported: false }], checked: 20, unreadable: 0, cids: [cid] },
  ]
  bridge.on('rules.dryRun', ({ from }) => steps[from === undefined ? 0 : 1])
  await press('Start')
  await settled()
  expect(screen.getByText('2 messages would have been caught')).toBeTruthy()
  expect(screen.getByText(/420 messages checked in 1 channel/)).toBeTruthy()
  expect(screen.getByText(/2 deleted messages couldn’t be checked/)).toBeTruthy()
  expect(screen.getAllByText('half price', { selector: 'mark' })).toHaveLength(2)
  fireEvent.click(screen.getByRole('radio', { name: '1 not reported' }))
  expect(screen.getAllByText('half price', { selector: 'mark' })).toHaveLength(1)
  write('Text contains', 'full price')
  expect(screen.getByText('Out of date')).toBeTruthy()
  let release: (step: DryRunStep) => void = () => {}
  bridge.on('rules.dryRun', () => new Promise((resolve) => void (release = resolve)))
  await press('Run again')
  await press('Stop')
  release({ hits: [], checked: 1, unreadable: 0, cids: [], next: 'more' })
  await settled()
  expect(bridge.inputsOf('rules.dryRun')).toHaveLength(3)
})

test('a block list drops duplicates, is saved with its version, and says who uses it', async () => {
  const { bridge } = await opened(someRules([aRule('1', { conditions: [{ kind: 'list', list: 'Ads' }] })]))
  await press(/^Ads/)
  expect(screen.getByText('Used by the rule “Rule 1”.')).toBeTruthy()
  write(/^Phrases/, 'promo*\nsale\nsale\n new one ')
  expect(screen.getByText(/3 phrases. 1 duplicate will be ignored/)).toBeTruthy()
  bridge.on('rules.saveList', ({ list }) => ({ ...(list as object), version: 'l2' }))
  await press('Save list')
  expect(bridge.inputsOf('rules.saveList')).toEqual([
    { list: { name: 'Ads', kind: 'word', words: ['promo*', 'sale', 'new one'] }, version: 'l1' },
  ])
})

test('a server that only knows lists offers no names, order, switches or other actions', async () => {
  const support = { actions: ['flag', 'block'], conditions: ['list'], full: false } as const
  const rule = aRule('1', { id: 'chat/Ads', name: 'Ads', conditions: [{ kind: 'list', list: 'Ads' }] })
  await opened(someRules([rule], { support }))
  expect(screen.queryByRole('switch')).toBeNull()
  expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull()
  expect(screen.queryByRole('radio', { name: /^Mask/ })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Add condition' })).toBeNull()
})

test('a hostile name is shown as text', async () => {
  const name = '<img src=x onerror=alert(1)>\u202Egnp.exe'
  await opened(someRules([aRule('1', { name })]))
  expect(screen.getByText(name, { selector: 'bdi' })).toBeTruthy()
  expect(document.querySelector('img')).toBeNull()
})

test('in a narrow window list, rule and test are levels with a way back', async () => {
  window.innerWidth = 500
  await opened(someRules([aRule('1')]))
  expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull()
  await press(/^Rule 1/)
  await press('Test')
  expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull()
  await press('Back')
  expect(screen.getByRole('textbox', { name: 'Name' })).toBeTruthy()
  await press('Back')
  expect(screen.getByRole('button', { name: /^Rule 1/ })).toBeTruthy()
})

test('in a single column one arrow goes one level up: to the rule, to the list, to the pages', async () => {
  window.innerWidth = 450
  const onBack = vi.fn<() => void>()
  await opened(someRules([aRule('1')]), onBack)
  await press(/^Rule 1/)
  await press('Test')
  const arrows: number[] = []
  for (let level = 0; level < 3; level += 1) {
    arrows.push(screen.getAllByRole('button', { name: 'Back' }).length)
    await press('Back')
  }

  expect(arrows).toEqual([1, 1, 1])
  expect(onBack).toHaveBeenCalledOnce()
})

test('why there is nothing is said, with a way to try again', async () => {
  const bridge = createFakeBridge({ rows: { manage: { self: MANAGE } } })
  bridge.on('rules.list', () => {
    throw { code: 'server/unavailable' } as unknown as Error
  })
  await renderInApp(<RulesPage />, bridge)
  await settled()
  bridge.on('rules.list', () => someRules([aRule('1')]))
  await press('Try again')
  expect(screen.getByRole('button', { name: /^Rule 1/ })).toBeTruthy()
})

test('a rule that is switched or moved here keeps what is being changed, and nobody else changed it', async () => {
  const { bridge } = await opened(someRules([aRule('1'), aRule('2')]))
  bridge.on('rules.save', ({ rule }) => ({ ...aRule('1', rule), version: 'v2' }))
  write('Name', 'Changed')
  fireEvent.click(screen.getByRole('switch', { name: 'Rule 1' }))
  await settled()
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Changed')
  expect(screen.queryByText(/Someone else/)).toBeNull()
  fireEvent.keyDown(screen.getByRole('button', { name: /^Rule 1/ }), { key: 'ArrowDown', ctrlKey: true })
  await settled()
  expect(screen.queryByText(/Someone else/)).toBeNull()
  await press('Save rule')
  expect(bridge.inputsOf('rules.save').at(-1)).toMatchObject({
    rule: { name: 'Changed', enabled: false },
    version: 'v2',
  })
  expect(screen.queryByText(/Someone else/)).toBeNull()
})

test('a list that is made here has its kind when it is changed next', async () => {
  const { bridge, change } = await opened(someRules([aRule('1')]))
  await press('New block list')
  write('Name', 'Shops')
  fireEvent.click(screen.getByRole('radio', { name: 'Websites' }))
  write(/^Websites/, 'shop.example')
  const made = { name: 'Shops', kind: 'domain', words: ['shop.example'], version: 'l2' } as const
  bridge.on('rules.saveList', () => made)
  await press('Save list')
  await change(someRules([aRule('1')], { lists: [...LISTS, made] }), 1)
  write(/^Websites/, 'shop.example\nstore.example')
  await press('Save list')
  expect(bridge.inputsOf('rules.saveList').at(-1)).toMatchObject({ list: { kind: 'domain' }, version: 'l2' })
})

test('what is typed in a list stays while something else is looked at', async () => {
  await opened(someRules([aRule('1')]))
  await press(/^Ads/)
  write(/^Phrases/, 'promo*')
  await press(/^Rule 1/)
  await press(/^Ads/)
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Phrases/ }).value).toBe('promo*')
})

test('when a condition is removed, the focus goes to the button that is in its place', async () => {
  const words = (word: string) => ({ kind: 'words', words: [word] }) as const
  await opened(someRules([aRule('1', { conditions: [words('a'), words('b')] })]))
  const buttons = () => screen.getAllByRole('button', { name: 'Remove this condition' })
  act(() => buttons()[0]?.focus())
  act(() => buttons()[0]?.click())
  await settled()
  expect(buttons()).toHaveLength(1)
  expect(document.activeElement).toBe(buttons()[0])
  act(() => buttons()[0]?.focus())
  act(() => buttons()[0]?.click())
  await settled()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add condition' }))
})

test('whoever a text is tried as can be chosen at once', async () => {
  await opened(someRules([aRule('1')]))
  await press('Try as someone else')
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Try as someone else' }))
})

test('a list with changes that are not saved is marked', async () => {
  await opened(someRules([aRule('1')]))
  await press(/^Ads/)
  write(/^Phrases/, 'promo*')
  expect(screen.getByRole('button', { name: /^Ads/ }).textContent).toBe('AdsNot saved yet')
  await press('Discard')
  expect(screen.getByRole('button', { name: /^Ads/ }).textContent).toBe('Ads2 phrases')
})
