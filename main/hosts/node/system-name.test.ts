import { expect, test } from 'vitest'
import { systemName } from './commands.ts'

const account = () => ({ username: 'lena', uid: 1_000 })
const printing = (lines: Readonly<Record<string, string>>) => ({
  run: (argv: readonly string[]) => {
    const output = lines[argv.join(' ')]
    return output === undefined ? Promise.reject(new Error('there is no such program')) : Promise.resolve(output)
  },
})

test('the name of a Linux account is the first part of its comment', async () => {
  const commands = printing({ 'getent passwd 1000': 'lena:x:1000:1000:Lena Hoffmann,Room 4,,:/home/lena:/bin/sh\n' })
  expect(await systemName('linux', commands, account)).toBe('Lena Hoffmann')
})

test('an account whose only name is the one to sign in with has none', async () => {
  const commands = printing({ 'getent passwd 1000': 'lena:x:1000:1000:Lena,,,:/home/lena:/bin/sh\n' })
  expect(await systemName('linux', commands, account)).toBe('')
  expect(await systemName('linux', printing({}), account)).toBe('')
})

test('macOS prints the name, Windows has it as the name of the account', async () => {
  expect(await systemName('macos', printing({ 'id -F': 'Lena Hoffmann\n' }), account)).toBe('Lena Hoffmann')
  expect(await systemName('windows', printing({}), () => ({ username: 'Lena Hoffmann', uid: -1 }))).toBe(
    'Lena Hoffmann',
  )
})
