import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ElectronProcess } from './kit/electron-process.ts'
import { expect, installation, startAlone, test } from './kit/parlor.ts'

type Report = {
  readonly passed: boolean
  readonly host: string
  readonly checks: readonly { readonly name: string; readonly result: string; readonly detail: string }[]
}

const leftBehind = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('parlor-self-test-'))
/** Electron's own complaints are on the same output. */
const jsonOf = (output: string): unknown => JSON.parse(output.slice(output.indexOf('{\n'), output.lastIndexOf('}') + 1))

test('--version prints the version and ends', async ({ desktop }) => {
  const { code, output } = await startAlone(desktop, ['--version'])
  expect(output).toMatch(/^Parlor \d+\.\d+\.\d+$/m)
  expect(code).toBe(0)
})

test('--self-test passes on a whole desktop, shows nothing and leaves nothing', async ({ desktop }) => {
  const before = leftBehind()
  const { code, output } = await startAlone(desktop, ['--self-test'])
  const { passed, host, checks } = jsonOf(output) as Report
  expect({ passed, host, code }).toEqual({ passed: true, host: 'electron', code: 0 })
  expect(checks.map(({ name, result }) => `${name} ${result}`)).toEqual([
    'policies skipped',
    'folders passed',
    'databases passed',
    'keyStore passed',
    'localServer passed',
    'window passed',
    'notifications passed',
  ])
  expect(checks.find(({ name }) => name === 'keyStore')?.detail).toContain('key store of the system')
  expect(leftBehind()).toEqual(before)
})

test('--self-test fails with 1 and says which part does not work', async ({ desktop }) => {
  const { code, output } = await startAlone(desktop, ['--self-test', '--password-store=basic'])
  const { passed, checks } = jsonOf(output) as Report
  expect({ passed, code }).toEqual({ passed: false, code: 1 })
  expect(checks.filter(({ result }) => result === 'failed').map(({ name }) => name)).toEqual(['keyStore'])
})

test('without a screen a self-test and a start say so in one line; what needs none works', async ({ desktop }) => {
  const { DISPLAY: _display, ...env } = desktop.env
  const alone = async (...args: readonly string[]) => {
    const process = new ElectronProcess(installation().program, args, env)
    return { code: await process.ended(), output: process.output.join('\n') }
  }
  const line = 'Parlor needs a screen: neither DISPLAY nor WAYLAND_DISPLAY is set.'
  expect(await alone('--self-test')).toEqual({ code: 1, output: line })
  expect(await alone('--data', `${desktop.home}/screenless`)).toEqual({ code: 1, output: line })
  expect(await alone('--version')).toMatchObject({ code: 0 })
})

test.describe('policies of this device', () => {
  const folder = '/etc/parlor'
  const file = join(folder, 'policy.json')
  test.skip(process.getuid?.() !== 0, 'only root may write policies')
  test.afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('--print-policies names every value, where it came from, and what was not understood', async ({ desktop }) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, JSON.stringify({ UpdateMode: 'off', MaxUploadSize: 0, AllowTelepathy: true }))
    const { code, output } = await startAlone(desktop, ['--print-policies'])
    expect(code).toBe(1)
    expect(jsonOf(output)).toMatchObject({
      understood: false,
      sources: [{ from: file }],
      policies: {
        UpdateMode: { value: 'off', from: file },
        MaxUploadSize: { value: null, from: null },
        LockServerList: { value: null, from: null },
      },
      unknown: [{ name: 'AllowTelepathy', from: file }],
      refused: [{ name: 'MaxUploadSize', from: file }],
    })
  })

  test('a policy file that is not JSON is named, and Parlor still starts', async ({ desktop }) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, '{"UpdateMode": off')
    const printed = await startAlone(desktop, ['--print-policies'])
    expect(printed.code).toBe(1)
    expect(jsonOf(printed.output)).toMatchObject({ sources: [{ from: file, problem: 'not-policies' }] })
    const tested = await startAlone(desktop, ['--self-test'])
    expect((jsonOf(tested.output) as Report).checks.filter(({ result }) => result === 'failed')).toEqual([
      expect.objectContaining({ name: 'policies', detail: expect.stringContaining(file) }),
    ])
  })
})
