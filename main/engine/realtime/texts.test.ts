import { expect, test } from 'vitest'
import { createNewConnection } from '#kit/one-connection.ts'

/** Texts fixed by the contract. */
async function lossesLogged(
  what: (made: ReturnType<typeof createNewConnection>) => Promise<unknown>,
): Promise<unknown[]> {
  const texts: unknown[] = []
  const made = createNewConnection(undefined, 1, (_level, _area, event, fields) => {
    if (event === 'lost') texts.push((fields as { text: string }).text)
  })
  made.connection.start()
  await made.clock.settle()
  await what(made)
  return texts
}

test('a connection that ends is reported with its code and reason', async () => {
  const texts = await lossesLogged(async ({ sockets, clock }) => {
    sockets.latest.end(1_006, 'gone')
    await clock.settle()
  })
  expect(texts).toEqual(['WS failed with code 1006 and reason - gone'])
})

test('a first connection that never succeeds is reported as such', async () => {
  const texts = await lossesLogged(({ clock }) => clock.advance(15_000))
  expect(texts).toEqual(['WS failed with code 0 and reason - initial WS connection could not be established'])
})
