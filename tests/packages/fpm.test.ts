import { expect, test } from 'vitest'
import { readRequest } from '../../.ci/packaging/fpm.ts'

/** The arguments of electron-builder 26 for a deb. */
const ARGUMENTS = [
  ['-s', 'dir', '--force', '-t', 'deb', '-d', 'libgtk-3-0', '-d', 'libnss3', '--deb-recommends', 'libappindicator3-1'],
  ['--deb-compression', 'xz', '--architecture', 'amd64', '--after-install', '/tmp/after-install'],
  ['--description', 'Chat\n A calm client.', '--version', '0.1.0', '--package', '/dist/parlor.deb', '--name', 'parlor'],
  ['--license=Apache-2.0', '/dist/linux-unpacked/=/opt/Parlor', '/r/16x16.png=/usr/share/icons/16x16/parlor.png'],
].flat()

test('the arguments of electron-builder for fpm are understood', () => {
  const { options, contents } = readRequest(ARGUMENTS)
  expect(options.get('type')).toEqual(['deb'])
  expect(options.get('depends')).toEqual(['libgtk-3-0', 'libnss3'])
  expect(options.get('license')).toEqual(['Apache-2.0'])
  expect(options.get('description')).toEqual(['Chat\n A calm client.'])
  expect(contents).toEqual([
    { from: '/dist/linux-unpacked/', to: '/opt/Parlor' },
    { from: '/r/16x16.png', to: '/usr/share/icons/16x16/parlor.png' },
  ])
})

test.each([
  [['--deb-systemd', 'parlor.service'], '--deb-systemd is not supported.'],
  [['-C', '/dist'], '-C is not supported.'],
  [['/dist/linux-unpacked/'], '/dist/linux-unpacked/ does not say where it is installed.'],
  [['--version'], '--version needs a value.'],
])('unsupported arguments are refused: %j', (args, problem) => {
  expect(() => readRequest([...ARGUMENTS, ...args])).toThrow(problem)
})
