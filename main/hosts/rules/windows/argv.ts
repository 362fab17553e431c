import type { DeepLink } from '#shared/domain/desktop/deep-link.ts'
import { LINK_SCHEME, parseDeepLink } from '#shared/rules/desktop/deep-link.ts'

/** The switches of the Electron entry. All others on the command line are ignored. */
const OWN_SWITCHES = ['--data', '--as', '--connect', '--api-key', '--json', '--hidden'] as const

export type Arguments = {
  readonly dataFolder?: string
  readonly asUserId?: string
  readonly connectUrl?: string
  readonly apiKey?: string
  readonly json: boolean
  /** Start without a window, if Parlor has a tray or dock icon. */
  readonly hidden?: boolean
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
    return { json: false, ...(link ? { link } : {}) }
  }
  if (start === 'second') return { json: false }
  return readSwitches(argv)
}

function readSwitches(argv: readonly string[]): Arguments {
  const value = (name: (typeof OWN_SWITCHES)[number]): string | undefined => {
    const index = argv.indexOf(name)
    const next = index === -1 ? undefined : argv[index + 1]
    return next === undefined || next.startsWith('--') ? undefined : next
  }
  const dataFolder = value('--data')
  const asUserId = value('--as')
  const connectUrl = value('--connect')
  const apiKey = value('--api-key')
  return {
    json: argv.includes('--json'),
    ...(argv.includes('--hidden') ? { hidden: true } : {}),
    ...(dataFolder === undefined ? {} : { dataFolder }),
    ...(asUserId === undefined ? {} : { asUserId }),
    ...(connectUrl === undefined ? {} : { connectUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
  }
}
