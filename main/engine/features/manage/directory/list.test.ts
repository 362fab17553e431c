import { expect, test } from 'vitest'
import type { ServerAccess } from '#main/engine/context.ts'
import { aLoneEngine, aWireUser, FakeApi } from '#kit/lone-engine.ts'

/** The contract ends the list of people at an offset of 1,000. */

type Asked = { readonly payload: { readonly offset: number; readonly limit: number } }

async function listing(count: number, source: ServerAccess['source']) {
  const api = new FakeApi().on('QueryUsers', ({ body }) => {
    const { offset, limit } = (body as Asked).payload
    const size = Math.max(0, Math.min(limit, count - offset))
    return { users: Array.from({ length: size }, (_, at) => aWireUser(`u${offset + at}`)) }
  })
  const lone = await aLoneEngine({ server: { source, api: () => Promise.resolve(api) } })
  await lone.online()
  const sort = { by: 'name', direction: 1 } as const
  return (offset: number, state?: 'deactivated') =>
    lone.engine.handlers.directory.list({ find: '', roles: [], teams: [], sort, offset, state }, lone.client)
}

test('the last page that the contract has says that there are further people', async () => {
  const list = await listing(5_000, 'secret')
  expect(await list(900)).toMatchObject({ more: true })
  const last = await list(1_000)
  expect(last.people).toHaveLength(100)
  expect(last).toMatchObject({ more: false, cut: true })
  expect(await list(0, 'deactivated')).toMatchObject({ more: false, cut: true })
})

test('a list that ends before is not cut', async () => {
  const list = await listing(1_050, 'secret')
  const last = await list(1_000)
  expect(last.people).toHaveLength(50)
  expect(last.cut).toBeUndefined()
  expect((await list(0, 'deactivated')).cut).toBeUndefined()
})
