import { join } from 'node:path'

/** The autostart folder of Linux desktops. Source: freedesktop autostart specification. */
export function autostartPath(environment: Readonly<Record<string, string | undefined>>, home: string): string {
  const config = environment['XDG_CONFIG_HOME']
  const folder = config !== undefined && config.startsWith('/') ? config : join(home, '.config')
  return join(folder, 'autostart', 'chat.parlor.desktop.desktop')
}

/**
 * The file that starts a program with the desktop. The path and arguments may contain any character, so each is quoted
 * separately, with the special characters of a shell escaped, `%` doubled, and the backslashes doubled once more,
 * because the line is a text of the file. Source: freedesktop desktop entry specification, "The Exec key".
 */
export function autostartFile(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Parlor',
    `Exec=${command.map(quoted).join(' ')}`,
    'Icon=parlor',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
}

function quoted(word: string): string {
  const escaped = word.replaceAll(/["`$\\]/g, String.raw`\$&`).replaceAll('%', '%%')
  return `"${escaped.replaceAll('\\', '\\\\').replaceAll('\n', String.raw`\n`)}"`
}

/**
 * The command that starts this Parlor again: the AppImage if it runs from one, which is mounted at another path each
 * time, and with the folder of the app if the program is a bare Electron.
 */
export function startCommand(run: {
  readonly program: string
  readonly appImage: string | undefined
  /** Absent in a packaged app. */
  readonly appFolder: string | undefined
  readonly hidden: boolean
}): readonly string[] {
  return [
    run.appImage ?? run.program,
    ...(run.appFolder === undefined ? [] : [run.appFolder]),
    ...(run.hidden ? ['--hidden'] : []),
  ]
}
