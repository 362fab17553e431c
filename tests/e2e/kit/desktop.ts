import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** Programs of Debian's xvfb, dbus-x11 and dunst; `.ci/run` installs them. */
const PROGRAMS = ['Xvfb', 'dbus-daemon', 'dbus-monitor', 'dunst'] as const

/** The first program that this machine does not have. */
export const missingProgram = (): string | undefined =>
  PROGRAMS.find((name) => !folders().some((folder) => existsSync(join(folder, name))))

const folders = (): readonly string[] => (process.env['PATH'] ?? '').split(delimiter)

/** Calls that a program made to the desktop's notification service. */
export type NotificationCall = { readonly member: string; readonly text: readonly string[] }

/** A separate desktop: a virtual screen, a session bus and a notification service on it. */
export class Desktop {
  readonly env: Readonly<Record<string, string>>
  readonly #children: readonly ChildProcess[]
  readonly #calls: NotificationCall[] = []

  private constructor(env: Readonly<Record<string, string>>, children: readonly ChildProcess[], monitor: Readable) {
    this.env = env
    this.#children = children
    let current: { member: string; text: string[] } | undefined
    createInterface({ input: monitor }).on('line', (line) => {
      if (/^(method|signal|error) /.test(line)) {
        const member = /^method call .*member=(\w+)/.exec(line)?.[1]
        current = member === undefined ? undefined : { member, text: [] }
        if (current) this.#calls.push(current)
        return
      }
      const word = /^ {3}string "(.*)/.exec(line)?.[1]
      // A text may have several lines; everything else is indented further.
      if (word !== undefined || !line.startsWith('   ')) current?.text.push(word ?? line)
    })
  }

  static async start(): Promise<Desktop> {
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [display, address] = await Promise.all([firstLine(screen.stdio[3] as Readable), firstLine(bus.stdout)])
    const env = { DISPLAY: `:${display}`, DBUS_SESSION_BUS_ADDRESS: address }
    const whole = { ...process.env, ...env }
    const service = spawn('dunst', [], { env: whole, stdio: 'ignore' })
    const monitor = spawn('dbus-monitor', ['--session', "interface='org.freedesktop.Notifications'"], {
      env: whole,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return new Desktop(env, [monitor, service, bus, screen], monitor.stdout)
  }

  /** Calls of this name so far, oldest first. */
  notified(member: 'Notify' | 'CloseNotification'): readonly NotificationCall[] {
    return this.#calls.filter((each) => each.member === member)
  }

  stop(): void {
    for (const child of this.#children) child.kill('SIGKILL')
  }
}

/** Rejects when the program ends without output. */
function firstLine(stream: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: stream })
      .once('line', resolve)
      .once('close', () => reject(new Error('A program of the desktop ended at once.')))
  })
}
