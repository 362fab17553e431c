import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#main/lib/clock.ts'
import { readArguments } from '#main/server/command-line/arguments.ts'
import { runServerCommand } from '#main/server/command-line/commands.ts'
import { openDb } from '#main/server/store/db.ts'
import { DISCORD, MATTERMOST, SLACK, TELEGRAM_CHAT, writeFolder, writeZip } from './samples.ts'

/** `npm run server -- import`. */

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlor-import-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]) => command('import', ...args)

async function command(...args: string[]): Promise<Record<string, unknown>[]> {
  const given = readArguments([...args, '--data', join(folder, 'data')])
  if (typeof given === 'string') throw new Error(given)
  const { mkdirSync } = await import('node:fs')
  mkdirSync(join(folder, 'data'), { recursive: true })
  let printed = ''
  const out = new Writable({
    write(part, _encoding, done) {
      printed += String(part)
      done()
    },
  })
  await runServerCommand(given, { clock: systemClock, secret: undefined, out })
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

const slack = (): string => writeZip(join(folder, 'slack.zip'), SLACK)

test('a dry run prints what would come, by kind, and imports nothing', async () => {
  const lines = await run(slack(), '--dry-run')

  expect(lines[0]).toMatchObject({ event: 'check', source: 'slack', figures: { messages: 8, known: 0 } })
  expect(lines.filter(({ event }) => event === 'person')).toHaveLength(4)
  expect(lines.filter(({ event }) => event === 'channel')).toHaveLength(4)
  expect((await run(slack(), '--dry-run'))[0]).toMatchObject({ figures: { known: 0 } })
})

test('an import ends with its report, and adds nothing the second time', async () => {
  const first = await run(slack(), '--owner', 'ann')
  const second = await run(slack(), '--owner', 'ann')

  expect(first.at(-1)).toMatchObject({ event: 'report', messages: 8, channels: 4, left: { canvases: 1 } })
  expect(second.at(-1)).toMatchObject({ event: 'report', messages: 0 })
})

test.each([
  ['mattermost', MATTERMOST],
  ['telegram', TELEGRAM_CHAT],
  ['discord', DISCORD],
])('a folder of %s is known by what is in it', async (source, files) => {
  const lines = await run(writeFolder(join(folder, source), files), '--owner', 'ann')
  expect(lines[0]).toMatchObject({ source })
})

test('the last import is undone, once, and can be imported again', async () => {
  await run(slack(), '--owner', 'ann')
  const undone = await command('undo-import')
  const again = await run(slack(), '--owner', 'ann')

  expect(undone).toEqual([{ event: 'undone', name: 'slack.zip', messages: 8 }])
  expect(again.at(-1)).toMatchObject({ event: 'report', messages: 8, channels: 4 })
  await command('undo-import')
  await expect(command('undo-import')).rejects.toThrow('There is no import to undo.')
})

test('an undo that was ended in the middle goes on with the same command', async () => {
  await run(slack(), '--owner', 'ann')
  const db = openDb(join(folder, 'data', 'server.db'))
  db.run("UPDATE imports SET state = 'undoing'")
  db.run("DELETE FROM messages WHERE id = (SELECT key FROM imported WHERE kind = 'message' ORDER BY key LIMIT 1)")
  db.close()

  expect(await command('undo-import')).toMatchObject([{ event: 'undone' }])
  expect((await run(slack(), '--owner', 'ann')).at(-1)).toMatchObject({ messages: 8 })
})

test('without a workspace or an import there is nothing to undo', async () => {
  await expect(command('undo-import')).rejects.toThrow('There is no import to undo.')
  expect(readArguments(['undo-import', 'x', '--data', 'y'])).toBe('Unexpected x.')
})

test('what cannot be done is said in one sentence', async () => {
  await expect(run(writeFolder(join(folder, 'x'), { 'a.txt': 'x' }))).rejects.toThrow('This is no export')
  await expect(run(join(folder, 'nothing'))).rejects.toThrow('There is no such file or folder.')
  await expect(run(slack())).rejects.toThrow('There is no administrator yet.')
  expect(readArguments(['backup', 'x', '--data', 'y', '--dry-run'])).toBe('--dry-run belongs to import and move.')
  expect(readArguments(['--owner', 'ann', '--data', 'y'])).toBe('There is no command.')
})
