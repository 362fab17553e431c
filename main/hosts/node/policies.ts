import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { userInfo } from 'node:os'
import type { HostInfo } from '#shared/bridge/transport.ts'
import type { Managed } from '#shared/domain/desktop/policies.ts'
import { type FoundPolicies, readPolicies, readRegistryOutput } from '#main/settings/policies/policies.ts'

/** Where an administrator of Linux writes them. */
export const LINUX_POLICIES = '/etc/parlor/policy.json'
/** Those of the user first: those of the device override them. */
export const REGISTRY_KEYS = [
  String.raw`HKCU\SOFTWARE\Policies\Parlor`,
  String.raw`HKLM\SOFTWARE\Policies\Parlor`,
] as const
const MANAGED_PREFERENCES = '/Library/Managed Preferences'
const PREFERENCES = 'chat.parlor.desktop.plist'
/** A system that does not respond must not keep the app from starting. */
const PATIENCE_MS = 3_000

/** The sources of policies: the disk, and the programs of macOS and Windows that print them. */
export type PolicyOutside = {
  readonly userName: string
  /** Absent where there is no such file; throws when it is there and cannot be read. */
  readonly read: (path: string) => string | undefined
  readonly exists: (path: string) => boolean
  /** Standard output. Throws when the program ends with anything but success. */
  readonly run: (program: string, args: readonly string[]) => string
}

/** The policies of this device, read once at the start; absent where there are none. */
export function devicePolicies(os: HostInfo['os'], outside: PolicyOutside = thisDevice()): Managed | undefined {
  switch (os) {
    case 'linux':
      return readPolicies(ofFile(LINUX_POLICIES, outside))
    case 'macos':
      return readPolicies(
        [join(MANAGED_PREFERENCES, outside.userName, PREFERENCES), join(MANAGED_PREFERENCES, PREFERENCES)].flatMap(
          (path) => ofPreferences(path, outside),
        ),
      )
    case 'windows':
      return readPolicies(REGISTRY_KEYS.flatMap((key) => ofRegistry(key, outside)))
  }
}

function ofFile(path: string, { read }: PolicyOutside): readonly FoundPolicies[] {
  try {
    const text = read(path)
    return text === undefined ? [] : [{ from: path, values: jsonOf(text) }]
  } catch {
    // It exists, but this user cannot read it: reported.
    return [{ from: path, values: undefined, unreadable: true }]
  }
}

function ofPreferences(path: string, { exists, run }: PolicyOutside): readonly FoundPolicies[] {
  if (!exists(path)) return []
  try {
    return [{ from: path, values: jsonOf(run('/usr/bin/plutil', ['-convert', 'json', '-o', '-', path])) }]
  } catch {
    return [{ from: path, values: undefined, unreadable: true }]
  }
}

function ofRegistry(key: string, { run }: PolicyOutside): readonly FoundPolicies[] {
  try {
    return [{ from: key, values: readRegistryOutput(run('reg.exe', ['query', key, '/reg:64'])) }]
  } catch {
    // `reg` fails like this for a missing key, which is normal.
    return []
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

const thisDevice = (): PolicyOutside => ({
  get userName() {
    return userInfo().username
  },
  exists: existsSync,
  read(path) {
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
      throw error
    }
  },
  run: (program, args) =>
    execFileSync(program, [...args], { encoding: 'utf8', timeout: PATIENCE_MS, windowsHide: true, stdio: 'pipe' }),
})
