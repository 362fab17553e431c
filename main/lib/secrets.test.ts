import { scryptSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { invitationKey, passphraseKey } from './secrets.ts'

test('a passphrase is derived at the cost that version 1 of the files has, in the form of NFKC', async () => {
  const salt = Buffer.alloc(16, 7)
  const { key, check } = await passphraseKey('zażółć ﬁve lamps', salt)
  const cost = { N: 131_072, r: 8, p: 1, maxmem: 268_435_456 }

  expect(Buffer.concat([key, check])).toEqual(scryptSync('zażółć five lamps', salt, 48, cost))
})

test('the secret of an invitation is derived at a cost too', async () => {
  const { id, key } = await invitationKey('secret')
  const derived = scryptSync('secret', 'parlor invitation 1', 48, { N: 16_384, r: 8, p: 1, maxmem: 67_108_864 })

  expect(`${id} ${key}`).toBe(`${derived.toString('base64url', 0, 16)} ${derived.toString('base64url', 16)}`)
})
