import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultDataFolder } from '#main/hosts/node/profile.ts'
import type { SelfTestReport } from '#main/app/self-test.ts'
import { ElectronProcess } from '../electron/kit/electron-process.ts'
import { pressKeys, windowTitles } from '../electron/kit/keyboard.ts'
import { root } from './kit/root.ts'
import { CID, commandOfEntry, expect, packages, printedBy, Started, test } from './kit/installed.ts'

const { older, newer } = packages

test('a deb is installed, started from its entry, upgraded with its data, removed and purged', async ({
  machine,
  desktop,
}) => {
  const data = defaultDataFolder('linux', {}, desktop.home)
  await test.step('dpkg installs it with all its dependencies', async () => {
    await machine.done('dpkg', '--install', older.deb)
    expect(await machine.done('dpkg-query', '--show', '--showformat=${Version} ${db:Status-Status}', 'parlor')).toBe(
      '0.0.9 installed',
    )
    expect(await machine.done('readlink', '--canonicalize', '/usr/bin/parlor')).toBe('/opt/Parlor/parlor\n')
  })

  const command = await commandOfEntry(machine)
  expect(command).toBe('/opt/Parlor/parlor')
  const program = machine.asUser(command)
  await test.step('it starts, and a message is sent', async () => {
    const started = await Started.start(program, desktop)
    await started.screen.send(CID, 'Before the upgrade')
    await expect(started.screen.message(CID, 'Before the upgrade')).not.toContainText('Sending')
    // The fuse of the inspector is off.
    expect(started.output).not.toContain('Debugger listening')
    await started.quit()
  })

  await test.step('the newer version replaces it, and finds the data', async () => {
    // From the file, without a network.
    await machine.done('apt-get', 'install', '--yes', '--quiet', newer.deb)
    expect(await machine.done('dpkg-query', '--show', '--showformat=${Version}', 'parlor')).toBe('0.1.0')
    expect(await machine.done('readlink', '--canonicalize', '/usr/bin/parlor')).toBe('/opt/Parlor/parlor\n')
    // Empty if every file is as it was packed.
    expect(await machine.done('dpkg', '--verify', 'parlor')).toBe('')
    const started = await Started.start(program, desktop)
    await expect(started.screen.message(CID, 'Before the upgrade')).toBeVisible()
    await started.quit()
  })

  await test.step('an administrator verifies the installation', async () => {
    const version = await printedBy(program, desktop, ['--version'])
    expect(version).toEqual({ code: 0, output: 'Parlor 0.1.0' })
    const { code, output } = await printedBy(program, desktop, ['--self-test'])
    const report = JSON.parse(output.slice(output.indexOf('{\n'))) as SelfTestReport
    expect(report.checks.filter(({ result }) => result === 'failed')).toEqual([])
    expect(report.checks.filter(({ result }) => result === 'passed').map(({ name }) => name)).toEqual(
      expect.arrayContaining(['folders', 'databases', 'keyStore', 'localServer', 'window', 'notifications']),
    )
    expect(code).toBe(0)
  })

  await test.step('and configures it by a file', async () => {
    const policies = JSON.stringify({ Organization: 'Cairn Maps', UpdateMode: 'off', AllowTeleport: true })
    await machine.done('sh', '-c', `mkdir /etc/parlor && echo '${policies}' > /etc/parlor/policy.json`)
    const { code, output } = await printedBy(program, desktop, ['--print-policies'])
    const from = '/etc/parlor/policy.json'
    expect(JSON.parse(output)).toMatchObject({
      understood: false,
      policies: { Organization: { value: 'Cairn Maps', from }, UpdateMode: { value: 'off', from } },
    })
    // The unknown name.
    expect(output).toContain('AllowTeleport')
    expect(code).toBe(1)
    await machine.done('rm', '-r', '/etc/parlor')
  })

  await test.step('or by the file and the commands that docs/it.md names, which are understood completely', async () => {
    const text = readFileSync(join(root, 'docs/it.md'), 'utf8')
    const [, commands = ''] = /^```sh\n(install [^`]+)```/m.exec(text) ?? []
    const [, policies = ''] = /^```json\n([^`]+)```/m.exec(text) ?? []
    const folder = mkdtempSync(join(tmpdir(), 'parlor-policies-'))
    writeFileSync(join(folder, 'policy.json'), policies)
    await machine.done('sh', '-e', '-c', `cd ${folder}\n${commands}`)
    rmSync(folder, { recursive: true })
    const { code, output } = await printedBy(program, desktop, ['--print-policies'])
    const values = JSON.parse(policies) as Record<string, unknown>
    const report = JSON.parse(output) as { readonly policies: Readonly<Record<string, { readonly value: unknown }>> }
    expect(Object.keys(values).length).toBeGreaterThan(0)
    for (const [name, value] of Object.entries(values)) expect(report.policies[name], name).toMatchObject({ value })
    expect(code).toBe(0)
    await machine.done('rm', '-r', '/etc/parlor')
  })

  await test.step('the previous version can be installed again', async () => {
    await machine.done('dpkg', '--install', older.deb)
    expect(await machine.done('dpkg-query', '--show', '--showformat=${Version}', 'parlor')).toBe('0.0.9')
    expect(await machine.has('/usr/bin/parlor')).toBe(true)
  })

  const display = desktop.env['DISPLAY'] ?? ''
  /** Reported in a window of the system, which closes the program, and in its output. */
  const reported = async (args: readonly string[], line: string): Promise<void> => {
    const started = new ElectronProcess(program, args, desktop.env)
    await expect.poll(() => windowTitles(display)).toContain('Parlor couldn’t start')
    expect(started.output.join('\n')).toContain(line)
    await expect(async () => {
      await pressKeys(display, ['Enter'])
      expect(started.child.exitCode).toBe(1)
    }).toPass()
  }
  await test.step('a folder that it cannot write to is reported in a window', async () => {
    await reported(
      ['--data', '/usr/share/elsewhere'],
      'Parlor cannot write to its folder /usr/share/elsewhere (EACCES).',
    )
    expect(await machine.has('/usr/share/elsewhere')).toBe(false)
  })

  await test.step('a profile that it cannot read is reported in a window, and is not changed', async () => {
    const [outbox = ''] = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('outbox.db'),
    )
    const file = join(data, outbox)
    const bytes = readFileSync(file)
    // The schema’s version, far beyond every existing one.
    bytes.writeUInt32BE(900_000, 60)
    writeFileSync(file, bytes)
    await reported([], 'This profile was created by a newer version of Parlor.')
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })

  await test.step('removed and purged, it leaves nothing but the profile', async () => {
    await machine.done('dpkg', '--remove', 'parlor')
    expect(await machine.has('/usr/bin/parlor')).toBe(false)
    await machine.done('dpkg', '--purge', 'parlor')
    expect(machine.changes().filter((path) => !SYSTEM_FILES.test(path))).toEqual([])
    expect(existsSync(data)).toBe(true)
  })
})

/** The package manager's own records, and caches that it writes again. */
const SYSTEM_FILES =
  /^\/(var\/(lib\/(dpkg|apt)|log|cache)|usr\/share\/applications\/mimeinfo\.cache|usr\/share\/icons\/hicolor\/icon-theme\.cache)/
