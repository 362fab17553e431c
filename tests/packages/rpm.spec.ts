import { existsSync } from 'node:fs'
import { defaultDataFolder } from '#main/hosts/node/profile.ts'
import { systemRpm } from './kit/system-rpm.ts'
import { CID, commandOfEntry, expect, packages, Started, test } from './kit/installed.ts'

const { older, newer } = packages

test('an rpm is installed, verified, started, upgraded with its data and erased', async ({ machine, desktop }) => {
  const data = defaultDataFolder('linux', {}, desktop.home)
  await test.step('rpm refuses it where a dependency is missing', async () => {
    const refused = await machine.run('rpm', '--install', older.rpm)
    expect(refused.code).not.toBe(0)
    expect(refused.output).toContain('gtk3 is needed by parlor')
  })

  await test.step('rpm installs it with all its dependencies', async () => {
    await machine.done('rpm', '--install', await systemRpm(older.rpm))
    await machine.done('rpm', '--install', older.rpm)
    expect(await machine.done('rpm', '--query', 'parlor')).toBe('parlor-0.0.9-1.x86_64\n')
    expect(await machine.done('readlink', '--canonicalize', '/usr/bin/parlor')).toBe('/opt/Parlor/parlor\n')
  })

  const program = machine.asUser(await commandOfEntry(machine))
  await test.step('it starts, and a message is sent', async () => {
    const started = await Started.start(program, desktop)
    await started.screen.send(CID, 'Before the upgrade')
    await expect(started.screen.message(CID, 'Before the upgrade')).not.toContainText('Sending')
    await started.quit()
  })

  await test.step('the newer version replaces it, and finds the data', async () => {
    await machine.done('rpm', '--upgrade', newer.rpm)
    expect(await machine.done('rpm', '--query', 'parlor')).toBe('parlor-0.1.0-1.x86_64\n')
    // The removal scripts of the older version must leave this to the newer one.
    expect(await machine.done('readlink', '--canonicalize', '/usr/bin/parlor')).toBe('/opt/Parlor/parlor\n')
    expect(await machine.done('rpm', '--verify', '--nodeps', 'parlor')).toBe('')
    const started = await Started.start(program, desktop)
    await expect(started.screen.message(CID, 'Before the upgrade')).toBeVisible()
    await started.quit()
  })

  await test.step('the previous version can be installed again', async () => {
    await machine.done('rpm', '--upgrade', '--oldpackage', older.rpm)
    expect(await machine.done('rpm', '--query', 'parlor')).toBe('parlor-0.0.9-1.x86_64\n')
    expect(await machine.has('/usr/bin/parlor')).toBe(true)
  })

  await test.step('erased, it leaves nothing but the profile', async () => {
    await machine.done('rpm', '--erase', 'parlor')
    expect(machine.changes().filter((path) => !SYSTEM_FILES.test(path))).toEqual([])
    expect(existsSync(data)).toBe(true)
  })
})

/** The package manager's own records, and caches that it writes again. */
const SYSTEM_FILES =
  /^\/(root\/\.rpmdb|var\/(lib\/(rpm|dpkg)|log|cache)|usr\/share\/applications\/mimeinfo\.cache|usr\/share\/icons\/hicolor\/icon-theme\.cache)/
