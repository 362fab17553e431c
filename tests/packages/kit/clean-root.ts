import { spawn } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { ORDINARY_USER } from '../../electron/kit/installation.ts'

/**
 * Runs a command in a copy of this machine's files whose changes go to a folder: as root of a separate mount
 * namespace, so that programs there can still create the sandboxes of Chromium (in a chroot they may not). Only /tmp is
 * shared.
 */
const ENTER = `#!/bin/sh
# enter LAYER COMMAND...
layer=$1
shift
exec unshare --mount --propagation private sh -c '
  set -e
  layer=$1
  shift
  mount -t overlay overlay -o "lowerdir=/,upperdir=$layer/changes,workdir=$layer/work" "$layer/root"
  cd "$layer/root"
  mkdir -p .outside
  for folder in proc dev sys tmp; do mount --rbind "/$folder" "$folder"; done
  pivot_root . .outside
  umount --lazy /.outside
  rmdir /.outside
  cd /
  exec "$@"
' enter "$layer" "$@"
`

export type Ended = { readonly code: number; readonly output: string }

/**
 * A machine on which Parlor was never installed: this one's system, with every change in a layer that is discarded.
 */
export class CleanRoot {
  readonly #layer: string

  constructor() {
    this.#layer = mkdtempSync(join(tmpdir(), 'parlor-root-'))
    chmodSync(this.#layer, 0o755)
    for (const name of ['changes', 'work', 'root']) mkdirSync(join(this.#layer, name))
    writeFileSync(this.#enter, ENTER, { mode: 0o755 })
  }

  get #enter(): string {
    return join(this.#layer, 'enter')
  }

  /** Runs a command to its end, as root. */
  async run(...command: readonly string[]): Promise<Ended> {
    const env = { PATH: process.env['PATH'] ?? '', HOME: '/root', LANG: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive' }
    // Without standard input: bash takes a socket there for a remote login.
    const child = spawn(this.#enter, [this.#layer, ...command], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const [code, output, problems] = await Promise.all([
      new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? -1))),
      text(child.stdout),
      text(child.stderr),
    ])
    return { code, output: `${output}${problems}` }
  }

  /** The same, for a command that must succeed; returns its output. */
  async done(...command: readonly string[]): Promise<string> {
    const { code, output } = await this.run(...command)
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${output}`)
    return output
  }

  async has(path: string): Promise<boolean> {
    return (await this.run('test', '-e', path)).code === 0
  }

  /** A program that runs a command there as an ordinary user. */
  asUser(...command: readonly string[]): string {
    return this.asUserAfter('true', ...command)
  }

  /** The same, after a line for the shell has run as root: what it mounts is seen by this program only. */
  asUserAfter(prepare: string, ...command: readonly string[]): string {
    const path = join(this.#layer, `as-user-${readdirSync(this.#layer).length}`)
    const user = `setpriv --reuid=${ORDINARY_USER} --regid=${ORDINARY_USER} --clear-groups --`
    const quoted = command.map((part) => `'${part}'`).join(' ')
    const inside = `sh -c '${prepare} && exec "$@"' sh ${user} ${quoted}`
    writeFileSync(path, `#!/bin/sh\nexec '${this.#enter}' '${this.#layer}' ${inside} "$@"\n`, { mode: 0o755 })
    return path
  }

  /**
   * Paths of all files that differ from before, sorted. A file that was rewritten with the same contents does not
   * count.
   */
  changes(): string[] {
    const changes = join(this.#layer, 'changes')
    return readdirSync(changes, { recursive: true, withFileTypes: true })
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => differs(path, join('/', relative(changes, path))))
      .map((path) => join('/', relative(changes, path)))
      .toSorted()
  }

  remove(): void {
    rmSync(this.#layer, { recursive: true, force: true })
  }
}

function differs(now: string, before: string): boolean {
  const [is, was] = [lstatSync(now), lstatSync(before, { throwIfNoEntry: false })]
  if (was === undefined || is.mode !== was.mode) return true
  return is.isFile() && (is.size !== was.size || !readFileSync(now).equals(readFileSync(before)))
}
