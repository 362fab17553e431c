import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Keys of passphrases that cost nothing, here and in the processes that are started from here. A real one takes half a
 * second of processor time, and a test of what happens to files derives several. What a real one costs is shown by
 * `main/lib/secrets.test.ts`; `tests/fuzz/account-file.test.ts` and `tests/contract/service/moving.test.ts` use real
 * ones.
 */
const real = crypto.scrypt

const cheap = ((...[secret, salt, bytes, , done]: Parameters<typeof real>) =>
  real(secret, salt, bytes, { N: 2, r: 1, p: 1 }, done)) as typeof real

/** Until the returned function is called. */
export function cheapKeys(): () => void {
  const { NODE_OPTIONS: before = '' } = process.env
  use(cheap)
  process.env['NODE_OPTIONS'] = `${before} --import ${import.meta.url}`
  return () => {
    use(real)
    process.env['NODE_OPTIONS'] = before
  }
}

function use(scrypt: typeof real): void {
  crypto.scrypt = scrypt
  syncBuiltinESMExports()
}

// Loaded before the code of a started process.
if (process.env['NODE_OPTIONS']?.includes(import.meta.url)) use(cheap)
