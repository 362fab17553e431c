import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const exec = promisify(execFile)

/**
 * An empty package that provides the names another package requires, as far as an rpm system has them: the tests'
 * system uses dpkg, and rpm knows nothing of its packages. Of alternatives it provides the first.
 */
export async function systemRpm(neededBy: string): Promise<string> {
  const folder = mkdtempSync(join(dirname(neededBy), 'system-'))
  const { stdout } = await exec('rpm', ['--query', '--requires', '--package', neededBy])
  const names = stdout
    .trim()
    .split('\n')
    .filter((name) => !name.startsWith('rpmlib('))
    .map((name) => /^\((\S+) or /.exec(name)?.[1] ?? name)
  const spec = join(folder, 'system.spec')
  writeFileSync(
    spec,
    `Name: system-of-tests
Version: 1
Release: 1
Summary: What the tests' system has
License: Apache-2.0
BuildArch: noarch
${names.map((name) => `Provides: ${name}`).join('\n')}
%description
%{summary}
%files
`,
  )
  await exec('rpmbuild', ['-bb', '--quiet', '--define', `_topdir ${folder}`, spec])
  return join(folder, 'RPMS/noarch/system-of-tests-1-1.noarch.rpm')
}
