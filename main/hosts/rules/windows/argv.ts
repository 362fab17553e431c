import { parseArgs } from 'node:util'
import { join } from 'node:path'
import type { DeepLink } from '#shared/domain/desktop/desktop.ts'
import { LINK_SCHEME, parseDeepLink } from '#shared/rules/desktop/deep-link.ts'

/** The switches of the Electron entry. All others on the command line are ignored: Chromium has its own. */
const SWITCHES = {
  data: { type: 'string' },
  as: { type: 'string' },
  demo: { type: 'boolean' },
  connect: { type: 'string' },
  'api-key': { type: 'string' },
  json: { type: 'boolean' },
  hidden: { type: 'boolean' },
  version: { type: 'boolean' },
  'print-policies': { type: 'boolean' },
  'self-test': { type: 'boolean' },
} as const

export const INSPECTIONS = ['version', 'print-policies', 'self-test'] as const
export type Inspection = (typeof INSPECTIONS)[number]

export type Arguments = {
  readonly dataFolder?: string
  readonly asUserId?: string
  /** Opens the demo at once. */
  readonly demo?: boolean
  readonly connectUrl?: string
  readonly apiKey?: string
  readonly json: boolean
  /** Start without a window, if Parlor has a tray or dock icon. */
  readonly hidden?: boolean
  /** Prints something and ends, instead of a start. */
  readonly inspect?: Inspection
  readonly link?: DeepLink
}

/**
 * The arguments of a start of the app. Any web page can open a link, so a command line with a link
 * is read for the link only: its switches are ignored, as are all switches of a second start.
 */
export function argvDecision(argv: readonly string[], start: 'first' | 'second'): Arguments {
  const linkText = argv.find((argument) => argument.startsWith(`${LINK_SCHEME}:`))
  if (linkText !== undefined) {
    const link = parseDeepLink(linkText)
    return { json: false, link }
  }
  if (start === 'second') return { json: false }
  return readSwitches(argv)
}

/** The first word of a start that runs the server alone, without windows. */
const SERVER_SWITCH = '--server'
/** For Chromium, which looks for a screen before any code of Parlor can say that it needs none. */
export const NO_SCREEN_SWITCH = '--ozone-platform=headless'

/**
 * The words for the server program, and those before them, if `--server` is the first one: `parlor --server --data DIR`. A
 * link that another program opens cannot ask for it, wherever it stands.
 */
export function serverWords(
  argv: readonly string[],
): { readonly words: readonly string[]; readonly before: readonly string[] } | undefined {
  const [first, ...rest] = argv
  if (first !== SERVER_SWITCH || argv.some((argument) => argument.startsWith(`${LINK_SCHEME}:`))) return undefined
  const words = rest.filter((word) => word !== NO_SCREEN_SWITCH)
  return { words, before: words.length === rest.length ? [SERVER_SWITCH] : [SERVER_SWITCH, NO_SCREEN_SWITCH] }
}

function readSwitches(args: readonly string[]): Arguments {
  const { values } = parseArgs({ args: [...args], options: SWITCHES, strict: false })
  const text = (name: keyof typeof SWITCHES): string | undefined => {
    const value = values[name]
    return typeof value !== 'string' || value === '' || value.startsWith('--') ? undefined : value
  }
  const dataFolder = text('data')
  const asUserId = text('as')
  const connectUrl = text('connect')
  const apiKey = text('api-key')
  return {
    json: values.json === true,
    hidden: values.hidden === true ? true : undefined,
    inspect: INSPECTIONS.find((name) => values[name] === true),
    dataFolder,
    asUserId,
    demo: values.demo === true ? true : undefined,
    connectUrl,
    apiKey,
  }
}

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
