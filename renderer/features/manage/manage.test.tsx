import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { ManageRight } from '#shared/domain/manage/manage.ts'
import { err, ok } from '#shared/lib/app-error.ts'
import { aConnection, aSession, createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { type ManagePage, createRegistry } from '../../registry/feature.ts'
import { BulkBar, Listed, Needs } from './Page.tsx'
import { FindList, type Found } from './FindList.tsx'
import { ManageNav, ManageView } from './Manage.tsx'
import { useLoaded, usePagesOf } from './loading.ts'

afterEach(cleanup)

const page = (order: number, right: ManageRight, group: ManagePage['group']): ManagePage => ({
  order,
  icon: 'ban',
  right,
  group,
  component: () => <p>{`page of ${right}`}</p>,
})
const registry = createRegistry([{ manage: { bans: page(30, 'review', 'moderation') } }])

function aBridge(rights: readonly ManageRight[], offline = false) {
  return createFakeBridge({
    rows: {
      session: { self: aSession() },
      connection: { self: aConnection(offline ? { state: 'unhealthy', offline } : {}) },
      ...(rights.length === 0 ? {} : { manage: { self: { rights, source: 'role', changes: {} } } }),
    },
  })
}

test('only pages that the viewer has a right for are listed, and the way back is first', async () => {
  const onBack = vi.fn<() => void>()
  await renderInApp(<ManageNav page="bans" onBack={onBack} />, aBridge(['review']), 'en', registry)
  const link = screen.getByRole('link', { name: 'Bans and mutes' })
  expect(link.getAttribute('aria-current')).toBe('page')
  await userEvent.click(screen.getByRole('button', { name: /Back to Cairn Maps/ }))
  expect(onBack).toHaveBeenCalledOnce()
  cleanup()
  await renderInApp(<ManageNav page="bans" onBack={onBack} />, aBridge(['rules']), 'en', registry)
  expect(screen.queryByRole('link')).toBeNull()
})

test('a page whose right is taken away while it is open says so', async () => {
  const bridge = aBridge(['review'])
  await renderInApp(<ManageView page="bans" />, bridge, 'en', registry)
  expect(screen.getByText('page of review')).toBeTruthy()
  act(() => bridge.change({}, [], { manage: ['self'] }))
  expect(await screen.findByText('Your permissions have changed')).toBeTruthy()
  expect(screen.queryByText('page of review')).toBeNull()
})

test('a control without its right names the right in words', async () => {
  const control = (
    <Needs right="ban-everywhere">
      <button type="button">Ban</button>
    </Needs>
  )
  await renderInApp(control, aBridge(['review']))
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.getByText('You need the permission “Ban from the whole workspace”')).toBeTruthy()
  cleanup()
  await renderInApp(control, aBridge(['ban-everywhere']))
  expect(screen.getByRole('button', { name: 'Ban' })).toBeTruthy()
})

test('a list that could not be loaded says why, and what to do', async () => {
  const again = vi.fn<() => void>()
  const list = { rows: [], loading: false, error: { code: 'manage/not-allowed' }, again }
  const shown = (
    <Listed list={list} empty={{ scene: 'done', title: 'Nothing' }}>
      rows
    </Listed>
  )
  await renderInApp(shown, aBridge(['review']))
  expect(screen.getByText(/You don’t have permission to do this/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(again).toHaveBeenCalledOnce()
  cleanup()
  await renderInApp(shown, aBridge(['review'], true))
  expect(screen.getByText('You’re offline')).toBeTruthy()
})

test('the bar of a selection says how many and clears it', async () => {
  const onClear = vi.fn<() => void>()
  await renderInApp(
    <BulkBar count={3} onClear={onClear}>
      <button type="button">Unban 3</button>
    </BulkBar>,
    aBridge(['review']),
  )
  expect(screen.getByRole('toolbar', { name: '3 selected' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Clear selection' }))
  expect(onClear).toHaveBeenCalledOnce()
})

type Loaded = Parameters<typeof usePagesOf<string>>[0]

function Names({ load, query, version }: { readonly load: Loaded; readonly query: string; readonly version: number }) {
  const { rows, next, loading } = usePagesOf(load, query, version)
  return (
    <button type="button" onClick={next}>
      {loading ? 'loading' : rows.join(' ')}
    </button>
  )
}

test('a paged list grows page by page, starts anew for another query and loads again for a new version', async () => {
  const load = vi.fn<Loaded>((offset) => Promise.resolve(ok({ rows: [`from ${offset}`], more: offset < 1 })))
  const { rerender } = render(<Names load={load} query="a" version={0} />)
  expect(screen.getByText('loading')).toBeTruthy()
  expect(await screen.findByText('from 0')).toBeTruthy()
  await userEvent.click(screen.getByRole('button'))
  expect(await screen.findByText('from 0 from 1')).toBeTruthy()
  await userEvent.click(screen.getByRole('button'))
  const before = load.mock.calls.length
  rerender(<Names load={load} query="a" version={1} />)
  await waitFor(() => expect(load.mock.calls.slice(before)).toEqual([[0], [1]]))
  expect(screen.getByText('from 0 from 1')).toBeTruthy()
  rerender(<Names load={load} query="b" version={1} />)
  expect(screen.getByText('loading')).toBeTruthy()
  await waitFor(() => expect(screen.getByText('from 0')).toBeTruthy())
})

test('the reply to an earlier query is not shown for a later one', async () => {
  const first = Promise.withResolvers<Awaited<ReturnType<Loaded>>>()
  const load = vi.fn<Loaded>(() => Promise.resolve(ok({ rows: ['late query'], more: false })))
  load.mockImplementationOnce(() => first.promise)
  const { rerender } = render(<Names load={load} query="a" version={0} />)
  rerender(<Names load={load} query="b" version={0} />)
  expect(await screen.findByText('late query')).toBeTruthy()
  await act(async () => first.resolve(ok({ rows: ['early query'], more: false })))
  expect(screen.queryByText('early query')).toBeNull()
})

test('Enter chooses among what was found for the typed text, not for an earlier one', async () => {
  const onChoose = vi.fn<(found: Found) => void>()
  const find = (text: string): readonly Found[] =>
    ['Ann', 'Bob'].filter((name) => name.startsWith(text)).map((name) => ({ id: name, name }))
  render(
    <FindList
      label="Person"
      find={find}
      renderSign={() => null}
      searching="Searching"
      nothing="Nobody"
      onChoose={onChoose}
    />,
  )
  await screen.findByRole('option', { name: 'Ann' })
  await userEvent.type(screen.getByRole('combobox'), 'Bo{Enter}')
  expect(onChoose).not.toHaveBeenCalled()
  await waitFor(() => expect(screen.queryByRole('option', { name: 'Ann' })).toBeNull())
  await userEvent.keyboard('{Enter}')
  expect(onChoose).toHaveBeenCalledExactlyOnceWith({ id: 'Bob', name: 'Bob' })
})

test('a query is being loaded also if the one before it failed', async () => {
  const failing: Loaded = () => Promise.resolve(err({ code: 'server/unavailable' }))
  const pending: Loaded = () => new Promise(() => undefined)
  const { rerender } = render(<Names load={failing} query="a" version={0} />)
  await waitFor(() => expect(screen.queryByText('loading')).toBeNull())
  rerender(<Names load={pending} query="b" version={0} />)
  expect(screen.getByText('loading')).toBeTruthy()
})

type Asked = NonNullable<Parameters<typeof useLoaded<string>>[0]>

/** What is loaded by one command after another, and again for each new version. */
function Answer({ loads }: { readonly loads: readonly Asked[] }) {
  const [at, setAt] = useState(0)
  const [version, setVersion] = useState(0)
  const { value, error, loading, asking, again } = useLoaded(loads[at], version)
  const facts = [value, error?.code, loading ? 'loading' : undefined, asking ? 'asking' : undefined]
  return (
    <>
      <output>{facts.filter((each) => each !== undefined).join(', ')}</output>
      <button type="button" onClick={again}>
        Again
      </button>
      <button type="button" onClick={() => setVersion(version + 1)}>
        Newer
      </button>
      <button type="button" onClick={() => setAt(at + 1)}>
        Other
      </button>
    </>
  )
}

const shown = () => screen.getByRole('status').textContent
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

/** A command whose answers are given by hand, in the order in which it was asked. */
function aCommand() {
  const asked: PromiseWithResolvers<Awaited<ReturnType<Asked>>>[] = []
  const load: Asked = () => {
    const answer = Promise.withResolvers<Awaited<ReturnType<Asked>>>()
    asked.push(answer)
    return answer.promise
  }
  const answer = (to: Awaited<ReturnType<Asked>>) => act(async () => asked.at(-1)?.resolve(to))
  return { load, asked, answer }
}

test('a value stays while it is loaded again and when that fails, and can then be asked for again', async () => {
  const { load, answer } = aCommand()
  await renderInApp(<Answer loads={[load]} />, aBridge(['review']))
  expect(shown()).toBe('loading, asking')
  await answer(ok('first'))
  expect(shown()).toBe('first')
  await press('Newer')
  expect(shown()).toBe('first, asking')
  await answer(err({ code: 'server/unavailable' }))
  expect(shown()).toBe('first, server/unavailable')
  await press('Again')
  expect(shown()).toBe('first, server/unavailable, asking')
  await answer(ok('second'))
  expect(shown()).toBe('second')
})

test('an answer that comes late, or to another command, is not shown', async () => {
  const [one, other] = [aCommand(), aCommand()]
  await renderInApp(<Answer loads={[one.load, other.load]} />, aBridge(['review']))
  await press('Newer')
  await one.answer(ok('new'))
  await act(async () => one.asked.at(-2)?.resolve(ok('late')))
  expect(shown()).toBe('new')
  await press('Newer')
  await press('Other')
  expect(shown()).toBe('loading, asking')
  await one.answer(ok('late'))
  expect(shown()).toBe('loading, asking')
  await other.answer(ok('other'))
  expect(shown()).toBe('other')
  await press('Other')
  expect(shown()).toBe('')
})
