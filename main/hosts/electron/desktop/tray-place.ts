import type { CommandCapability } from '../../host.ts'

const WATCHER = 'org.kde.StatusNotifierWatcher'
/** Two programs that query the session's bus; most desktops have one of them. */
const QUESTIONS: readonly (readonly string[])[] = [
  [
    'gdbus',
    ...'call --session --dest org.freedesktop.DBus --object-path /org/freedesktop/DBus'.split(' '),
    ...'--method org.freedesktop.DBus.NameHasOwner'.split(' '),
    WATCHER,
  ],
  [
    'dbus-send',
    ...'--session --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus'.split(' '),
    'org.freedesktop.DBus.NameHasOwner',
    `string:${WATCHER}`,
  ],
]

/**
 * Whether this desktop shows tray icons. If unknown, it does not: a hidden window that
 * cannot be found again is worse than a program that ends.
 */
export async function trayHasPlace(commands: CommandCapability): Promise<boolean> {
  for (const question of QUESTIONS) {
    try {
      return /\btrue\b/.test(await commands.run(question))
    } catch {
      // Not installed, or no bus: try the next one.
    }
  }
  return false
}
