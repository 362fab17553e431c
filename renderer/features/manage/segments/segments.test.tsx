import { afterEach, expect, test } from 'vitest'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MANAGE_RIGHTS } from '#shared/domain/manage/manage.ts'
import type { Segment } from '#shared/domain/manage/segments.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { aConnection, aSession, aUser, byId, createFakeBridge } from '../../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { startI18n } from '../../../i18n/index.ts'
import { AddToSegment } from './SegmentDialogs.tsx'
import { SegmentsPage } from './SegmentsPage.tsx'

afterEach(cleanup)

const testers: Segment = {
  id: 'testers',
  kind: 'user',
  name: 'Beta testers',
  description: 'Android',
  filter: '{"beta":{"$eq":"android"}}',
  all: false,
  size: 1_840,
  createdAt: 1,
  updatedAt: 2,
  version: 'v1',
}

function scene(listed: readonly Segment[] = [testers], connected = true) {
  const bridge = createFakeBridge({
    rows: {
      session: { self: aSession() },
      users: byId([aUser({ id: 'timur', name: 'Тимур' }), aUser({ id: 'hana', name: 'Hana' })]),
      connection: { self: aConnection(connected ? {} : { state: 'unhealthy', offline: true }) },
      manage: { self: { rights: [...MANAGE_RIGHTS], source: 'owner', changes: {} } },
    },
  })
  bridge.on('segments.list', () => ({ segments: listed, ...(connected ? {} : { asOf: 1_000 }) }))
  bridge.on('segments.get', ({ id }) => ({ segment: listed.find((each) => each.id === id) ?? testers }))
  bridge.on('segments.members', () => [
    {
      id: 'timur',
      name: 'Тимур',
      reason: {
        kind: 'matches',
        conditions: [{ kind: 'condition', field: 'beta', operator: '$eq', value: 'android' }],
      },
    },
    { id: 'hana', name: 'Hana', reason: { kind: 'byHand' } },
  ])
  bridge.on('segments.count', () => ({ count: 12 }))
  bridge.on('segments.targets', () => ({ targets: [{ id: 'hana', member: { id: 'hana', name: 'Hana' } }] }))
  bridge.on('segments.uses', () => [])
  return bridge
}
const refused = (code: string) => () => {
  throw new AppError(code)
}
const tab = (name: string) => userEvent.click(screen.getByRole('radio', { name }))
async function open(bridge = scene()) {
  await renderInApp(<SegmentsPage id="testers" />, bridge)
  await screen.findByRole('heading', { name: 'Beta testers' })
  return { bridge }
}
const json = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Filter as JSON' })

test('segments are listed with their size, found and opened', async () => {
  const bridge = scene()
  await renderInApp(<SegmentsPage />, bridge)
  const row = await screen.findByRole('row', { name: /Beta testers/ })
  expect(within(row).getByText('1,840')).toBeTruthy()
  await userEvent.type(screen.getByRole('searchbox', { name: 'Find a segment' }), 'beta')
  await waitFor(() => expect(bridge.inputsOf('segments.list').at(-1)).toMatchObject({ find: 'beta' }))
  await userEvent.click(screen.getByRole('radio', { name: 'Channels' }))
  await waitFor(() => expect(bridge.inputsOf('segments.list').at(-1)).toMatchObject({ kind: 'channel' }))
  await userEvent.click(screen.getByRole('radio', { name: 'All' }))
  await userEvent.click(await screen.findByRole('row', { name: /Beta testers/ }))
  await screen.findByRole('heading', { name: 'Beta testers' })
  await tab('Who is in it')
  expect(await screen.findByText('Field beta is android')).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('row', { name: /Beta testers/ })))
})

test('a hostile name is only a text', async () => {
  await renderInApp(<SegmentsPage />, scene([{ ...testers, name: '<img src=x onerror=alert(1)>' }]))
  expect(await screen.findByText('<img src=x onerror=alert(1)>')).toBeTruthy()
  expect(document.querySelector('img[src="x"]')).toBeNull()
})

test('a segment is created with what was typed, which stays when the server refuses it', async () => {
  const bridge = scene([])
  bridge.on('segments.create', refused('server/not-allowed'))
  await renderInApp(<SegmentsPage />, bridge)
  expect(await screen.findByText('No segments yet')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Create segment' }))
  const dialog = screen.getByRole('dialog', { name: 'Create segment' })
  const confirm = () => userEvent.click(within(dialog).getByRole('button', { name: 'Create segment' }))
  await confirm()
  expect(within(dialog).getByRole('alert').textContent).toBe('Enter a name.')
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Hut keepers')
  await userEvent.click(within(dialog).getByRole('radio', { name: /^A list of people/ }))
  await confirm()
  expect(await within(dialog).findByRole('alert')).toBeTruthy()
  expect(within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Hut keepers')
  bridge.on('segments.create', () => ({ ...testers, filter: '{}' }))
  await confirm()
  expect(await screen.findByRole('textbox', { name: /^Names, IDs/ })).toBeTruthy()
  expect(bridge.inputsOf('segments.create').at(-1)).toEqual({ kind: 'user', name: 'Hut keepers', all: false })
})

test('a segment of everybody has to be typed', async () => {
  const bridge = scene([])
  bridge.on('segments.create', () => ({ ...testers, all: true }))
  await renderInApp(<SegmentsPage />, bridge)
  await userEvent.click(await screen.findByRole('button', { name: 'Create segment' }))
  const dialog = screen.getByRole('dialog')
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'All of us')
  await userEvent.click(within(dialog).getByRole('radio', { name: /^Everyone in the workspace/ }))
  expect(await within(dialog).findByText('That’s 12 people today.')).toBeTruthy()
  await userEvent.keyboard('{Enter}')
  expect(within(dialog).getByRole('alert').textContent).toBe('Type “everyone” to continue.')
  expect(bridge.inputsOf('segments.create')).toEqual([])
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Type “everyone” to continue' }), 'everyone{Enter}')
  await waitFor(() => expect(bridge.inputsOf('segments.create').at(-1)).toMatchObject({ all: true }))
})

test('the limits of a name are said before they are reached', async () => {
  await renderInApp(<SegmentsPage />, scene([]))
  await userEvent.click(await screen.findByRole('button', { name: 'Create segment' }))
  const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' })
  fireEvent.change(name, { target: { value: 'x'.repeat(120) } })
  expect(screen.getByText('8 characters left')).toBeTruthy()
  expect(name.maxLength).toBe(128)
})

test('conditions are changed in sentences, and the JSON follows', async () => {
  const { bridge } = await open()
  const first = screen.getByRole('group', { name: 'Condition 1' })
  await userEvent.clear(within(first).getByRole('textbox', { name: 'Value' }))
  expect(screen.getByText('Fill in every condition to save.')).toBeTruthy()
  await userEvent.type(within(first).getByRole('textbox', { name: 'Value' }), 'ios')
  await userEvent.click(screen.getByRole('button', { name: 'Add condition' }))
  const second = screen.getByRole('group', { name: 'Condition 2' })
  const field = within(second).getByRole('combobox', { name: 'Field' })
  await userEvent.selectOptions(field, 'Language')
  expect(document.activeElement).toBe(field)
  await userEvent.selectOptions(within(second).getByRole('combobox', { name: 'Comparison' }), 'is one of')
  await userEvent.type(within(second).getByRole('textbox', { name: 'Add a value' }), 'pl,ru{Enter}')
  await tab('JSON')
  const written = { $and: [{ beta: { $eq: 'ios' } }, { language: { $in: ['pl', 'ru'] } }] }
  expect(JSON.parse(json().value)).toEqual(written)
  bridge.on('segments.change', () => ({ ...testers, filter: JSON.stringify(written), version: 'v2' }))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(bridge.inputsOf('segments.change')).toEqual([
      { id: 'testers', version: 'v1', filter: JSON.stringify(written) },
    ]),
  )
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull())
})

test('groups are nested three deep and removed with the key', async () => {
  await open()
  await userEvent.click(screen.getByRole('button', { name: 'Add group' }))
  const group = screen.getByRole('group', { name: 'at least one' })
  await userEvent.click(within(group).getByRole('button', { name: 'Add group' }))
  expect(screen.getAllByRole('button', { name: 'Add group' }).length).toBe(2)
  await tab('JSON')
  expect(JSON.parse(json().value)).toMatchObject({
    $and: [{ beta: {} }, { $or: [{ name: {} }, { $or: [{ name: {} }] }] }],
  })
  await tab('Filter')
  // The outermost condition comes first.
  screen.getAllByRole('group', { name: 'Condition 1' })[0]?.querySelector('select')?.focus()
  await userEvent.keyboard('{Delete}')
  await tab('JSON')
  expect(json().value).not.toContain('beta')
})

test('JSON that is no filter stays as it is typed, with what is wrong and where, until it is corrected or discarded', async () => {
  const { bridge } = await open()
  await tab('JSON')
  const wrong = '{\n  "beta": { "$like": "a" }\n}'
  fireEvent.change(json(), { target: { value: wrong } })
  expect(screen.getByRole('alert').textContent).toMatch(/^Line 2: “\$like” isn’t an operator\. Use \$eq/)
  expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true')
  expect(screen.queryByRole('button', { name: 'Open the JSON' })).toBeNull()
  await tab('Filter')
  expect(screen.getByText(/The filter and the count stay as they were/)).toBeTruthy()
  expect(screen.getAllByRole('button', { name: 'Open the JSON' }).length).toBe(1)
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Value' }).value).toBe('android')
  await userEvent.keyboard('{Escape}')
  await userEvent.click(await screen.findByRole('row', { name: /Beta testers/ }))
  await tab('JSON')
  expect(json().value).toBe(wrong)
  fireEvent.change(json(), { target: { value: '{"beta":{"$eq":"ios"}}' } })
  await tab('Filter')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Value' }).value).toBe('ios')
  await userEvent.click(screen.getByRole('button', { name: 'Discard changes' }))
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Value' }).value).toBe('android')
  expect(bridge.inputsOf('segments.change')).toEqual([])
})

test('a filter that sentences cannot say is shown, and changed as JSON', async () => {
  await open(scene([{ ...testers, filter: '{"teams":{"$eq":["a","b"]}}' }]))
  expect(screen.getByText('This filter has parts that can only be changed as JSON.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Open the JSON' }))
  expect(JSON.parse(json().value)).toEqual({ teams: { $eq: ['a', 'b'] } })
})

test('what someone else has saved is not overwritten without asking', async () => {
  const { bridge } = await open()
  await userEvent.type(screen.getByRole('textbox', { name: 'Value' }), '2')
  bridge.on('segments.get', () => ({ segment: { ...testers, description: 'theirs', version: 'v2' } }))
  bridge.on('segments.change', refused('segments/changed'))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  const mine = await screen.findByRole('button', { name: 'Save mine anyway' })
  expect(screen.getByText('Someone else has changed this segment in the meantime.')).toBeTruthy()
  bridge.on('segments.change', () => ({ ...testers, version: 'v3' }))
  await userEvent.click(mine)
  await waitFor(() =>
    expect(bridge.inputsOf('segments.change').at(-1)).toEqual({
      id: 'testers',
      version: 'v2',
      filter: '{"beta":{"$eq":"android2"}}',
    }),
  )
})

test('how many match is counted again after a change, and the stored number is said', async () => {
  const { bridge } = await open()
  await tab('Who is in it')
  expect(screen.getByText('1,840')).toBeTruthy()
  await tab('Filter')
  await userEvent.type(screen.getByRole('textbox', { name: 'Value' }), '2')
  await tab('Who is in it')
  expect(await screen.findByText(/people match the filter/)).toBeTruthy()
  expect(screen.getByText(/1,840 when it was last saved\./)).toBeTruthy()
  expect(bridge.inputsOf('segments.count').at(-1)).toEqual({
    kind: 'user',
    filter: '{"beta":{"$eq":"android2"}}',
    all: false,
  })
})

test('while the JSON is no filter, nothing is counted, and that is said in place of a number', async () => {
  const { bridge } = await open()
  await tab('JSON')
  const field = screen.getByRole<HTMLTextAreaElement>('textbox')
  fireEvent.change(field, { target: { value: '{"beta":' } })
  await tab('Who is in it')
  expect(await screen.findByText(/^There’s a mistake in the filter/)).toBeTruthy()
  expect(screen.queryByText(/match the filter/)).toBeNull()
  expect(screen.getByText('1,840 when it was last saved.')).toBeTruthy()
  await tab('JSON')
  fireEvent.change(screen.getByRole('textbox'), { target: { value: '{"beta":{"$eq":"web"}}' } })
  await tab('Who is in it')
  expect(await screen.findByText(/people match the filter/)).toBeTruthy()
  expect(bridge.inputsOf('segments.count').map((asked) => (asked as { filter: string }).filter)).toEqual([
    '{"beta":{"$eq":"web"}}',
  ])
})

test('a person is looked for, and it is said why they are not in it; they are added by hand', async () => {
  const { bridge } = await open()
  bridge.on('segments.find', () => [{ id: 'timur', name: 'Тимур' }])
  bridge.on('segments.membership', () => ({
    in: false,
    failed: { kind: 'condition', field: 'beta', operator: '$eq', value: 'android' },
    others: true,
  }))
  bridge.on('segments.addTargets', () => testers)
  await tab('Who is in it')
  await userEvent.click(screen.getByRole('button', { name: 'Check a person' }))
  await userEvent.click(await screen.findByRole('option', { name: /Тимур/ }))
  expect(await screen.findByText('Тимур isn’t in it')).toBeTruthy()
  expect(screen.getByText('Because of “Field beta is android”. Everything else matches.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Add' }))
  await waitFor(() => expect(bridge.inputsOf('segments.addTargets')).toEqual([{ id: 'testers', targetIds: ['timur'] }]))
})

test('of a pasted list those who are found are added, and the rest stays', async () => {
  const { bridge } = await open()
  const people: Readonly<Record<string, readonly string[]>> = { hana: ['hana'], Hana: ['hana'], Anna: ['a1', 'a2'] }
  bridge.on('segments.resolve', ({ lines }: { readonly lines: readonly string[] }) =>
    lines.map((line) => ({ line, found: (people[line] ?? []).map((id) => ({ id, name: line })) })),
  )
  bridge.on('segments.addTargets', () => testers)
  await tab('List')
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Names, IDs/ })
  fireEvent.change(field, { target: { value: 'hana\nHana\nhana\nAnna\nnobody' } })
  await userEvent.click(await screen.findByRole('button', { name: 'Add 1 person' }))
  await waitFor(() => expect(bridge.inputsOf('segments.addTargets')).toEqual([{ id: 'testers', targetIds: ['hana'] }]))
  await waitFor(() => expect(field.value).toBe('Anna\nnobody'))
  expect(screen.getByText('1 added')).toBeTruthy()
  await act(() => startI18n('pl'))
  expect(screen.getByText('Dodano: 1')).toBeTruthy()
  await act(() => startI18n('en'))
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Who is meant by Anna' }), 'Anna (a2)')
  expect(field.value).toBe('a2\nnobody')
  await userEvent.click(screen.getByRole('button', { name: 'Remove line' }))
  expect(field.value).toBe('a2')
})

test('a CSV file fills the list', async () => {
  const { bridge } = await open()
  bridge.on('segments.resolve', () => [])
  await tab('List')
  const file = new File(['Name,Email\nHana,hana@x.example\n'], 'people.csv', { type: 'text/csv' })
  fireEvent.change(screen.getByLabelText('Choose a CSV file…', { selector: 'input' }), { target: { files: [file] } })
  expect(await screen.findByText('Read from the column “Email”.')).toBeTruthy()
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Names, IDs/ }).value).toBe('hana@x.example')
})

test('those on the list are selected and removed', async () => {
  const { bridge } = await open()
  bridge.on('segments.removeTargets', () => testers)
  await tab('List')
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Hana' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove from the list' }))
  await waitFor(() =>
    expect(bridge.inputsOf('segments.removeTargets')).toEqual([{ id: 'testers', targetIds: ['hana'] }]),
  )
})

test('people who were picked in the directory are added to the list of a segment; everybody’s has none', async () => {
  const bridge = scene([testers, { ...testers, id: 'all', name: 'Everyone', all: true }])
  bridge.on('segments.addTargets', () => testers)
  await renderInApp(<AddToSegment userIds={[asUserId('hana'), asUserId('timur')]} />, bridge)
  const dialog = within(await screen.findByRole('dialog', { name: 'Add 2 people to a segment' }))
  const found = await dialog.findAllByRole('option')
  expect(found.map((option) => option.textContent)).toEqual(['Beta testers'])
  bridge.on('segments.addTargets', refused('segments/unknown-target'))
  await userEvent.click(dialog.getByRole('option', { name: 'Beta testers' }))
  expect(await dialog.findByRole('alert')).toBeTruthy()
  bridge.on('segments.addTargets', () => testers)
  await userEvent.click(dialog.getByRole('option', { name: 'Beta testers' }))
  await waitFor(() =>
    expect(bridge.inputsOf('segments.addTargets').at(-1)).toEqual({ id: 'testers', targetIds: ['hana', 'timur'] }),
  )
})

test('a segment is deleted after a question that names the campaigns that use it', async () => {
  const { bridge } = await open()
  bridge.on('segments.uses', () => [{ id: 'c', name: 'News', status: 'draft' }])
  bridge.on('segments.remove', () => undefined)
  await userEvent.click(screen.getByRole('button', { name: 'Delete segment' }))
  const dialog = screen.getByRole('alertdialog', { name: 'Delete Beta testers?' })
  expect(await within(dialog).findByText('1 campaign sends to it: News.')).toBeTruthy()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete segment' }))
  await waitFor(() => expect(bridge.inputsOf('segments.remove')).toEqual([{ id: 'testers' }]))
  expect(await screen.findByRole('heading', { name: 'Segments' })).toBeTruthy()
})

test('without a connection the list says how old it is, and nothing can be created', async () => {
  const bridge = scene([testers], false)
  await renderInApp(<SegmentsPage />, bridge)
  expect(await screen.findByRole('row', { name: /Beta testers/ })).toBeTruthy()
  expect(screen.getByText(/^Last updated/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Create segment' }))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('while an empty segment is looked at again, it is not said to be empty', async () => {
  const bridge = scene()
  bridge.on('segments.members', () => [])
  await open(bridge)
  await tab('Who is in it')
  await screen.findByText('No one is in it yet.')
  const answer = Promise.withResolvers<[]>()
  bridge.on('segments.members', () => answer.promise)
  await act(async () =>
    bridge.change({
      manage: { self: { rights: [...MANAGE_RIGHTS], source: 'owner', changes: { segments: 1 } } },
    }),
  )
  expect(screen.queryByText('No one is in it yet.')).toBeNull()
  await act(async () => answer.resolve([]))
  await screen.findByText('No one is in it yet.')
})
