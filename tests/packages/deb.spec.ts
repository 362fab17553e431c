import { existsSync } from 'node:fs'
import { defaultDataFolder } from '#main/hosts/node/profile.ts'
import type { SelfTestReport } from '#main/app/self-test.ts'
import { CID, commandOfEntry, expect, packages, printedBy, Started, test } from './kit/installed.ts'

const { older, newer } = packages

test('a deb is installed, started from its entry, upgraded with its data, removed and purged', async ({
  computer,
  desktop,
}) => {
  const data = defaultDataFolder('linux', {}, desktop.home)
  await test.step('dpkg installs it with all its dependencies', async () => {
    await computer.done('dpkg', '--install', older.deb)
    expect(await computer.done('dpkg-query', '--show', '--showformat=${Version} ${db:Status-Status}', 'parlor')).toBe(
      '0.0.9 installed',
    )
    expect(await computer.done('readlink', '--canonicalize', '/usr/bin/parlor')).toBe('/opt/Parlor/parlor\n')
  })

  const command = await commandOfEntry(computer)
  expect(command).toBe('/opt/Parlor/parlor')
  const program = computer.asUser(command)
  await test.step('it starts, and a message is sent', async () => {
    const started = await Started.start(program, desktop)
    await started.screen.send(CID, 'Before the upgrade')
    await expect(started.screen.message(CID, 'Before the upgrade')).not.toContainText('Sending')
    // The fuse of the inspector is off.
    expect(started.output).not.toContain('Debugger listening')
    await started.quit()
  })

  await test.step('the newer version replaces it, and finds the data', async () => {
    await computer.done('dpkg', '--install', newer.deb)
    expect(await computer.done('dpkg-query', '--show', '--showformat=${Version}', 'parlor')).toBe('0.1.0')
    expect(await computer.done('readlink', '--canonicalize', '/usr/bin/parlor')).toBe('/opt/Parlor/parlor\n')
    // Empty if every file is as it was packed.
    expect(await computer.done('dpkg', '--verify', 'parlor')).toBe('')
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
    await computer.done('sh', '-c', `mkdir /etc/parlor && echo '${policies}' > /etc/parlor/policy.json`)
    const { code, output } = await printedBy(program, desktop, ['--print-policies'])
    const from = '/etc/parlor/policy.json'
    expect(JSON.parse(output)).toMatchObject({
      understood: false,
      policies: { Organization: { value: 'Cairn Maps', from }, UpdateMode: { value: 'off', from } },
    })
    // The unknown name.
    expect(output).toContain('AllowTeleport')
    expect(code).toBe(1)
    await computer.done('rm', '-r', '/etc/parlor')
  })

  await test.step('the previous version can be installed again', async () => {
    await computer.done('dpkg', '--install', older.deb)
    expect(await computer.done('dpkg-query', '--show', '--showformat=${Version}', 'parlor')).toBe('0.0.9')
    expect(await computer.has('/usr/bin/parlor')).toBe(true)
  })

  await test.step('removed and purged, it leaves nothing but the profile', async () => {
    await computer.done('dpkg', '--remove', 'parlor')
    expect(await computer.has('/usr/bin/parlor')).toBe(false)
    await computer.done('dpkg', '--purge', 'parlor')
    expect(computer.changes().filter((path) => !SYSTEM_FILES.test(path))).toEqual([])
    expect(existsSync(data)).toBe(true)
  })
})

/** The package manager's own records, and caches that it writes again. */
const SYSTEM_FILES =
  /^\/(var\/(lib\/dpkg|log|cache)|usr\/share\/applications\/mimeinfo\.cache|usr\/share\/icons\/hicolor\/icon-theme\.cache)/
