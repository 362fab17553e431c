import { expect, test } from 'vitest'
import { nodeCommands } from './commands.ts'

const node = (script: string, ...rest: string[]) => nodeCommands.run([process.execPath, '-e', script, ...rest])

test('the result is what the program prints', async () => {
  expect(await node('console.log("token")')).toBe('token\n')
})

test('arguments stay arguments: no shell reads them', async () => {
  expect(await node('console.log(process.argv[1])', '$(echo no) && x')).toBe('$(echo no) && x\n')
})

test.each([
  ['a program that fails', () => node('process.exit(3)'), 'it ended with 3'],
  ['one that is not there', () => nodeCommands.run(['/no/such/program']), 'there is no such program'],
  ['an empty line', () => nodeCommands.run([]), 'there is no such program'],
])('%s is refused with a plain reason', async (_what, run, reason) => {
  await expect(run()).rejects.toThrow(reason)
})

test('the output of a failing program is not in the message', async () => {
  await expect(node('console.log("half-a-secret"); process.exit(1)')).rejects.not.toThrow('half-a-secret')
})
