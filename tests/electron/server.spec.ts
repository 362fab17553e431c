import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ElectronProcess } from './kit/electron-process.ts'
import { expect, installation, test } from './kit/parlor.ts'

/** For Chromium: it starts without a screen. */
const NO_SCREEN = '--ozone-platform=headless'

type Listening = { readonly event: string; readonly url: string; readonly apiKey: string }

const leftBehind = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('parlor-server-'))

test('--server runs the server without a screen, a window or a profile, and ends by SIGTERM with 0', async ({
  desktop,
}) => {
  const { DISPLAY: _display, ...env } = desktop.env
  const data = join(desktop.home, 'team')
  const before = leftBehind()
  const program = new ElectronProcess(installation().program, ['--server', NO_SCREEN, '--data', data], env)
  const listening = (): Listening | undefined => {
    const line = program.output.find((each) => each.startsWith('{"event":"listening"'))
    return line === undefined ? undefined : (JSON.parse(line) as Listening)
  }
  await expect.poll(listening, { timeout: 20_000 }).toBeDefined()
  const health = await fetch(`${listening()?.url ?? ''}/health`)
  const body = (await health.json()) as { status: string }
  program.child.kill('SIGTERM')

  expect(body.status).toBe('ok')
  expect(await program.ended()).toBe(0)
  expect(existsSync(join(data, 'server.db'))).toBe(true)
  expect(existsSync(join(data, 'server.db-wal'))).toBe(false)
  expect(readdirSync(data)).not.toContain('profile.lock')
  expect(leftBehind()).toEqual(before)
})

test('--server runs beside Parlor, knows every command and refuses what it does not know', async ({ desktop }) => {
  const { DISPLAY: _display, ...env } = desktop.env
  const alone = async (...args: readonly string[]) => {
    const process = new ElectronProcess(installation().program, ['--server', ...args], env)
    return { code: await process.ended(), output: process.output.join('\n') }
  }
  const help = await alone(NO_SCREEN, '--help')
  const wrong = await alone(NO_SCREEN, 'dance', '--data', 'd')
  const screenless = await alone('--help')

  expect(help.code).toBe(0)
  expect(help.output).toContain('Usage: npm run server')
  expect(wrong).toMatchObject({ code: 2, output: expect.stringContaining('Unknown command dance.') })
  expect(screenless).toMatchObject({ code: 1, output: expect.stringContaining('There is no screen.') })
})
